// SPDX-License-Identifier: Apache-2.0
// Unified (32x16)-bit multiplier with MixColumns: Tillich and Grossschaedl 2007, sections 4 and 5,
// figure 1. Nine partial products; three stages of carry-save adders and one carry-propagate adder.
// Reduction vectors enter through the idle carry words between the stages: three, two and one.
// Combinational.
//
// The paper does not say how its four stages divide nine words among (3:2) and (4:2) compressors.
// Here the word counts are 9, 6, 4, 2.
module unimac_mul16 #(
  parameter Poly = 1,
  parameter Mix  = 1   // with Poly
) (
  input  logic        poly_i,
  input  logic        mix_i,       // ff_mix of the paper; with poly_i
  input  logic        signed_a_i,
  input  logic        signed_b_i,
  input  logic [31:0] a_i,
  input  logic [15:0] b_i,         // with mix_i: each coefficient twice
  output logic [48:0] product_o    // two's complement; MixColumns: five reduced coefficients
);

  logic [8:0][48:0] rows;
  logic [5:0][48:0] vectors;

  unimac_rows #(.BitsB(16), .Width(49), .Poly(Poly), .Mix(Mix), .Wide(0)) u_rows (
    .poly_i, .mix_i, .signed_a_i, .signed_b_i, .double_i(1'b0), .add_i(1'b0), .subtract_i(1'b0),
    .a_i, .b_i, .addend_i(32'b0), .rows_o(rows)
  );

  logic [48:0]      total;

  if (Mix != 0) begin : gen_reduce
    unimac_reduce #(.BitsB(16), .Width(49)) u_reduce (
      .mix_i, .rows_i(rows), .vectors_o(vectors)
    );
  end else begin : gen_no_reduce
    assign vectors = '0;
  end

  logic [2:0][48:0] sum1, carry1, filled1;
  logic [1:0][48:0] sum2, carry2, filled2;
  logic [48:0]      sum3, carry3;

  for (genvar i = 0; i < 3; i++) begin : gen_stage1
    unimac_csa3 #(.Width(49), .Poly(Poly)) u_csa (
      .poly_i, .a_i(rows[3*i]), .b_i(rows[3*i+1]), .c_i(rows[3*i+2]),
      .sum_o(sum1[i]), .carry_o(carry1[i])
    );
  end
  assign filled1 = carry1 | vectors[5:3];

  unimac_csa3 #(.Width(49), .Poly(Poly)) u_stage2_low (
    .poly_i, .a_i(sum1[0]), .b_i(filled1[0]), .c_i(sum1[1]), .sum_o(sum2[0]), .carry_o(carry2[0])
  );
  unimac_csa3 #(.Width(49), .Poly(Poly)) u_stage2_high (
    .poly_i, .a_i(filled1[1]), .b_i(sum1[2]), .c_i(filled1[2]),
    .sum_o(sum2[1]), .carry_o(carry2[1])
  );
  assign filled2 = carry2 | vectors[2:1];

  unimac_csa4 #(.Width(49), .Poly(Poly)) u_stage3 (
    .poly_i, .a_i(sum2[0]), .b_i(filled2[0]), .c_i(sum2[1]), .d_i(filled2[1]),
    .sum_o(sum3), .carry_o(carry3)
  );

  unimac_adder #(.Width(49), .Poly(Poly)) u_stage4 (
    .poly_i, .a_i(sum3), .b_i(carry3 | vectors[0]), .sum_o(total)
  );

`ifdef PROOF_PRODUCT
  // Free product, for proofs of its users (formal/unimac_props.sv).
  (* anyseq *) logic [48:0] any;
  assign product_o = any;
  logic unused;
  assign unused = ^total;
`else
  assign product_o = total;
`endif

endmodule
