// SPDX-License-Identifier: Apache-2.0
// aes_masked_core for benches: its register port, and what its memories and registers hold.
module masked_view #(
  parameter Sideload = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         irq_o,
  output logic         idle_o,
  input  logic         sideload_valid_i,
  output logic         sideload_take_o,
  output logic [2:0]   sideload_word_o,
  input  logic [31:0]  sideload0_i,
  input  logic [31:0]  sideload1_i,
  input  logic         wr_valid_i,
  output logic         wr_ready_o,
  input  logic [11:0]  wr_addr_i,
  input  logic [31:0]  wr_data_i,
  input  logic [3:0]   wr_strb_i,
  output logic         wr_error_o,
  input  logic         rd_valid_i,
  output logic         rd_ready_o,
  input  logic [11:0]  rd_addr_i,
  output logic [31:0]  rd_data_o,
  output logic         rd_error_o,
  output logic [511:0] text0_o,
  output logic [511:0] text1_o,
  output logic [511:0] results_o,
  output logic [511:0] key0_o,
  output logic [511:0] key1_o,
  output logic [31:0]  data0_o,
  output logic [31:0]  data1_o,
  output logic [31:0]  result0_o,
  output logic [31:0]  result1_o,
  output logic [159:0] seed_o,
  output logic         fresh_o,   // the generator gives bits
  output logic         first_o,   // the cipher takes the first word of a block
  output logic         last_o     // the cipher's last word of a block is there
);
  aes_masked_core #(.Sideload(Sideload)) u_core (
    .clk_i, .rst_ni, .irq_o, .idle_o, .sideload_valid_i, .sideload_take_o, .sideload_word_o,
    .sideload0_i, .sideload1_i, .wr_valid_i, .wr_ready_o, .wr_addr_i, .wr_data_i, .wr_strb_i,
    .wr_error_o, .rd_valid_i, .rd_ready_o, .rd_addr_i, .rd_data_o, .rd_error_o
  );

  for (genvar at = 0; at < 16; at++) begin : gen_word
    assign text0_o[32*at +: 32]   = u_core.u_text0.words[at];
    assign text1_o[32*at +: 32]   = u_core.u_text1.words[at];
    assign results_o[32*at +: 32] = u_core.u_results.words[at];
  end
  assign key0_o    = {u_core.u_cipher.u_key0.store_q, u_core.u_cipher.u_key0.low_q,
                      u_core.u_cipher.u_key0.high_q};
  assign key1_o    = {u_core.u_cipher.u_key1.store_q, u_core.u_cipher.u_key1.low_q,
                      u_core.u_cipher.u_key1.high_q};
  assign data0_o   = u_core.data0_q;
  assign data1_o   = u_core.data1_q;
  assign result0_o = u_core.result0_q;
  assign result1_o = u_core.result1_q;
  assign seed_o    = u_core.seed_q;
  assign fresh_o   = u_core.random_valid;
  assign first_o   = u_core.cipher_take && u_core.cipher_word == 2'd0;
  assign last_o    = u_core.cipher_out && u_core.out_word == 2'd3;
endmodule
