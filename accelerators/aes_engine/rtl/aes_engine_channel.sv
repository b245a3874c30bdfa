// SPDX-License-Identifier: Apache-2.0
// One channel of the register block: four input words make a block; reading all four output words
// makes room for the next result. Modes: aes_iter_channel, or aes_iter_gcm.
module aes_engine_channel #(
  parameter Dir    = "enc",  // "enc" | "dec"
  parameter Interleave = 1,
  parameter Gcm    = 0,      // with Dir "enc"
  parameter Digit  = 16      // of the hash
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic [1:0]   mode_i,
  input  logic [1:0]   word_i,         // word index of a write
  input  logic [31:0]  data_i,
  input  logic         in_write_i,     // only with in_ready_o
  input  logic         iv_write_i,     // only with idle_o
  input  logic [1:0]   read_word_i,
  input  logic         out_read_i,     // only with out_valid_o
  output logic         in_ready_o,
  output logic         idle_o,         // no block, not even a partial one, before the result
  output logic         pending_o,      // a result is in flight
  output logic         done_o,
  output logic         out_valid_o,
  output logic [31:0]  out_o,
  output logic [31:0]  iv_o,

  // Only with Gcm (see aes_iter_gcm); otherwise tie to zero.
  input  logic         start_i,
  input  logic         iv_hash_i,
  input  logic         hash_input_i,
  input  logic         hash_write_i,   // only with hash_ready_o
  output logic         hash_ready_o,
  input  logic [3:0]   bytes_i,        // bytes of every block; change it only with idle_o
  input  logic         hash_text_i,
  input  logic         tag_i,
  output logic         tag_valid_o,
  output logic [127:0] tag_o,

  output logic         unit_valid_o,
  input  logic         unit_ready_i,
  output logic [127:0] unit_data_o,
  input  logic         unit_valid_i,
  output logic         unit_ready_o,
  input  logic [127:0] unit_data_i
);
  logic             full, empty, taken, given, modes_idle, hash_empty;
  logic [3:0]       read_q, read, iv_write;
  logic [3:0][31:0] iv, result;
  logic [127:0]     block;

  aes_engine_block u_in (
    .clk_i, .rst_ni, .clear_i, .write_i(in_write_i), .word_i, .data_i, .taken_i(taken),
    .full_o(full), .empty_o(empty), .data_o(block)
  );

  assign read  = read_q | ({3'b000, out_read_i} << read_word_i);
  assign given = &read;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= 4'h0;
    else         read_q <= clear_i || given ? 4'h0 : read;
  end

  assign iv_write = {3'b000, iv_write_i} << word_i;
  if (Gcm != 0) begin : gen_gcm
    logic         hash_full, hash_taken;
    logic [127:0] hash_block;
    aes_engine_block u_hash (
      .clk_i, .rst_ni, .clear_i, .write_i(hash_write_i), .word_i, .data_i,
      .taken_i(hash_full && hash_taken), .full_o(hash_full), .empty_o(hash_empty),
      .data_o(hash_block)
    );
    assign hash_ready_o = !hash_full;

    aes_iter_gcm #(.Interleave(Interleave), .Digit(Digit)) u_modes (
      .clk_i, .rst_ni, .clear_i, .mode_i, .idle_o(modes_idle), .done_o, .iv_write_i(iv_write),
      .iv_data_i(data_i), .iv_o(iv), .start_i, .iv_hash_i, .hash_input_i,
      .hash_valid_i(hash_full), .hash_ready_o(hash_taken), .hash_data_i(hash_block),
      .hash_bytes_i(bytes_i), .hash_text_i, .tag_i, .tag_valid_o, .tag_o,
      .in_valid_i(full), .in_ready_o(taken), .in_data_i(block), .in_bytes_i(bytes_i),
      .out_valid_o, .out_ready_i(given), .out_data_o(result),
      .unit_valid_o, .unit_ready_i, .unit_data_o, .unit_valid_i, .unit_ready_o, .unit_data_i
    );
  end else begin : gen_plain
    logic         unused, hash_valid;
    logic [3:0]   hash_bytes;
    logic [127:0] hash_data;
    aes_iter_channel #(.Dir(Dir), .Interleave(Interleave)) u_modes (
      .clk_i, .rst_ni, .clear_i, .mode_i, .idle_o(modes_idle), .done_o, .iv_write_i(iv_write),
      .iv_data_i(data_i), .iv_o(iv), .iv_load_i(1'b0), .iv_block_i(128'h0), .iv_count_i(1'b0),
      .hash_input_i(1'b0), .in_bytes_i(4'd0), .hash_valid_o(hash_valid), .hash_ready_i(1'b1),
      .hash_data_o(hash_data), .hash_bytes_o(hash_bytes),
      .in_valid_i(full), .in_ready_o(taken), .in_data_i(block),
      .out_valid_o, .out_ready_i(given), .out_data_o(result),
      .unit_valid_o, .unit_ready_i, .unit_data_o, .unit_valid_i, .unit_ready_o, .unit_data_i
    );
    assign hash_empty   = 1'b1;
    assign hash_ready_o = 1'b0;
    assign tag_valid_o  = 1'b0;
    assign tag_o        = '0;
    assign unused       = ^{start_i, iv_hash_i, hash_input_i, hash_write_i, bytes_i, hash_text_i,
                            tag_i, hash_valid, hash_data, hash_bytes};
  end

  assign in_ready_o = !full;
  assign idle_o     = modes_idle && empty && hash_empty;
  assign pending_o  = full || !modes_idle;
  assign out_o      = result[read_word_i];
  assign iv_o       = iv[read_word_i];
endmodule
