// SPDX-License-Identifier: Apache-2.0
// One multiply-accumulate unit for AES, GHASH and elliptic curves, as a functional unit: Tillich
// and Grossschaedl, "VLSI Implementation of a Functional Unit to Accelerate ECC and AES on 32-bit
// Processors", 2007. A 72-bit accumulator. No protection against power analysis.
//
// MacImpl  "int"      (32x16)-bit multiplier, integers only (the reference for the others)
//          "ecc"      (32x16)-bit, integers and binary polynomials (unimac32x16 of table 1)
//          "fast"     (32x32)-bit, one cycle, accumulation inside the tree, every operation of two
//                     operands
//          "ecc_mix"  (32x16)-bit with MixColumns (unimac_mix32x16 of table 1)
//          "ecc_aes"  the same, and S-boxes
//          "fast_key" as "fast", with MixColumns that adds the round key: three operands
//          "fast_bram" as "fast", with PipeRegs registers in the tree and S-boxes in block RAM
// PipeRegs "fast_bram": 1 or 2, see unimac_pipelined.sv
module unimac #(
  parameter MacImpl  = "ecc_aes",
  parameter SboxImpl = "canright", // see rtl/field/aes_sbox.sv
  parameter PipeRegs = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic [15:0] req_op_i,
  input  logic [31:0] req_rs1_i,
  input  logic [31:0] req_rs2_i,
  input  logic [31:0] req_rs3_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_rd_o
);

  if (MacImpl == "int") begin : gen_int
    unimac_two_pass #(.Poly(0), .Mix(0), .Box(0)) u_unit (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i,
      .rsp_valid_o, .rsp_ready_i, .rsp_rd_o
    );
  end else if (MacImpl == "ecc") begin : gen_ecc
    unimac_two_pass #(.Poly(1), .Mix(0), .Box(0)) u_unit (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i,
      .rsp_valid_o, .rsp_ready_i, .rsp_rd_o
    );
  end else if (MacImpl == "fast") begin : gen_fast
    unimac_one_pass #(.Key(0), .SboxImpl(SboxImpl)) u_unit (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i,
      .rsp_valid_o, .rsp_ready_i, .rsp_rd_o
    );
  end else if (MacImpl == "ecc_mix") begin : gen_ecc_mix
    unimac_two_pass #(.Poly(1), .Mix(1), .Box(0)) u_unit (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i,
      .rsp_valid_o, .rsp_ready_i, .rsp_rd_o
    );
  end else if (MacImpl == "ecc_aes") begin : gen_ecc_aes
    unimac_two_pass #(.Poly(1), .Mix(1), .Box(1), .SboxImpl(SboxImpl)) u_unit (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i,
      .rsp_valid_o, .rsp_ready_i, .rsp_rd_o
    );
  end else if (MacImpl == "fast_key") begin : gen_fast_key
    unimac_one_pass #(.Key(1), .SboxImpl(SboxImpl)) u_unit (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i,
      .rsp_valid_o, .rsp_ready_i, .rsp_rd_o
    );
  end else if (MacImpl == "fast_bram") begin : gen_fast_bram
    unimac_pipelined #(.PipeRegs(PipeRegs)) u_unit (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i,
      .rsp_valid_o, .rsp_ready_i, .rsp_rd_o
    );
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  logic unused;
  assign unused = ^req_rs3_i;

endmodule
