// SPDX-License-Identifier: Apache-2.0
// One share of the key of masked_cipher: the key, and the last eight words of its expansion.
//
// All of it is linear, and no other share reaches it. FIPS 197, section 5.2:
// w[i] = w[i-Nk] + w[i-1], or w[i-Nk] + SubWord of a word. Word 0 is the lowest.
module masked_key (
  input  logic        clk_i,
  // The key: eight words that move by one.
  input  logic        store_i,      // move
  input  logic        write_i,      // what enters is data_i, else the first word; plus random_i
  input  logic [31:0] data_i,
  input  logic [31:0] random_i,     // the same for both shares: the key gets a new sharing
  // The expansion: words w[-8] to w[-5] (low) and w[-4] to w[-1] (high).
  input  logic        low_i,        // the low words move by one; what enters is
  input  logic        low_store_i,  // the first word of the key, else w[-4], plus
  input  logic        low_sub_i,    // SubWord
  input  logic        high_i,       // the high words move by one; what enters is
  input  logic [3:0]  from_i,       // w[-4], w[-6], w[-8] or the first word of the key; plus
  input  logic        chain_i,      // w[-1], plus
  input  logic        high_sub_i,   // SubWord, unless low_sub_i
  input  logic [31:0] sub_i,
  input  logic [7:0]  constant_i,   // added to SubWord: the round constant in one share, else zero
  // SubWord's operand: the sum of w[-1], w[-5], w[-6] where its bit is set, then RotWord.
  input  logic [2:0]  sum_i,
  input  logic        rotate_i,
  output logic [31:0] key_word_o,
  output logic [31:0] key_o         // w[-1]
);
  logic [255:0] store_q;
  logic [127:0] low_q, high_q;
  logic [31:0]  entered, sub, old, sum;

  assign entered = (write_i ? data_i : store_q[31:0]) ^ random_i;
  assign sub     = (sub_i ^ {24'd0, constant_i}) & {32{high_sub_i || low_sub_i}};
  assign sum     = ({32{sum_i[0]}} & high_q[127:96]) ^ ({32{sum_i[1]}} & low_q[127:96]) ^
                   ({32{sum_i[2]}} & low_q[95:64]);

  // One bit of from_i is set: a sum takes less logic than a selection.
  assign old = ({32{from_i[0]}} & high_q[31:0]) ^ ({32{from_i[1]}} & low_q[95:64]) ^
               ({32{from_i[2]}} & low_q[31:0])  ^ ({32{from_i[3]}} & store_q[31:0]);

  always_ff @(posedge clk_i) begin
    if (store_i) store_q <= {entered, store_q[255:32]};
    if (low_i) begin
      low_q <= {low_store_i ? store_q[31:0] : high_q[31:0] ^ ({32{low_sub_i}} & sub),
                low_q[127:32]};
    end
    if (high_i) begin
      high_q <= {old ^ ({32{chain_i}} & high_q[127:96]) ^ ({32{!low_sub_i}} & sub),
                 high_q[127:32]};
    end
  end

  assign key_word_o = rotate_i ? {sum[7:0], sum[31:8]} : sum;
  assign key_o      = high_q[127:96];
endmodule
