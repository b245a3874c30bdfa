# SPDX-License-Identifier: Apache-2.0
"""Mutants of RTL: which there are, that checks kill them, what is said of the others, records."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError, ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import elaborate
from aesforge.build.elaborate import Design
from aesforge.catalog import manifest
from aesforge.records import record
from aesforge.verify import killers, killers_c, mutants, mutate, prove
from aesforge.verify.killers import Check, Said
from aesforge.verify.mutants import Mutant
from aesforge.verify.mutate import Judged, MutantsRecord
from aesforge.verify.unit_bench import Outcome

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
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    path = tmp_path / "some.sv"
    path.write_text(TEXT)
    return path


def test_every_operator_of_the_circuit(file: Path) -> None:
    """Not of comments, declarations, ranges, and what nobody reads."""
    found = [(one.line, one.old, one.new) for one in mutants.mutants(file)]
    assert found == [
        *((4, "^", "|"), (4, "^", "&"), (5, "!", ""), (5, "&&", "||"), (5, "==", "!=")),
    ]


def test_one_token_is_changed(file: Path) -> None:
    """And nothing else."""
    for one in mutants.mutants(file):
        changed = one.text()
        assert changed != TEXT
        assert changed[: one.offset] == TEXT[: one.offset]
        assert changed[one.offset + len(one.new) :] == TEXT[one.offset + len(one.old) :]


def test_the_choice_is_repeatable() -> None:
    """The same seed, the same mutants; another one, others; more of them hold the fewer."""
    first = mutate.choose(UNIT.name, 12, 1)
    assert first == mutate.choose(UNIT.name, 12, 1) != mutate.choose(UNIT.name, 12, 2)
    assert len(first) == 12 == len(set(first))
    assert set(first) < set(mutate.choose(UNIT.name, 20, 1))
    assert len(mutate.choose(UNIT.name, 10**6, 1)) < 10**6
    assert {Path(one.file).suffix for one in first} == {".sv"}


def test_files_take_turns(file: Path) -> None:
    """A file with few operators is not crowded out."""
    other = file.with_name("other.sv")
    other.write_text("module other (input logic a_i);\n  assign y = ~a_i;\nendmodule\n")
    chosen = mutants.choose([[file, other]], lambda one: True, 2, "1")
    assert {one.file for one in chosen} == {"some.sv", "other.sv"}
    chosen = mutants.choose([[file, other]], lambda one: one.old != "~", 2, "1")
    assert {one.file for one in chosen} == {"some.sv"}


DESIGN = """module inner #(parameter N = 0) (input logic a_i, output logic y_o);
  if (N == 0) begin : gen_none
    assign y_o = !a_i;
  end else begin : gen_some
    assign y_o = ~a_i;
  end
  for (genvar i = 0; i < N; i++) begin : gen_turn
    logic q;
    assign q = a_i ^ y_o;
  end
endmodule
module outer #(parameter M = 1) (input logic a_i, output logic y_o);
  inner #(.N(M)) u_inner (.a_i, .y_o);
endmodule
module alone (input logic a_i, output logic y_o);
  assign y_o = a_i || y_o;
endmodule
"""


@pytest.mark.parametrize(("value", "there"), [(0, "! < =="), (1, "~ < == ^"), (2, "~ < == ^")])
def test_only_what_a_design_holds(tmp_path: Path, value: int, there: str) -> None:
    """Branches of generate conditions by parameters; modules that nobody instantiates are out."""
    path = tmp_path / "outer.sv"
    path.write_text(DESIGN)
    held = elaborate.held(Design((path,), "outer", (("M", value),)))
    marks = ["!", "~", "^", "||", "<", "=="]
    places = {mark: DESIGN.index(f"{mark}a" if mark in "!~" else f" {mark} ") for mark in marks}
    assert sorted(m for m in marks if held.holds(path, places[m] + 1)) == sorted(there.split())
    assert not held.holds(tmp_path / "other.sv", 0)


TOP = UNIT.folder / "rtl" / f"{UNIT.name}.sv"
# An operator whose result nothing reads.
FIRST = Mutant(str(TOP.relative_to(ROOT)), TOP.read_text(encoding="utf-8").rindex("^{"), "^", "|")


def test_a_bench_kills(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a tree of its own: the repository's file stays as it is. What was said is kept."""
    one = next(m for m in mutate.choose(UNIT.name, 10**6, 1) if f"/{UNIT.name}.sv" in m.file)
    before, trees, copy = (ROOT / one.file).read_bytes(), list[Path](), mutate._copy

    def noted(tree: Path) -> None:
        trees.append(tree)
        copy(tree)

    monkeypatch.setattr(mutate, "_copy", noted)
    (judged,) = mutate.run(UNIT.name, [one], 1)
    assert judged.verdict == "killed" and judged.by.startswith("unit bench of "), judged
    assert (ROOT / one.file).read_bytes() == before
    assert not any(tree.exists() for tree in trees)
    assert (BUILD / "mutants" / "said" / f"{judged.keys[0]}.json").is_file()


