# SPDX-License-Identifier: Apache-2.0
"""Commands that only look start at once: they load no more than they need, and that once."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.build import hdl, system
from aesforge.catalog import manifest, platform

# Packages that take a tenth of a second each or more, and what no command below needs of our own.
_HEAVY = {"altair", "cocotb", "cryptography", "numpy", "pandas", "pyosys", "pyslang", "vl_convert"}
_LOOKING = {
    "--help": {*_HEAVY, "pydantic", "jinja2", "rich.progress", "aesforge.catalog.manifest"},
    "bench --help": {*_HEAVY, "jinja2", "aesforge.catalog.manifest"},
    "doctor": {*_HEAVY, "jinja2", "aesforge.catalog.manifest"},
    "list": {*_HEAVY, "aesforge.synth", "aesforge.report"},
    "explore": _HEAVY,
    "pick --device ecp5": _HEAVY,
    # Its chains of blocks need a cipher; no RTL is read where no record is kept.
    "papers": _HEAVY - {"cryptography"},
}

_PROGRAM = """
import json, sys, tomllib
read = []
loads = tomllib.loads
tomllib.loads = lambda text: read.append(1) or loads(text)
sys.argv = ["aesforge", *sys.argv[1:]]
from aesforge.cli import main
try:
    main()
except SystemExit:
    pass
print(json.dumps({"modules": sorted(sys.modules), "read": len(read)}), file=sys.stderr)
"""


@pytest.mark.parametrize("command", _LOOKING)
def test_nothing_heavy_is_loaded(command: str, tmp_path: Path) -> None:
    """No command that shows what is known imports a simulator, a plotter or a parser of RTL."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *command.split()],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={
            **os.environ,
            **{"PYTHONPATH": str(ROOT / "src"), "AESFORGE_BUILD": str(tmp_path)},
        },
    )
    found = json.loads(done.stderr.splitlines()[-1])
    assert not _LOOKING[command] & set(found["modules"])
    assert found["read"] <= len(list(ROOT.glob("*/*/*.toml"))) + len(
        list(ROOT.glob("*/*/*/*.toml"))
    )


def test_a_manifest_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second look reads nothing; a file that was written since is read again."""
    unit = manifest.units()[0]
    folder = tmp_path / unit.name
    folder.mkdir()
    path = folder / "accel.toml"
    text = (unit.folder / "accel.toml").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    for entry in unit.folder.iterdir():
        if entry.name != path.name:
            (folder / entry.name).symlink_to(entry)
    calls = []
    loads = tomllib.loads
    monkeypatch.setattr(tomllib, "loads", lambda found: calls.append(1) or loads(found))
    first = manifest.load(folder)
    assert manifest.load(folder) is first
    assert len(calls) == 1
    path.write_text(text.replace("summary =", "summary  =", 1), encoding="utf-8")
    assert manifest.load(folder) is not first
    assert len(calls) == 2


def test_a_system_is_hashed_once() -> None:
    """Two questions about one core with one unit; another unit is another system."""
    one, *_, other = manifest.units()
    core = platform.discover()[0]
    hdl._digest.cache_clear()
    first = system.system_model_inputs(one, one.variant(""), core)
    assert system.system_model_inputs(one, one.variant(""), core) == first
    assert (hdl._digest.cache_info().misses, hdl._digest.cache_info().hits) == (1, 1)
    assert system.system_model_inputs(other, other.variant(""), core) != first


def test_an_unknown_name_is_still_refused() -> None:
    """What is kept does not hide a mistake."""
    with pytest.raises(UsageError, match="there is no accelerator"):
        manifest.find("no_such_unit")
