// SPDX-License-Identifier: Apache-2.0
// Multiplicative inverse in the field of FIPS 197 (section 4.4); 0 gives 0. This is the part of the
// S-box that encryption and decryption share (Nadehara 2004, section 6, "inverse table").
//
// SboxImpl  "lut" | "tower" | "canright", as in aes_sbox. Combinational.
module aes_gf8_inv #(
  parameter SboxImpl = "canright"
) (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  // Bit i of a map is the parity of byte i of the matrix AND the operand.
  function automatic logic [7:0] map(input logic [63:0] matrix, input logic [7:0] a);
    for (int i = 0; i < 8; i++) map[i] = ^(matrix[8*i +: 8] & a);
  endfunction

  if (SboxImpl == "lut") begin : gen_lut
    aes_inv_lut u_inv (.data_i, .data_o);
  end else if (SboxImpl == "tower") begin : gen_tower
    // From aesforge.model.tower, kale_tower().
    localparam logic [63:0] ToTower   = 64'ha072acdcc6cc528f;
    localparam logic [63:0] FromTower = 64'hc26642147cdc7013;
    logic [7:0] inverse;
    aes_inv_tower u_inv (.data_i(map(ToTower, data_i)), .data_o(inverse));
    assign data_o = map(FromTower, inverse);
  end else if (SboxImpl == "canright") begin : gen_canright
    // From aesforge.model.tower, canright_tower().
    localparam logic [63:0] ToTower   = 64'he77163e19b01614f;
    localparam logic [63:0] FromTower = 64'h12ebed427eb22204;
    logic [7:0] inverse;
    aes_inv_canright u_inv (.data_i(map(ToTower, data_i)), .data_o(inverse));
    assign data_o = map(FromTower, inverse);
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end
endmodule
