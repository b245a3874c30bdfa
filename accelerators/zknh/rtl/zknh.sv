// SPDX-License-Identifier: Apache-2.0
// RISC-V Zknh for RV32, its part for SHA-256, as a functional unit: sha256sig0, sha256sig1,
// sha256sum0, sha256sum1; the same in custom-1. Combinational and stateless.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, extension Zknh; FIPS 180-4, section
// 4.1.2. Each function is the sum of three words: the operand, rotated or shifted.
module zknh (
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

  assign rsp_valid_o = req_valid_i;
  assign req_ready_o = rsp_ready_i;

  logic [31:0] x;
  assign x = req_rs1_i;

  always_comb begin
    case (req_op_i[zknh_ops_pkg::CodeW-1:0])
      zknh_ops_pkg::OP_SHA256SIG0, zknh_ops_pkg::OP_SH_SIG0:
        rsp_rd_o = {x[6:0], x[31:7]} ^ {x[17:0], x[31:18]} ^ {3'b0, x[31:3]};
      zknh_ops_pkg::OP_SHA256SIG1, zknh_ops_pkg::OP_SH_SIG1:
        rsp_rd_o = {x[16:0], x[31:17]} ^ {x[18:0], x[31:19]} ^ {10'b0, x[31:10]};
      zknh_ops_pkg::OP_SHA256SUM0, zknh_ops_pkg::OP_SH_SUM0:
        rsp_rd_o = {x[1:0], x[31:2]} ^ {x[12:0], x[31:13]} ^ {x[21:0], x[31:22]};
      default:
        rsp_rd_o = {x[5:0], x[31:6]} ^ {x[10:0], x[31:11]} ^ {x[24:0], x[31:25]};
    endcase
  end

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs2_i, req_rs3_i};

endmodule
