// SPDX-License-Identifier: Apache-2.0
// Carry-save adder of dual-field (4:2) compressors: four words become a sum word and a carry word
// with the same total. Tillich and Grossschaedl 2007, section 4.1. A (4:2) compressor is two (3:2)
// compressors; the second takes the first one's carry from the next lower place, and no carry goes
// further. Combinational.
module unimac_csa4 #(
  parameter Width = 49,
  parameter Poly  = 1    // 0: integers only
) (
  input  logic             poly_i,  // 1: polynomials, the carry word is zero
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);

  logic [Width-1:0] sum, carry;

  unimac_csa3 #(.Width(Width), .Poly(Poly)) u_first (
    .poly_i, .a_i, .b_i, .c_i, .sum_o(sum), .carry_o(carry)
  );
  unimac_csa3 #(.Width(Width), .Poly(Poly)) u_second (
    .poly_i, .a_i(sum), .b_i(carry), .c_i(d_i), .sum_o, .carry_o
  );

endmodule
