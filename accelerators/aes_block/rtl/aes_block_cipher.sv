// SPDX-License-Identifier: Apache-2.0
// The cipher inside aes_block, which relies on these rules alone: blocks enter while ready, a
// result is offered until it is accepted, and is zero when there is none. FIPS 197.
//
// SboxImpl  "bram"  aes_tables: tables in block RAM, a round in 1 + PipeRegs clocks
//           else    aes_iter: a round a clock, sixteen S-boxes of that circuit for both directions
module aes_block_cipher #(
  parameter SboxImpl = "tower",
  parameter PipeRegs = 0        // with "bram": 0 or 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  output logic         wiping_o,
  input  logic         key_write_i,
  input  logic [2:0]   key_word_i,
  input  logic [31:0]  key_data_i,
  input  logic         key_start_i,
  input  logic [1:0]   key_length_i,  // 0: 128 bits, 1: 192, 2: 256; read with key_start_i
  output logic         key_busy_o,
  output logic         key_valid_o,
  input  logic         enc_valid_i,
  output logic         enc_ready_o,
  input  logic [127:0] enc_data_i,
  output logic         enc_valid_o,
  input  logic         enc_ready_i,
  output logic [127:0] enc_data_o,
  input  logic         dec_valid_i,
  output logic         dec_ready_o,
  input  logic [127:0] dec_data_i,
  output logic         dec_valid_o,
  input  logic         dec_ready_i,
  output logic [127:0] dec_data_o
);
  logic unused_idle, unused;
  assign unused = unused_idle;

  if (SboxImpl == "bram") begin : gen_tables
    aes_tables #(.PipeRegs(PipeRegs)) u_tables (
      .clk_i, .rst_ni, .wipe_i, .wiping_o, .idle_o(unused_idle), .key_write_i, .key_word_i,
      .key_data_i, .key_start_i, .key_length_i, .key_busy_o, .key_valid_o, .enc_valid_i,
      .enc_ready_o, .enc_data_i, .enc_valid_o, .enc_ready_i, .enc_data_o, .dec_valid_i,
      .dec_ready_o, .dec_data_i, .dec_valid_o, .dec_ready_i, .dec_data_o
    );
  end else begin : gen_iter
    aes_iter #(.Dir("shared"), .SboxImpl(SboxImpl)) u_iter (
      .clk_i, .rst_ni, .wipe_i, .wiping_o, .idle_o(unused_idle), .key_write_i, .key_word_i,
      .key_data_i, .key_start_i, .key_length_i, .key_busy_o, .key_valid_o, .enc_valid_i,
      .enc_ready_o, .enc_data_i, .enc_valid_o, .enc_ready_i, .enc_data_o, .dec_valid_i,
      .dec_ready_o, .dec_data_i, .dec_valid_o, .dec_ready_i, .dec_data_o
    );
  end
endmodule