class Asked:
    """Checks that say what they are told, in place of an accelerator's; and how often one ran."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, **says: Said) -> None:
        self.says, self.ran = says, list[str]()
        self.checks = tuple(
            Check(name, lambda one: True, lambda texts: str(sorted(texts.values())), Said)
            for name in says
        )
        monkeypatch.setattr(mutate, "BUILD", folder)
        monkeypatch.setattr(mutate, "_SOUND", set())
        monkeypatch.setattr(killers, "of", lambda name: self.checks)
        monkeypatch.setattr(mutate, "_ask", self._ask)

    def _ask(self, name: str, code: str, texts: dict[Path, str], checks: list[Check]) -> list[Said]:
        found: list[Said] = []
        for check in checks:
            self.ran.append(f"{check.label}{'' if texts else ' as is'}")
            found.append(self.says[check.label] if texts else Said())
            if found[-1].noticed:
                break
        return found


def test_the_first_killer_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Later checks are not run; the killer itself is seen to pass without the mutant."""
    asked = Asked(monkeypatch, tmp_path, one=Said(), two=Said("fails"), three=Said("fails"))
    (judged,) = mutate.run(UNIT.name, [FIRST], 1)
    assert (judged.verdict, judged.by) == ("killed", "two: fails")
    assert asked.ran == ["one", "two", "two as is"]
    assert len(judged.keys) == 1


def test_an_interrupted_campaign_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is not run again; a damaged file is as none."""
    asked = Asked(monkeypatch, tmp_path, one=Said(), two=Said("fails"))
    first = mutate.run(UNIT.name, [FIRST], 1)
    asked.ran.clear()
    assert mutate.run(UNIT.name, [FIRST], 1) == first and not asked.ran
    kept = tmp_path / "mutants" / "said" / f"{first[0].keys[0]}.json"
    kept.write_text("{")
    assert mutate.run(UNIT.name, [FIRST], 1) == first and asked.ran == ["two"]


def test_a_proof_without_a_verdict_kills_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said of the survivor, and the proof is run again next time."""
    asked = Asked(monkeypatch, tmp_path, one=Said(undecided=True), two=Said())
    for _ in range(2):
        (judged,) = mutate.run(UNIT.name, [FIRST], 1)
        assert (judged.verdict, judged.by) == ("survived", "a proof ran into its limit")
    assert asked.ran == ["one", "two", "one", "two"]


