// SPDX-License-Identifier: Apache-2.0
// Fresh bits for masked modules: the key stream of Trivium, Width bits a clock.
//
// Source: C. De Canniere and B. Preneel, "Trivium: A Stream Cipher Construction Inspired by Block
// Cipher Design Principles", ISC 2006 (ISO/IEC 29192-3). Its state is three shift registers of 93,
// 84 and 111 bits; s1, s94 and s178 are the newest bits of each. random_o[i] is bit i of the
// Width bits that the cipher gives next.
//
// seed_i loads a key and an IV, at any time; key_i[79] and iv_i[79] are the bits that the paper
// calls K1 and IV1. After 1152 steps random_o is from registers and new in every cycle, and valid_o
// is set. Before the first seed, meanwhile and after clear_i both are zero: a module that waits for
// valid_o cannot start without a seed. The generator does not judge its seed: key and IV must come
// from a source of entropy, and a pair must not be used twice. At most 2^64 bits belong to a pair.
//
// Width  64, 96 or 128: a divisor of the 1152 steps
module trivium #(
  parameter Width = 128
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,  // wipes all; before seed_i
  input  logic             seed_i,
  input  logic [79:0]      key_i,
  input  logic [79:0]      iv_i,
  output logic             valid_o,
  output logic [Width-1:0] random_o
);
  localparam logic [4:0] WarmUp = 5'(1152 / Width);

  if (Width != 64 && Width != 96 && Width != 128) begin : gen_unknown
    aesforge_unknown_width u_unknown ();
  end

  // x[Width - 1 - i] is the bit that step i makes, so that in step i the bit s_j of a register, its
  // newest one being s_1, is x[Width - 1 - i + j].
  logic [Width+92:0]  a;
  logic [Width+83:0]  b;
  logic [Width+110:0] c;
  logic [92:0]        a_q;
  logic [83:0]        b_q;
  logic [110:0]       c_q;
  logic [Width-1:0]   stream, random_q;

  always_comb begin
    a = {a_q, {Width{1'b0}}};
    b = {b_q, {Width{1'b0}}};
    c = {c_q, {Width{1'b0}}};
    stream = '0;
    for (int step = 0; step < Width; step++) begin
      stream[step] = a[Width-1-step+66] ^ a[Width-1-step+93] ^ b[Width-1-step+69] ^
                     b[Width-1-step+84] ^ c[Width-1-step+66] ^ c[Width-1-step+111];
      b[Width-1-step] = a[Width-1-step+66] ^ a[Width-1-step+93] ^ b[Width-1-step+78] ^
                        (a[Width-1-step+91] & a[Width-1-step+92]);
      c[Width-1-step] = b[Width-1-step+69] ^ b[Width-1-step+84] ^ c[Width-1-step+87] ^
                        (b[Width-1-step+82] & b[Width-1-step+83]);
      a[Width-1-step] = c[Width-1-step+66] ^ c[Width-1-step+111] ^ a[Width-1-step+69] ^
                        (c[Width-1-step+109] & c[Width-1-step+110]);
    end
  end

  // Cycles until the state is warm, and whether there is a seed. The state without a seed is zero,
  // which a step leaves as it is.
  logic [4:0] left_q;
  logic       seeded_q, valid_q, warm;

  assign warm = seeded_q && left_q == 5'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {left_q, seeded_q, valid_q} <= '0;
      random_q                    <= '0;
    end else if (clear_i) begin
      {left_q, seeded_q, valid_q} <= '0;
      random_q                    <= '0;
    end else if (seed_i) begin
      left_q   <= WarmUp;
      seeded_q <= 1'b1;
      valid_q  <= 1'b0;
      random_q <= '0;
    end else begin
      left_q   <= left_q - {4'd0, left_q != 5'd0};
      valid_q  <= warm;
      random_q <= warm ? stream : '0;
    end
  end

  // No reset, which costs logic here: what a reset leaves is wiped a clock after it.
  always_ff @(posedge clk_i) begin
    if (clear_i || !(seeded_q || seed_i)) begin
      {a_q, b_q, c_q} <= '0;
    end else if (seed_i) begin
      a_q <= {13'd0, reversed(key_i)};
      b_q <= {4'd0, reversed(iv_i)};
      c_q <= {3'b111, 108'd0};
    end else begin
      {a_q, b_q, c_q} <= {a[92:0], b[83:0], c[110:0]};
    end
  end

  assign valid_o  = valid_q;
  assign random_o = random_q;

  function automatic logic [79:0] reversed(input logic [79:0] word);
    for (int at = 0; at < 80; at++) reversed[at] = word[79-at];
  endfunction

endmodule
