// SPDX-License-Identifier: Apache-2.0
// RISC-V Zknh for RV32, its part for SHA-256, as a functional unit: sha256sig0, sha256sig1,
// sha256sum0, sha256sum1; the same in custom-1. Stateless.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, extension Zknh; FIPS 180-4, section
// 4.1.2. Each function is the sum of three words: the operand, rotated or shifted.
//
// PipeRegs  0  combinational, latency 0
//           1  a register holds the result: latency 1, one operation a cycle
module zknh #(
  parameter PipeRegs = 0
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

  // Outside the process: Icarus 11 has no constant selects inside one.
  logic [31:0] x, sum0, sum1, sig0, sig1, result;
  assign x    = req_rs1_i;
  assign sum0 = {x[1:0], x[31:2]} ^ {x[12:0], x[31:13]} ^ {x[21:0], x[31:22]};
  assign sum1 = {x[5:0], x[31:6]} ^ {x[10:0], x[31:11]} ^ {x[24:0], x[31:25]};
  assign sig0 = {x[6:0], x[31:7]} ^ {x[17:0], x[31:18]} ^ {3'b0, x[31:3]};
  assign sig1 = {x[16:0], x[31:17]} ^ {x[18:0], x[31:19]} ^ {10'b0, x[31:10]};

  always_comb begin
    case (req_op_i[zknh_ops_pkg::CodeW-1:0])
      zknh_ops_pkg::OP_SHA256SIG0, zknh_ops_pkg::OP_SH_SIG0: result = sig0;
      zknh_ops_pkg::OP_SHA256SIG1, zknh_ops_pkg::OP_SH_SIG1: result = sig1;
      zknh_ops_pkg::OP_SHA256SUM0, zknh_ops_pkg::OP_SH_SUM0: result = sum0;
      default:                                               result = sum1;
    endcase
  end

  if (PipeRegs == 0) begin : gen_combinational
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
    assign rsp_rd_o    = result;
  end else if (PipeRegs == 1) begin : gen_registered
    logic        valid_q;
    logic [31:0] result_q;

    assign req_ready_o = !valid_q || rsp_ready_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end
    always_ff @(posedge clk_i) begin
      if (req_valid_i && req_ready_o) result_q <= result;
    end
    assign rsp_valid_o = valid_q;
    assign rsp_rd_o    = result_q;
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs2_i, req_rs3_i};

endmodule
