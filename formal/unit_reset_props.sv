// SPDX-License-Identifier: Apache-2.0
// A reset in the first two cycles, in any state of a unit; then no request. For simulation with
// unknown values: all inputs that are not driven here are unknown.
module unit_reset_props (
  input logic        clk_i,
  input logic [15:0] req_op_i,
  input logic [95:0] operands_i
);
  logic first_q = 1'b1, second_q = 1'b0;
  always_ff @(posedge clk_i) {second_q, first_q} <= {first_q, 1'b0};

  logic        ready, valid;
  logic [31:0] rd;
  unit_copy u_copy (
    .clk_i, .rst_ni(!first_q && !second_q), .req_valid_i(1'b0), .req_ready_o(ready), .req_op_i,
    .req_rs1_i(operands_i[31:0]), .req_rs2_i(operands_i[63:32]), .req_rs3_i(operands_i[95:64]),
    .rsp_valid_o(valid), .rsp_ready_i(1'b1), .rsp_rd_o(rd)
  );
endmodule
