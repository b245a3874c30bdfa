# SPDX-License-Identifier: Apache-2.0
"""`aesforge report`: one self-contained HTML page out of records, for people who have to choose."""

import json
from collections.abc import Sequence
from pathlib import Path

import jinja2

from aesforge.base import files
from aesforge.base.errors import AesforgeError, UsageError
from aesforge.records.record import Record
from aesforge.report import charts, data, explore, timing
from aesforge.report import local as unpublished
from aesforge.synth.synthesis import SynthRecord
from aesforge.verify.prove import ProofResult

FOLDER = Path(__file__).parent
MAX_BYTES = 5_000_000
# One module, in this order: the last starts the page.
SCRIPTS = ("state", "save", "labels", "glance", "charts", "evidence", "script")


def write(path: Path, *, local: bool = False) -> int:
    """Write the page of the published records and this build folder's proofs; return its bytes.

    With `local` records of this build folder take the places of published ones.
    """
    if path.is_dir():  # reported before the work, not after it
        raise UsageError(f"{path} is a folder", f"name a file in it: -o {path / 'report.html'}")
    if not path.parent.is_dir():
        raise UsageError(f"cannot write {path}: there is no folder {path.parent}", "make it first")
    records, placed = explore.read_published()
    if local:
        records, placed, _ = unpublished.join(records, placed)
    page = build(records, placed, data.known_proofs())
    try:
        files.write_text(path, page)
    except OSError as error:
        raise AesforgeError(f"cannot write {path}: {error.strerror}") from error
    return len(page.encode())


def build(
    records: Sequence[Record], placed: Sequence[SynthRecord], proofs: Sequence[ProofResult]
) -> str:
    """Return the page; equal records give equal pages."""
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string(_read("template.html.j2"))
    page = template.render(
        style=_read("style.css"),
        script="\n".join(_read(f"{name}.js") for name in SCRIPTS),
        runtime=charts.runtime().replace("</script", "<\\/script"),
        data=_inside_script(data.collect(records, placed, proofs)),
        charts=_inside_script(charts.specifications()),
        waves=timing.drawings(),
    )
    if (size := len(page.encode())) > MAX_BYTES:
        raise AesforgeError(f"the report has {size} bytes, more than {MAX_BYTES}")
    return page


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _inside_script(value: object) -> str:
    """Return JSON that is safe inside a <script> element."""
    return json.dumps(value, separators=(",", ":")).replace("</", "<\\/")
