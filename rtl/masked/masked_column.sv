// SPDX-License-Identifier: Apache-2.0
// SubBytes and MixColumns of one column on two shares: four cycles, one column a cycle.
//
// Ports as in aes_sbox_masked, row 0 in bits 7 to 0; each S-box has its own 30 fresh bits.
module masked_column (
  input  logic         clk_i,
  input  logic [31:0]  data0_i,
  input  logic [31:0]  data1_i,
  input  logic [119:0] random_i,
  output logic [31:0]  data0_o,
  output logic [31:0]  data1_o
);
  logic [31:0] sub0, sub1;

  for (genvar row = 0; row < 4; row++) begin : gen_row
    aes_sbox_masked u_sbox (
      .clk_i,
      .data0_i(data0_i[8*row +: 8]),
      .data1_i(data1_i[8*row +: 8]),
      .random_i(random_i[30*row +: 30]),
      .data0_o(sub0[8*row +: 8]),
      .data1_o(sub1[8*row +: 8])
    );
  end

  aes_mixcolumn #(.Dir("fwd")) u_mix0 (.inv_i(1'b0), .data_i(sub0), .data_o(data0_o));
  aes_mixcolumn #(.Dir("fwd")) u_mix1 (.inv_i(1'b0), .data_i(sub1), .data_o(data1_o));
endmodule
