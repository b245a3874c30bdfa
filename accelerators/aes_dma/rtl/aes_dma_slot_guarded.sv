// SPDX-License-Identifier: Apache-2.0
// aes_dma_slot with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_dma_slot_guarded.sv.j2 by `aesforge modules`.
module aes_dma_slot_guarded #(
  parameter BlockW = 28,
  parameter WordW  = 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  wrong_o,
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
  (* keep *) logic busy_o_p, full_o_p, ready_o_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {busy_o_p, full_o_p, ready_o_p} <= '1;
    else if (clear_i) {busy_o_p, full_o_p, ready_o_p} <= '1;
    else begin
      if (claim_i)       busy_o_p  <= 1'b0;
      if (filled_i)      full_o_p  <= 1'b0;
      else if (feed_i)   full_o_p  <= 1'b1;
      if (write_i)       ready_o_p <= 1'b1;
      else if (result_i) ready_o_p <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {last_o, block_o} <= '0;
    else if (clear_i) {last_o, block_o} <= '0;
    else if (claim_i) {last_o, block_o} <= {last_i, block_i};
  end
  (* keep *) logic last_o_p, block_o_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {last_o_p, block_o_p} <= '1;
    else if (clear_i) {last_o_p, block_o_p} <= '1;
    else if (claim_i) {last_o_p, block_o_p} <= {~^last_i, ~^block_i};
  end

  logic [3:0] part_1;
  for (genvar i = 0; i < 4; i++) begin : gen_word
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                         data_o[i] <= '0;
      else if (clear_i)                    data_o[i] <= '0;
      else if (result_i)                   data_o[i] <= result_data_i[i];
      else if (beat_i && word_i == 2'(i))  data_o[i] <= data_i;
    end
    (* keep *) logic data_o_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                         data_o_p <= 1'b1;
      else if (clear_i)                    data_o_p <= 1'b1;
      else if (result_i)                   data_o_p <= ~^(result_data_i[i]);
      else if (beat_i && word_i == 2'(i))  data_o_p <= ~^data_i;
    end
    assign part_1[i] = ~^{data_o[i], data_o_p};
  end

  assign wrong_o = |{~^{busy_o, busy_o_p}, ~^{full_o, full_o_p}, ~^{ready_o, ready_o_p},
    ~^{last_o, last_o_p}, ~^{block_o, block_o_p}, part_1};
endmodule
