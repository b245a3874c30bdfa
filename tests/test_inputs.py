# SPDX-License-Identifier: Apache-2.0
"""What the hash of a record's inputs covers: what tools read, not how the files are written."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from aesforge import ctokens, hdl, manifest, prove, pycode, synth, synth_flow
from aesforge.errors import ToolError
from aesforge.paths import ROOT
from aesforge.prove_model import Proof
from aesforge.synth_flow import TARGETS, Design

COUNTER = """\
// SPDX-License-Identifier: Apache-2.0
// A counter.
module counter #(parameter int Width = 4) (
  input  logic             clk_i,
  output logic [Width-1:0] count_o
);
`ifdef BUG_STEP
  always_ff @(posedge clk_i) count_o <= count_o + 2;
`else
  always_ff @(posedge clk_i) count_o <= count_o + 1;  // one
`endif
endmodule
"""
TOP = """\
module top (input logic clk_i, output logic [3:0] o);
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
    assert _base(tmp_path) != _base(tmp_path, "BUG_STEP")
    assert _base(tmp_path) == _base(tmp_path, "BUG_ELSEWHERE")
    edited = COUNTER.replace("count_o + 2", "count_o + 3")
    assert _base(tmp_path, "BUG_STEP") != _base(tmp_path, "BUG_STEP", counter=edited)


def test_file_names_and_order_do_not_count(tmp_path: Path) -> None:
    """Modules in other files, in another order, with one that is not used."""
    base = _base(tmp_path)
    moved = _write(tmp_path / "moved" / "deeper", a=TOP, renamed=COUNTER)
    assert hdl.digest(moved, "top") == base
    assert hdl.digest(_write(tmp_path / "one", all=TOP + COUNTER), "top") == base
    assert hdl.digest(_write(tmp_path / "more", t=TOP, o=OTHER, c=COUNTER), "top") == base
    assert hdl.digest(_write(tmp_path / "other", t=TOP, o=OTHER, c=COUNTER), "counter") != base


def test_what_a_module_uses_is_followed(tmp_path: Path) -> None:
    """A package counts for the modules that name it, and so does what stands outside of modules."""
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
    """What an include fetches counts; where it stands does not; without it there is no hash."""
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
from aesforge.errors import ToolError


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
    every = {"judges": JUDGE, "sizes": SIZES, "errors": ERRORS, "proc": "", "paths": "", **texts}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
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
    """A module or a name that is gone is told, never skipped."""
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


SYNTH = (["synth_flow.map_design", "synth_flow.resources", "synth_flow.route"], synth.BY_VALUE)
PROVE = (list(prove.JUDGED_BY), prove.BY_VALUE)


@pytest.mark.parametrize(
    ("asks", "modules"),
    [
        (SYNTH, {"synth_flow", "synth_bram", "codegen"}),
        (PROVE, {"prove", "prove_abc"}),
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
    assert {"synth_flow._transistors", "synth_bram.pack_output_registers"} <= names
    assert {"synth_flow.critical_path", "codegen.render", "synth_flow._CMOS"} <= names
    assert {"prove_abc.complaint", "prove._status"} <= {str(f) for f in pycode.reached(*PROVE)}


# Records ------------------------------------------------------------------------------------------


def _synth(files: list[Path], target: str = "ecp5-85f", **changes: object) -> str:
    found = Design(tuple(files), "top", **changes)  # type: ignore[arg-type]
    return synth._inputs(found, TARGETS[target], placed=True)


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
    source = Path(synth_flow.__file__).parent
    package = tmp_path / "aesforge"
    shutil.copytree(source, package)

    def with_edit(edit: Callable[[str], str]) -> str:
        text = (source / "synth_flow.py").read_text(encoding="utf-8")
        assert edit(text) != text
        (package / "synth_flow.py").write_text(edit(text), encoding="utf-8")
        real = pycode.digest
        with monkeypatch.context() as patched:
            patched.setattr(pycode, "digest", lambda begin, values: real(begin, values, package))
            return _synth(files)

    assert with_edit(lambda text: "# Other words.\n" + text) == base
    assert with_edit(lambda text: text.replace('"$_NAND_": 4', '"$_NAND_": 5')) != base


def _proof(tmp_path: Path, counter: str, **changes: object) -> str:
    files = _write(tmp_path, counter=counter, top=TOP)
    values = {"name": "steps", "top": "top", "sources": [path.name for path in files], "depth": 4}
    proof = Proof.model_validate({**values, **changes})
    (run,) = prove._runs([proof], False, tmp_path, "shared", ())
    return prove._key(run)


def test_a_proof_is_of_what_yosys_reads(tmp_path: Path) -> None:
    """A comment does not count; an operator, a macro and the depth do."""
    base = _proof(tmp_path, COUNTER)
    assert _proof(tmp_path, COUNTER.replace("// A counter.", "// Counts.")) == base
    assert _proof(tmp_path, COUNTER.replace("+ 1", "- 1")) != base
    assert _proof(tmp_path, COUNTER, defines=["BUG_STEP"]) != base
    assert _proof(tmp_path, COUNTER, depth=5) != base


def test_shared_rtl_of_a_unit_counts_by_tokens(tmp_path: Path) -> None:
    """An accelerator's module, read as synthesis reads it, with a comment and with an operator."""
    for unit in manifest.discover():
        if unit.manifest.kind != "instruction":
            continue
        assert unit.manifest.rtl is not None
        files, top = unit.rtl_files(), unit.manifest.rtl.top
        base = hdl.digest(files, top, hdl.YOSYS)
        last = files[-1].read_text(encoding="utf-8")
        words = {files[-1]: "// Another comment.\n" + last.replace("// ", "// say: ")}
        assert hdl.digest(files, top, hdl.YOSYS, texts=words) == base
        broken = {files[-1]: re.sub(r"\bassign (\w+) = ", r"assign \1 = ~", last, count=1)}
        assert hdl.digest(files, top, hdl.YOSYS, texts=broken) != base
