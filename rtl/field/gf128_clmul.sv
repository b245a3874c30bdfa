// SPDX-License-Identifier: Apache-2.0
// Product of two polynomials over GF(2); bit i is the coefficient of x^i. Combinational.
module gf128_clmul #(
  parameter Width = 16,
  parameter Times = 16
) (
  input  logic [Width-1:0]       a_i,
  input  logic [Times-1:0]       b_i,
  output logic [Width+Times-2:0] product_o
);
  // Row i: XOR of the first i shifted operands.
  localparam FullW = Width + Times - 1;
  logic [Times:0][FullW-1:0] row;
  assign row[0] = '0;
  for (genvar i = 0; i < Times; i++) begin : gen_row
    assign row[i+1] = row[i] ^ (({{(Times-1){1'b0}}, a_i} << i) & {FullW{b_i[i]}});
  end
  assign product_o = row[Times];
endmodule