def test_a_check_that_always_fails_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would kill every mutant."""
    asked = Asked(monkeypatch, tmp_path, one=Said("fails"))
    monkeypatch.setattr(
        mutate, "_ask", lambda name, code, texts, checks: [asked.says[c.label] for c in checks]
    )
    with pytest.raises(AesforgeError, match=r"one fails without a mutant"):
        mutate._judged(UNIT.name, FIRST)  # in a pool it would stop what this process runs


@pytest.mark.parametrize(
    ("status", "message", "said"),
    [
        ("pass", "", ""),
        ("mismatch", "", "fails"),
        ("", "bench did not finish within 300 s", "does not end"),
        ("", "verilator failed", "does not build or run"),
    ],
)
def test_what_a_bench_says(status: str, message: str, said: str) -> None:
    """One that never ends is stopped by its own limit and has noticed."""

    def bench() -> Outcome:
        if message:
            raise ToolError(message)
        return Outcome(status, "")

    assert killers.of_bench(bench) == Said(said)


def test_checks_of_a_bus_slave() -> None:
    """A response channel that waits for a ready: AXI allows it, a manager hangs; a proof fails."""
    path = ROOT / "rtl" / "bus" / "axil_slave.sv"
    text = path.read_text(encoding="utf-8")
    line = "assign b_free     = !bvalid_q || s_axi_bready;"
    one = Mutant(str(path.relative_to(ROOT)), text.index("||", text.index(line)), "||", "&&")
    assert one.source == line
    proof = next(run for run in prove.plain([killers.SHARED]) if run.proof.name == "axil_slave")
    assert any(
        check.label == f"proof {killers.SHARED} {proof.proof.name}" and check.holds(one)
        for check in killers.of(killers.SHARED)
    )
    (judged,) = mutate.run(killers.SHARED, [one], 1)
    assert (judged.verdict, judged.by) == ("killed", "proof shared axil_slave: fails")


@pytest.mark.slow
def test_what_makes_no_difference_survives() -> None:
    """An operator whose result nothing reads: neither benches nor proofs can notice."""
    (judged,) = mutate.run(UNIT.name, [FIRST], 1)
    assert (judged.verdict, judged.by) == ("survived", "") and judged.keys


C_TEXT = """#define ADD(a, b) ((a) + \\
  (b))
#if 0
static int never(int a) { return a ^ 1; }
#endif
int some(const int *a, int b) {
  int c = -b; /* a && b */
  if (!a || &b == a) return -1;
  c += a[0] & b;
  return c <= b;
}
"""


def test_every_operator_of_c(file: Path) -> None:
    """Not of directives and comments, no addresses and signs."""
    path = file.with_name("some.c")
    path.write_text(C_TEXT)
    found = [(one.line, one.old, one.new) for one in mutants.mutants(path)]
    assert found == [
        *((4, "^", "|"), (4, "^", "&"), (8, "!", ""), (8, "||", "&&"), (8, "==", "!=")),
        *((9, "+=", "-="), (9, "&", "|"), (10, "<=", ">")),
    ]
    assert [one.nth for one in mutants.mutants(path)] == [1] * 8


def test_only_c_that_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that macros leave out is no part of a check; headers count."""
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    path, header = tmp_path / "some.c", tmp_path / "some.h"
    path.write_text('#include "some.h"\n' + C_TEXT)
    header.write_text("static inline int other(int a) { return a ^ 1; }\n")
    read = killers_c.Compiled((((), path),), (), ())
    held = {(one.file, one.line) for p in (path, header) for one in mutants.mutants(p)}
    found = {
        (one.file, one.line)
        for p in (path, header)
        for one in mutants.mutants(p)
        if killers_c.reads(read, one)
    }
    assert held - found == {("some.c", 5)} and ("some.h", 1) in found


def test_only_c_that_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function that nothing calls, and a change without effect, give the same code."""
    monkeypatch.setattr(killers_c, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    for name in ("INCLUDE", "MODES"):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(killers_c, name, tmp_path / name)
    path = tmp_path / "code" / "some.c"
    path.parent.mkdir()
    path.write_text(
        "static inline int unused(int a) { return a + 1; }\n"
        "int used(int a) { return a + 2; }\n"
        "int same(int a) { return a + 0; }\n"
    )
    read = killers_c.Compiled((((), path),), (), ())
    monkeypatch.setattr(killers_c, "_reads", lambda name: (read,))
    found = {one.line: killers_c.changes_code(killers.SHARED, one) for one in mutants.mutants(path)}
    assert found == {1: False, 2: True, 3: False}


def test_a_kernel_is_compared_on_the_host() -> None:
    """An operator of a kernel in C, of a unit and of what kernels share."""
    first = mutate.choose(UNIT.name, 4, 1, "c")
    assert {Path(one.file).suffix for one in first} <= {".c", ".h"} and len(first) == 4
    assert {one.file.split("/")[0] for one in first} == {"accelerators", "sw"}
    every = mutants.mutants(UNIT.file("sw/emul.c"))
    one = next(one for one in every if one.old == "^" and killers_c.changes_code(UNIT.name, one))
    (judged,) = mutate.run(UNIT.name, [one], 1, code="c")
    assert judged.verdict == "killed" and judged.by.startswith("emulation of "), judged


def test_c_is_checked_where_it_is_linked() -> None:
    """In a set with the unit, and by the unit's own tests of its C."""
    owner = next(found for found in manifest.units() if found.manifest.kind == "set")
    unit = owner.units()[0]
    labels = [check.label for check in killers_c.of(unit.name)]
    assert any(f" of {owner.name}-" in label for label in labels), labels
    own = next(
        path
        for found in manifest.discover()
        if killers_c.able(found)
        for path in (found.folder / "test").glob("test_*.py")
        if '"sw/' in path.read_text(encoding="utf-8")
    )
    labels = [check.label for check in killers_c.of(own.parents[1].name)]
    assert f"test {own.name}" in labels, labels


