// SPDX-License-Identifier: Apache-2.0
// Inversion in GF(((2^2)^2)^2) in normal bases: D. Canright, "A Very Compact S-Box for AES", CHES
// 2005. Combinational.
//
// Bases [W^2, W], [Z^4, Z], [Y^16, Y], higher index in the higher bits. The trace is 1 at each
// level; the norms are N = W^2 for Z and N^2 * Z for Y. Two-level formulas (his section 3): with t
// = a1 + a0 and norm = n*t^2 + a1*a0 the inverse is (a0/norm, a1/norm). Squaring swaps the halves
// of GF(4).
//
// Made from aes_inv_canright.sv.j2 by `aesforge modules`.
module aes_inv_canright (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  function automatic logic [1:0] mul4(input logic [1:0] a, input logic [1:0] b);
    logic both;
    both = (a[1] ^ a[0]) & (b[1] ^ b[0]);
    mul4 = {a[1] & b[1], a[0] & b[0]} ^ {2{both}};
  endfunction

  // Multiplication by N = W^2.
  function automatic logic [1:0] scale_n(input logic [1:0] a);
    scale_n = {a[0], a[1] ^ a[0]};
  endfunction

  // Multiplication by N^2 = W.
  function automatic logic [1:0] scale_n2(input logic [1:0] a);
    scale_n2 = {a[1] ^ a[0], a[1]};
  endfunction

  // Square and inverse in GF(4).
  function automatic logic [1:0] swap(input logic [1:0] a);
    swap = {a[0], a[1]};
  endfunction

  function automatic logic [3:0] mul16(input logic [3:0] a, input logic [3:0] b);
    logic [1:0] both;
    both  = scale_n(mul4(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]));
    mul16 = {mul4(a[3:2], b[3:2]) ^ both, mul4(a[1:0], b[1:0]) ^ both};
  endfunction

  // N^2 * Z * a^2
  function automatic logic [3:0] square_scale16(input logic [3:0] a);
    square_scale16 = {swap(a[3:2] ^ a[1:0]), scale_n2(swap(a[1:0]))};
  endfunction

  function automatic logic [3:0] inverse16(input logic [3:0] a);
    logic [1:0] inverse4;
    inverse4  = swap(scale_n(swap(a[3:2] ^ a[1:0])) ^ mul4(a[3:2], a[1:0]));
    inverse16 = {mul4(inverse4, a[1:0]), mul4(inverse4, a[3:2])};
  endfunction

  logic [3:0] high, low, norm, norm_inv;

  assign high = data_i[7:4];
  assign low  = data_i[3:0];
  assign norm = square_scale16(high ^ low) ^ mul16(high, low);
  assign norm_inv = inverse16(norm);
  assign data_o = {mul16(norm_inv, low), mul16(norm_inv, high)};
endmodule
