// SPDX-License-Identifier: Apache-2.0
// Collects four words, written in any order, into a block. The block is zero while no word is
// written.
module aes_engine_block (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         write_i,  // not while full_o
  input  logic [1:0]   word_i,
  input  logic [31:0]  data_i,
  input  logic         taken_i,
  output logic         full_o,
  output logic         empty_o,
  output logic [127:0] data_o
);
  logic [3:0]       written_q;
  logic [3:0][31:0] data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                 written_q <= 4'h0;
    else if (clear_i || taken_i) written_q <= 4'h0;
    else if (write_i)            written_q[word_i] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || taken_i) data_q <= '0;
    else if (write_i)       data_q[word_i] <= data_i;
  end

  assign full_o  = &written_q;
  assign empty_o = written_q == 4'h0;
  assign data_o  = data_q;
endmodule
