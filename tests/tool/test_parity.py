# SPDX-License-Identifier: Apache-2.0
"""Modules with parity, made from plain ones: what is added, and what cannot be read."""

import difflib
import re
from pathlib import Path
from typing import Any

import pytest

from aesforge.build import parity, written

pytestmark = pytest.mark.quick

MODULE = """
module counter (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       up_i,
  input  logic [1:0] word_i,
  input  logic [7:0] data_i,
  output logic [7:0] count_o
);
  logic [7:0] count_q, old_q;
  logic [3:0][7:0] words_q, words_d;
  logic [7:0] memory [0:3];
  assign words_d = ~words_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)   {count_q, old_q} <= '0;
    else if (up_i) {count_q, old_q} <= {count_q + 8'd1, count_q};
  end
  always_ff @(posedge clk_i) begin
    if (up_i) words_q <= words_d;
    else      words_q[word_i] <= data_i;
  end
  always_ff @(posedge clk_i) if (up_i) memory[word_i] <= data_i;
  assign count_o = count_q;
`ifdef FORMAL
  always_comb assert (1'b1);
`endif
endmodule
"""


def test_registers_get_parity() -> None:
    """The same conditions; a bit a register, an element or a word of memory."""
    made = parity.with_parity(MODULE)
    assert "module counter_guarded (" in made
    assert "  input  logic       rst_ni,\n  output logic       wrong_o,\n" in made
    for line in (
        "(* keep *) logic count_p, old_p;",
        "if (!rst_ni)   {count_p, old_p} <= '1;",
        "else if (up_i) {count_p, old_p} <= {~^(count_q + 8'd1), ~^count_q};",
        "(* keep *) logic [3:0] words_p;",
        "if (up_i) for (int k = 0; k <= 3; k++) words_p[k] <= ~^words_d[k];",
        "else      words_p[word_i] <= ~^data_i;",
        "logic memory_p [0:3];",
        "always_ff @(posedge clk_i) if (up_i) memory_p[word_i] <= ~^data_i;",
        "assign wrong_o = |{~^{count_q, count_p}, ~^{old_q, old_p}, "
        "^{words_q, words_p, 1'(3 + 1)}};",
    ):
        assert f" {line}\n" in made, line
    assert "FORMAL" not in made


def test_a_choice_of_circuits_has_one_bit() -> None:
    """Also where a branch has no register; copies in a loop have one each."""
    made = parity.with_parity("""
module chosen #(parameter Kind = 0) (
  input  logic clk_i,
  input  logic [1:0] data_i,
  output logic [1:0] data_o
);
  if (Kind == 0) begin : gen_plain
    assign data_o = data_i;
  end else if (Kind == 1) begin : gen_copies
    for (genvar i = 0; i < 2; i++) begin : gen_bit
      always_ff @(posedge clk_i) data_o[i] <= data_i[i];
    end
  end else begin : gen_other
    counter u_counter (.clk_i, .data_i, .data_o);
  end
endmodule
""", guarded=["counter"])  # fmt: skip
    assert "    assign part_3 = 1'b0;\n  end else if (Kind == 1)" in made
    assert "      assign part_1[i] = ~^{data_o[i], data_o_p};\n    end\n" in made
    assert "    logic part_2;\n    counter_guarded u_counter (.wrong_o(part_2), .clk_i" in made
    assert made.rstrip().endswith("assign wrong_o = part_3;\nendmodule")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{count_q + 8'd1, count_q};", "data_i;", "which part of the value"),
        ("words_q <= words_d;", "words_q <= ~words_d;", "not the elements"),
        ("words_q[word_i] <= data_i", "words_q[word_i +: 1] <= data_i", "a part of a register"),
        ("assign count_o", "other u_other (.clk_i);\n  assign count_o", "is other `guarded`"),
        ("always_ff @(posedge clk_i) if", "always @(posedge clk_i) if", "AlwaysBlock is not read"),
        ("old_q", "old_p", "like the name of a parity bit"),
    ],
)
def test_what_cannot_be_read_is_an_error(old: str, new: str, message: str) -> None:
    """Never a register without parity."""
    with pytest.raises(parity.ParityFault, match=message):
        parity.with_parity(MODULE.replace(old, new))


def test_a_text_that_is_not_there_is_an_error() -> None:
    """Stale replacements and blocks are seen."""
    with pytest.raises(parity.ParityFault, match="0 times in the module: count_d"):
        parity.with_parity(MODULE, replace=[("count_d", "count_q")])
    with pytest.raises(parity.ParityFault, match="no block gen_none"):
        parity.with_parity(MODULE, refused=["gen_none"])
    with pytest.raises(parity.ParityFault, match="no module inside is other"):
        parity.with_parity(MODULE, guarded=["other"])


MADE = [path for path in written.templates() if "with_parity(" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("template", MADE, ids=lambda path: path.name.partition(".")[0])
def test_the_plain_circuit_is_in_it(template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of the plain module, in order, except those that the template names."""
    asked: dict[str, Any] = {}

    def spied(text: str, **choices: Any) -> str:
        asked.update(choices)
        return made(text, **choices)

    made = parity.with_parity
    monkeypatch.setattr(parity, "with_parity", spied)
    text = re.sub(r"\.wrong_o\(part_\d+\),\s*", "", written.text(template))
    plain = (template.parent / template.name.replace("_guarded.sv.j2", ".sv")).read_text("utf-8")
    plain = plain[plain.index("\nmodule ") :].partition("\n`ifdef FORMAL")[0]
    named = "\n".join(old for old, _ in asked.get("replace", ()))
    for label in asked.get("refused", ()):
        block = re.search(rf"\n( *)\S[^\n]*begin : {label}\n(.*?)\n\1end", plain, re.DOTALL)
        assert block
        named += f"\n{block[2]}"
    old, new = (
        [line.strip() for line in re.sub(r"_guarded\b", "", each).splitlines()]
        for each in (plain, text)
    )
    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    lost = [
        line for kind, i, j, _, _ in steps if kind in ("delete", "replace") for line in old[i:j]
    ]
    assert [line for line in lost if line not in named] == []


def test_there_are_modules_with_parity() -> None:
    """Those of the test above are found by their templates."""
    assert len(MADE) >= 17
