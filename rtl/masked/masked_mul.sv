// SPDX-License-Identifier: Apache-2.0
// Products of Count factors `a` with one factor `b`, all in two shares, one cycle later.
//
// The gadget HPC3 for two shares: D. Knichel and A. Moradi, "Low-Latency Hardware Private
// Circuits", CCS 2022. With a blind r and a mask p for each product, share i is
//
//   reg(a_i) * reg(b_j + r) + reg(a_i * (b_i + r) + p)        j is the other share
//
// so the sum of both is a*b, and no wire sees both shares of a factor. The products share the
// blind of their common factor; each has its own mask. blind_i and mask_i are fresh and uniform in
// each cycle. Field: tower_mul.
module masked_mul #(
  parameter Width = 4,
  parameter Count = 1
) (
  input  logic                   clk_i,
  input  logic [Count*Width-1:0] a0_i,
  input  logic [Count*Width-1:0] a1_i,
  input  logic [Width-1:0]       b0_i,
  input  logic [Width-1:0]       b1_i,
  input  logic [Width-1:0]       blind_i,
  input  logic [Count*Width-1:0] mask_i,
  output logic [Count*Width-1:0] a0_o,  // the factors, a cycle later
  output logic [Count*Width-1:0] a1_o,
  output logic [Count*Width-1:0] product0_o,
  output logic [Count*Width-1:0] product1_o
);
  logic [Width-1:0] blinded0, blinded1, blinded0_q, blinded1_q;
  logic [Count*Width-1:0] inner0, inner1, inner0_q, inner1_q, cross0, cross1, a0_q, a1_q;

  assign blinded0 = b0_i ^ blind_i;
  assign blinded1 = b1_i ^ blind_i;

  for (genvar k = 0; k < Count; k++) begin : gen_product
    tower_mul #(.Width(Width)) u_inner0 (
      .a_i(a0_i[k*Width +: Width]), .b_i(blinded0), .product_o(inner0[k*Width +: Width])
    );
    tower_mul #(.Width(Width)) u_inner1 (
      .a_i(a1_i[k*Width +: Width]), .b_i(blinded1), .product_o(inner1[k*Width +: Width])
    );
    tower_mul #(.Width(Width)) u_cross0 (
      .a_i(a0_q[k*Width +: Width]), .b_i(blinded1_q), .product_o(cross0[k*Width +: Width])
    );
    tower_mul #(.Width(Width)) u_cross1 (
      .a_i(a1_q[k*Width +: Width]), .b_i(blinded0_q), .product_o(cross1[k*Width +: Width])
    );
  end

  always_ff @(posedge clk_i) begin
    a0_q       <= a0_i;
    a1_q       <= a1_i;
    blinded0_q <= blinded0;
    blinded1_q <= blinded1;
    inner0_q   <= inner0 ^ mask_i;
    inner1_q   <= inner1 ^ mask_i;
  end

  assign a0_o = a0_q;
  assign a1_o = a1_q;
  assign product0_o = cross0 ^ inner0_q;
  assign product1_o = cross1 ^ inner1_q;
endmodule
