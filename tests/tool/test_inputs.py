# SPDX-License-Identifier: Apache-2.0
"""What the hash of a record's inputs covers: what tools read, not how the files are written."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from aesforge.base.errors import AesforgeError, ToolError
from aesforge.base.paths import ROOT
from aesforge.bench import montecarlo
from aesforge.boards import bitstream
from aesforge.build import codegen, ctokens, hdl, library, pycode, simulate
from aesforge.catalog import manifest, platform
from aesforge.catalog.proof import Proof
from aesforge.records import record
from aesforge.report import rehash
from aesforge.synth import flow, synthesis
from aesforge.synth.flow import TARGETS, Design
from aesforge.verify import check, prove
from tree_support import make_tree

pytestmark = pytest.mark.quick

COUNTER = """\
// SPDX-License-Identifier: Apache-2.0
// A counter.
module counter #(parameter int Width = 4) (
  input  logic             clk_i,
  output logic [Width-1:0] count_o
);
`ifdef TWO_STEPS
  always_ff @(posedge clk_i) count_o <= count_o + 2;
`else
  always_ff @(posedge clk_i) count_o <= count_o + 1;  // one
`endif
endmodule
"""
TOP = """\
module top #(parameter Width = 4, parameter Kind = "rom") (input logic clk_i, output logic [3:0] o);
  counter u (.*, .count_o(o));
endmodule
"""
OTHER = "module other (output logic o);\n  assign o = 1'b0;\nendmodule\n"


def _write(folder: Path, **texts: str) -> list[Path]:
    """Write SystemVerilog files; return them in the order given."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.sv" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def _base(tmp_path: Path, *defines: str, counter: str = COUNTER) -> str:
    return hdl.digest(_write(tmp_path / "base", counter=counter, top=TOP), "top", defines)


# RTL ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// A counter.", "// Counts, as its name says.\n// On two lines."),
        ("  // one", ""),
        ("input  logic             clk_i", "input logic clk_i /* the clock */"),
        ("+ 1;", "\n    +\n    1 ;"),
        ("count_o + 2", "count_o + 3"),  # not what this run compiles
        ("module counter", '`line 7 "elsewhere.sv" 0\nmodule counter'),
        ("@(posedge clk_i) count_o", "@(posedge clk_i) // verilator lint_off WIDTH\n count_o"),
    ],
)
def test_housekeeping_in_rtl_changes_nothing(tmp_path: Path, old: str, new: str) -> None:
    """Comments, blanks, line breaks, positions and branches that are not compiled."""
    assert old in COUNTER
    assert _base(tmp_path) == _base(tmp_path, counter=COUNTER.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("count_o + 1", "count_o - 1"),
        ("count_o + 1", "count_o + + 1"),
        ("Width = 4", "Width = 5"),
        ("<= count_o + 1", "= count_o + 1"),
        ("module counter", "(* keep *) module counter"),
        ("endmodule", "  /* verilator no_inline_module */\nendmodule"),
        ("posedge clk_i", "posedge clk _i"),
    ],
)
def test_what_a_tool_reads_of_rtl_changes_the_hash(tmp_path: Path, old: str, new: str) -> None:
    """Operators, parameters, attributes, comments that are commands."""
    assert _base(tmp_path) != _base(tmp_path, counter=COUNTER.replace(old, new))


def test_macros_in_effect_count(tmp_path: Path) -> None:
    """A macro counts where the text asks for it."""
    assert _base(tmp_path) != _base(tmp_path, "TWO_STEPS")
    assert _base(tmp_path) == _base(tmp_path, "ELSEWHERE")
    edited = COUNTER.replace("count_o + 2", "count_o + 3")
    assert _base(tmp_path, "TWO_STEPS") != _base(tmp_path, "TWO_STEPS", counter=edited)


def test_file_names_and_order_do_not_count(tmp_path: Path) -> None:
    """Modules in other files, in another order, with one that is not used."""
    base = _base(tmp_path)
    moved = _write(tmp_path / "moved" / "deeper", a=TOP, renamed=COUNTER)
    assert hdl.digest(moved, "top") == base
    assert hdl.digest(_write(tmp_path / "one", all=TOP + COUNTER), "top") == base
    assert hdl.digest(_write(tmp_path / "more", t=TOP, o=OTHER, c=COUNTER), "top") == base
    assert hdl.digest(_write(tmp_path / "other", t=TOP, o=OTHER, c=COUNTER), "counter") != base


def test_what_a_module_uses_is_followed(tmp_path: Path) -> None:
    """A package counts for the modules that name it, and so does what is outside of modules."""
    package = "package sizes_pkg;\n  localparam int Step = 1;\nendpackage\n"
    counter = COUNTER.replace("count_o + 1", "count_o + sizes_pkg::Step")
    texts = {"pkg": package, "counter": counter, "top": TOP}
    base = hdl.digest(_write(tmp_path, **texts), "top")
    changed = {**texts, "pkg": package.replace("= 1", "= 2")}
    assert hdl.digest(_write(tmp_path, **changed), "top") != base
    outside = {**texts, "unit": "import sizes_pkg::*;\n"}
    assert hdl.digest(_write(tmp_path, **outside), "top") != base


