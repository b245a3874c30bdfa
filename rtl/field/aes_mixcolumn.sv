// SPDX-License-Identifier: Apache-2.0
// One column through MixColumns or InvMixColumns: FIPS 197, sections 5.1.3 and 5.3.3.
//
// Dir  "fwd" | "inv"    one direction; inv_i is not used
//      "both"           inv_i = 0: MixColumns, 1: InvMixColumns; the forward network is shared
//
// Row 0 is in bits 7 to 0. Combinational. File: aes_xtime.sv.
module aes_mixcolumn #(
  parameter Dir = "both"
) (
  input  logic        inv_i,
  input  logic [31:0] data_i,
  output logic [31:0] data_o
);
  logic [31:0] column;

  // The inverse circulant (0e 0b 0d 09) is (02 03 01 01) times (05 00 04 00): Daemen and Rijmen,
  // "The Design of Rijndael", section 4.1.3. The second factor adds {04}*(a_r + a_(r+2)) to rows r,
  // r + 2.
  if (Dir == "fwd") begin : gen_fwd
    logic unused_inv;
    assign unused_inv = inv_i;
    assign column = data_i;
  end else if (Dir == "inv" || Dir == "both") begin : gen_inv
    logic [15:0] sum, sum2, sum4;
    assign sum = data_i[15:0] ^ data_i[31:16];
    for (genvar r = 0; r < 2; r++) begin : gen_row
      aes_xtime u_x2 (.data_i(sum[8*r +: 8]), .data_o(sum2[8*r +: 8]));
      aes_xtime u_x4 (.data_i(sum2[8*r +: 8]), .data_o(sum4[8*r +: 8]));
    end
    if (Dir == "inv") begin : gen_always
      logic unused_inv;
      assign unused_inv = inv_i;
      assign column = data_i ^ {2{sum4}};
    end else begin : gen_select
      assign column = data_i ^ {2{sum4 & {16{inv_i}}}};
    end
  end else begin : gen_unknown
    aesforge_unknown_dir u_unknown ();
  end

  // b_r = {02}*(a_r + a_(r+1)) + a_(r+1) + a_(r+2) + a_(r+3), from the first row (02 03 01 01).
  logic [31:0] next1, next2, next3, pair, doubled;

  assign next1 = {column[7:0], column[31:8]};
  assign next2 = {column[15:0], column[31:16]};
  assign next3 = {column[23:0], column[31:24]};
  assign pair  = column ^ next1;
  for (genvar r = 0; r < 4; r++) begin : gen_double
    aes_xtime u_x2 (.data_i(pair[8*r +: 8]), .data_o(doubled[8*r +: 8]));
  end
  assign data_o = doubled ^ next1 ^ next2 ^ next3;
endmodule
