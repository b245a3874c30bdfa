// SPDX-License-Identifier: Apache-2.0
// Forward S-box of AES on two shares: first-order masked, four cycles, one byte a cycle.
//
// Inversion in the tower of aes_inv_canright: its four products are masked_mul, everything else is
// linear and works on each share by itself. Inputs are uniform sharings that registers hold;
// random_i is 30 fresh uniform bits in each cycle. No reset: the pipeline keeps nothing.
// data0_o + data1_o is the S-box of data0_i + data1_i four cycles before.
// aes_sbox_masked.probe.toml tells `aesforge probe` which port is what.
//
// Made from aes_sbox_masked.sv.j2 by `aesforge modules`.
module aes_sbox_masked (
  input  logic        clk_i,
  input  logic [7:0]  data0_i,
  input  logic [7:0]  data1_i,
  input  logic [29:0] random_i,
  output logic [7:0]  data0_o,
  output logic [7:0]  data1_o
);
  // From aesforge.model.tower, canright_tower(): to_tower, out_forward.
  localparam logic [63:0] ToTower    = 64'he77163e19b01614f;
  localparam logic [63:0] OutForward = 64'h288841a8f86d3252;
  localparam logic [7:0]  Constant   = 8'h63;  // FIPS 197, section 5.1.1

  // Multiplication by N^2 = W.
  function automatic logic [1:0] scale_n2(input logic [1:0] a);
    scale_n2 = {a[1] ^ a[0], a[1]};
  endfunction

  // Square and inverse in GF(4).
  function automatic logic [1:0] swap(input logic [1:0] a);
    swap = {a[0], a[1]};
  endfunction

  // N^2 * Z * a^2
  function automatic logic [3:0] square_scale16(input logic [3:0] a);
    square_scale16 = {swap(a[3:2] ^ a[1:0]), scale_n2(swap(a[1:0]))};
  endfunction

  // Bit i of a map is the parity of byte i of the matrix AND the operand.
  function automatic logic [7:0] map(input logic [63:0] matrix, input logic [7:0] a);
    for (int i = 0; i < 8; i++) map[i] = ^(matrix[8*i +: 8] & a);
  endfunction

  // Names end in the number of the share; _1 to _3 before it count cycles.
  logic [7:0] in0, in1, in_1_0, in_1_1, in_2_0, in_2_1, in_3_0, in_3_1;
  logic [3:0] high_1_0, high_1_1, low_1_0, low_1_1, product16_0, product16_1;
  logic [3:0] norm0, norm1, norm_2_0, norm_2_1, inv_norm0, inv_norm1;
  logic [1:0] product4_0, product4_1, inv4_0, inv4_1;
  logic [7:0] inverse0, inverse1;

  assign in0 = map(ToTower, data0_i);
  assign in1 = map(ToTower, data1_i);

  // Cycle 1: the product of the halves, in GF(16).
  masked_mul #(.Width(4), .Count(1)) u_norm16 (
    .clk_i,
    .a0_i(in0[7:4]), .a1_i(in1[7:4]), .b0_i(in0[3:0]), .b1_i(in1[3:0]),
    .blind_i(random_i[3:0]), .mask_i(random_i[7:4]),
    .a0_o(high_1_0), .a1_o(high_1_1), .product0_o(product16_0), .product1_o(product16_1)
  );
  assign in_1_0 = {high_1_0, low_1_0};
  assign in_1_1 = {high_1_1, low_1_1};
  assign norm0 = square_scale16(high_1_0 ^ low_1_0) ^ product16_0;
  assign norm1 = square_scale16(high_1_1 ^ low_1_1) ^ product16_1;

  // Cycle 2: the product of the norm's halves, in GF(4).
  masked_mul #(.Width(2), .Count(1)) u_norm4 (
    .clk_i,
    .a0_i(norm0[3:2]), .a1_i(norm1[3:2]), .b0_i(norm0[1:0]), .b1_i(norm1[1:0]),
    .blind_i(random_i[9:8]), .mask_i(random_i[11:10]),
    .a0_o(norm_2_0[3:2]), .a1_o(norm_2_1[3:2]), .product0_o(product4_0), .product1_o(product4_1)
  );
  // The inverse in GF(4) is the square: (N*t^2 + p)^2 = N^2*t + p^2.
  assign inv4_0 = scale_n2(norm_2_0[3:2] ^ norm_2_0[1:0]) ^ swap(product4_0);
  assign inv4_1 = scale_n2(norm_2_1[3:2] ^ norm_2_1[1:0]) ^ swap(product4_1);

  // Cycle 3: the inverse of the norm.
  logic [3:0] unused_norm0, unused_norm1;
  masked_mul #(.Width(2), .Count(2)) u_inverse16 (
    .clk_i,
    .a0_i({norm_2_0[1:0], norm_2_0[3:2]}), .a1_i({norm_2_1[1:0], norm_2_1[3:2]}),
    .b0_i(inv4_0), .b1_i(inv4_1),
    .blind_i(random_i[13:12]), .mask_i(random_i[17:14]),
    .a0_o(unused_norm0), .a1_o(unused_norm1), .product0_o(inv_norm0), .product1_o(inv_norm1)
  );

  // Cycle 4: the inverse.
  logic [7:0] unused_in0, unused_in1;
  masked_mul #(.Width(4), .Count(2)) u_inverse256 (
    .clk_i,
    .a0_i({in_3_0[3:0], in_3_0[7:4]}), .a1_i({in_3_1[3:0], in_3_1[7:4]}),
    .b0_i(inv_norm0), .b1_i(inv_norm1),
    .blind_i(random_i[21:18]), .mask_i(random_i[29:22]),
    .a0_o(unused_in0), .a1_o(unused_in1), .product0_o(inverse0), .product1_o(inverse1)
  );

  always_ff @(posedge clk_i) begin
    low_1_0 <= in0[3:0];
    low_1_1 <= in1[3:0];
    norm_2_0[1:0] <= norm0[1:0];
    norm_2_1[1:0] <= norm1[1:0];
    in_2_0 <= in_1_0;
    in_2_1 <= in_1_1;
    in_3_0 <= in_2_0;
    in_3_1 <= in_2_1;
  end

  assign data0_o = map(OutForward, inverse0) ^ Constant;
  assign data1_o = map(OutForward, inverse1);
endmodule
