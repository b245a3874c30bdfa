// SPDX-License-Identifier: Apache-2.0
// Multiplicand and multiplier of a (32x32)-bit operation. MixColumns is a product with {03}t^3 +
// {01}t^2 + {01}t + {02}, InvMixColumns with {0b}t^3 + {0d}t^2 + {09}t + {0e} (FIPS 197, sections
// 5.1.3 and 5.3.3), each coefficient twice. The column is joined from two words (Tillich and
// Grossschaedl 2007, section 6). Combinational.
module unimac_column (
  input  logic        mix_i,
  input  logic        inverse_i,  // with mix_i
  input  logic        add_i,      // a sum: the multiplier is 1
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  output logic [31:0] a_o,
  output logic [31:0] b_o
);

  assign a_o = mix_i ? {rs1_i[31:16], rs2_i[15:0]} : rs1_i;
  assign b_o = mix_i ? (inverse_i ? 32'hbbdd_99ee : 32'h3311_1122) : add_i ? 32'd1 : rs2_i;

endmodule
