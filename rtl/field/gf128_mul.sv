// SPDX-License-Identifier: Apache-2.0
// Product of two polynomials of 128 coefficients over GF(2), one a clock: three levels of Karatsuba
// give 27 products of 16 bits. Bit i is the coefficient of x^i; the product is not reduced.
//
// Latency 4: registers after the sums of the operands, after the products (of 16 by 8 bits, so that
// at most eight terms are added), after the innermost of the three joining levels, and at the end.
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

  logic [27*23-1:0] low, high, low_q, high_q;
  logic [27*31-1:0] p3;
  for (genvar i = 0; i < 27; i++) begin : gen_product
    gf128_clmul #(.Width(16), .Times(8)) u_low (
      .a_i(a_q[16*i +: 16]), .b_i(b_q[16*i +: 8]), .product_o(low[23*i +: 23])
    );
    gf128_clmul #(.Width(16), .Times(8)) u_high (
      .a_i(a_q[16*i +: 16]), .b_i(b_q[16*i+8 +: 8]), .product_o(high[23*i +: 23])
    );
    assign p3[31*i +: 31] = {8'b0, low_q[23*i +: 23]} ^ {high_q[23*i +: 23], 8'b0};
  end

  logic [9*63-1:0]  p2, p2_q;
  logic [3*127-1:0] p1;
  logic [254:0]     p0;
  gf128_join #(.Parts(9), .Width(32)) u_p2 (.data_i(p3), .data_o(p2));
  gf128_join #(.Parts(3), .Width(64)) u_p1 (.data_i(p2_q), .data_o(p1));
  gf128_join #(.Parts(1), .Width(128)) u_p0 (.data_i(p1), .data_o(p0));

  always_ff @(posedge clk_i) begin
    a_q       <= a3;
    b_q       <= b3;
    low_q     <= low;
    high_q    <= high;
    p2_q      <= p2;
    product_o <= p0;
  end
endmodule
