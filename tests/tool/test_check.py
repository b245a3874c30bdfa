# SPDX-License-Identifier: Apache-2.0
"""`aesforge check` on everything there is, and on copies of the template broken in one place.

A broken copy must fail in the check that looks at the broken place, with a message that says so.
"""

import itertools
from pathlib import Path
from uuid import uuid4

import pytest

from aesforge.base.paths import ROOT
from aesforge.build import new
from aesforge.catalog import manifest
from aesforge.verify import check, lint, unit_bench
from aesforge.verify.check import CheckResult
from marks_support import slow_unless
from tree_support import replace_in

KERNELS = manifest.kernels()
UNITS = manifest.units()
OUTSIDE = [found for found in manifest.discover() if found.manifest.outside_core]


def failures(results: list[CheckResult]) -> list[str]:
    """Return what went wrong, one line each."""
    return [f"{r.variant} {r.check}: {r.detail}" for r in results if not r.passed]


def quick(accelerator: manifest.Accelerator) -> list[manifest.Variant]:
    """Return the variants measured by default; of a set one, whose units are checked themselves."""
    found = [variant for variant in accelerator.manifest.variant if variant.by_default]
    return found[:1] if accelerator.manifest.kind == "set" else found


@pytest.mark.parametrize("accelerator", KERNELS, ids=lambda found: found.name)
def test_default_variants_of_every_kernel(accelerator: manifest.Accelerator) -> None:
    """Folder, encodings, lint, intrinsics, model = emulation = RTL, kernel."""
    assert failures(check.check(accelerator, quick(accelerator), bugs=False)) == []


@pytest.mark.slow
@pytest.mark.parametrize("accelerator", KERNELS, ids=lambda found: found.name)
def test_other_variants_of_every_kernel(accelerator: manifest.Accelerator) -> None:
    """The same of the others."""
    shown = quick(accelerator)
    chosen = [variant for variant in accelerator.manifest.variant if variant not in shown]
    assert failures(check.check(accelerator, chosen, bugs=False)) == []


@pytest.mark.parametrize("accelerator", OUTSIDE, ids=lambda found: found.name)
def test_the_first_variant_of_every_block(accelerator: manifest.Accelerator) -> None:
    """Folder, lint, and the benches that take seconds."""
    results = check.check(accelerator, accelerator.manifest.variant[:1], bugs=False)
    assert failures(results) == []


@pytest.mark.slow
@pytest.mark.parametrize("accelerator", OUTSIDE, ids=lambda found: found.name)
def test_every_variant_of_every_block(accelerator: manifest.Accelerator) -> None:
    """All benches, and each planted bug caught."""
    results = check.check(accelerator, accelerator.manifest.variant, slow=True)
    assert failures(results) == []


@pytest.mark.slow
@pytest.mark.parametrize("accelerator", UNITS, ids=lambda found: found.name)
def test_every_planted_bug(accelerator: manifest.Accelerator) -> None:
    """The unit bench fails with each planted bug of each unit."""
    results = check.check(accelerator, accelerator.manifest.variant)
    assert failures(results) == []
    assert any(result.check.startswith("bug ") for result in results)


def alone(top: lint.SharedTop) -> bool:
    """Tell whether no larger module is linted with the same choice: the pipeline's rounds are."""
    core = [ROOT / "rtl" / "pipe" / "aes_pipe_core.sv"]
    larger = {found.params for found in lint.shared_tops() if [found.path] == core}
    return top.path in core or "pipe" not in top.path.parts or top.params not in larger


@pytest.mark.parametrize("top", slow_unless(alone, lint.shared_tops()), ids=lambda top: top.name)
def test_shared_rtl_is_clean(top: lint.SharedTop) -> None:
    """Every shared module, with every value of its string parameters, in four tools."""
    loud = {r.tool: r.messages for r in lint.lint_shared(top) if not r.ok}
    assert loud == {}


def test_the_test_bench_is_clean() -> None:
    """The RTL around the cores."""
    loud = {(r.what, r.tool): r.messages for r in lint.lint_simulation() if not r.ok}
    assert loud == {}


# Broken copies ------------------------------------------------------------------------------------


