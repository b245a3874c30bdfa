// SPDX-License-Identifier: Apache-2.0
// What the four S-boxes take: even bytes of rs1 and odd bytes of rs2, or, in the key expansion's
// form, RotWord(rs1) (FIPS 197, section 5.2). Combinational.
module unimac_box_input (
  input  logic        key_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  output logic [31:0] data_o
);

  assign data_o = key_i ? {rs1_i[7:0], rs1_i[31:8]} :
                  {rs2_i[31:24], rs1_i[23:16], rs2_i[15:8], rs1_i[7:0]};

  logic unused;
  assign unused = ^{rs1_i, rs2_i};

endmodule
