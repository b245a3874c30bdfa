// SPDX-License-Identifier: Apache-2.0
// ghash_serial with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from ghash_serial_guarded.sv.j2 by `aesforge modules`.
module ghash_serial_guarded #(
  parameter Digit = 16  // a power of two, 1 to 64
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         wrong_o,
  input  logic         clear_i,    // clears key and state
  input  logic         key_write_i,
  input  logic [127:0] key_i,      // H; writing it clears the state
  input  logic         valid_i,
  output logic         ready_o,
  input  logic [127:0] data_i,
  output logic [127:0] state_o     // valid while ready_o
);
  localparam Steps = 128 / Digit;

  // ---- order of bits ----------------------------------------------------------------------------

  logic [127:0] key, data, key_q, rest_q, state_q;
  for (genvar i = 0; i < 128; i++) begin : gen_bit
    assign key[i]     = key_i[i ^ 7];
    assign data[i]    = data_i[i ^ 7];
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

  logic [7:0] left_q;  // remaining digits
  logic       take;

  assign ready_o = left_q == 8'd0;
  assign take    = valid_i && ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)       left_q <= 8'd0;
    else if (clear_i)  left_q <= 8'd0;
    else if (take)     left_q <= 8'(Steps);
    else if (!ready_o) left_q <= left_q - 8'd1;
  end
  (* keep *) logic left_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)       left_p <= 1'b1;
    else if (clear_i)  left_p <= 1'b1;
    else if (take)     left_p <= ~^(8'(Steps));
    else if (!ready_o) left_p <= ~^(left_q - 8'd1);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i)          key_q <= '0;
    else if (key_write_i) key_q <= key;
  end
  (* keep *) logic key_p;
  always_ff @(posedge clk_i) begin
    if (clear_i)          key_p <= 1'b1;
    else if (key_write_i) key_p <= ~^key;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || key_write_i) {rest_q, state_q} <= '0;
    else if (take)              {rest_q, state_q} <= {data ^ state_q, 128'h0};
    else if (!ready_o)          {rest_q, state_q} <= {rest_q << Digit, next};
  end
  (* keep *) logic rest_p, state_p;
  always_ff @(posedge clk_i) begin
    if (clear_i || key_write_i) {rest_p, state_p} <= '1;
    else if (take)              {rest_p, state_p} <= {~^(data ^ state_q), 1'b1};
    else if (!ready_o)          {rest_p, state_p} <= {~^(rest_q << Digit), ~^next};
  end

  assign wrong_o = |{~^{left_q, left_p}, ~^{key_q, key_p}, ~^{rest_q, rest_p},
    ~^{state_q, state_p}};
endmodule
