// SPDX-License-Identifier: Apache-2.0
// Timing is independent of data, for any unit. Two copies start from reset and get the same
// operations at the same times with the same readiness, but any operands. They accept and respond
// in the same cycles. The histories are arbitrary, so this includes state that earlier operands
// left in a unit.
module unit_timing_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [95:0] left_i,
  input logic [95:0] right_i,
  input logic        rsp_ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic        left_ready, left_valid, right_ready, right_valid;
  logic [31:0] left_rd, right_rd;
  unit_copy u_left (
    .clk_i, .rst_ni(rst_n), .req_valid_i, .req_ready_o(left_ready), .req_op_i,
    .req_rs1_i(left_i[31:0]), .req_rs2_i(left_i[63:32]), .req_rs3_i(left_i[95:64]),
    .rsp_valid_o(left_valid), .rsp_ready_i, .rsp_rd_o(left_rd)
  );
  unit_copy u_right (
    .clk_i, .rst_ni(rst_n), .req_valid_i, .req_ready_o(right_ready), .req_op_i,
    .req_rs1_i(right_i[31:0]), .req_rs2_i(right_i[63:32]), .req_rs3_i(right_i[95:64]),
    .rsp_valid_o(right_valid), .rsp_ready_i, .rsp_rd_o(right_rd)
  );
  unit_requests u_left_requests (
    .clk_i, .rst_ni(rst_n), .req_valid_i, .req_ready_i(left_ready), .req_op_i, .operands_i(left_i)
  );
  unit_requests u_right_requests (
    .clk_i, .rst_ni(rst_n), .req_valid_i, .req_ready_i(left_ready), .req_op_i,
    .operands_i(right_i)
  );

  always_comb begin
    if (rst_n) begin
      assert (left_ready == right_ready);
      assert (left_valid == right_valid);
    end
  end
endmodule
