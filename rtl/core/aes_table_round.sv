// SPDX-License-Identifier: Apache-2.0
// A round of AES or of its equivalent inverse cipher in two cycles, from tables in block RAM: FIPS
// 197, sections 5.1, 5.3 and 5.3.5; the tables are those of Daemen and Rijmen, "The Design of
// Rijndael", section 4.2.
//
// A table holds, for a byte, its column of (Inv)MixColumns after the S-box. The coefficients of a
// column of either matrix add up to 1. So the sum of a table's four bytes is the S-box alone, which
// the final round needs.
//
// state_i is looked up in one cycle; next_o belongs to the state of the cycle before. inv_i is the
// direction of the look-up. The tables' output register cannot be cleared: it follows state_i.
//
// Made from aes_table_round.sv.j2 by `aesforge modules`.
module aes_table_round (
  input  logic         clk_i,
  input  logic         inv_i,
  input  logic [127:0] state_i,
  input  logic         final_i,  // without (Inv)MixColumns
  input  logic         load_i,   // word_i in every column instead of a round
  input  logic [31:0]  word_i,
  input  logic [127:0] key_i,    // with inv_i: the equivalent inverse cipher's
  output logic [127:0] next_o
);
  logic [127:0]     moved;

  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [127:0] part;   // what row r adds to the column, from bit 32*r on
    logic [31:0]  boxed;  // the S-boxes alone
    for (genvar r = 0; r < 4; r++) begin : gen_row
      // ShiftRows: row r of column c is taken from column c + r; inverse: from column c - r.
      assign moved[32*c + 8*r +: 8] = inv_i ? state_i[32*((c + 4 - r) % 4) + 8*r +: 8]
                                            : state_i[32*((c + r) % 4) + 8*r +: 8];
      assign boxed[8*r +: 8] = part[32*r +: 8] ^ part[32*r + 8 +: 8] ^ part[32*r + 16 +: 8]
                             ^ part[32*r + 24 +: 8];
    end
    for (genvar p = 0; p < 2; p++) begin : gen_pair
      // Columns (02 01 01 03) and (0e 09 0d 0b), first row in bits 7 to 0.
      aes_sbox_rom #(.Tables(2), .Bytes(4), .Inverse(2), .Coeffs(32'hbd9e3112)) u_table (
        .clk_i, .read_i(1'b1), .first_i({inv_i, moved[32*c + 16*p +: 8]}),
        .second_i({inv_i, moved[32*c + 16*p + 8 +: 8]}), .first_o(part[64*p +: 32]),
        .second_o(part[64*p + 32 +: 32])
      );
    end
    // Row i of the column takes the coefficient of row i - r.
    for (genvar i = 0; i < 4; i++) begin : gen_sum
      logic [7:0] mixed, round;
      assign mixed = part[8*i +: 8] ^ part[32 + 8*((i + 3) % 4) +: 8]
                   ^ part[64 + 8*((i + 2) % 4) +: 8] ^ part[96 + 8*((i + 1) % 4) +: 8];
      assign round = final_i ? boxed[8*i +: 8] : mixed;
      assign next_o[32*c + 8*i +: 8] = (load_i ? word_i[8*i +: 8] : round)
                                     ^ key_i[32*c + 8*i +: 8];
    end
  end
endmodule
