// SPDX-License-Identifier: Apache-2.0
// Places of the pipeline registers (cuts) in an AES round, and functions for the logic between
// them.
//
// A round of PipeRegs registers has one at its end and PipeRegs - 1 inside. Possible cuts, in data
//   order: CutFront before the S-box: between the previous round and the block RAM (bram)
//   CutMap   after the map into the tower field     (tower); the read of the table (bram)
//   CutNorm  after the norm, before its inversion   (tower); the output of the table (bram)
//   CutInv   after the inverse of the norm (tower); after the 64-entry tables (lut)
//   CutMul   after the products with that inverse   (tower)
//   CutBox   after the S-box
//   CutPre   after the first factor of InvMixColumns; without decryption the same as CutBox
//   CutMix   after MixColumns, before AddRoundKey
package aes_pipe_pkg;

  localparam CutMap   = 0;
  localparam CutNorm  = 1;
  localparam CutInv   = 2;
  localparam CutMul   = 3;
  localparam CutBox   = 4;
  localparam CutPre   = 5;
  localparam CutMix   = 6;
  localparam CutFront = 7;

  localparam logic [7:0] BoxMask  = 8'b10011111;  // up to CutBox
  localparam logic [7:0] TailMask = 8'b10001111;  // before the S-box's last map

  // Bit i: cut i has a register. The cuts keep every tower stage, for depths from 2, within about
  // five levels of four-input LUTs: 2 + 3 (map, norm), 1 + 3 (inverse, products), 2 + 2 (map back,
  // MixColumns and key).
  function automatic logic [7:0] tower_cuts(input integer depth);
    case (depth)
      1:       tower_cuts = 8'b00000000;
      2:       tower_cuts = 8'b00000100;
      3:       tower_cuts = 8'b00001010;
      4:       tower_cuts = 8'b00001101;
      default: tower_cuts = 8'b00011101;
    endcase
  endfunction

  function automatic logic [7:0] lut_cuts(input integer depth);
    case (depth)
      1:       lut_cuts = 8'b00000000;
      2:       lut_cuts = 8'b00010000;
      3:       lut_cuts = 8'b00010100;
      default: lut_cuts = 8'b01010100;
    endcase
  endfunction

  // The block RAM contains two registers, so depth is at least 3. plain: encryption only.
  function automatic logic [7:0] bram_cuts(input integer depth, input integer plain);
    case (depth)
      3:       bram_cuts = 8'b00000011;
      4:       bram_cuts = 8'b00010011;
      5:       bram_cuts = (plain != 0) ? 8'b01010011 : 8'b00110011;
      6:       bram_cuts = 8'b01110011;
      default: bram_cuts = 8'b11110011;
    endcase
  endfunction

  function automatic integer count(input logic [7:0] cuts);
    count = 0;
    for (int i = 0; i < 8; i++) if (cuts[i]) count = count + 1;
  endfunction

  // The first factor of InvMixColumns, (05 00 04 00): Daemen and Rijmen, "The Design of Rijndael",
  // section 4.1.3. MixColumns of the result gives InvMixColumns. Add {04}*(a_r + a_(r+2)) to rows r
  // and r + 2. Multiplying a byte by x^2 reduces bits 7 and 6 to {36} and {1b}.
  function automatic logic [31:0] unmix(input logic [31:0] a);
    logic [15:0] sum, four;
    sum = a[15:0] ^ a[31:16];
    for (int r = 0; r < 2; r++)
      four[8*r +: 8] = {sum[8*r +: 6], 2'b00} ^ (8'h36 & {8{sum[8*r+7]}})
                     ^ (8'h1b & {8{sum[8*r+6]}});
    unmix = a ^ {2{four}};
  endfunction

  // ---- GF((2^4)^2) with Q(z) = z^4 + z + 1 and P(y) = y^2 + y + 13: as in aes_inv_tower.sv
  // (polynomials: Kale 2021, section 2.2; matrices, here by columns: aesforge.model.tower,
  // kale_tower()).

  localparam logic [63:0] ToTower    = 64'hbd5ee052353d4b01;
  localparam logic [63:0] FromTower  = 64'h84ee4a1f0c5ce101;
  localparam logic [63:0] OutForward = 64'hf311015484b2b41f;
  localparam logic [63:0] InInverse  = 64'hdca46a6047d4d220;

  // Matrix times vector over GF(2): the sum of the columns j for which bit j of a is set.
  function automatic logic [7:0] map(input logic [63:0] columns, input logic [7:0] a);
    map = 8'h00;
    for (int j = 0; j < 8; j++) map = map ^ (columns[8*j +: 8] & {8{a[j]}});
  endfunction

  // Product modulo z^4 + z + 1: z^4 = z + 1, z^5 = z^2 + z, z^6 = z^3 + z^2.
  function automatic logic [3:0] mul4(input logic [3:0] a, input logic [3:0] b);
    logic [6:0] p;
    p = ({7{b[0]}} & {3'b000, a}) ^ ({7{b[1]}} & {2'b00, a, 1'b0})
      ^ ({7{b[2]}} & {1'b0, a, 2'b00}) ^ ({7{b[3]}} & {a, 3'b000});
    mul4 = p[3:0] ^ {p[6], p[5] ^ p[6], p[4] ^ p[5], p[4]};
  endfunction

  // The norm of h*y + l: 13*h^2 + h*l + l^2, with h^2 of a3..a0 = (a3, a1^a3, a2, a0^a2).
  function automatic logic [3:0] norm(input logic [3:0] h, input logic [3:0] l);
    logic [3:0] square;
    square = {h[3], h[1] ^ h[3], h[2], h[0] ^ h[2]};
    // 13 times z^0 to z^3: 1101, 1001, 0001, 0010.
    norm = {square[1] ^ square[0], square[0], square[3], square[2] ^ square[1] ^ square[0]}
         ^ mul4(l, h ^ l);
  endfunction

  // a^14 = a^-1 modulo z^4 + z + 1, 0 to 0: nibble a of the constant.
  localparam logic [63:0] Inverse4 = 64'h8_3_4_a_5_c_2_f_6_7_b_d_e_9_1_0;
  function automatic logic [3:0] inv4(input logic [3:0] a);
    inv4 = Inverse4[{a, 2'b00} +: 4];
  endfunction

  // The S-box and its inverse, for tables: FIPS 197, sections 5.1.1 and 5.3.2.
  function automatic logic [7:0] box(input logic inverse, input logic [7:0] a);
    logic [7:0] in, out;
    logic [3:0] n;
    in  = inverse ? map(InInverse, a ^ 8'h63) : map(ToTower, a);
    n   = inv4(norm(in[7:4], in[3:0]));
    out = {mul4(in[7:4], n), mul4(in[7:4] ^ in[3:0], n)};
    box = inverse ? map(FromTower, out) : map(OutForward, out) ^ 8'h63;
  endfunction

  // ---- keys -------------------------------------------------------------------------------------

  // Words of a key of `bits` bits; 0 means any size, so room for the longest.
  function automatic integer key_words(input integer bits);
    key_words = (bits == 0) ? 8 : bits / 32;
  endfunction

  // FIPS 197, section 5: Nr = Nk + 6.
  function automatic integer rounds(input integer bits);
    rounds = key_words(bits) + 6;
  endfunction

  // x^(i-1), section 5.2; 0 beyond the ten that are used.
  function automatic logic [7:0] rcon(input integer i);
    case (i)
      1: rcon = 8'h01;
      2: rcon = 8'h02;
      3: rcon = 8'h04;
      4: rcon = 8'h08;
      5: rcon = 8'h10;
      6: rcon = 8'h20;
      7: rcon = 8'h40;
      8: rcon = 8'h80;
      9: rcon = 8'h1b;
      10: rcon = 8'h36;
      default: rcon = 8'h00;
    endcase
  endfunction

endpackage
