# SPDX-License-Identifier: Apache-2.0
"""Mutants of RTL: which there are, that benches kill them, and what is said of the others."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError
from aesforge.base.paths import ROOT
from aesforge.catalog import manifest
from aesforge.verify import mutate
from aesforge.verify.mutate import Judged, Mutant

TEXT = """// a && b, ~c
module some #(parameter Width = 4 + 1) (input logic [Width-1:0] a_i, output logic y_o);
  logic [3:0] b;
  assign b[Width-2] = a_i[0] ^ a_i[1];
  assign y_o = !a_i[2] && (b == 4'd3);  // and not ||
  assign unused = ^{a_i};
endmodule
"""

UNIT = manifest.aes_units()[0]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a repository."""
    monkeypatch.setattr(mutate, "ROOT", tmp_path)
    path = tmp_path / "some.sv"
    path.write_text(TEXT)
    return path


def test_every_operator_of_the_circuit(file: Path) -> None:
    """Not of comments, declarations, ranges, and what nobody reads."""
    found = [(one.line, one.old, one.new) for one in mutate.mutants(file)]
    assert found == [
        *((4, "^", "|"), (4, "^", "&"), (5, "!", ""), (5, "&&", "||"), (5, "==", "!=")),
    ]


def test_one_token_is_changed(file: Path) -> None:
    """And nothing else."""
    for one in mutate.mutants(file):
        changed = one.text()
        assert changed != TEXT
        assert changed[: one.offset] == TEXT[: one.offset]
        assert changed[one.offset + len(one.new) :] == TEXT[one.offset + len(one.old) :]


def test_the_choice_is_repeatable() -> None:
    """The same seed, the same mutants; another one, others; never more than there are."""
    first = mutate.choose(UNIT, 12, 1)
    assert first == mutate.choose(UNIT, 12, 1) != mutate.choose(UNIT, 12, 2)
    assert len(first) == 12 == len(set(first))
    assert len(mutate.choose(UNIT, 10**6, 1)) < 10**6
    assert {Path(one.file).suffix for one in first} == {".sv"}


def top_mutant(old: str, new: str) -> Mutant:
    """A mutant of the first unit's own RTL."""
    path = UNIT.folder / "rtl" / f"{UNIT.name}.sv"
    offset = path.read_text(encoding="utf-8").rindex(old)
    return Mutant(str(path.relative_to(ROOT)), offset, old, new)


def test_a_bench_kills() -> None:
    """In a tree of its own: the repository's file stays as it is."""
    one = next(m for m in mutate.choose(UNIT, 10**6, 1) if f"/{UNIT.name}.sv" in m.file)
    before = (ROOT / one.file).read_bytes()
    (judged,) = mutate.run(UNIT, [one], 1)
    assert judged.verdict == "killed" and judged.by.startswith("unit bench of "), judged
    assert (ROOT / one.file).read_bytes() == before
    assert not list((mutate.BUILD / "mutants").iterdir())


@pytest.mark.slow
def test_what_makes_no_difference_survives() -> None:
    """An operator whose result nothing reads: neither benches nor proofs can notice."""
    (judged,) = mutate.run(UNIT, [top_mutant("= ^{", "= |{")], 1)
    assert judged == Judged(judged.mutant, "survived", "")


def test_a_known_equivalent_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its reason is shown instead."""
    one = top_mutant("= ^{", "= |{")
    entry = mutate.Equivalent(
        file=one.file, line=one.source, old=one.old, new=one.new, because="nobody reads it"
    )
    monkeypatch.setattr(mutate, "equivalent", lambda: [entry])
    (judged,) = mutate.run(UNIT, [one], 1)
    assert judged == Judged(one, "equivalent", "nobody reads it")
    assert "1 known as equivalent" in mutate.table(UNIT, [judged]).title


def test_the_list_of_equivalents_is_current(tmp_path: Path) -> None:
    """An entry whose line is gone is an error."""
    assert isinstance(mutate.equivalent(), list)
    (tmp_path / "formal").mkdir()
    (tmp_path / mutate.EQUIVALENT).write_text(
        '[[mutant]]\nfile = "some.sv"\nline = "assign a = b;"\nold = "="\nnew = ""\nbecause = "-"\n'
    )
    with pytest.raises(AesforgeError, match=r"some.sv has no line 'assign a = b;'"):
        mutate.equivalent(tmp_path)


def test_software_has_none() -> None:
    """One line and exit status 2."""
    software = next(a for a in manifest.discover() if a.manifest.rtl is None)
    words = [sys.executable, "-m", "aesforge", "mutate", software.name]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "has no RTL to change" in done.stderr


def test_survivors_are_an_error() -> None:
    """They are rows, and the exit status says so."""
    one = top_mutant("= ^{", "= |{")
    found = [Judged(one, "survived", ""), Judged(one, "killed", "unit bench of full")]
    lines = mutate.table(UNIT, found).rows
    assert [line[0] for line in lines] == ["survived"]
    assert [row["verdict"] for row in mutate.json_rows(UNIT, found)] == ["survived", "killed"]
    assert json.dumps(mutate.json_rows(UNIT, found)[0])
