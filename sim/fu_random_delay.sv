// SPDX-License-Identifier: Apache-2.0
// A functional unit that is slow and unpredictable, made of any other: requests and responses pass
// after random waits. What adapters, cores and kernels must survive; for simulation only.
// The plusarg +seed=N chooses the sequence. Generator: xorshift32 (Marsaglia 2003).

module fu_random_delay #(
  parameter int MaxWait = 3   // cycles in front of each request and of each response
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
  output logic [31:0] rsp_rd_o,
  output logic        unit_req_valid_o,
  input  logic        unit_req_ready_i,
  output logic [15:0] unit_req_op_o,
  output logic [31:0] unit_req_rs1_o,
  output logic [31:0] unit_req_rs2_o,
  output logic [31:0] unit_req_rs3_o,
  input  logic        unit_rsp_valid_i,
  output logic        unit_rsp_ready_o,
  input  logic [31:0] unit_rsp_rd_i
);

  localparam logic [31:0] DefaultState = 32'h2545_f491;
  localparam logic [31:0] Spread = 32'h9e37_79b9;

  logic [31:0] start, random_d, random_q, req_wait_q, rsp_wait_q;

  initial begin
    start = 32'd0;
    if (!$value$plusargs("seed=%d", start)) start = 32'd0;
    start = start * Spread ^ DefaultState;
    if (start == 32'd0) start = DefaultState;
  end

  assign unit_req_op_o    = req_op_i;
  assign unit_req_rs1_o   = req_rs1_i;
  assign unit_req_rs2_o   = req_rs2_i;
  assign unit_req_rs3_o   = req_rs3_i;
  assign unit_req_valid_o = req_valid_i && req_wait_q == 32'd0;
  assign req_ready_o      = unit_req_ready_i && req_wait_q == 32'd0;
  assign rsp_rd_o         = unit_rsp_rd_i;
  assign rsp_valid_o      = unit_rsp_valid_i && rsp_wait_q == 32'd0;
  assign unit_rsp_ready_o = rsp_ready_i && rsp_wait_q == 32'd0;

  always_comb begin
    random_d = random_q ^ (random_q << 13);
    random_d = random_d ^ (random_d >> 17);
    random_d = random_d ^ (random_d << 5);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      random_q   <= start;
      req_wait_q <= 32'd0;
      rsp_wait_q <= 32'd0;
    end else begin
      random_q <= random_d;
      if (unit_req_valid_o && unit_req_ready_i) begin
        req_wait_q <= random_q[15:0] % (MaxWait + 1);
      end else if (req_valid_i && req_wait_q != 32'd0) begin
        req_wait_q <= req_wait_q - 32'd1;
      end
      if (rsp_valid_o && rsp_ready_i) begin
        rsp_wait_q <= random_q[31:16] % (MaxWait + 1);
      end else if (unit_rsp_valid_i && rsp_wait_q != 32'd0) begin
        rsp_wait_q <= rsp_wait_q - 32'd1;
      end
    end
  end

endmodule
