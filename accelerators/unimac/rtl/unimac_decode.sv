// SPDX-License-Identifier: Apache-2.0
// Decodes an operation into control signals. Operations: Tillich and Grossschaedl 2007, section 6,
// and the unit's README. Operations outside the variant never arrive. Combinational.
module unimac_decode #(
  parameter Poly = 1,  // operations on binary polynomials
  parameter Mix  = 1,  // MixColumns; with Poly
  parameter Box  = 1,  // S-boxes, and packing for the last round
  parameter Key  = 0,  // MixColumns that adds a third operand, the round key; with Mix
  parameter Wide = 0   // multi-precision forms
) (
  input  logic [unimac_ops_pkg::CodeW-1:0] code_i,

  output logic multiply_o,   // uses the multiplier
  output logic answer_o,     // ... and returns the lowest word of the result
  output logic clear_o,      // ... without adding the accumulator
  output logic keep_o,       // ... without changing the accumulator
  output logic poly_o,
  output logic signed_o,
  output logic mix_o,        // MixColumns; with poly_o
  output logic inverse_o,    // with mix_o: InvMixColumns; with box_o: the inverse S-box
  output logic key_o,        // with mix_o: add rs3 instead of the accumulator
  output logic double_o,     // twice the product
  output logic add_o,        // rs1 + rs2 instead of a product
  output logic subtract_o,   // with add_o: rs1 - rs2
  output logic take_o,       // shift the lowest word out of the accumulator

  output logic shift_in_o,   // other operations: shift a word into the accumulator
  output logic shift_out_o,  // ... or shift one out
  output logic pack_o,       // ... or join halves of words
  output logic box_o,        // ... or substitute bytes
  output logic box_key_o,    // with box_o: the key expansion's form
  output logic reverse_o     // ... or reverse bits
);

  logic mulu, muls, macu, macs;

  assign mulu = code_i == unimac_ops_pkg::OP_UM_MULU;
  assign muls = code_i == unimac_ops_pkg::OP_UM_MULS;
  assign macu = code_i == unimac_ops_pkg::OP_UM_MACU;
  assign macs = code_i == unimac_ops_pkg::OP_UM_MACS;
  assign shift_out_o = code_i == unimac_ops_pkg::OP_UM_SHACR;
  assign shift_in_o  = code_i == unimac_ops_pkg::OP_UM_SHIN;

  logic gf2mul, gf2mac;

  if (Poly != 0) begin : gen_poly
    assign gf2mul    = code_i == unimac_ops_pkg::OP_UM_GF2MUL;
    assign gf2mac    = code_i == unimac_ops_pkg::OP_UM_GF2MAC;
    assign reverse_o = code_i == unimac_ops_pkg::OP_UM_BREV8;
  end else begin : gen_no_poly
    assign {gf2mul, gf2mac, reverse_o} = 3'b0;
  end

  logic mcmuls, imcmuls, mcmacs, imcmacs;

  if (Mix != 0) begin : gen_mix
    assign mcmuls  = code_i == unimac_ops_pkg::OP_UM_MCMULS;
    assign imcmuls = code_i == unimac_ops_pkg::OP_UM_IMCMULS;
    assign mcmacs  = code_i == unimac_ops_pkg::OP_UM_MCMACS;
    assign imcmacs = code_i == unimac_ops_pkg::OP_UM_IMCMACS;
  end else begin : gen_no_mix
    assign {mcmuls, imcmuls, mcmacs, imcmacs} = 4'b0;
  end

  logic mckey, imckey;

  if (Key != 0) begin : gen_key
    assign mckey  = code_i == unimac_ops_pkg::OP_UM_MCKEY;
    assign imckey = code_i == unimac_ops_pkg::OP_UM_IMCKEY;
  end else begin : gen_no_key
    assign {mckey, imckey} = 2'b0;
  end

  logic sbox4, isbox4;

  if (Box != 0) begin : gen_box
    assign pack_o    = code_i == unimac_ops_pkg::OP_UM_PACK;
    assign sbox4     = code_i == unimac_ops_pkg::OP_UM_SBOX4;
    assign isbox4    = code_i == unimac_ops_pkg::OP_UM_ISBOX4;
    assign box_key_o = code_i == unimac_ops_pkg::OP_UM_SBOXK;
  end else begin : gen_no_box
    assign {pack_o, sbox4, isbox4, box_key_o} = 4'b0;
  end

  logic macux, mac2u, mac2ux, gf2macx, addx, subx, add, sub;

  if (Wide != 0) begin : gen_wide
    assign macux   = code_i == unimac_ops_pkg::OP_UM_MACUX;
    assign mac2u   = code_i == unimac_ops_pkg::OP_UM_MAC2U;
    assign mac2ux  = code_i == unimac_ops_pkg::OP_UM_MAC2UX;
    assign gf2macx = code_i == unimac_ops_pkg::OP_UM_GF2MACX;
    assign addx    = code_i == unimac_ops_pkg::OP_UM_ADDX;
    assign subx    = code_i == unimac_ops_pkg::OP_UM_SUBX;
    assign add     = code_i == unimac_ops_pkg::OP_UM_ADD;
    assign sub     = code_i == unimac_ops_pkg::OP_UM_SUB;
  end else begin : gen_no_wide
    assign {macux, mac2u, mac2ux, gf2macx, addx, subx, add, sub} = 8'b0;
  end

  assign key_o      = mckey || imckey;
  assign mix_o      = mcmuls || imcmuls || mcmacs || imcmacs || key_o;
  assign inverse_o  = imcmuls || imcmacs || imckey || isbox4;
  assign poly_o     = gf2mul || gf2mac || gf2macx || mix_o;
  assign signed_o   = muls || macs;
  assign double_o   = mac2u || mac2ux;
  assign add_o      = addx || subx || add || sub;
  assign subtract_o = subx || sub;
  assign take_o     = macux || mac2ux || gf2macx || addx || subx;

  assign keep_o     = mcmuls || imcmuls || key_o;
  assign clear_o    = mulu || muls || gf2mul || keep_o;
  assign answer_o   = clear_o || take_o;
  assign multiply_o = signed_o || mulu || macu || poly_o || macux || double_o || add_o;

  assign box_o      = sbox4 || isbox4 || box_key_o;

endmodule
