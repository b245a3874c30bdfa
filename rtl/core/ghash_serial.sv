// SPDX-License-Identifier: Apache-2.0
// GHASH of SP 800-38D, section 6.4, Digit bits of a block a cycle: state = (state ^ block) * H. A
// new block starts every 1 + 128/Digit cycles.
//
// Byte 0 of a block is in bits 7 to 0. The field (section 6.3) has its coefficient of x^0 in the
// highest bit of byte 0. The product is Horner's rule over digits, from the highest coefficients
// down. Timing depends only on the handshakes.
//
// Made from ghash_serial.sv.j2 by `aesforge modules`.
module ghash_serial #(
  parameter Digit = 16  // a power of two, 1 to 64
) (
  input  logic         clk_i,
  input  logic         rst_ni,
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

  always_ff @(posedge clk_i) begin
    if (clear_i)          key_q <= '0;
    else if (key_write_i) key_q <= key;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || key_write_i) {rest_q, state_q} <= '0;
    else if (take)              {rest_q, state_q} <= {data ^ state_q, 128'h0};
    else if (!ready_o)          {rest_q, state_q} <= {rest_q << Digit, next};
  end
endmodule
