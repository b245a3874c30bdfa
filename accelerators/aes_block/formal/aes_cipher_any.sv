// SPDX-License-Identifier: Apache-2.0
// Any cipher in place of aes_block_cipher, with its contract: wiping, key expansion and a block
// take any time, a result is any word, is offered until it is taken, and is zero when there is
// none. Ports are used one at a time, so there is one block at most.
module aes_block_cipher #(
  parameter SboxImpl = "tower",
  parameter PipeRegs = 0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  output logic         wiping_o,
  input  logic         key_write_i,
  input  logic [2:0]   key_word_i,
  input  logic [31:0]  key_data_i,
  input  logic         key_start_i,
  input  logic [1:0]   key_length_i,
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
  (* anyseq *) logic         now;  // what is in progress ends
  (* anyseq *) logic         ready;
  (* anyseq *) logic [127:0] result;

  logic         wiping_q, busy_q, valid_q, flight_q, inverse_q, given_q, taken;
  logic [127:0] out_q;

  assign taken = (enc_valid_i && enc_ready_o) || (dec_valid_i && dec_ready_o);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wiping_q <= 1'b1;
      {busy_q, valid_q, flight_q, inverse_q, given_q} <= '0;
    end else if (wipe_i || wiping_q) begin
      wiping_q <= wipe_i || !now;
      {busy_q, valid_q, flight_q, inverse_q, given_q} <= '0;
    end else begin
      if (key_start_i) {busy_q, valid_q} <= 2'b10;
      else if (now && busy_q) {busy_q, valid_q} <= 2'b01;
      if (taken) {flight_q, inverse_q} <= {1'b1, dec_valid_i};
      else if (now && flight_q) flight_q <= 1'b0;
      if (now && flight_q) given_q <= 1'b1;
      else if (inverse_q ? dec_ready_i : enc_ready_i) given_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (wipe_i || wiping_q) out_q <= '0;
    else if (now && flight_q) out_q <= result;
    else if (inverse_q ? dec_ready_i : enc_ready_i) out_q <= '0;
  end

  assign wiping_o    = wiping_q;
  assign key_busy_o  = busy_q;
  assign key_valid_o = valid_q;
  assign enc_ready_o = ready && valid_q && !flight_q;
  assign dec_ready_o = ready && valid_q && !flight_q;
  assign enc_valid_o = given_q && !inverse_q;
  assign dec_valid_o = given_q && inverse_q;
  assign enc_data_o  = out_q;
  assign dec_data_o  = out_q;

  logic unused;
  assign unused = ^{key_write_i, key_word_i, key_data_i, key_length_i, enc_data_i, dec_data_i};
endmodule
