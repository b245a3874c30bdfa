// SPDX-License-Identifier: Apache-2.0
// RISC-V Zkne/Zknd for RV32 (aes32esi, aes32esmi, aes32dsi, aes32dsmi) as a functional unit: one
// byte of rs2 through the S-box, times a MixColumns column, rotated into its lane, XORed with rs1.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.1 to 3.4; coefficients of
// MixColumns and InvMixColumns from FIPS 197, sections 5.1.3 and 5.3.3. Latency 0: combinational
// and stateless. No protection against power analysis.
module aes_zkn #(
  parameter SboxImpl = "canright",  // see rtl/field/aes_sbox.sv
  parameter Decrypt  = 1            // 0: aes32esi and aes32esmi only
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

  // Multiplication by x modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2.1).
  function automatic logic [7:0] xtime(input logic [7:0] a);
    xtime = {a[6:0], 1'b0} ^ (8'h1b & {8{a[7]}});
  endfunction

  logic [aes_zkn_ops_pkg::CodeW-1:0] code;
  logic [1:0]                        bs;
  logic                              mix, inverse;

  assign code = req_op_i[aes_zkn_ops_pkg::CodeW-1:0];
  assign bs   = req_op_i[aes_zkn_ops_pkg::BS_LSB +: aes_zkn_ops_pkg::BS_W];

  assign mix = (code == aes_zkn_ops_pkg::OP_AES32ESMI) || (code == aes_zkn_ops_pkg::OP_AES32DSMI);

  // ---- the selected byte and its substitution ---------------------------------------------------

  logic [7:0] selected, box, sub;

  assign selected = req_rs2_i[{bs, 3'b000} +: 8];

  assign sub = box;

  // ---- one column of the MixColumns matrix, lane 0 lowest ---------------------------------------

  logic [7:0]  sub2, sub3;
  logic [31:0] mixed;

  assign sub2 = xtime(sub);
  assign sub3 = sub2 ^ sub;

  if (Decrypt != 0) begin : gen_both
    logic [7:0] gated2, gated4, gated8, gated12;

    assign inverse = (code == aes_zkn_ops_pkg::OP_AES32DSI) ||
                     (code == aes_zkn_ops_pkg::OP_AES32DSMI);
    aes_sbox #(.SboxImpl(SboxImpl), .Dir("both")) u_sbox (
      .inv_i(inverse), .data_i(selected), .data_o(box)
    );
    // InvMixColumns is MixColumns plus a multiple of {04}: {b, d, 9, e} = {3, 1, 1, 2} + {8, c, 8,
    // c}.
    assign gated2 = sub2 & {8{inverse}};
    assign gated4  = xtime(gated2);
    assign gated8  = xtime(gated4);
    assign gated12 = gated8 ^ gated4;
    assign mixed   = {sub3, sub, sub, sub2} ^ {gated8, gated12, gated8, gated12};
  end else begin : gen_encrypt
    assign inverse = 1'b0;
    aes_sbox #(.SboxImpl(SboxImpl), .Dir("fwd")) u_sbox (
      .inv_i(inverse), .data_i(selected), .data_o(box)
    );
    assign mixed = {sub3, sub, sub, sub2};
  end

  // ---- rotate into its lane and add -------------------------------------------------------------

  logic [31:0] column, by_two, rotated;

  assign column = mix ? mixed : {24'b0, sub};
  assign by_two = bs[1] ? {column[15:0], column[31:16]} : column;
  assign rotated = bs[0] ? {by_two[23:0], by_two[31:24]} : by_two;

  assign rsp_rd_o = req_rs1_i ^ rotated;

  assign rsp_valid_o = req_valid_i;
  assign req_ready_o = rsp_ready_i;

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs1_i, req_rs3_i};

endmodule
