// SPDX-License-Identifier: Apache-2.0
// One digit of a product in the field of SP 800-38D, section 6.3: sum * x^Digit + digit * key,
// modulo x^128 + x^7 + x^2 + x + 1. Bit i is the coefficient of x^i. Combinational.
module ghash_step #(
  parameter Digit = 4  // at most 120: what is folded stays below x^128
) (
  input  logic [127:0]       sum_i,
  input  logic [127:0]       key_i,
  input  logic [Digit-1:0]   digit_i,
  output logic [127:0]       sum_o
);
  logic [Digit:0][127+Digit:0] row;  // row i: sum * x^Digit and the products of the first i bits
  assign row[0] = {sum_i, {Digit{1'b0}}};
  for (genvar i = 0; i < Digit; i++) begin : gen_bit
    assign row[i+1] = row[i] ^ ({{Digit{1'b0}}, key_i & {128{digit_i[i]}}} << i);
  end

  // x^128 = x^7 + x^2 + x + 1
  logic [127:0] over;
  assign over  = {{(128 - Digit){1'b0}}, row[Digit][127+Digit:128]};
  assign sum_o = row[Digit][127:0] ^ over ^ (over << 1) ^ (over << 2) ^ (over << 7);
endmodule
