// SPDX-License-Identifier: Apache-2.0
// Product of two bytes in the field of FIPS 197, section 4.2: polynomial product, then reduction
// modulo m(x) = x^8 + x^4 + x^3 + x + 1.
module gf8_mul (
  input  logic [7:0] a_i,
  input  logic [7:0] b_i,
  output logic [7:0] data_o
);
  // Byte i is x^(8+i) mod m(x): {1b}, {36}, {6c}, {d8}, {ab}, {4d}, {9a}.
  localparam logic [55:0] Reduced = 56'h9a_4d_ab_d8_6c_36_1b;

  function automatic logic [7:0] mul(input logic [7:0] a, input logic [7:0] b);
    logic [14:0] product;
    product = 15'h0;
    for (int i = 0; i < 8; i++) begin
      product = product ^ ({7'h00, a & {8{b[i]}}} << i);
    end
    mul = product[7:0];
    for (int i = 0; i < 7; i++) begin
      mul = mul ^ (Reduced[8*i +: 8] & {8{product[8+i]}});
    end
  endfunction

  assign data_o = mul(a_i, b_i);
endmodule
