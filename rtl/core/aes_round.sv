// SPDX-License-Identifier: Apache-2.0
// One round of AES or of its inverse on a whole state: FIPS 197, sections 5.1 and 5.3, in the
// standard's order, so that both directions use the same round keys.
//
// Byte 0 of a block (row 0 of column 0) is in bits 7 to 0, as a little-endian load gives it.
// mixed_o is a round with all four steps; last_o is the final round, without (Inv)MixColumns.
//
// Stages - 1 registers are inside the S-boxes; aes_round_sbox explains enable_i, clear_i and
// valid_i. The key and (Inv)MixColumns follow the last register: inv_i is the direction at the
// input, inv_last_i the one there. AddRoundKey precedes InvMixColumns and follows MixColumns, so
// Dir "both" has an XOR at both places and feeds one of them zero (before_i, after_i).
module aes_round #(
  parameter SboxImpl = "tower",
  parameter Dir      = "both",  // "fwd" | "inv" | "both"
  parameter Stages   = 1        // 1 to 3
) (
  input  logic         clk_i,
  input  logic         enable_i,
  input  logic         clear_i,
  input  logic [1:0]   valid_i,
  input  logic         inv_i,
  input  logic         inv_last_i,
  input  logic [127:0] state_i,
  input  logic [127:0] key_i,
  input  logic [127:0] before_i,  // "both": key_i when inv_last_i, else zero
  input  logic [127:0] after_i,   // "both": zero when inv_last_i, else key_i
  output logic [127:0] mixed_o,
  output logic [127:0] last_o
);
  // In this order: moved (rows shifted), boxed (after the S-boxes), unmixed, columns (mixed).
  logic [127:0] shifted, inv_shifted, moved, boxed, unmixed, columns;

  // ShiftRows: row r of column c is taken from column c + r; inverse: from column c - r. Both
  // commute with SubBytes.
  for (genvar c = 0; c < 4; c++) begin : gen_column
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign shifted[32*c + 8*r +: 8]     = state_i[32*((c + r) % 4) + 8*r +: 8];
      assign inv_shifted[32*c + 8*r +: 8] = state_i[32*((c + 4 - r) % 4) + 8*r +: 8];
      aes_round_sbox #(.SboxImpl(SboxImpl), .Dir(Dir), .Stages(Stages)) u_sbox (
        .clk_i, .enable_i, .clear_i, .valid_i, .inv_i, .inv_last_i,
        .data_i(moved[32*c + 8*r +: 8]), .data_o(boxed[32*c + 8*r +: 8])
      );
    end
    aes_mixcolumn #(.Dir(Dir)) u_mix (
      .inv_i(inv_last_i), .data_i(unmixed[32*c +: 32]), .data_o(columns[32*c +: 32])
    );
  end

  // The inverse round adds the key before InvMixColumns.
  assign last_o = boxed ^ key_i;
  if (Dir == "fwd") begin : gen_fwd
    logic unused;
    assign unused  = ^{inv_shifted, before_i, after_i};
    assign moved   = shifted;
    assign unmixed = boxed;
    assign mixed_o = columns ^ key_i;
  end else if (Dir == "inv") begin : gen_inv
    logic unused;
    assign unused  = ^{shifted, before_i, after_i};
    assign moved   = inv_shifted;
    assign unmixed = last_o;
    assign mixed_o = columns;
  end else if (Dir == "both") begin : gen_both
    assign moved   = inv_i ? inv_shifted : shifted;
    assign unmixed = boxed ^ before_i;
    assign mixed_o = columns ^ after_i;
  end else begin : gen_unknown
    aesforge_unknown_dir u_unknown ();
  end
endmodule
