// SPDX-License-Identifier: Apache-2.0
// The AES S-box: one wrapper for all its circuits. FIPS 197, sections 5.1.1 (SubBytes) and 5.3.2.
//
// SboxImpl  "lut"            inversion table built at elaboration; for any target, most gates
//           "tower"          GF((2^4)^2) in polynomial bases, the field of Kale 2021, section 2.2
//           "small"          straight-line program of 113 gates; the fewest gates for "fwd"
//           "canright"       GF(((2^2)^2)^2) in normal bases, Canright, CHES 2005
//           "boyar_peralta"  straight-line program of depth 16, Boyar and Peralta, ePrint 2011/332
// Dir       "fwd" | "inv"    one direction; inv_i is unused
//           "both"           inv_i = 0: S-box, 1: inverse S-box; the inversion is shared
//
// Combinational. Files: aes_sbox_<SboxImpl>.sv. lut, tower and canright also need
// aes_inv_<SboxImpl>.sv. lut and small also need aes_affine.sv and aes_affine_inv.sv (except for
// "fwd").
module aes_sbox #(
  parameter SboxImpl = "canright",
  parameter Dir      = "both"
) (
  input  logic       inv_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  // Shortest name first: Verilator warns about comparisons with a name longer than the parameter's.
  if (SboxImpl == "lut") begin : gen_lut
    aes_sbox_lut #(.Dir(Dir)) u_sbox (.inv_i, .data_i, .data_o);
  end else if (SboxImpl == "tower") begin : gen_tower
    aes_sbox_tower #(.Dir(Dir)) u_sbox (.inv_i, .data_i, .data_o);
  end else if (SboxImpl == "small") begin : gen_small
    aes_sbox_small #(.Dir(Dir)) u_sbox (.inv_i, .data_i, .data_o);
  end else if (SboxImpl == "canright") begin : gen_canright
    aes_sbox_canright #(.Dir(Dir)) u_sbox (.inv_i, .data_i, .data_o);
  end else if (SboxImpl == "boyar_peralta") begin : gen_boyar_peralta
    aes_sbox_boyar_peralta #(.Dir(Dir)) u_sbox (.inv_i, .data_i, .data_o);
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end
endmodule
