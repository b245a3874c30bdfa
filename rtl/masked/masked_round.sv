// SPDX-License-Identifier: Apache-2.0
// A round of AES on two shares, a column a cycle: the data path of masked_cipher without the
// register that closes its loop. A pipeline: no reset, no enable, no state.
//
// Controls and the other ports as in masked_share; the two shares meet in the S-boxes only. Each
// S-box has its own 30 fresh bits. Where a column is not kept, both shares become fresh bits. These
// are bits of the first three stages of the S-boxes, not of the last one: a probe after the S-boxes
// must not see a mask and what it masks.
module masked_round (
  input  logic         clk_i,
  input  logic [119:0] random_i,
  input  logic [2:0]   far_i,
  input  logic         word_i,
  input  logic         load_i,
  input  logic         final_i,
  input  logic         mix_i,
  input  logic [31:0]  state0_i,
  input  logic [31:0]  state1_i,
  input  logic [31:0]  data0_i,
  input  logic [31:0]  data1_i,
  input  logic [31:0]  key0_i,
  input  logic [31:0]  key1_i,
  input  logic [31:0]  key_word0_i,
  input  logic [31:0]  key_word1_i,
  output logic [31:0]  sub0_o,   // SubBytes of what the S-boxes took 4 cycles before
  output logic [31:0]  sub1_o,
  output logic [31:0]  state0_o,
  output logic [31:0]  state1_o
);
  logic [31:0] sbox0, sbox1, fresh0, fresh1;

  for (genvar row = 0; row < 4; row++) begin : gen_row
    aes_sbox_masked u_sbox (
      .clk_i,
      .data0_i(sbox0[8*row +: 8]),
      .data1_i(sbox1[8*row +: 8]),
      .random_i(random_i[30*row +: 30]),
      .data0_o(sub0_o[8*row +: 8]),
      .data1_o(sub1_o[8*row +: 8])
    );
    assign fresh0[8*row +: 8] = random_i[30*row +: 8];
    assign fresh1[8*row +: 8] = random_i[30*row + 8 +: 8];
  end

  masked_share u_share0 (
    .clk_i, .far_i, .word_i, .load_i, .final_i, .mix_i,
    .state_i(state0_i), .data_i(data0_i), .key_i(key0_i), .key_word_i(key_word0_i),
    .random_i(fresh0), .sub_i(sub0_o), .sbox_o(sbox0), .state_o(state0_o)
  );
  masked_share u_share1 (
    .clk_i, .far_i, .word_i, .load_i, .final_i, .mix_i,
    .state_i(state1_i), .data_i(data1_i), .key_i(key1_i), .key_word_i(key_word1_i),
    .random_i(fresh1), .sub_i(sub1_o), .sbox_o(sbox1), .state_o(state1_o)
  );
endmodule
