// SPDX-License-Identifier: Apache-2.0
// AES as FIPS 197 defines it, for property modules; independent of all circuits.
//
// Words are little-endian: row 0, or the first byte, is in bits 7 to 0. sbox and inv_sbox are the
// cheapest for a solver if the circuit has a table. The relation is_sbox(x, y) has no inversion and
// suits circuits of gates.
package aes_spec_pkg;

  // ---- GF(2^8) ----------------------------------------------------------------------------------

  // Product of polynomials, reduced from the top modulo x^8 + x^4 + x^3 + x + 1 (section 4.2).
  function automatic logic [7:0] gf_mul(input logic [7:0] a, input logic [7:0] b);
    logic [14:0] product;
    product = 15'b0;
    for (int i = 0; i < 8; i++) product = product ^ (b[i] ? {7'b0, a} << i : 15'b0);
    for (int i = 14; i >= 8; i--) product = product ^ (product[i] ? 15'h11b << (i - 8) : 15'b0);
    gf_mul = product[7:0];
  endfunction

  // Section 4.2.1.
  function automatic logic [7:0] xtime(input logic [7:0] a);
    xtime = {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  // ---- S-box ------------------------------------------------------------------------------------

  // Section 5.1.1, equation 5.1 of the 2001 text: bit i is the sum of bits i, i+4, ..., i+7.
  function automatic logic [7:0] affine(input logic [7:0] x);
    for (int i = 0; i < 8; i++) begin
      affine[i] = x[i] ^ x[(i + 4) % 8] ^ x[(i + 5) % 8] ^ x[(i + 6) % 8] ^ x[(i + 7) % 8];
    end
    affine = affine ^ 8'h63;
  endfunction

  // The inverse of the affine map (section 5.3.2).
  function automatic logic [7:0] unaffine(input logic [7:0] y);
    for (int i = 0; i < 8; i++) unaffine[i] = y[(i + 2) % 8] ^ y[(i + 5) % 8] ^ y[(i + 7) % 8];
    unaffine = unaffine ^ 8'h05;
  endfunction

  // y = S(x): undoing the affine map gives the multiplicative inverse of x, and 0 for 0.
  function automatic logic is_sbox(input logic [7:0] x, input logic [7:0] y);
    is_sbox = (x == 8'b0) ? unaffine(y) == 8'b0 : gf_mul(x, unaffine(y)) == 8'h01;
  endfunction

  // All values of S (entry x in byte x) or of its inverse. The powers of {03} are all 255 units of
  // the field, and 03^i times 03^(255-i) is 1. No other function is called: Yosys evaluates this
  // one when it reads the package, and a nested call costs seconds.
  function automatic logic [2047:0] sbox_table(input logic inverse);
    logic [2047:0] powers;
    logic [7:0]    recip, image;
    powers = 2048'h1;
    for (int i = 0; i < 255; i++) begin
      powers[8*(i + 1) +: 8] = powers[8*i +: 8] ^ {powers[8*i +: 7], 1'b0} ^
                               (powers[8*i + 7] ? 8'h1b : 8'h00);
    end
    sbox_table = inverse ? 2048'b0 : 2048'h63;
    for (int i = 0; i < 255; i++) begin
      recip = powers[8*(255 - i) +: 8];
      image = recip ^ {recip[6:0], recip[7]} ^ {recip[5:0], recip[7:6]} ^
              {recip[4:0], recip[7:5]} ^ {recip[3:0], recip[7:4]} ^ 8'h63;
      if (inverse) sbox_table[8*image +: 8] = powers[8*i +: 8];
      else sbox_table[8*powers[8*i +: 8] +: 8] = image;
    end
  endfunction

  localparam logic [2047:0] Sbox    = sbox_table(1'b0);
  localparam logic [2047:0] InvSbox = sbox_table(1'b1);

  function automatic logic [7:0] sbox(input logic [7:0] x);
    sbox = Sbox[{x, 3'b000} +: 8];
  endfunction

  function automatic logic [7:0] inv_sbox(input logic [7:0] y);
    inv_sbox = InvSbox[{y, 3'b000} +: 8];
  endfunction

  // Section 5.2: SUBWORD, and its inverse.
  function automatic logic [31:0] sub_word(input logic [31:0] word);
    for (int i = 0; i < 4; i++) sub_word[8*i +: 8] = sbox(word[8*i +: 8]);
  endfunction

  function automatic logic [31:0] inv_sub_word(input logic [31:0] word);
    for (int i = 0; i < 4; i++) inv_sub_word[8*i +: 8] = inv_sbox(word[8*i +: 8]);
  endfunction

  // ---- columns ----------------------------------------------------------------------------------

  // Rotations towards higher bytes; ROTWORD of section 5.2 is rotate(word, 3).
  function automatic logic [31:0] rotate(input logic [31:0] word, input logic [1:0] bytes);
    for (int i = 0; i < 4; i++) rotate[8*((i + bytes) % 4) +: 8] = word[8*i +: 8];
  endfunction

  // A circulant matrix times a column: row r is the sum of c[j] * a[(r + j) mod 4], c[0] in bits
  // 7 to 0 of `coefficients`.
  function automatic logic [31:0] circulant(input logic [31:0] coefficients,
                                            input logic [31:0] column);
    circulant = 32'b0;
    for (int r = 0; r < 4; r++) begin
      for (int j = 0; j < 4; j++) begin
        circulant[8*r +: 8] = circulant[8*r +: 8] ^
                              gf_mul(coefficients[8*j +: 8], column[8*((r + j) % 4) +: 8]);
      end
    end
  endfunction

  // Section 5.1.3: rows (02 03 01 01).
  function automatic logic [31:0] mix_column(input logic [31:0] column);
    mix_column = circulant(32'h0101_0302, column);
  endfunction

  // Section 5.3.3: rows (0e 0b 0d 09).
  function automatic logic [31:0] inv_mix_column(input logic [31:0] column);
    inv_mix_column = circulant(32'h090d_0b0e, column);
  endfunction

endpackage
