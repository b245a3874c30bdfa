// SPDX-License-Identifier: Apache-2.0
// The multiplication of GHASH alone: blocks in and out in TDATA order, latency 4.
module gf128_top (
  input  logic         clk_i,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  output logic [127:0] product_o
);
  logic [127:0] a, b, reduced;
  logic [254:0] product;
  gf128_order u_a (.data_i(a_i), .data_o(a));
  gf128_order u_b (.data_i(b_i), .data_o(b));
  gf128_mul u_mul (.clk_i, .a_i(a), .b_i(b), .product_o(product));
  gf128_reduce u_reduce (.data_i(product), .data_o(reduced));
  gf128_order u_product (.data_i(reduced), .data_o(product_o));
endmodule
