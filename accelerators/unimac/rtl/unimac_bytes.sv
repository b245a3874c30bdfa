// SPDX-License-Identifier: Apache-2.0
// Operations that do not multiply: four S-boxes on bytes of two words, the key expansion's form of
// it, packing of two halves, bit reversal in bytes. Zero without an operation. The S-box
// instruction is next to the multiplier in Tillich and Grossschaedl 2007, section 6.2 (sbox4s of
// their CHES 2006 paper); FIPS 197, sections 5.1.1, 5.2 and 5.3.2. Combinational.
module unimac_bytes #(
  parameter Poly     = 1,
  parameter Box      = 1,  // S-boxes and packing
  parameter SboxImpl = "canright"  // see rtl/field/aes_sbox.sv
) (
  input  logic        pack_i,     // {rs1[31:16], rs2[15:0]}
  input  logic        box_i,      // even bytes of rs1, odd bytes of rs2
  input  logic        inverse_i,
  input  logic        key_i,      // with box_i: SubWord(RotWord(rs1)) + rs2
  input  logic        reverse_i,  // reverse the bits in each byte of rs1 + rs2
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  output logic [31:0] rd_o
);

  logic [31:0] joined, boxed, reversed;

  if (Box != 0) begin : gen_box
    logic [31:0] data, substituted;

    assign joined = {rs1_i[31:16], rs2_i[15:0]} & {32{pack_i}};
    unimac_box_input u_input (.key_i, .rs1_i, .rs2_i, .data_o(data));
    for (genvar i = 0; i < 4; i++) begin : gen_sbox
      aes_sbox #(.SboxImpl(SboxImpl), .Dir("both")) u_sbox (
        .inv_i(inverse_i), .data_i(data[8*i +: 8]), .data_o(substituted[8*i +: 8])
      );
    end
    assign boxed = (substituted ^ (rs2_i & {32{key_i}})) & {32{box_i}};
  end else begin : gen_no_box
    assign {joined, boxed} = 64'b0;
  end

  if (Poly != 0) begin : gen_poly
    for (genvar i = 0; i < 32; i++) begin : gen_bit
      assign reversed[i] = (rs1_i[i ^ 7] ^ rs2_i[i ^ 7]) && reverse_i;
    end
  end else begin : gen_no_poly
    assign reversed = 32'b0;
  end

  assign rd_o = joined | boxed | reversed;

  logic unused;
  assign unused = ^{pack_i, box_i, inverse_i, key_i, reverse_i, rs1_i, rs2_i};

endmodule
