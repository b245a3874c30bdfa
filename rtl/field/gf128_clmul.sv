// SPDX-License-Identifier: Apache-2.0
// Product of two polynomials over GF(2), bit i the coefficient of x^i; without registers.
module gf128_clmul #(
  parameter Width = 16
) (
  input  logic [Width-1:0]   a_i,
  input  logic [Width-1:0]   b_i,
  output logic [2*Width-2:0] product_o
);
  // Row i: the sum of the first i shifted operands.
  logic [Width:0][2*Width-2:0] row;
  assign row[0] = '0;
  for (genvar i = 0; i < Width; i++) begin : gen_row
    assign row[i+1] = row[i] ^ (({{(Width-1){1'b0}}, a_i} << i) & {(2*Width-1){b_i[i]}});
  end
  assign product_o = row[Width];
endmodule
