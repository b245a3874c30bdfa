// SPDX-License-Identifier: Apache-2.0
// One block in flight: read from memory, processed by the cipher, written back. Empty slots hold
// zeros.
module aes_dma_slot #(
  parameter BlockW = 28,
  parameter WordW  = 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,    // the block is done, or dropped
  input  logic                  claim_i,    // a block's read is issued
  input  logic [BlockW-1:0]     block_i,
  input  logic                  last_i,     // it is the region's last block
  input  logic                  beat_i,     // a word arrives
  input  logic                  filled_i,   // with beat_i: the block's last word
  input  logic [1:0]            word_i,
  input  logic [WordW-1:0]      data_i,
  input  logic                  feed_i,     // the cipher takes the block
  input  logic                  result_i,   // the cipher returns the block
  input  logic [3:0][WordW-1:0] result_data_i,
  input  logic                  write_i,    // its write begins, at the earliest with result_i
  output logic                  busy_o,
  output logic                  full_o,     // waits for the cipher
  output logic                  ready_o,    // waits for its write
  output logic [BlockW-1:0]     block_o,
  output logic                  last_o,
  output logic [3:0][WordW-1:0] data_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {busy_o, full_o, ready_o} <= 3'b000;
    else if (clear_i) {busy_o, full_o, ready_o} <= 3'b000;
    else begin
      if (claim_i)       busy_o  <= 1'b1;
      if (filled_i)      full_o  <= 1'b1;
      else if (feed_i)   full_o  <= 1'b0;
      if (write_i)       ready_o <= 1'b0;
      else if (result_i) ready_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {last_o, block_o} <= '0;
    else if (clear_i) {last_o, block_o} <= '0;
    else if (claim_i) {last_o, block_o} <= {last_i, block_i};
  end

  for (genvar i = 0; i < 4; i++) begin : gen_word
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                         data_o[i] <= '0;
      else if (clear_i)                    data_o[i] <= '0;
      else if (result_i)                   data_o[i] <= result_data_i[i];
      else if (beat_i && word_i == 2'(i))  data_o[i] <= data_i;
    end
  end
endmodule
