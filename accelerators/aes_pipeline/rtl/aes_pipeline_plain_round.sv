// SPDX-License-Identifier: Apache-2.0
// One round of the plain inverse cipher with one register: AddRoundKey, InvMixColumns,
// InvShiftRows, InvSubBytes (Gielata 2008, section II; FIPS 197, section 5.3). S-boxes are tables.
//
// First: without InvMixColumns, the round that decryption begins with.
// Byte 4*c + r of the state, in bits 8*(4*c+r) upward, is row r of column c.
module aes_pipeline_plain_round #(
  parameter First = 0
) (
  input  logic         clk_i,
  input  logic         en_i,
  input  logic [127:0] state_i,
  input  logic [127:0] key_i,
  output logic [127:0] state_o
);
  logic [127:0] added, unmixed, shifted, boxed, state_q;

  assign added = state_i ^ key_i;

  for (genvar c = 0; c < 4; c++) begin : gen_column
    if (First != 0) begin : gen_first
      assign unmixed[32*c +: 32] = added[32*c +: 32];
    end else begin : gen_middle
      aes_mixcolumn #(.Dir("inv")) u_unmix (
        .inv_i(1'b1), .data_i(added[32*c +: 32]), .data_o(unmixed[32*c +: 32])
      );
    end
    // Row r of column c is taken from column c - r.
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign shifted[8*(4*c+r) +: 8] = unmixed[8*(4*((c + 4 - r) % 4) + r) +: 8];
      aes_sbox_lut #(.Dir("inv")) u_box (
        .inv_i(1'b1), .data_i(shifted[8*(4*c+r) +: 8]), .data_o(boxed[8*(4*c+r) +: 8])
      );
    end
  end

  always_ff @(posedge clk_i) if (en_i) state_q <= boxed;
  assign state_o = state_q;
endmodule
