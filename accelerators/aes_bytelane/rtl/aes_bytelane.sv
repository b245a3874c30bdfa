// SPDX-License-Identifier: Apache-2.0
// AESENC and AESDEC as a functional unit. The row selects one byte of rs1, which passes the S-box
// or its inverse (one shared inversion). Four multipliers then form all four lanes of rd. Source:
// Nadehara, Ikekawa, Kuroda 2004: tables 5 and 6 (results), figures 6 and 7 (structure: input
// multiplexer, inverse table between affine maps, coefficient table, four multipliers). The final
// round is not in the paper: its coefficients are 1 in the byte's own lane, 0 elsewhere. Latency 0:
// combinational and stateless. No protection against power analysis.
module aes_bytelane #(
  parameter SboxImpl = "canright",  // see rtl/field/aes_sbox.sv
  parameter Decrypt  = 1            // 0: aesenc and aesenc_last only
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

  logic [aes_bytelane_ops_pkg::CodeW-1:0] code;
  logic [1:0]                             row;
  logic                                   last;

  assign code = req_op_i[aes_bytelane_ops_pkg::CodeW-1:0];
  assign row  = req_op_i[aes_bytelane_ops_pkg::ROW_LSB +: aes_bytelane_ops_pkg::ROW_W];

  assign last = (code == aes_bytelane_ops_pkg::OP_AESENC_LAST) ||
                (code == aes_bytelane_ops_pkg::OP_AESDEC_LAST);

  // ---- the selected byte and its substitution ---------------------------------------------------

  logic [7:0] selected, box, sub;

  assign selected = req_rs1_i[{row, 3'b000} +: 8];

  assign sub = box;

  // ---- coefficient table: lane by lane for row 0, that is, the first column of the matrix -------

  logic [3:0][3:0] column;  // [lane]

  if (Decrypt != 0) begin : gen_both
    logic inverse;
    assign inverse = (code == aes_bytelane_ops_pkg::OP_AESDEC) ||
                     (code == aes_bytelane_ops_pkg::OP_AESDEC_LAST);
    aes_sbox #(.SboxImpl(SboxImpl), .Dir("both")) u_sbox (
      .inv_i(inverse), .data_i(selected), .data_o(box)
    );
    assign column = last ? 16'h0001 : inverse ? 16'hbd9e : 16'h3112;
  end else begin : gen_encrypt
    aes_sbox #(.SboxImpl(SboxImpl), .Dir("fwd")) u_sbox (
      .inv_i(1'b0), .data_i(selected), .data_o(box)
    );
    assign column = last ? 16'h0001 : 16'h3112;
  end

  // ---- four multipliers; the matrix is circulant, so row r starts r lanes later -----------------

  for (genvar lane = 0; lane < 4; lane++) begin : gen_lane
    logic [1:0] from;
    assign from = 2'(lane) - row;
    gf8_mulc u_mul (.coeff_i(column[from]), .data_i(sub), .data_o(rsp_rd_o[8*lane +: 8]));
  end

  assign rsp_valid_o = req_valid_i;
  assign req_ready_o = rsp_ready_i;

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs2_i, req_rs3_i};

endmodule
