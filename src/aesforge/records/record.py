# SPDX-License-Identifier: Apache-2.0
"""Records: what was run, how, and what came out. Tables are made from them and nothing else."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from aesforge.base import files
from aesforge.base.errors import AesforgeError
from aesforge.base.paths import BUILD, ROOT

Status = Literal["passed", "failed", "error", "absent", "skipped"]

Model = TypeVar("Model", bound=BaseModel)

CACHE = BUILD / "records"
PUBLISHED = ROOT / "results" / "records.jsonl"

_HUGE = re.compile(r"[:,\[]\s*-?\d{19}")  # no count comes near; quotients of it are no floats


class How(BaseModel):
    """Everything that makes a record repeatable."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    inputs_sha256: str  # of every file and setting that matters
    tools: dict[str, str] = {}  # program or package: version
    flags: dict[str, str] = {}  # compiler flags, memory timing, seeds, as text


class Figure(BaseModel):
    """One measured call: counts are for the whole call of `blocks` 16-byte blocks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    direction: Literal["encrypt", "decrypt"]
    key_bits: int
    mode: str  # ecb, cbc, ctr or key-setup
    blocks: int  # 0 for key-setup
    cycles: int
    instructions: int
    waited: int = 0  # cycles of these in which other code could have run


class Record(BaseModel):
    """One question asked of one accelerator variant on one platform."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    accelerator: str
    kind: str
    variant: str
    platform: str
    question: str
    status: Status
    reason: str = ""  # why it failed, or is absent or skipped
    how: How
    figures: list[Figure] = []
    counts: dict[str, int] = {}  # question's own numbers: vectors by suite, extremes, bytes

    @property
    def place(self) -> tuple[str, ...]:
        """Where it stands among published records: a later one takes its place.

        Questions about some curves only stand beside those about others.
        """
        curves = self.how.flags.get("curves", "")
        keys = (self.kind, self.accelerator, self.variant, self.platform, self.question)
        return (*keys, "" if curves == "all" else curves)

    @property
    def final(self) -> bool:
        """Whether asking again would give the same answer (an absent peer may appear)."""
        return self.status in ("passed", "failed")


def load_cached(key: str) -> Record | None:
    """Return the record of a content hash; a damaged file counts as none and is removed."""
    path = CACHE / f"{key}.json"
    try:
        return Record.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, ValidationError):
        path.unlink(missing_ok=True)
        return None


def kept(folder: Path, model: type[Model]) -> list[Model]:
    """Return the records of a cache, the oldest first; a damaged file counts as none."""
    aged: list[tuple[int, Model]] = []
    for path in folder.glob("*.json"):
        try:
            text, age = path.read_text(encoding="utf-8"), path.stat().st_mtime_ns
            aged.append((age, model.model_validate_json(text)))
        except (OSError, UnicodeDecodeError, ValidationError):
            continue
    return [entry for _, entry in sorted(aged, key=lambda pair: pair[0])]


def store(record: Record) -> None:
    """Keep a final record under its content hash; an interruption leaves no half file."""
    if record.final:
        text = record.model_dump_json(exclude_defaults=True)
        write_atomically(CACHE / f"{record.how.inputs_sha256}.json", text + "\n")


def in_order(records: Iterable[Record]) -> list[Record]:
    """Return records in the order of a published set."""
    return sorted(records, key=lambda entry: entry.place)


def joined(old: Iterable[Record], new: Iterable[Record]) -> list[Record]:
    """Return old records and new ones, which take the places of those that ask the same."""
    return list({entry.place: entry for entry in (*old, *new)}.values())


def read_published(path: Path = PUBLISHED) -> list[Record]:
    """Read the published set; an unreadable line is an error that names its number."""
    return read_lines(Record, path, "run `aesforge bench`")


def as_lines(records: Iterable[BaseModel]) -> str:
    """Return records in their order, one JSON object a line, without defaults."""
    dumped = (record.model_dump(exclude_defaults=True) for record in records)
    return "\n".join(json.dumps(found, sort_keys=True) for found in dumped) + "\n"


def write_lines(records: Iterable[BaseModel], path: Path) -> None:
    """Write records as `as_lines` gives them."""
    write_atomically(path, as_lines(records))


def read_lines(model: type[Model], path: Path, hint: str) -> list[Model]:
    """Read what write_lines wrote; `hint` says how to make a missing file."""
    records: list[Model] = []
    try:
        found = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise AesforgeError(f"cannot read {path}: {error.strerror}", hint) from error
    except UnicodeDecodeError as error:
        raise AesforgeError(
            f"{path}: not UTF-8 at byte {error.start}", f"restore the file, or {hint}"
        ) from error
    for number, line in enumerate(found, 1):
        if _HUGE.search(line):
            raise AesforgeError(f"{path}:{number}: not a record: a number has 19 digits or more")
        try:
            records.append(model.model_validate_json(line))
        except ValidationError as error:
            raise AesforgeError(
                f"{path}:{number}: not a record: {error.errors()[0]['msg']}"
            ) from error
    return records


def write_atomically(path: Path, text: str) -> None:
    """Replace a text file in one step; its mode stays, a new one has what the umask leaves."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_text(path, text)
