// SPDX-License-Identifier: Apache-2.0
// ghash_words with every flip-flop guarded: key, state and rest have parity, which is compared in
// every cycle; control registers have a second copy, the complement (_r).
//
// Made from ghash_words_guarded.sv.j2 by `aesforge modules`.
module ghash_words_guarded #(
  parameter Digit = 8  // a power of two, 1 to 64
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,      // clears key and state
  input  logic         key_write_i,  // a word of H; clears the state
  input  logic         add_i,        // state = state ^ word
  input  logic         start_i,      // multiply, from the next cycle on
  input  logic [1:0]   word_i,
  input  logic [31:0]  data_i,
  input  logic         parity_i,     // of data_i
  output logic         fault_o,      // a register is not what was stored
  output logic         ready_o,
  output logic [127:0] state_o       // valid while ready_o
);
  localparam Steps = 128 / Digit;

  logic [31:0]  word;
  logic [127:0] key_q, rest_q, state_q;
  for (genvar i = 0; i < 32; i++) begin : gen_word
    assign word[i] = data_i[i ^ 7];
  end
  for (genvar i = 0; i < 128; i++) begin : gen_bit
    assign state_o[i] = state_q[i ^ 7];
  end

  // ---- one digit --------------------------------------------------------------------------------

  // state * x^Digit + digit * H, then x^128 = x^7 + x^2 + x + 1.
  logic [Digit-1:0]   digit, over;
  logic [127+Digit:0] wide;
  logic [127:0]       folded, next;

  assign digit = rest_q[127 -: Digit];
  always_comb begin
    wide = {state_q, {Digit{1'b0}}};
    for (int i = 0; i < Digit; i++) wide = wide ^ ({{Digit{1'b0}}, key_q & {128{digit[i]}}} << i);
  end
  assign over   = wide[127+Digit:128];
  assign folded = 128'(over);
  assign next   = wide[127:0] ^ folded ^ (folded << 1) ^ (folded << 2) ^ (folded << 7);

  // ---- steps ------------------------------------------------------------------------------------

  logic       start_q;
  logic [7:0] left_q;  // remaining digits
  (* keep *) logic       start_r;
  (* keep *) logic [7:0] left_r;

  assign ready_o = left_q == 8'd0 && !start_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q <= 1'b0;
      left_q  <= 8'd0;
    end else if (clear_i) begin
      start_q <= 1'b0;
      left_q  <= 8'd0;
    end else begin
      start_q <= start_i;
      if (start_q)             left_q <= 8'(Steps);
      else if (left_q != 8'd0) left_q <= left_q - 8'd1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_r <= ~(1'b0);
      left_r  <= ~(8'd0);
    end else if (clear_i) begin
      start_r <= ~(1'b0);
      left_r  <= ~(8'd0);
    end else begin
      start_r <= ~(start_i);
      if (start_q)             left_r <= ~(8'(Steps));
      else if (left_q != 8'd0) left_r <= ~(left_q - 8'd1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i)          key_q <= '0;
    else if (key_write_i) key_q[{word_i, 5'd0} +: 32] <= word;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || key_write_i)  rest_q <= '0;
    else if (start_q)            rest_q <= state_q;
    else if (left_q != 8'd0)     rest_q <= rest_q << Digit;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || key_write_i || start_q) state_q <= '0;
    else if (left_q != 8'd0)               state_q <= next;
    else if (add_i) state_q[{word_i, 5'd0} +: 32] <= state_q[{word_i, 5'd0} +: 32] ^ word;
  end

  // ---- parity -----------------------------------------------------------------------------------

  // The parity of a polynomial is its value at x = 1, so a product's parity is the product of both
  // parities. The modulus has five terms: what is folded changes the parity by its own.
  logic [3:0] key_parity_q, key_wrong;  // of the key's words
  logic       rest_parity_q, state_parity_q;
  for (genvar i = 0; i < 4; i++) begin : gen_key_wrong
    assign key_wrong[i] = key_parity_q[i] != (^key_q[32*i +: 32]);
  end
  always_ff @(posedge clk_i) begin
    if (clear_i)          key_parity_q <= 4'h0;
    else if (key_write_i) key_parity_q[word_i] <= parity_i;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || key_write_i)  rest_parity_q <= 1'b0;
    else if (start_q)            rest_parity_q <= state_parity_q;
    else if (left_q != 8'd0)     rest_parity_q <= rest_parity_q ^ (^digit);
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || key_write_i || start_q) state_parity_q <= 1'b0;
    else if (left_q != 8'd0) state_parity_q <= state_parity_q ^ ((^digit) && (^key_parity_q))
                                             ^ (^over);
    else if (add_i)          state_parity_q <= state_parity_q ^ parity_i;
  end
  assign fault_o = {start_q, left_q} != ~{start_r, left_r} || (|key_wrong)
                || rest_parity_q != (^rest_q) || state_parity_q != (^state_q);
endmodule
