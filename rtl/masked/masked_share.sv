// SPDX-License-Identifier: Apache-2.0
// One share of the state of masked_round: ShiftRows before the S-boxes, MixColumns after them.
//
// All of it is linear, and no other share reaches it. A column that is in state_i is in sbox_o
// 4 cycles later, each row shifted; sub_i is its SubBytes 4 cycles after that. There is no reset
// and no enable: a delay line for each row keeps the columns of two blocks in turn.
module masked_share (
  input  logic        clk_i,
  input  logic [2:0]  far_i,     // rows 3 to 1: take the byte of 4 cycles before
  input  logic        word_i,    // next to the S-boxes: key_word_i
  input  logic        load_i,    // the next state is data_i and the key,
  input  logic        final_i,   // SubBytes and the key,
  input  logic        mix_i,     // MixColumns and the key; none of these three: random_i
  input  logic [31:0] state_i,   // a register
  input  logic [31:0] data_i,
  input  logic [31:0] key_i,     // a register
  input  logic [31:0] key_word_i,
  input  logic [31:0] random_i,
  input  logic [31:0] sub_i,
  output logic [31:0] sbox_o,    // a register
  output logic [31:0] state_o
);
  // The last bytes of rows 0 to 3, the newest lowest.
  logic [23:0] line0_q;
  logic [47:0] line1_q;
  logic [39:0] line2_q;
  logic [31:0] line3_q;
  logic [31:0] row_next, sbox_q, mixed, kept;

  // ShiftRows: row r of column j is from column j + r, which came r cycles later than column j, or
  // 4 - r cycles before it where j + r wraps around.
  assign row_next[7:0]   = line0_q[23:16];
  assign row_next[15:8]  = far_i[0] ? line1_q[47:40] : line1_q[15:8];
  assign row_next[23:16] = far_i[1] ? line2_q[39:32] : line2_q[7:0];
  assign row_next[31:24] = far_i[2] ? line3_q[31:24] : state_i[31:24];

  always_ff @(posedge clk_i) begin
    line0_q <= {line0_q[15:0], state_i[7:0]};
    line1_q <= {line1_q[39:0], state_i[15:8]};
    line2_q <= {line2_q[31:0], state_i[23:16]};
    line3_q <= {line3_q[23:0], state_i[31:24]};
    sbox_q  <= word_i ? key_word_i : row_next;
  end
  assign sbox_o = sbox_q;

  aes_mixcolumn #(.Dir("fwd")) u_mix (.inv_i(1'b0), .data_i(sub_i), .data_o(mixed));

  assign kept    = ({32{load_i}} & data_i) ^ ({32{final_i}} & sub_i) ^ ({32{mix_i}} & mixed);
  assign state_o = (load_i || final_i || mix_i) ? kept ^ key_i : random_i;
endmodule
