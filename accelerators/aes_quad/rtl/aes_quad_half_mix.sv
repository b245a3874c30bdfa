// SPDX-License-Identifier: Apache-2.0
// Two of the four rows of a column, unchanged, after MixColumns or after InvMixColumns: rows 0 and
// 1, or rows 3 and 2. FIPS 197, sections 5.1.3 and 5.3.3; quad-packing.md, section 6.
//
// With total = a_0 + a_1 + a_2 + a_3, row r of MixColumns is total + a_r + {02} (a_r + a_(r+1)).
// InvMixColumns is MixColumns after a_r + {04} (a_r + a_(r+2)) (Daemen and Rijmen, "The Design of
// Rijndael", section 4.1.3), which does not change the total. Combinational.
module aes_quad_half_mix #(
  parameter Dir = "both"  // "fwd": no InvMixColumns
) (
  input  logic        select_i,  // 0: rows 0 and 1; 1: rows 3 and 2
  input  logic        mix_i,     // 0: the rows unchanged (with inv_i = 0)
  input  logic        inv_i,     // 1: InvMixColumns
  input  logic [31:0] column_i,  // row 0 in bits 7 to 0
  output logic [7:0]  first_o,   // row 0 or 3
  output logic [7:0]  second_o   // row 1 or 2
);

  logic [7:0] row0, row1, row2, row3, even, odd, total;

  assign even  = column_i[7:0] ^ column_i[23:16];
  assign odd   = column_i[15:8] ^ column_i[31:24];
  assign total = even ^ odd;

  if (Dir == "both") begin : gen_inverse
    logic [7:0] even1, odd1, even2, odd2, even4, odd4;
    assign even1 = even & {8{inv_i}};
    assign odd1  = odd & {8{inv_i}};
    aes_xtime u_even2 (.data_i(even1), .data_o(even2));
    aes_xtime u_odd2 (.data_i(odd1), .data_o(odd2));
    aes_xtime u_even4 (.data_i(even2), .data_o(even4));
    aes_xtime u_odd4 (.data_i(odd2), .data_o(odd4));
    assign {row3, row2, row1, row0} = column_i ^ {odd4, even4, odd4, even4};
  end else begin : gen_forward
    logic unused_inv;
    assign unused_inv = inv_i;
    assign {row3, row2, row1, row0} = column_i;
  end

  // a_r, and a_r + a_(r+1): a_0 + a_1 and a_1 + a_2, or a_3 + a_0 and a_2 + a_3.
  logic [7:0] first, second, between, first2, second2;

  assign first   = select_i ? row3 : row0;
  assign second  = select_i ? row2 : row1;
  assign between = select_i ? row3 : row1;
  aes_xtime u_first (.data_i(row0 ^ between), .data_o(first2));
  aes_xtime u_second (.data_i(row2 ^ between), .data_o(second2));
  assign first_o  = first ^ ((total ^ first2) & {8{mix_i}});
  assign second_o = second ^ ((total ^ second2) & {8{mix_i}});

endmodule
