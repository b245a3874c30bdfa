// SPDX-License-Identifier: Apache-2.0
// Inversion in GF((2^4)^2) with Q(z) = z^4 + z + 1 and P(y) = y^2 + y + 13, polynomial bases
// (polynomials: Kale 2021, section 2.2, after Pradeep et al., IEEE ESL 11(3), 2019). Combinational.
//
// A byte is h*y + l with h in bits 7 to 4. With d = 13*h^2 + h*l + l^2 the inverse of h*y + l is
// (h/d)*y + (h + l)/d: multiply out and use y^2 = y + 13.
//
// Made from aes_inv_tower.sv.j2 by `aesforge modules`.
module aes_inv_tower (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  // Product modulo z^4 + z + 1: z^4 = z + 1, z^5 = z^2 + z, z^6 = z^3 + z^2.
  function automatic logic [3:0] mul(input logic [3:0] a, input logic [3:0] b);
    logic [6:0] p;
    p = ({7{b[0]}} & {3'b000, a}) ^ ({7{b[1]}} & {2'b00, a, 1'b0})
      ^ ({7{b[2]}} & {1'b0, a, 2'b00}) ^ ({7{b[3]}} & {a, 3'b000});
    mul = p[3:0] ^ {p[6], p[5] ^ p[6], p[4] ^ p[5], p[4]};
  endfunction

  // 13 * a^2; the square of a3*z^3 + a2*z^2 + a1*z + a0 is a3*(z^3 + z^2) + a2*(z + 1) + a1*z^2 +
  // a0.
  function automatic logic [3:0] square13(input logic [3:0] a);
    logic [3:0] s;
    s = {a[3], a[1] ^ a[3], a[2], a[0] ^ a[2]};
    square13 = mul(s, 4'hd);
  endfunction

  // a^14 = a^-1 by its truth table: each line is one pair of inverses modulo z^4 + z + 1.
  function automatic logic [3:0] inverse(input logic [3:0] a);
    case (a)
      4'h0: inverse = 4'h0;
      4'h1: inverse = 4'h1;
      4'h2: inverse = 4'h9;
      4'h9: inverse = 4'h2;
      4'h3: inverse = 4'he;
      4'he: inverse = 4'h3;
      4'h4: inverse = 4'hd;
      4'hd: inverse = 4'h4;
      4'h5: inverse = 4'hb;
      4'hb: inverse = 4'h5;
      4'h6: inverse = 4'h7;
      4'h7: inverse = 4'h6;
      4'h8: inverse = 4'hf;
      4'hf: inverse = 4'h8;
      4'ha: inverse = 4'hc;
      default: inverse = 4'ha;  // c
    endcase
  endfunction

  logic [3:0] high, low, sum, norm, norm_inv;

  assign high = data_i[7:4];
  assign low  = data_i[3:0];
  assign sum  = high ^ low;
  // h*l + l^2 = l*(h + l)
  assign norm = square13(high) ^ mul(low, sum);
  assign norm_inv = inverse(norm);
  assign data_o = {mul(high, norm_inv), mul(sum, norm_inv)};
endmodule
