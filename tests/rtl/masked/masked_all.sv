// SPDX-License-Identifier: Apache-2.0
// The modules of rtl/masked with the same inputs: a column, and an S-box on its first byte.
module masked_all (
  input  logic         clk_i,
  input  logic [31:0]  data0_i,
  input  logic [31:0]  data1_i,
  input  logic [119:0] random_i,
  output logic [31:0]  column0_o,
  output logic [31:0]  column1_o,
  output logic [7:0]   sbox0_o,
  output logic [7:0]   sbox1_o
);
  masked_column u_column (
    .clk_i, .data0_i, .data1_i, .random_i, .data0_o(column0_o), .data1_o(column1_o)
  );
  aes_sbox_masked u_sbox (
    .clk_i, .data0_i(data0_i[7:0]), .data1_i(data1_i[7:0]), .random_i(random_i[29:0]),
    .data0_o(sbox0_o), .data1_o(sbox1_o)
  );
endmodule