def test_a_macro_of_an_earlier_file_counts(tmp_path: Path) -> None:
    """A file that asks for a macro that another one defines is read after it."""
    counter = COUNTER.replace("count_o + 1", "count_o + `STEP")
    found = [
        hdl.digest(_write(tmp_path, m=f"`define STEP {n}\n", o=OTHER, c=counter, t=TOP), "top")
        for n in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2]


def test_an_include_counts_by_its_contents(tmp_path: Path) -> None:
    """What an include fetches counts; its place does not; without it there is no hash."""
    counter = COUNTER.replace("count_o + 1", '\n`include "step.svh"\n')
    files = _write(tmp_path / "rtl", counter=counter, top=TOP)
    found = []
    for name, text in (("a", "count_o + 1"), ("b", "count_o + 1 // same"), ("c", "count_o + 2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "step.svh").write_text(text, encoding="utf-8")
        found.append(hdl.digest(files, "top", includes=[tmp_path / name]))
    assert found[0] == found[1] != found[2]
    with pytest.raises(ToolError, match=r"step\.svh"):
        hdl.digest(files, "top")


def test_unknown_macros_and_broken_text_still_count(tmp_path: Path) -> None:
    """Where slang leaves something out, what is written counts."""
    one, two = (_base(tmp_path, counter=COUNTER.replace("+ 1", f"+ `S{n}")) for n in (1, 2))
    assert one != two
    one, two = (_base(tmp_path, counter=COUNTER.replace("+ 1", f") {n}")) for n in (1, 2))
    assert one != two


def test_missing_rtl_is_an_error(tmp_path: Path) -> None:
    """A file or a top module that is not there has a name, and no hash."""
    files = _write(tmp_path, counter=COUNTER)
    with pytest.raises(ToolError, match=r"gone\.sv"):
        hdl.digest([*files, tmp_path / "gone.sv"], "counter")
    with pytest.raises(ToolError, match="'top'"):
        hdl.digest(files, "top")


def test_comments_of_shared_rtl_do_not_count() -> None:
    """Each module of rtl/, with every line of comment in other words."""
    for path in sorted((ROOT / "rtl").rglob("*.sv")):
        text = path.read_text(encoding="utf-8")
        reworded = re.sub(r"^// (?!SPDX|verilator).*$", "// other words", text, flags=re.MULTILINE)
        found = [hdl._read(each, hdl.YOSYS, (), "") for each in (text, reworded)]
        assert found[0] == found[1], path


# Names in RTL -------------------------------------------------------------------------------------

SIZES_PKG = """\
package lane_pkg;
  localparam int Step = 1;
  localparam int Skip = 2;
  typedef struct packed { logic low; logic high; } pair_t;
endpackage
"""
LANE = """\
module lane #(parameter Taps = 2, parameter Gap = 3) (
  input  logic       clk_i,
  input  logic [3:0] a_i,
  input  logic [3:0] b_i,
  output logic [3:0] sum_o
);
  import lane_pkg::*;
  typedef logic [3:0] word_t;
  word_t held_q, next;
  pair_t ends;
  function automatic word_t mixed(input word_t x, input word_t y);
    return x - y;
  endfunction
  for (genvar n = 0; n < Taps; n++) begin : g_tap
    assign next[n] = a_i[n] ^ b_i[n + Gap];
  end
  assign ends = '{low: held_q[0], high: held_q[3]};
  always_ff @(posedge clk_i) held_q <= mixed(next, b_i) + Step;
  EBR u_cell (.CLK(clk_i), .DI(held_q), .DO(ends.low));
  assign sum_o = held_q;
endmodule
"""
LANES = """\
module lanes #(parameter Gap = 1, parameter Taps = 2) (
  input  logic       clk_i,
  input  logic [3:0] a_i,
  input  logic [3:0] other_i,
  output logic [3:0] o,
  output logic [3:0] p
);
  logic [3:0] sum_o, b_i;
  assign b_i = other_i & lane_pkg::Skip;
  lane #(.Taps(Taps), .Gap(Gap)) u_first (.clk_i, .a_i, .b_i(other_i), .sum_o(o));
  lane #(.Taps(4)) u_second (.*, .a_i(o));
  assign p = sum_o;
endmodule
"""
IN_ALL = {"pkg": SIZES_PKG, "lane": LANE, "lanes": LANES}


def _edited(edits: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return the sources of `lanes` with words replaced in some of them; ? begins a plain text."""
    texts = dict(IN_ALL)
    for name, words in edits.items():
        for old, new in words.items():
            pattern = re.escape(old[1:]) if old[0] == "?" else rf"\b{re.escape(old)}\b"
            texts[name], count = re.subn(pattern, lambda _, n=new: n, texts[name])
            assert count, old
    return texts


def _lanes(folder: Path, edits: dict[str, dict[str, str]], params: tuple[str, ...] = ()) -> str:
    return hdl.digest(_write(folder, **_edited(edits)), "lanes", hdl.YOSYS, params=params)


@pytest.mark.parametrize(
    "edits",
    [
        {"lane": {"held_q": "kept_q"}},  # a signal
        {"lane": {"word_t": "nibble_t", "mixed": "diff", "x": "minuend"}},  # type, function
        {"lane": {"n": "bit_at", "g_tap": "g_each"}},  # genvar, block
        {"lanes": {"u_first": "u_one"}},  # an instance
        {"pkg": {"Step": "Stride"}, "lane": {"Step": "Stride"}},  # a constant, by import
        {"pkg": {"Skip": "Leap"}, "lanes": {"Skip": "Leap"}},  # a constant, by its package
        {"lane": {"Taps": "Digits"}, "lanes": {"?.Taps(": ".Digits("}},  # a parameter, in one
        {"lanes": {"?Taps = 2": "N = 2", "?.Taps(Taps)": ".Taps(N)"}},  # and in the other
        {  # names that change places
            "lane": {"Taps": "Other", "Gap": "Taps", "Other": "Gap"},
            "lanes": {
                "?.Taps(Taps), .Gap(Gap)": ".Gap(Taps), .Taps(Gap)",
                "?.Taps(4)": ".Gap(4)",
            },
        },
        {
            "lane": {"b_i": "addend_i"},
            "lanes": {"?.b_i(": ".addend_i(", "?.*, ": ".clk_i, .addend_i(b_i), .sum_o, "},
        },
        {"lane": {"sum_o": "total_o"}, "lanes": {"?.sum_o(": ".total_o(", "sum_o": "total_o"}},
        {"lanes": {"?.a_i,": ".a_i(a_i),"}},  # short for this
        {"lanes": {"?.*, ": ".clk_i, .b_i, .sum_o, "}},
        {"lane": {"held_q": "before"}},  # reserved, but Yosys takes it
    ],
)
def test_other_names_in_rtl_change_nothing(
    tmp_path: Path, edits: dict[str, dict[str, str]]
) -> None:
    """A name that is another wherever it means the same thing."""
    assert _lanes(tmp_path, edits) == _lanes(tmp_path, {})


@pytest.mark.parametrize(
    "edits",
    [
        {"lane": {"?x - y": "y - x"}},  # operands
        {"lane": {"?x - y": "x + y"}},
        {"lane": {"?n + Gap": "n + Taps"}},  # one use of another
        {"lane": {"?n + Gap": "n + 4"}},
        {"lane": {"?mixed(next, b_i)": "mixed(next, a_i)"}},
        {"lane": {"Step": "Skip"}},  # another constant of the package
        {"pkg": {"?Step = 1": "Skip = 1", "?Skip = 2": "Step = 2"}},
        {"lane": {"?Taps = 2": "Gap = 2", "?Gap = 3": "Taps = 3"}},
        {"lanes": {"?.Taps(4)": ".Gap(4)"}},  # a value to another parameter
        {"lanes": {"?.Taps(Taps), .Gap(Gap)": ".Taps(Gap), .Gap(Taps)"}},
        {"lanes": {"?.b_i(other_i)": ".b_i(b_i)"}},  # another signal at a port
        {"lanes": {"?.sum_o(o)": ".sum_o(p)"}},
        {"lanes": {"?lane_pkg::Skip": "lane_pkg::Step"}},
        {"lanes": {"sum_o": "total_o"}},  # what .* finds by name
        {"lane": {"b_i": "addend_i"}, "lanes": {"?.b_i(": ".addend_i("}},
        {"lane": {"?.DI(": ".DJ("}},  # a cell's port
        {"lane": {"EBR": "EBX"}},
        {"lane": {"?low: held_q[0], high: held_q[3]": "high: held_q[0], low: held_q[3]"}},
        {"lane": {"?ends.low": "ends.high"}},
        {"pkg": {"?low; logic high": "high; logic low"}},
        {"lanes": {"other_i": "another_i"}},  # a port that is seen from outside
        {"lanes": {"?u_first": "u_second", "?u_second (.*": "u_first (.clk_i(p)"}},
        {"lane": {"?module lane": "(* keep *) module lane"}},
        {"lane": {"?+ Step": "+ $bits(Step)"}},
    ],
)
def test_what_names_mean_changes_the_hash(tmp_path: Path, edits: dict[str, dict[str, str]]) -> None:
    """A name at one place that means another thing."""
    assert _lanes(tmp_path, edits) != _lanes(tmp_path, {})


def test_values_from_outside_follow_their_parameter(tmp_path: Path) -> None:
    """A parameter may have another name in the RTL and outside; another parameter may not."""
    base = _lanes(tmp_path, {}, ("Gap",))
    renamed = {"lanes": {"?Gap = 1": "Space = 1", "?.Gap(Gap)": ".Gap(Space)"}}
    assert _lanes(tmp_path, renamed, ("Space",)) == base
    assert _lanes(tmp_path, {}, ("Taps",)) != base
    with pytest.raises(ToolError, match="'lanes' has no parameter 'Gap'"):
        _lanes(tmp_path, renamed, ("Gap",))


def test_names_of_units_do_not_count() -> None:
    """Each unit, with one name of its top module replaced by another that is new."""
    seen = 0
    for unit in manifest.discover():
        if unit.manifest.rtl is None:
            continue
        files, top = library.rtl_files(unit), unit.manifest.rtl.top
        (path,) = (path for path in files if path.stem == top)
        text = path.read_text(encoding="utf-8")
        base = hdl.digest(files, top, hdl.YOSYS)
        assign = re.search(r"^  assign (?P<name>\w+) +=", text, re.MULTILINE)
        if assign is None or re.search(
            rf"(?:put|logic) .*\b{assign['name']}\b,?$", text, re.MULTILINE
        ):
            continue  # nothing of its own, or a port
        renamed = re.sub(rf"\b{assign['name']}\b", "another_name", text)
        assert hdl.digest(files, top, hdl.YOSYS, texts={path: renamed}) == base, path
        once = text.replace(assign[0], assign[0].replace(assign["name"], "another_name"))
        assert hdl.digest(files, top, hdl.YOSYS, texts={path: once}) != base, path
        seen += 1
    assert seen > 3


# C ------------------------------------------------------------------------------------------------

PROGRAM = '#include "near.h"\n#define N 2\n// why\nint f(int a) { return a + N; /* b */ }\n'


def test_c_counts_by_tokens(tmp_path: Path) -> None:
    """Comments, blanks and names of files do not count; operators and headers do."""

    def of(name: str, text: str, header: str = "int g(void);\n") -> str:
        (tmp_path / "near.h").write_text(header, encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
        return ctokens.digest([tmp_path / name])

    base = of("a.c", PROGRAM)
    assert of("b.cpp", PROGRAM.replace("// why", "// because\n\n")) == base
    assert of("a.c", PROGRAM.replace("{ return a + N;", "{\n  return a +\\\n N;")) == base
    assert of("a.c", PROGRAM, "// a header\nint g(void);\n") == base
    assert of("a.c", PROGRAM.replace("a + N", "a - N")) != base
    assert of("a.c", PROGRAM.replace("N 2\n// why\n", "N 2 ")) != base
    assert of("a.c", PROGRAM, "int h(void);\n") != base
    assert ctokens.tokens('"// no" + 1') == ['"// no"', "+", "1"]
    with pytest.raises(ToolError, match=r"gone\.c"):
        ctokens.digest([tmp_path / "gone.c"])


def test_the_harness_counts_by_tokens(tmp_path: Path) -> None:
    """The C++ of the simulators: a comment is nothing, an operator is something."""
    for path in (ROOT / "sim" / "harness.cpp", ROOT / "sim" / "stream" / "harness.cpp"):
        text = path.read_text(encoding="utf-8")
        reworded, broken = tmp_path / "renamed.cpp", tmp_path / "broken.cpp"
        reworded.write_text("// Other words.\n" + text.replace("// ", "// so: "), encoding="utf-8")
        broken.write_text(text.replace(" < ", " <= ", 1), encoding="utf-8")
        assert ctokens.digest([reworded]) == ctokens.digest([path])
        assert ctokens.digest([broken]) != ctokens.digest([path])


# Python -------------------------------------------------------------------------------------------

JUDGE = '''\
"""Judges."""

from aesforge import sizes
from aesforge.base.errors import ToolError


def judge(answer: int) -> bool:
    """Tell."""
    if answer < 0:
        raise ToolError(f"{answer} is negative")
    return answer == sizes.limit(2)  # enough


def unrelated() -> None:
    """Does nothing."""
'''
SIZES = '''\
"""Sizes."""

FACTOR = 3


def limit(n: int) -> int:
    """Say."""
    return n * FACTOR
'''
ERRORS = "class ToolError(Exception):\n    pass\n"


def _package(folder: Path, **texts: str) -> Path:
    """Write a package like aesforge's."""
    base = {"base/errors": ERRORS, "base/proc": "", "base/paths": ""}
    every = {"judges": JUDGE, "sizes": SIZES, **base, **texts}
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "base").mkdir(parents=True)
    for name, text in every.items():
        if text != "-":
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def _code(folder: Path, **texts: str) -> str:
    pycode._digest.cache_clear()
    return pycode.digest(["judges.judge"], package=_package(folder, **texts))


@pytest.mark.parametrize(
    "texts",
    [
        {"judges": JUDGE.replace("# enough", "# that many").replace('"""Tell."""', '"""Judge."""')},
        {"judges": JUDGE.replace("(2)", "(\n        2\n    )")},
        {"judges": JUDGE.replace("is negative", "is too small")},
        {"judges": JUDGE.replace('"""Does nothing."""', "print(1)")},
        {"judges": JUDGE.replace("sizes", "bounds"), "bounds": SIZES, "sizes": "-"},
        {
            "judges": JUDGE.replace("import sizes", "import sizes as s").replace("sizes.l", "s.l"),
        },
        {
            "judges": JUDGE.replace(
                "from aesforge import sizes", "from aesforge.sizes import limit"
            ).replace("sizes.limit", "limit"),
        },
        {"sizes": SIZES + "\n\nMORE = 4\n"},
    ],
)
def test_housekeeping_in_python_changes_nothing(tmp_path: Path, texts: dict[str, str]) -> None:
    """Comments, docstrings, formatting, errors' texts, names of modules, what is not reached."""
    assert _code(tmp_path / "p", **texts) == _code(tmp_path / "p")


@pytest.mark.parametrize(
    "texts",
    [
        {"judges": JUDGE.replace("==", "!=")},
        {"judges": JUDGE.replace("raise ToolError", "raise ValueError")},
        {"sizes": SIZES.replace("FACTOR = 3", "FACTOR = 4")},
        {"sizes": SIZES.replace("n * ", "n + ")},
        {"sizes": SIZES + "\n\nFACTOR += 1\n"},
        {"sizes": SIZES + "\n\nfor _ in range(1):\n    print(FACTOR)\n"},
    ],
)
def test_code_that_decides_changes_the_hash(tmp_path: Path, texts: dict[str, str]) -> None:
    """In the function itself and in what it reaches in another module."""
    assert _code(tmp_path / "p", **texts) != _code(tmp_path / "p")


def test_code_that_cannot_be_found_is_an_error(tmp_path: Path) -> None:
    """A module or a name that is gone is an error, never skipped."""
    with pytest.raises(ToolError, match=r"sizes"):
        _code(tmp_path / "p", sizes="-")
    with pytest.raises(ToolError, match=r"sizes\.limit"):
        _code(tmp_path / "p", sizes="FACTOR = 3\n")
    with pytest.raises(ToolError, match=r"judges\.nothing"):
        pycode.digest(["judges.nothing"], package=_package(tmp_path / "p"))
    with pytest.raises(ToolError, match=r"nowhere"):
        pycode.digest(["judges.judge"], ["nowhere.Type"], _package(tmp_path / "p"))


def test_a_template_counts_by_tokens(tmp_path: Path) -> None:
    """The text that a reached function fills in."""
    judges = 'def judge() -> str:\n    return "unit.sv.j2"\n'

    def of(text: str) -> str:
        package = _package(tmp_path / "p", judges=judges)
        (package / "templates").mkdir()
        (package / "templates" / "unit.sv.j2").write_text(text, encoding="utf-8")
        pycode._digest.cache_clear()
        return pycode.digest(["judges.judge"], package=package)

    base = of("// A unit.\nassign a = {{ b }} + 1;\n")
    assert of("// Another word.\nassign a =\n  {{ b }} + 1;\n") == base
    assert of("// A unit.\nassign a = {{ b }} - 1;\n") != base
    with pytest.raises(ToolError, match=r"unit\.sv\.j2"):
        pycode.digest(["judges.judge"], package=_package(tmp_path / "p", judges=judges))


SYNTH = (["synth.flow.map_design", "synth.flow.resources", "synth.flow.route"], synthesis.BY_VALUE)
PROVE = (list(prove.JUDGED_BY), prove.BY_VALUE)


@pytest.mark.parametrize(
    ("asks", "modules"),
    [
        (SYNTH, {"synth.flow", "synth.bram", "build.codegen"}),
        (PROVE, {"verify.prove", "verify.prove_abc"}),
    ],
)
def test_only_what_decides_is_reached(
    asks: tuple[list[str], tuple[str, ...]], modules: set[str]
) -> None:
    """Modules that publish, print, or read manifests do not count."""
    begin, by_value = asks
    assert {found.module for found in pycode.reached(begin, by_value)} == modules


def test_what_is_reached_decides() -> None:
    """The parts of a flow that turn a tool's output into figures are among what is reached."""
    names = {str(found) for found in pycode.reached(*SYNTH)}
    assert {"synth.flow._transistors", "synth.bram.pack_output_registers"} <= names
    assert {"synth.flow.critical_path", "build.codegen.render", "synth.flow._CMOS"} <= names
    assert {"verify.prove_abc.complaint", "verify.prove._status"} <= {
        str(f) for f in pycode.reached(*PROVE)
    }


# Records ------------------------------------------------------------------------------------------


def _synth(files: list[Path], target: str = "ecp5-85f", **changes: object) -> str:
    found = Design(tuple(files), "top", **changes)  # type: ignore[arg-type]
    return synthesis._inputs(found, TARGETS[target], placed=True)


def test_synthesis_is_of_what_yosys_reads(tmp_path: Path) -> None:
    """A comment and a file's name do not count; an operator, a parameter and a target do."""
    base = _synth(_write(tmp_path, counter=COUNTER, top=TOP))
    reworded = COUNTER.replace("// A counter.", "// Counts.")
    assert _synth(_write(tmp_path, moved=reworded, top=TOP)) == base
    assert _synth(_write(tmp_path, counter=COUNTER.replace("+ 1", "- 1"), top=TOP)) != base
    files = _write(tmp_path, counter=COUNTER, top=TOP)
    assert _synth(files, params=(("Width", 4),)) != base
    assert _synth(files, "ecp5-85f-8") != base
    assert _synth(files, slang=True) != base
    with pytest.raises(ToolError, match=r"gone\.sv"):
        _synth([*files, tmp_path / "gone.sv"])


def test_code_of_the_flow_is_part_of_a_synthesis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights of gates decide a figure: another one is another record."""
    files = _write(tmp_path / "rtl", counter=COUNTER, top=TOP)
    base = _synth(files)
    source = Path(flow.__file__).parents[1]
    package = tmp_path / "aesforge"
    shutil.copytree(source, package)

    def with_edit(edit: Callable[[str], str]) -> str:
        text = (source / "synth" / "flow.py").read_text(encoding="utf-8")
        assert edit(text) != text
        (package / "synth" / "flow.py").write_text(edit(text), encoding="utf-8")
        real = pycode.digest
        with monkeypatch.context() as patched:
            patched.setattr(pycode, "digest", lambda begin, values, _: real(begin, values, package))
            return _synth(files)

    assert with_edit(lambda text: "# Other words.\n" + text) == base
    assert with_edit(lambda text: text.replace('"$_NAND_": 4', '"$_NAND_": 5')) != base


def _proof(tmp_path: Path, counter: str, **changes: object) -> str:
    files = _write(tmp_path, counter=counter, top=TOP)
    values = {"name": "steps", "top": "top", "sources": [path.name for path in files], "depth": 4}
    proof = Proof.model_validate({**values, **changes})
    (run,) = prove._runs([proof], False, tmp_path, "shared", (), {})
    return prove._key(run)


def test_a_proof_is_of_what_yosys_reads(tmp_path: Path) -> None:
    """A comment does not count; an operator, a macro and the depth do."""
    base = _proof(tmp_path, COUNTER)
    assert _proof(tmp_path, COUNTER.replace("// A counter.", "// Counts.")) == base
    assert _proof(tmp_path, COUNTER.replace("+ 1", "- 1")) != base
    assert _proof(tmp_path, COUNTER, defines=["TWO_STEPS"]) != base
    assert _proof(tmp_path, COUNTER, depth=5) != base


def test_shared_rtl_of_a_unit_counts_by_tokens(tmp_path: Path) -> None:
    """An accelerator's module, read as synthesis reads it, with a comment and with an operator."""
    for unit in manifest.discover():
        if unit.manifest.kind != "instruction":
            continue
        assert unit.manifest.rtl is not None
        files, top = library.rtl_files(unit), unit.manifest.rtl.top
        base = hdl.digest(files, top, hdl.YOSYS)
        last = files[-1].read_text(encoding="utf-8")
        words = {files[-1]: "// Another comment.\n" + last.replace("// ", "// say: ")}
        assert hdl.digest(files, top, hdl.YOSYS, texts=words) == base
        broken = {files[-1]: re.sub(r"\bassign (\w+) = ", r"assign \1 = ~", last, count=1)}
        assert hdl.digest(files, top, hdl.YOSYS, texts=broken) != base


# Simulators ---------------------------------------------------------------------------------------


def _copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let simulators be built from a copy of rtl/, sim/ and platforms/; return it."""
    root = tmp_path / "root"
    for folder in ("rtl", "sim", "platforms"):
        shutil.copytree(ROOT / folder, root / folder)
    for module in (simulate, platform, library):
        monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(simulate, "HARNESS", root / "sim" / "harness.cpp")
    return root


def _no_unit(tmp_path: Path) -> list[Path]:
    """Return what is generated for a platform without a unit."""
    made = codegen.generate(tmp_path / "made", None, None)
    return [*made.rtl, *codegen.generate_peripheral(made.folder, None, None)]


def _model_of(name: str, tmp_path: Path) -> str:
    return simulate.model_inputs(platform.find(name), _no_unit(tmp_path))


@pytest.mark.parametrize("name", [found.name for found in platform.discover()])
def test_a_simulator_is_of_what_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Adapter, shared RTL, platform and harness: comments do not count, operators do."""
    root = _copied(tmp_path, monkeypatch)
    base = _model_of(name, tmp_path)
    adapter = root / "rtl" / "adapters" / platform.find(name).adapter().name
    top = root / "platforms" / name / "top.sv"
    memory = next(iter(sorted((root / "sim").glob("sim_[!p]*.sv"))))
    for path in (adapter, top, memory, root / "sim" / "harness.cpp"):
        text = path.read_text(encoding="utf-8")
        path.write_text("// Other words.\n\n" + text.replace("// ", "// say: "), encoding="utf-8")
        assert _model_of(name, tmp_path) == base, path
        operator = re.compile(r"^([^/\n]*\w) (?:==|&&|\+|=) (\w)", re.MULTILINE)
        broken, count = operator.subn(r"\1 - \2", text, count=1)
        assert count, path
        path.write_text(broken, encoding="utf-8")
        assert _model_of(name, tmp_path) != base, path
        path.write_text(text, encoding="utf-8")
    (root / "sim" / "deeper").mkdir()
    memory.rename(root / "sim" / "deeper" / memory.name)
    toml = top.with_name("platform.toml")
    said = toml.read_text(encoding="utf-8").replace('summary = "', 'summary = "So: ')
    toml.write_text("# A comment.\n" + said, "utf-8")
    assert _model_of(name, tmp_path) == base
    (root / "sim" / "harness.cpp").unlink()
    with pytest.raises(ToolError, match=r"harness\.cpp"):
        _model_of(name, tmp_path)


def test_cures_are_part_of_a_simulator(tmp_path: Path) -> None:
    """A core without one of its cures is another core."""
    host = next(found for found in platform.discover() if found.cures)
    found = [
        simulate._model(host, _no_unit(tmp_path), (), False, without).inputs()
        for without in ((), [host.cures[0].name])
    ]
    assert found[0] != found[1]


def test_a_check_is_of_what_tools_read(tmp_path: Path) -> None:
    """Prose of a manifest and comments do not count, but linters read comments; bits do count."""
    unit = manifest.units()[0]
    assert unit.manifest.rtl is not None
    folder = tmp_path / unit.name

    def keys(name: str = "", old: str = "", new: str = "") -> list[str]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(unit.folder, folder)
        if name:
            text = (folder / name).read_text(encoding="utf-8")
            assert old in text
            (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        variant = unit.manifest.variant[0].name
        return [check._key(check._Step(folder, variant, kind)) for kind in ("rtl", "lint")]

    rtl, model = f"rtl/{unit.manifest.rtl.top}.sv", "test/model.py"
    base = keys()
    assert keys("accel.toml", 'summary = "', 'summary = "In short: ') == base
    assert keys("README.md", "\n", "\n\n") == base
    assert keys(model, '"""', '"""In short: ') == base
    commented = keys(rtl, "module ", "// A module.\nmodule ")
    assert commented[0] == base[0]
    assert commented[1] != base[1]
    assert keys("accel.toml", "latency = ", "latency = 1")[0] != base[0]
    assert keys(rtl, "assign ", "assign ~")[0] != base[0]
    assert keys(model, "return ", "return 1 + ")[0] != base[0]


def test_a_shared_input_that_is_gone_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check whose inputs have moved is an error, and does not pass with a smaller hash."""
    monkeypatch.setattr(check, "_SHARED_INPUTS", ("rtl/nowhere/*.sv",))
    check._shared_key.cache_clear()
    with pytest.raises(AesforgeError, match="rtl/nowhere"):
        check._shared_key(False)
    check._shared_key.cache_clear()


def test_a_monte_carlo_program_is_of_what_is_compiled(tmp_path: Path) -> None:
    """Its kernel and its RTL: a comment does not count, an operator does."""
    unit = manifest.units()[0]
    folder = tmp_path / unit.name

    def key(old: str, new: str) -> str:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(unit.folder, folder)
        path = folder / unit.manifest.sw.kernel[0]
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        found = manifest.load(folder)
        return montecarlo.build_key(found, found.manifest.variant[0])

    base = montecarlo.build_key(unit, unit.manifest.variant[0])
    assert key("#include", "// in other words\n#include") == base
    assert key("  return ", "  return ~") != base


@pytest.mark.parametrize(
    ("begin", "by_value", "modules"),
    [
        (
            ["bench.montecarlo.run_leg", "bench.montecarlo.Result"],
            montecarlo.BY_VALUE,
            {"bench.montecarlo", "model.mct", "catalog.manifest"},
        ),
        (
            ["boards.bitstream._make"],
            bitstream.BY_VALUE,
            {"boards.bitstream", "boards.soc", "synth.flow"},
        ),
    ],
)
def test_what_other_records_reach(
    begin: list[str], by_value: tuple[str, ...], modules: set[str]
) -> None:
    """The code of Monte Carlo tests and bitstreams that decides, and no more."""
    assert {found.module for found in pycode.reached(begin, by_value)} == modules


# Carrying over ------------------------------------------------------------------------------------


def test_only_what_is_shown_to_be_the_same_is_carried_over() -> None:
    """A record keeps its figures if it is of a commit's tree and that is what tools read now."""
    published = {
        ("current",): "new-1",
        ("same",): "old-2",
        ("changed",): "old-3",
        ("older",): "lost-4",
        ("gone",): "old-5",
    }
    old = {
        ("current",): rehash.Hashes("old-1", "new-1"),
        ("same",): rehash.Hashes("old-2", "new-2"),
        ("changed",): rehash.Hashes("old-3", "new-3"),
        ("older",): rehash.Hashes("old-4", "new-4"),
        ("gone",): rehash.Hashes("old-5", "new-5"),
    }
    present = {
        ("current",): "new-1",
        ("same",): "new-2",
        ("changed",): "new-9",
        ("older",): "new-4",
    }
    found = rehash.decide(published, [{}, old], present)
    assert found.current == [("current",)]
    assert found.moved == {("same",): "new-2"}
    assert {place: why.split()[0] for place, why in found.stale.items()} == {
        ("changed",): "what",
        ("older",): "its",
        ("gone",): "nothing",
    }


def test_what_an_old_tree_tells_is_read_as_it_is_hashed(tmp_path: Path) -> None:
    """A design that went through JSON has the hash that it has here."""
    target = TARGETS["gowin-20k"]
    files = tuple(_write(tmp_path, counter=COUNTER, top=TOP))
    design = Design(files, "top", params=(("Width", 4), ("Kind", "rom")))
    told = asdict(design) | {"files": [str(path) for path in files], "includes": []}
    entry = json.loads(json.dumps({"design": told, "target": asdict(target)}))
    here = synthesis._inputs(design, target, placed=True)
    assert rehash._synthesis_key(entry, pycode.PACKAGE, rehash.Respellings()) == here
    proof = Proof(name="steps", top="top", sources=[path.name for path in files])
    (run,) = prove._runs([proof], False, tmp_path, "shared", (), {})
    old = {"owner": "shared", "proof": proof.model_dump(), "bug": ""}
    old["sources"] = [str(path) for path in files]
    assert rehash._proof_key(json.loads(json.dumps(old)), pycode.PACKAGE) == prove._key(run)


def test_other_words_for_the_same_circuit_are_told(tmp_path: Path) -> None:
    """An old tree's RTL and parameters are rewritten as the file says; a change shows still."""
    target = TARGETS["gowin-20k"]
    words = rehash.Respellings.model_validate(
        {
            "respelled": [
                {"find": r"Decrypt != 0", "replace": 'Dir == "both"'},
                {"find": r"\bDecrypt(\s*)= 0\b", "replace": r'Dir\1= "fwd"'},
                {"find": r"\bDecrypt(\s*)= 1\b", "replace": r'Dir\1= "both"'},
            ]
        }
    )

    def key(folder: str, text: str, parameter: tuple[str, str | int]) -> tuple[Design, str]:
        (tmp_path / folder).mkdir()
        files = tuple(_write(tmp_path / folder, top=text))
        design = Design(files, "top", params=(("Width", 4), parameter))
        return design, synthesis._inputs(design, target, placed=True)

    circuit = """module top #(parameter Width = 1, parameter {0}) (input [Width-1:0] a, output b);
  assign b = ({1}) ? ^a : |a;
endmodule
"""
    old, own = key("old", circuit.format("Decrypt = 1", "Decrypt != 0"), ("Decrypt", 0))
    _, now = key("new", circuit.format('Dir = "both"', 'Dir == "both"'), ("Dir", "fwd"))
    _, other = key("other", circuit.format('Dir = "both"', 'Dir != "both"'), ("Dir", "fwd"))
    told = asdict(old) | {"files": [str(path) for path in old.files], "includes": []}
    entry = json.loads(json.dumps({"design": told, "target": asdict(target)}))
    assert rehash._synthesis_key(entry, pycode.PACKAGE, rehash.Respellings()) == own != now
    words.files(tmp_path / "old")
    assert rehash._synthesis_key(entry, pycode.PACKAGE, words) == now != other


def test_simulations_of_an_old_tree_are_hashed(tmp_path: Path) -> None:
    """Of what another tree publishes: an operator counts, a comment does not."""
    tree = make_tree(tmp_path).root
    unit = tree / "accelerators" / "shapes"
    shutil.copytree(ROOT / "tests" / "fixtures" / "shapes", unit)
    (unit / "README.md").write_text("# shapes\n")
    how = record.How(inputs_sha256="0" * 64, tools={}, flags={})
    place = ("instruction", "shapes", "two", platform.discover()[0].name, "speed", "")
    keys = ("kind", "accelerator", "variant", "platform", "question")
    values = dict(zip(keys, place, strict=False))
    entry = record.Record.model_validate({**values, "status": "passed", "how": how})
    record.write_lines([entry], tree / "results" / "records.jsonl")
    package = ROOT / "src" / "aesforge"
    found = rehash._simulations(ROOT, tree, package)
    assert found == rehash._simulations(ROOT, tree) and set(found) == {place}
    circuit = unit / "rtl" / "shapes.sv"
    text = circuit.read_text()
    circuit.write_text(text.replace("//", "// in other words:"))
    assert rehash._simulations(ROOT, tree, package) == found
    circuit.write_text(text.replace(" ^ ", " & ", 1))
    assert rehash._simulations(ROOT, tree, package) != found
