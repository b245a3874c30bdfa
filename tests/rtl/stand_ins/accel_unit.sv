// SPDX-License-Identifier: Apache-2.0
// The platform tests' unit: rd = rol(rs1, 5) ^ (rs2 + 0x9e3779b9) ^ rol(rs3, 11), the last term
// with three operands only. Combinational, or after random delays if UNIT_DELAY is defined.

module accel_unit (
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

  logic        unit_req_valid, unit_req_ready, unit_rsp_valid, unit_rsp_ready;
  logic [15:0] unit_req_op;
  logic [31:0] unit_req_rs1, unit_req_rs2, unit_req_rs3, unit_rsp_rd;

`ifdef UNIT_DELAY
  fu_random_delay #(.MaxDelay(`UNIT_DELAY)) u_delay (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o,
    .req_op_i,
    .req_rs1_i,
    .req_rs2_i,
    .req_rs3_i,
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_rd_o,
    .unit_req_valid_o(unit_req_valid),
    .unit_req_ready_i(unit_req_ready),
    .unit_req_op_o   (unit_req_op),
    .unit_req_rs1_o  (unit_req_rs1),
    .unit_req_rs2_o  (unit_req_rs2),
    .unit_req_rs3_o  (unit_req_rs3),
    .unit_rsp_valid_i(unit_rsp_valid),
    .unit_rsp_ready_o(unit_rsp_ready),
    .unit_rsp_rd_i   (unit_rsp_rd)
  );
`else
  logic unused;
  assign unused         = clk_i ^ rst_ni;
  assign unit_req_valid = req_valid_i;
  assign req_ready_o    = unit_req_ready;
  assign unit_req_op    = req_op_i;
  assign unit_req_rs1   = req_rs1_i;
  assign unit_req_rs2   = req_rs2_i;
  assign unit_req_rs3   = req_rs3_i;
  assign rsp_valid_o    = unit_rsp_valid;
  assign unit_rsp_ready = rsp_ready_i;
  assign rsp_rd_o       = unit_rsp_rd;
`endif

  assign unit_rsp_valid = unit_req_valid;
  assign unit_req_ready = unit_rsp_ready;
  assign unit_rsp_rd    = {unit_req_rs1[26:0], unit_req_rs1[31:27]} ^
                          (unit_req_rs2 + 32'h9e37_79b9) ^
                          (unit_req_op[0] ? {unit_req_rs3[20:0], unit_req_rs3[31:21]} : 32'd0);

endmodule
