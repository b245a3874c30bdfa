// SPDX-License-Identifier: Apache-2.0
// aes_table_round with the parity of each column: of a table's word it is in block RAM, beside it.
//
// Made from aes_table_round_guarded.sv.j2 by `aesforge modules`.
module aes_table_round_guarded (
  input  logic         clk_i,
  input  logic         inv_i,
  input  logic [127:0] state_i,
  input  logic         final_i,  // without (Inv)MixColumns
  input  logic         load_i,   // word_i in every column instead of a round
  input  logic [31:0]  word_i,
  input  logic [127:0] key_i,    // with inv_i: the equivalent inverse cipher's
  input  logic         word_parity_i,
  input  logic [3:0]   key_parity_i,   // of columns
  output logic [3:0]   next_parity_o,
  output logic [127:0] next_o
);
  logic [127:0]     moved;

  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [127:0] part;   // what row r adds to the column, from bit 32*r on
    logic [31:0]  boxed;  // the S-boxes alone
    logic [3:0]   part_parity;
    for (genvar r = 0; r < 4; r++) begin : gen_row
      // ShiftRows: row r of column c is taken from column c + r; inverse: from column c - r.
      assign moved[32*c + 8*r +: 8] = inv_i ? state_i[32*((c + 4 - r) % 4) + 8*r +: 8]
                                            : state_i[32*((c + r) % 4) + 8*r +: 8];
      assign boxed[8*r +: 8] = part[32*r +: 8] ^ part[32*r + 8 +: 8] ^ part[32*r + 16 +: 8]
                             ^ part[32*r + 24 +: 8];
    end
    for (genvar p = 0; p < 2; p++) begin : gen_pair
      // Columns (02 01 01 03) and (0e 09 0d 0b), first row in bits 7 to 0.
      aes_sbox_rom_guarded #(
        .Tables(2), .Bytes(4), .Inverse(2), .Coeffs(32'hbd9e3112)
      ) u_table (
        .first_parity_o(part_parity[2*p]), .second_parity_o(part_parity[2*p + 1]),
        .clk_i, .read_i(1'b1), .first_i({inv_i, moved[32*c + 16*p +: 8]}),
        .second_i({inv_i, moved[32*c + 16*p + 8 +: 8]}), .first_o(part[64*p +: 32]),
        .second_o(part[64*p + 32 +: 32])
      );
    end
    // Each bit of a part is in one bit of the sum, with MixColumns and without.
    assign next_parity_o[c] = (load_i ? word_parity_i : ^part_parity) ^ key_parity_i[c];
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
