// SPDX-License-Identifier: Apache-2.0
// Unified radix-4 partial-product generator: one digit of the multiplier times the multiplicand.
// Tillich and Grossschaedl 2007, section 4.1.
//
// Integers: the digit is bit1..bit-1 in Booth's modified recoding, -2 bit1 + bit0 + bit-1; the
// product is row_o, in two's complement, plus negative_o. Polynomials: the digit is bit1 x + bit0.
module unimac_ppg #(
  parameter Width = 33,  // width of the multiplicand, in two's complement
  parameter Poly  = 1    // 0: integers only
) (
  input  logic             poly_i,
  input  logic [2:0]       bits_i,  // bit1, bit0, bit-1
  input  logic [Width-1:0] a_i,
  output logic [Width:0]   row_o,
  output logic             negative_o
);

  logic           one, two;
  logic [Width:0] once, twice;

  assign negative_o = bits_i[2] & ~poly_i;
  assign once  = {a_i[Width-1], a_i} & {(Width + 1){one}};
  assign twice = {a_i, 1'b0} & {(Width + 1){two}};

  if (Poly != 0) begin : gen_dual_field
    assign one   = bits_i[1] ^ (bits_i[0] & ~poly_i);
    assign two   = poly_i ? bits_i[2] : (bits_i[2] ^ bits_i[1]) & ~one;
    assign row_o = once ^ twice ^ {(Width + 1){negative_o}};
  end else begin : gen_integer
    assign one   = bits_i[1] ^ bits_i[0];
    assign two   = (bits_i[2] ^ bits_i[1]) & ~one;
    assign row_o = (once | twice) ^ {(Width + 1){negative_o}};
  end

endmodule
