// SPDX-License-Identifier: Apache-2.0
// Fresh bits for masked modules: the key stream of Trivium, Width bits a clock.
//
// Source: C. De Canniere and B. Preneel, "Trivium: A Stream Cipher Construction Inspired by Block
// Cipher Design Principles", ISC 2006 (ISO/IEC 29192-3). Its state is three shift registers of 93,
// 84 and 111 bits; s1, s94 and s178 are the newest bits of each. random_o[i] is bit i of the
// Width bits that the cipher gives next.
//
// seed_i asks for a key and an IV, at any time; they are read in the cycle after it. key_i[79] and
// iv_i[79] are the bits that the paper calls K1 and IV1. After 1152 steps random_o is from
// registers and new in every cycle, and valid_o is set. Before the first seed, meanwhile and after
// clear_i both are zero: a module that waits for valid_o cannot start without a seed. The generator
// does not judge its seed: key and IV must come from a source of entropy, and a pair must not be
// used twice. At most 2^64 bits belong to a pair.
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
  localparam logic [4:0] WarmUp = 5'(1152 / Width + 1);  // a cycle to read the seed

  if (Width != 64 && Width != 96 && Width != 128) begin : gen_unknown
    aesforge_unknown_width u_unknown ();
  end

  // x[Width - 1 - i] is the bit that step i makes, so that in step i the bit s_j of a register, its
  // newest one being s_1, is x[Width - 1 - i + j]. No step needs what the 65 before it make.
  logic [Width+92:0]  a, a_seed;
  logic [Width+83:0]  b, b_seed;
  logic [Width+110:0] c, c_seed;
  logic [92:0]        a_q, a_next;
  logic [83:0]        b_q, b_next;
  logic [110:0]       c_q, c_next;
  logic [Width-1:0]   to_a, to_b, to_c, random_q;
  logic               load_q;  // the seed is read

  // A step leaves a state of zeros as it is. Into that a seed is added, in sums that the key stream
  // needs as well: so it takes no logic of its own. Other bits of the same cycle do not see it.
  assign a_seed = (Width+93)'({80{load_q}} & reversed(key_i));
  assign b_seed = (Width+84)'({80{load_q}} & reversed(iv_i));
  assign c_seed = (Width+111)'({111{load_q}} & {3'b111, 108'd0});

  always_comb begin
    a = {a_q, {Width{1'b0}}};
    b = {b_q, {Width{1'b0}}};
    c = {c_q, {Width{1'b0}}};
    for (int at = Width - 32; at >= 0; at -= 32) begin
      a[at+:32] = c[at+66+:32] ^ c[at+111+:32] ^ a[at+69+:32] ^ (c[at+109+:32] & c[at+110+:32]);
      b[at+:32] = a[at+66+:32] ^ a[at+93+:32] ^ b[at+78+:32] ^ (a[at+91+:32] & a[at+92+:32]);
      c[at+:32] = b[at+69+:32] ^ b[at+84+:32] ^ c[at+87+:32] ^ (b[at+82+:32] & b[at+83+:32]);
    end
    to_a = c[66+:Width] ^ c[111+:Width] ^ a_seed[Width-1:0];
    to_b = a[66+:Width] ^ a[93+:Width] ^ b_seed[Width-1:0];
    to_c = b[69+:Width] ^ b[84+:Width] ^ c_seed[Width-1:0];
    a_next = 93'({a_q ^ a_seed[Width+:93],
                  to_a ^ a[69+:Width] ^ (c[109+:Width] & c[110+:Width])});
    b_next = 84'({b_q ^ b_seed[Width+:84],
                  to_b ^ b[78+:Width] ^ (a[91+:Width] & a[92+:Width])});
    c_next = 111'({c_q ^ c_seed[Width+:111],
                   to_c ^ c[87+:Width] ^ (b[82+:Width] & b[83+:Width])});
  end

  // Cycles until the state is warm, and whether there is a seed.
  logic [4:0] left_q;
  logic       seeded_q, valid_q, warm;

  assign warm = seeded_q && left_q == 5'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {load_q, left_q, seeded_q, valid_q} <= '0;
      random_q                            <= '0;
    end else if (clear_i) begin
      {load_q, left_q, seeded_q, valid_q} <= '0;
      random_q                            <= '0;
    end else if (seed_i) begin
      left_q   <= WarmUp;
      load_q   <= 1'b1;
      seeded_q <= 1'b1;
      valid_q  <= 1'b0;
      random_q <= '0;
    end else begin
      left_q   <= left_q - {4'd0, left_q != 5'd0};
      load_q   <= 1'b0;
      valid_q  <= warm;
      random_q <= warm ? in_order(to_a ^ to_b ^ to_c) : '0;
    end
  end

  // No reset, which costs logic here: what a reset leaves is wiped a clock after it.
  always_ff @(posedge clk_i) begin
    if (clear_i || seed_i || !seeded_q) {a_q, b_q, c_q} <= '0;
    else                                {a_q, b_q, c_q} <= {a_next, b_next, c_next};
  end

  assign valid_o  = valid_q;
  assign random_o = random_q;

  // The bit of step 0 is the lowest.
  function automatic logic [Width-1:0] in_order(input logic [Width-1:0] word);
    for (int at = 0; at < Width; at++) in_order[at] = word[Width-1-at];
  endfunction

  function automatic logic [79:0] reversed(input logic [79:0] word);
    for (int at = 0; at < 80; at++) reversed[at] = word[79-at];
  endfunction

endmodule
