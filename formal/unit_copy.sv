// SPDX-License-Identifier: Apache-2.0
// The generated wrapper of a unit, for the proofs that every unit must pass. Planted bugs of
// formal/bugs.toml change its responses, so that the proofs are seen to fail for each unit.
module unit_copy (
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
  logic        valid, ready, accepted;
  logic [31:0] rd;
  accel_unit u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(accepted), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(valid), .rsp_ready_i(ready), .rsp_rd_o(rd)
  );
  assign req_ready_o = accepted;

  // Only planted bugs read these registers.
  logic stalled_q, again_q, secret_q, late_q, secret;
  logic [1:0] answers_q;
  // Some bit of the operands of the newest request.
  assign secret = req_valid_i ? ^{req_rs1_i[31], req_rs2_i[0], req_rs3_i[7]} : secret_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stalled_q <= 1'b0;
      again_q   <= 1'b0;
      secret_q  <= 1'b0;
      late_q    <= 1'b0;
      answers_q <= 2'd0;
    end else begin
      stalled_q <= rsp_valid_o && !rsp_ready_i;
      again_q   <= valid && ready && answers_q == 2'd1;
      secret_q  <= secret;
      late_q    <= valid && !rsp_valid_o;
      if (valid && ready && answers_q != 2'd3) answers_q <= answers_q + 2'd1;
    end
  end

  assign rsp_valid_o = valid;
  assign ready       = rsp_ready_i;
  assign rsp_rd_o    = rd;
endmodule

// Requests within the port's rules: any operation of the variant, at any time. A request and its
// operands are stable until accepted.
module unit_requests (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         req_valid_i,
  input  logic         req_ready_i,
  input  logic [15:0]  req_op_i,
  input  logic [95:0]  operands_i
);
  logic         pending_q, known;
  logic [111:0] payload_q;
  accel_known u_known (.op_i(req_op_i), .known_o(known));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pending_q <= 1'b0;
    else         pending_q <= req_valid_i && !req_ready_i;
  end
  always_ff @(posedge clk_i) payload_q <= {req_op_i, operands_i};
  always_comb begin
    if (rst_ni && req_valid_i) assume (known);
    if (rst_ni && pending_q) assume (req_valid_i && payload_q == {req_op_i, operands_i});
  end
endmodule
