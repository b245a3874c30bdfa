// SPDX-License-Identifier: Apache-2.0
// Product of two polynomials of 128 coefficients over GF(2), one a clock: three levels of Karatsuba
// make 27 products of 16 bits. Bit i is the coefficient of x^i; nothing is reduced.
//
// Latency 4: registers behind the sums of the operands, behind the products, behind two of the
// three levels that join them, and at the end.
module gf128_mul (
  input  logic         clk_i,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  output logic [254:0] product_o
);
  /* verilator no_inline_module */
  logic [191:0] a1, b1;
  logic [287:0] a2, b2;
  logic [431:0] a3, b3, a_q, b_q;
  gf128_split #(.Parts(1), .Width(128)) u_a1 (.data_i(a_i), .data_o(a1));
  gf128_split #(.Parts(1), .Width(128)) u_b1 (.data_i(b_i), .data_o(b1));
  gf128_split #(.Parts(3), .Width(64)) u_a2 (.data_i(a1), .data_o(a2));
  gf128_split #(.Parts(3), .Width(64)) u_b2 (.data_i(b1), .data_o(b2));
  gf128_split #(.Parts(9), .Width(32)) u_a3 (.data_i(a2), .data_o(a3));
  gf128_split #(.Parts(9), .Width(32)) u_b3 (.data_i(b2), .data_o(b3));

  logic [27*31-1:0] p3, p3_q;
  for (genvar i = 0; i < 27; i++) begin : gen_product
    gf128_clmul #(.Width(16)) u_product (
      .a_i(a_q[16*i +: 16]), .b_i(b_q[16*i +: 16]), .product_o(p3[31*i +: 31])
    );
  end

  logic [9*63-1:0]  p2;
  logic [3*127-1:0] p1, p1_q;
  logic [254:0]     p0;
  gf128_join #(.Parts(9), .Width(32)) u_p2 (.data_i(p3_q), .data_o(p2));
  gf128_join #(.Parts(3), .Width(64)) u_p1 (.data_i(p2), .data_o(p1));
  gf128_join #(.Parts(1), .Width(128)) u_p0 (.data_i(p1_q), .data_o(p0));

  always_ff @(posedge clk_i) begin
    a_q       <= a3;
    b_q       <= b3;
    p3_q      <= p3;
    p1_q      <= p1;
    product_o <= p0;
  end
endmodule