def test_a_known_equivalent_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its reason is shown instead; of equal tokens on the line only the one that is named."""
    entry = mutants.Equivalent(
        file=FIRST.file, line=FIRST.source, old="^", new="|", because="nobody reads it"
    )
    monkeypatch.setattr(mutants, "equivalent", lambda: [entry])
    (judged,) = mutate.run(UNIT.name, [FIRST], 1)
    assert judged == Judged(FIRST, "equivalent", "nobody reads it")
    assert "1 known as equivalent" in mutate.table(UNIT.name, [judged]).title
    assert not entry.model_copy(update={"nth": 2}).says(FIRST)


def test_the_list_of_equivalents_is_current(tmp_path: Path) -> None:
    """An entry whose line is gone is an error."""
    assert isinstance(mutants.equivalent(), list)
    (tmp_path / "formal").mkdir()
    (tmp_path / mutants.EQUIVALENT).write_text(
        '[[mutant]]\nfile = "some.sv"\nline = "assign a = b;"\nold = "="\nnew = ""\nbecause = "-"\n'
    )
    with pytest.raises(AesforgeError, match=r"some.sv has no line 'assign a = b;'"):
        mutants.equivalent(tmp_path)
    # An accelerator's own list is read too.
    (tmp_path / mutants.EQUIVALENT).write_text("")
    own = tmp_path / "accelerators" / "one" / mutants.EQUIVALENT
    own.parent.mkdir(parents=True)
    own.write_text('[[mutant]]\nfile = "a.sv"\nline = "b"\nold = "="\nnew = ""\nbecause = "-"\n')
    with pytest.raises(AesforgeError, match=r"one/formal/equivalent.toml: a.sv has no"):
        mutants.equivalent(tmp_path)


def test_software_has_none() -> None:
    """One line and exit status 2."""
    software = next(a for a in manifest.discover() if a.manifest.rtl is None)
    for name, said in ((software.name, "has no RTL to change"), ("nosuch", "no accelerator")):
        words = [sys.executable, "-m", "aesforge", "mutate", name]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and said in done.stderr


def test_survivors_are_an_error() -> None:
    """They are rows, and the exit status says so."""
    found = [Judged(FIRST, "survived", ""), Judged(FIRST, "killed", "unit bench of full")]
    lines = mutate.table(UNIT.name, found).rows
    assert [line[0] for line in lines] == ["survived"]
    assert [row["verdict"] for row in mutate.json_rows(UNIT.name, found)] == ["survived", "killed"]
    assert json.dumps(mutate.json_rows(UNIT.name, found)[0])


# Records ------------------------------------------------------------------------------------------


SOME = list(mutants.mutants(TOP))[:4]
SAID: list[tuple[mutate.Verdict, str]] = [
    ("killed", "proof shared some: fails"),
    ("killed", "unit bench of a/b: fails"),
    ("equivalent", "nobody reads it"),
    ("survived", ""),
]
FOUND = [Judged(one, *said, ("key",)) for one, said in zip(SOME, SAID, strict=True)]


def test_records_tell_the_whole() -> None:
    """Each mutant once, by its line; counts add up on the page, survivors are listed."""
    entry = mutate.make_record(UNIT.name, 5, 7, FOUND)
    names = [f"{one.file}: `{one.source}`: {one.change}" for one in SOME]
    assert list(entry.mutants) == names and (entry.asked, entry.seed) == (5, 7)
    assert entry.mutants[names[0]] == "killed by proof shared some: fails"
    table = mutate.page_table([entry])
    assert f"| {UNIT.name} | 4 | 1 | 1 | 1 | 1 |" in table and f"- {names[3]}" in table
    other = entry.model_copy(update={"accelerator": "other"})
    assert "| **all** | 8 | 2 | 2 | 2 | 2 |" in mutate.page_table([other, entry])
    assert "Survivors" not in mutate.page_table([mutate.make_record(UNIT.name, 5, 7, FOUND[:3])])
    changed = [*FOUND[:3], dataclasses.replace(FOUND[3], keys=())]
    again = mutate.make_record(UNIT.name, 5, 7, changed)
    assert again.inputs_sha256 != entry.inputs_sha256
    assert mutate.joined([entry], [again]) == [again]
    in_c = mutate.make_record(UNIT.name, 5, 7, FOUND, "c")
    assert mutate.joined([entry], [in_c]) == [entry, in_c]
    assert "| C | mutants |" in mutate.page_table([entry, in_c])
    twice = mutate.make_record(UNIT.name, 5, 7, [FOUND[0], FOUND[0]])  # the same line further down
    assert list(twice.mutants) == [names[0], f"{names[0]}, again"]


def test_no_record_without_a_verdict() -> None:
    """A campaign with an error is repeated."""
    with pytest.raises(AesforgeError, match="took too long"):
        mutate.make_record(UNIT.name, 5, 1, [Judged(FIRST, "error", "took too long")])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("killed by proof shared some: fails", "killed"),
        ("killed by proof shared some: fails", "killed by hand"),
        ("survived", "error"),
        ("survived", ""),
        ('"asked": 5', '"asked": 3'),
        ('"seed": 7, ', ""),
    ],
)
def test_a_damaged_record_is_refused(tmp_path: Path, old: str, new: str) -> None:
    """With the number of its line."""
    text = json.dumps(mutate.make_record(UNIT.name, 5, 7, FOUND).model_dump())
    assert MutantsRecord.model_validate_json(text)
    path = tmp_path / "mutants.jsonl"
    path.write_text(text.replace(old, new, 1) + "\n")
    with pytest.raises(AesforgeError, match=r"mutants.jsonl:1: not a record"):
        record.read_lines(MutantsRecord, path, "")


# What is published --------------------------------------------------------------------------------

PUBLISHED = mutate.read_published()
PAGE = ROOT / "docs" / "soundness.md"


def test_nearly_all_are_killed() -> None:
    """The share of kills that we promise; each target is still there."""
    of_rtl = [entry for entry in PUBLISHED if entry.question == "rtl"]
    assert {entry.accelerator for entry in of_rtl} <= set(mutate.targets([]))
    total = sum(len(entry.mutants) for entry in of_rtl)
    same = sum(entry.count("equivalent") for entry in of_rtl)
    assert total >= 300
    assert sum(entry.count("killed") for entry in of_rtl) >= 0.97 * (total - same)


def test_equivalents_have_their_reason() -> None:
    """What a record calls equivalent is in the list."""
    known = mutants.equivalent()
    for entry in PUBLISHED:
        for mutant, said in entry.mutants.items():
            if said == "equivalent":
                assert any(mutant.startswith(f"{e.file}: `{e.line}`: ") for e in known), mutant


def test_errors_in_the_results_are_seen() -> None:
    """The page has what the records say: another verdict, or a mutant less, is another page."""
    page = PAGE.read_text(encoding="utf-8")
    assert mutate.page_table(PUBLISHED) in page
    first, *others = PUBLISHED
    killed = next(name for name, said in first.mutants.items() if said.startswith("killed"))
    for changed in (
        {**first.mutants, killed: "survived"},
        {**first.mutants, killed: "equivalent"},
        {name: said for name, said in first.mutants.items() if name != killed},
    ):
        planted = first.model_copy(update={"mutants": changed})
        assert mutate.page_table([planted, *others]) not in page
