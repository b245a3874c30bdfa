// SPDX-License-Identifier: Apache-2.0
// GHASH whose subkey and state are written and read in words: SP 800-38D, sections 6.3 and 6.4. A
// block takes 128/Digit clocks after the one that accepts it.
//
// The coefficient of x^0 is the highest bit of byte 0, which is in bits 7 to 0. The product is
// Horner's rule over digits of the block, from the highest coefficients down.
module aes_block_hash #(
  parameter Digit = 16
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         set_i,    // write words_i to half item_i[0] of subkey (item_i[2]) or state
  input  logic [2:0]   item_i,
  input  logic [63:0]  words_i,
  input  logic         valid_i,
  output logic         ready_o,
  input  logic [127:0] data_i,
  output logic [127:0] state_o   // valid while ready_o
);
  localparam Steps = 128 / Digit;

  logic [127:0] key_q, state_q, rest_q, data, next;
  logic [63:0]  words;
  for (genvar i = 0; i < 64; i++) begin : gen_word
    assign words[i] = words_i[i ^ 7];
  end
  for (genvar i = 0; i < 128; i++) begin : gen_order
    assign data[i]    = data_i[i ^ 7];
    assign state_o[i] = state_q[i ^ 7];
  end

  // state * x^Digit + digit * subkey; then x^128 = x^7 + x^2 + x + 1.
  logic [127+Digit:0] sum;
  logic [127:0]       over;
  always_comb begin
    sum = {state_q, {Digit{1'b0}}};
    for (int i = 0; i < Digit; i++) begin
      if (rest_q[128-Digit+i]) sum = sum ^ ({{Digit{1'b0}}, key_q} << i);
    end
  end
  assign over = {{(128 - Digit){1'b0}}, sum[127+Digit:128]};
  assign next = sum[127:0] ^ over ^ (over << 1) ^ (over << 2) ^ (over << 7);

  logic [5:0] left_q;  // remaining digits
  logic       take;
  assign ready_o = left_q == 6'd0;
  assign take    = valid_i && ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)       left_q <= 6'd0;
    else if (clear_i)  left_q <= 6'd0;
    else if (take)     left_q <= 6'(Steps);
    else if (!ready_o) left_q <= left_q - 6'd1;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      key_q <= '0;
    end else if (set_i && item_i[2:1] == 2'd2) begin
      if (item_i[0]) key_q[127:64] <= words;
      else           key_q[63:0]   <= words;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {rest_q, state_q} <= '0;
    end else if (take) begin
      rest_q  <= state_q ^ data;
      state_q <= '0;
    end else if (!ready_o) begin
      rest_q  <= rest_q << Digit;
      state_q <= next;
    end else if (set_i && item_i[2:1] == 2'd1) begin
      if (item_i[0]) state_q[127:64] <= words;
      else           state_q[63:0]   <= words;
    end
  end
endmodule
