// SPDX-License-Identifier: Apache-2.0
// Sixteen words of one share, or of results: one write port, one asynchronous read port.
module aes_masked_block_words (
  input  logic        clk_i,
  input  logic        write_i,
  input  logic [3:0]  write_at_i,
  input  logic [31:0] data_i,
  input  logic [3:0]  read_at_i,
  output logic [31:0] data_o
);
  (* ram_style = "distributed" *) logic [31:0] words [0:15];

  always_ff @(posedge clk_i) if (write_i) words[write_at_i] <= data_i;
  assign data_o = words[read_at_i];
endmodule
