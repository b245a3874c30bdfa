// SPDX-License-Identifier: Apache-2.0
// Decoder of the platform tests' unit: custom-0, funct7 0x20, funct3 0: two operands; custom-0,
// funct2 0, funct3 1: three operands (R4).

module accel_decode (
  input  logic [31:0] insn_i,
  output logic        match_o,
  output logic        rs2_o,
  output logic        rs3_o,
  output logic [15:0] op_o
);

  logic two, three;

  assign two     = insn_i[31:25] == 7'h20 && insn_i[14:12] == 3'd0 && insn_i[6:0] == 7'h0b;
  assign three   = insn_i[26:25] == 2'd0 && insn_i[14:12] == 3'd1 && insn_i[6:0] == 7'h0b;
  assign match_o = two || three;
  assign rs2_o   = 1'b1;
  assign rs3_o   = three;
  assign op_o    = {15'd0, three};

endmodule
