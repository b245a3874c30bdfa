// SPDX-License-Identifier: Apache-2.0
// One channel of the register block: four input words make a block, four words read give room for
// the next result. The modes behind it are aes_iter_channel's.
module aes_engine_channel #(
  parameter Dir    = "enc",  // "enc" | "dec"
  parameter Stages = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic [1:0]   mode_i,
  input  logic [1:0]   word_i,         // of a write
  input  logic [31:0]  data_i,
  input  logic         in_write_i,     // only with in_ready_o
  input  logic         iv_write_i,     // only with idle_o
  input  logic [1:0]   read_word_i,
  input  logic         out_read_i,     // only with out_valid_o
  output logic         in_ready_o,
  output logic         idle_o,         // no block, nor a part of one, before the result
  output logic         pending_o,      // a result is on its way
  output logic         done_o,
  output logic         out_valid_o,
  output logic [31:0]  out_o,
  output logic [31:0]  iv_o,
  output logic         unit_valid_o,
  input  logic         unit_ready_i,
  output logic [127:0] unit_data_o,
  input  logic         unit_valid_i,
  output logic         unit_ready_o,
  input  logic [127:0] unit_data_i
);
  logic             full, taken, given, modes_idle;
  logic [3:0]       written_q, read_q, read;
  logic [3:0][31:0] in_q, iv, result;

  assign full = &written_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)               written_q <= 4'h0;
    else if (clear_i || taken) written_q <= 4'h0;
    else if (in_write_i)       written_q[word_i] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || taken) in_q <= '0;
    else if (in_write_i)  in_q[word_i] <= data_i;
  end

  assign read  = read_q | ({3'b000, out_read_i} << read_word_i);
`ifdef BUG_ENGINE_TAKE
  assign given = |read;
`else
  assign given = &read;
`endif
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= 4'h0;
    else         read_q <= clear_i || given ? 4'h0 : read;
  end

  aes_iter_channel #(.Dir(Dir), .Stages(Stages)) u_modes (
    .clk_i, .rst_ni, .clear_i, .mode_i, .idle_o(modes_idle), .done_o,
    .iv_write_i({3'b000, iv_write_i} << word_i), .iv_data_i(data_i), .iv_o(iv),
    .in_valid_i(full), .in_ready_o(taken), .in_data_i(in_q),
    .out_valid_o, .out_ready_i(given), .out_data_o(result),
    .unit_valid_o, .unit_ready_i, .unit_data_o, .unit_valid_i, .unit_ready_o, .unit_data_i
  );

  assign in_ready_o = !full;
  assign idle_o     = modes_idle && written_q == 4'h0;
  assign pending_o  = full || !modes_idle;
  assign out_o      = result[read_word_i];
  assign iv_o       = iv[read_word_i];
endmodule
