// SPDX-License-Identifier: Apache-2.0
// Unified carry-propagate adder: the sum of two words as integers, or as binary polynomials.
// Tillich and Grossschaedl 2007, sections 4 and 4.1. A row of half adders is first: without its
// carries no carry can propagate. Combinational.
module unimac_adder #(
  parameter Width = 72,
  parameter Poly  = 1    // 0: integers only
) (
  input  logic             poly_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] sum_o
);

`ifdef PROOF_SUM
  // Free sum, for the proof of its users (formal/unimac_props.sv).
  (* anyseq *) logic [Width-1:0] any;
  assign sum_o = any;
`else

  if (Poly != 0) begin : gen_dual_field
    logic [Width-1:0] sum, carry;
    unimac_csa3 #(.Width(Width)) u_half_adders (
      .poly_i,
      .a_i, .b_i, .c_i({Width{1'b0}}), .sum_o(sum), .carry_o(carry)
    );
    assign sum_o = sum + carry;
  end else begin : gen_integer
    assign sum_o = a_i + b_i;
  end

`endif

  logic unused;
  assign unused = poly_i;

endmodule