def broken(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a fresh template whose name no other test uses, so that tests can run side by side."""
    number = sum(ord(letter) * 31**place for place, letter in enumerate(request.node.name))
    return new.create(f"broken_{number % 10**9}", tmp_path)


def run_one(folder: Path, name: str, argument: str = "") -> CheckResult:
    """Run a single check of the first variant."""
    variant = "" if name in ("folder", "encodings") else "full"
    return check._run(check._Step(folder, variant, name, argument))


@pytest.mark.parametrize(
    ("file", "old", "new_text", "name", "status", "message"),
    [
        ("test/model.py", "INV_SBOX if inv else SBOX", "SBOX", "emulation", "fail", "model says"),
        ("test/model.py", "return int", "raise KeyError", "emulation", "error", "KeyError"),
        ("test/model.py", "return int", "return -int", "emulation", "error", "not a 32-bit word"),
        ("sw/emul.c", "rs1 >> 24]", "rs1 >> 23 & 255]", "emulation", "fail", "inv=0: rd="),
        ("sw/emul.c", "{{", "{", "emulation", "error", "failed with status"),
        ("sw/emul.c", "_sub4(", "_sub5(", "emulation", "fail", "sw/emul.c lacks broken_"),
        ("test/encodings.txt", "0x1201008b", "0x1201018b", "encodings", "fail", "is frozen"),
        ("test/encodings.txt", "inv=1 -> 0x1201", "inv=2 -> 0x1201", "encodings", "fail", "fit"),
        ("test/encodings.txt", "rs1=31 inv=1", "rs1=31", "encodings", "fail", "needs inv, rd"),
        ("test/encodings.txt", "-> 0x1001008b", "= 0x1001008b", "encodings", "error", "line 5"),
        ("sw/kernel.c", "rcon = xtime(rcon)", "rcon <<= 1", "kernel", "fail", "wrong output"),
        ("sw/kernel.c", "store(out + 12, d);", "store(out + 16, d);", "kernel", "fail", "beyond"),
        (
            "sw/kernel.c",
            "return aes_no_key(k, AES_ERR_KEY_LENGTH)",
            "return 0",
            "kernel",
            "fail",
            "not -1",
        ),
        ("sw/kernel.c", "w >> n |", "w >> (n + 32) |", "kernel", "fail", "signal"),
        ("rtl/NAME.sv", "{clk_i, ", "{", "lint", "fail", "verilator: %Warning-UNUSEDSIGNAL"),
        ("rtl/NAME.sv", "u_sbox (", "u_sbox (.no_i(inv),", "lint", "fail", "no_i"),
        (
            "rtl/NAME.sv",
            "  assign inv =",
            "  always_latch if (req_valid_i) inv =",
            "lint",
            "fail",
            "",
        ),
        ("accel.toml", 'test = "ct"', 'test = "magic"', "folder", "fail", "proof 'magic'"),
        ("accel.toml", '".inv_i (inv),', '".inv_i (no),', "folder", "fail", "BUG_INVERSE: rtl/"),
        ("accel.toml", 'NAME.sv"\nfind = "as', 'x.sv"\nfind = "as', "folder", "fail", "no file"),
        ("accel.toml", "sw/emul.c", "sw/other.c", "folder", "fail", "sw/other.c is missing"),
        (
            "accel.toml",
            "latency = 0",
            "latency = 1",
            "rtl",
            "fail",
            "latency 0, the manifest says 1",
        ),
        ("accel.toml", "(i == 2 ? 1 : i)", "i", "bug BUG_LANE", "fail", "NOT caught"),
        ("accel.toml", "&& i != 3", "&& i !! 3", "bug BUG_INVERSE", "error", "failed with"),
        ("rtl/NAME.sv", ".inv_i (inv),", ".inv_i(inv),", "bug BUG_INVERSE", "error", "0 times"),
    ],
)
def test_a_broken_copy_fails_where_it_is_broken(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    file: str,
    old: str,
    new_text: str,
    name: str,
    status: str,
    message: str,
) -> None:
    """One change in one file, one check that says so."""
    folder = broken(tmp_path, request)
    old, new_text = (text.replace("NAME", folder.name) for text in (old, new_text))
    replace_in(folder / file.replace("NAME", folder.name), old, new_text)
    word, _, argument = name.partition(" ")
    result = run_one(folder, word, argument)
    assert (result.status, message in result.detail) == (status, True), result


def test_missing_files_are_named(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Of an incomplete folder everything that it lacks is listed, all of it."""
    folder = broken(tmp_path, request)
    (folder / "README.md").unlink()
    (folder / "test" / "model.py").unlink()
    result = run_one(folder, "folder")
    assert result.status == "fail"
    assert "README.md is missing" in result.detail
    assert "test/model.py is missing" in result.detail


def test_success_is_remembered_and_failure_is_not(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """A pass is kept until any file of the folder changes."""
    folder = broken(tmp_path, request)
    marker = folder / "test" / "encodings.txt"  # of this run: earlier ones are remembered too
    marker.write_text(f"# {uuid4()}\n{marker.read_text(encoding='utf-8')}", encoding="utf-8")
    assert not run_one(folder, "encodings").cached
    assert run_one(folder, "encodings").cached
    replace_in(folder / "test" / "encodings.txt", "0x1201008b", "0x1201018b")
    assert [run_one(folder, "encodings").status for _ in range(2)] == ["fail", "fail"]


TWINS = [
    (found, [one, other])
    for found in UNITS
    for one, other in itertools.combinations(found.manifest.variant, 2)
    if (one.params, one.ops) == (other.params, other.ops)
]


def test_a_unit_is_checked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variants that differ in software alone share the checks of the RTL, and no others."""
    # Another worker may check the same unit: a bench begins with an empty folder below BUILD.
    monkeypatch.setattr(unit_bench, "BUILD", tmp_path)
    found, twins = TWINS[0]
    other = next(v for v in found.manifest.variant if v.params != twins[0].params)
    results = check.check(found, [*twins, other], bugs=False)
    assert failures(results) == []
    first, second = ([r for r in results if r.variant == v.name] for v in twins)
    assert [r.check for r in first] == [r.check for r in second]
    assert {r.check for r in second if r.cached} >= {"lint", "rtl"}
    keys = [
        {check._key(step) for step in check._steps(found, [v], False) if step.variant}
        for v in (*twins, other)
    ]
    assert len(keys[0] & keys[1]) == 2 and not (keys[0] | keys[1]) & keys[2]


def test_results_print(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Square brackets in a message are text, not markup."""
    accelerator = manifest.load(broken(tmp_path, request))
    result = CheckResult(accelerator.name, "full", "lint", "fail", "a[3:0] [/] [red]", 1.0)
    table = check.render(accelerator, [result])
    assert table.row_count == 1
    assert "0 of 1" in str(table.title)


# The bench itself ---------------------------------------------------------------------------------

REGISTERED = """\
// SPDX-License-Identifier: Apache-2.0
// A unit with one register after the S-boxes, for tests of the unit bench.
module {name} #(
  parameter SboxImpl = "canright"
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic [15:0] req_op_i,
  input  logic [31:0] req_rs1_i,
  input  logic [31:0] req_rs2_i,
  input  logic [31:0] req_rs3_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_rd_o
);
  logic        valid_q;
  logic [31:0] word_q, word;
  logic        unused;
  assign unused = ^{{req_op_i, req_rs2_i, req_rs3_i}};
  for (genvar i = 0; i < 4; i++) begin : gen_lane
    aes_sbox #(.SboxImpl(SboxImpl)) u_sbox (
      .inv_i(req_op_i[{name}_ops_pkg::INV_LSB]), .data_i(req_rs1_i[8*i+:8]), .data_o(word[8*i+:8])
    );
  end
  assign req_ready_o = !valid_q || rsp_ready_i;
  assign rsp_valid_o = valid_q;
  assign rsp_rd_o = word_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      word_q <= 32'b0;
    end else begin
      if (req_ready_o) begin
        valid_q <= req_valid_i;
        word_q  <= word;
      end
    end
  end
endmodule
"""


# Ways to break the protocol: texts of the unit above and their replacements.
READY = "assign req_ready_o = !valid_q || rsp_ready_i;"
STUCK = """if (valid_q && rsp_ready_i && word_q[7:0] != 8'h77) valid_q <= 1'b0;
      else if (req_valid_i && req_ready_o) begin"""
DROP = "if (!rsp_ready_i) valid_q <= 1'b0; else if (req_ready_o) begin"
PROTOCOL_BUGS = {
    "BUG_LOST": [(READY, "assign req_ready_o = 1'b1;")],
    "BUG_STUCK": [(READY, "assign req_ready_o = !valid_q;"), ("if (req_ready_o) begin", STUCK)],
    "BUG_UNSTABLE": [("= word_q;", "= req_valid_i && !rsp_ready_i ? word : word_q;")],
    "BUG_DROP": [("if (req_ready_o) begin", DROP)],
    "BUG_RESET": [("valid_q <= 1'b0;", "")],
}


def registered(folder: Path) -> None:
    """Turn a fresh template into a unit with a register."""
    text = REGISTERED.format(name=folder.name)
    (folder / "rtl" / f"{folder.name}.sv").write_text(text, encoding="utf-8")
    replace_in(folder / "accel.toml", "latency = 0", "latency = 1")
    with (folder / "accel.toml").open("a", encoding="utf-8") as manifest_file:
        for name, edits in PROTOCOL_BUGS.items():
            manifest_file.write(f'[[bug]]\nname = "{name}"\nwhat = "a broken protocol"\n')
            for find, put in edits:
                manifest_file.write(f'[[bug.edit]]\nfile = "rtl/{folder.name}.sv"\n')
                manifest_file.write(f'find = """{find}"""\nreplace = """{put}"""\n')


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bug", "message"),
    [
        ("", "requests"),
        ("BUG_LOST", ""),
        ("BUG_STUCK", ""),
        ("BUG_UNSTABLE", "rsp_rd_o changed before the response was taken"),
        ("BUG_DROP", "rsp_valid_o fell before the response was taken"),
        ("BUG_RESET", "without a request"),
    ],
)
def test_the_bench_knows_the_protocol(
    tmp_path: Path, request: pytest.FixtureRequest, bug: str, message: str
) -> None:
    """A registered unit passes; each way to break valid/ready or reset is noticed as that."""
    folder = broken(tmp_path, request)
    registered(folder)
    result = run_one(folder, "bug" if bug else "rtl", bug)
    assert result.status == "pass", result
    assert message in result.detail
