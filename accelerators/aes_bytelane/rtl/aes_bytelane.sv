// SPDX-License-Identifier: Apache-2.0
// AESENC and AESDEC as a functional unit. The row selects one byte of rs1, which passes the S-box
// or its inverse (one shared inversion). Four multipliers then form all four lanes of rd. Source:
// Nadehara, Ikekawa, Kuroda 2004: tables 5 and 6 (results), figures 6 and 7 (structure: input
// multiplexer, inverse table between affine maps, coefficient table, four multipliers). The final
// round is not in the paper: its coefficients are 1 in the byte's own lane, 0 elsewhere. Stateless.
// No protection against power analysis.
//
// SboxImpl  "bram"    S-box and MixColumns in block RAM: each lane of the result looks up its
//                     product. Latency 1, one operation a cycle: the memory's read register is the
//                     pipeline register
//           others    logic, see rtl/field/aes_sbox.sv. Latency 0, combinational
module aes_bytelane #(
  parameter SboxImpl = "canright",
  parameter Dir      = "both"  // "fwd": aesenc and aesenc_last only
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
  logic                                   last, inverse;
  logic [7:0]                             selected;

  assign code = req_op_i[aes_bytelane_ops_pkg::CodeW-1:0];
  assign row  = req_op_i[aes_bytelane_ops_pkg::ROW_LSB +: aes_bytelane_ops_pkg::ROW_W];

  assign last = (code == aes_bytelane_ops_pkg::OP_AESENC_LAST) ||
                (code == aes_bytelane_ops_pkg::OP_AESDEC_LAST);
  assign inverse = (Dir == "both") && ((code == aes_bytelane_ops_pkg::OP_AESDEC) ||
                                       (code == aes_bytelane_ops_pkg::OP_AESDEC_LAST));

  assign selected = req_rs1_i[{row, 3'b000} +: 8];

  if (SboxImpl == "bram") begin : gen_bram
    logic valid_q, take;

    assign req_ready_o = !valid_q || rsp_ready_i;
    assign take = req_valid_i && req_ready_o;
    assign rsp_valid_o = valid_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end

    aes_sbox_products #(.Dir(Dir)) u_products (
      .clk_i, .read_i(take), .mix_i(!last), .inverse_i(inverse), .bs_i(row), .data_i(selected),
      .data_o(rsp_rd_o)
    );
  end else begin : gen_logic
    aes_bytelane_logic #(.SboxImpl(SboxImpl), .Dir(Dir)) u_logic (
      .last_i(last), .inverse_i(inverse), .row_i(row), .data_i(selected), .data_o(rsp_rd_o)
    );
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
  end

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs2_i, req_rs3_i};

endmodule
