// SPDX-License-Identifier: Apache-2.0
// A unit and its decoder in parallel, for the unit bench and the lint of a variant. Source:
// docs/architecture.md, section 2 (the ports of accel_decode and accel_unit).
module unit_bench_top (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [31:0] insn_i,
  output logic        match_o,
  output logic        rs2_o,
  output logic        rs3_o,
  output logic [15:0] op_o,

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

  accel_decode u_decode (.insn_i, .match_o, .rs2_o, .rs3_o, .op_o);

  accel_unit u_unit (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i,
    .rsp_valid_o, .rsp_ready_i, .rsp_rd_o
  );

endmodule
