// SPDX-License-Identifier: Apache-2.0
// Random latency and back-pressure between an adapter and a functional unit; simulation only.
//
// Each request is accepted, and each response returned, 0 to MaxDelay cycles late and in order. Up
// to Outstanding responses wait here while the unit continues. MaxDelay = 0 is transparent and adds
// no cycle. The sequence depends on Seed and, if given, on +seed=N.
module fu_random_delay #(
  parameter int          MaxDelay    = 3,
  parameter int          Outstanding = 4,
  parameter logic [31:0] Seed        = 32'h1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // adapter side
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic [15:0] req_op_i,
  input  logic [31:0] req_rs1_i,
  input  logic [31:0] req_rs2_i,
  input  logic [31:0] req_rs3_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_rd_o,
  // unit side
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
  // Galois LFSR, x^32 + x^22 + x^2 + x + 1 (primitive; Xilinx XAPP052, table 3); never zero.
  localparam logic [31:0] Taps = 32'h8020_0003;
  logic [31:0] seed, lfsr_d, lfsr_q;
  logic        seeded_q;
`ifdef SYNTHESIS
  assign seed = '0;
`else
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = '0;
  end
`endif
  // A reset value must be a constant, so the first cycle after reset mixes in the run's seed. The
  // multiplier (2^32 divided by the golden ratio, odd) spreads neighbouring seeds.
  assign lfsr_d = !seeded_q ? (Seed ^ (seed * 32'h9e37_79b1)) | 32'd1 :
                  (lfsr_q >> 1) ^ (lfsr_q[0] ? Taps : 32'd0);

  // One delay for each direction, from different bits.
  localparam logic [15:0] Span = 16'(MaxDelay + 1);
  logic [15:0] req_draw, rsp_draw, req_wait_d, req_wait_q, rsp_wait_d, rsp_wait_q;
  assign req_draw = lfsr_q[15:0] % Span;
  assign rsp_draw = lfsr_q[31:16] % Span;

  // An open gate stays open until the request has passed, so a valid is never withdrawn.
  logic req_open;
  assign req_open         = req_wait_q == 16'd0;
  assign unit_req_valid_o = req_valid_i && req_open;
  assign req_ready_o      = unit_req_ready_i && req_open;
  assign unit_req_op_o    = req_op_i;
  assign unit_req_rs1_o   = req_rs1_i;
  assign unit_req_rs2_o   = req_rs2_i;
  assign unit_req_rs3_o   = req_rs3_i;
  // A request's wait starts at its arrival, a response's when it is the oldest one here.
  assign req_wait_d = (!req_open && req_valid_i) ? req_wait_q - 16'd1 :
                      (req_valid_i && req_ready_o) ? req_draw : req_wait_q;

  logic queue_valid, rsp_open;
  fifo #(.Width(32), .Depth(Outstanding), .FallThrough(1'b1)) u_responses (
    .clk_i, .rst_ni,
    .in_valid_i (unit_rsp_valid_i),
    .in_ready_o (unit_rsp_ready_o),
    .in_data_i  (unit_rsp_rd_i),
    .out_valid_o(queue_valid),
    .out_ready_i(rsp_ready_i && rsp_open),
    .out_data_o (rsp_rd_o)
  );
  assign rsp_open    = rsp_wait_q == 16'd0;
  assign rsp_valid_o = queue_valid && rsp_open;
  assign rsp_wait_d = (!rsp_open && queue_valid) ? rsp_wait_q - 16'd1 :
                      (rsp_valid_o && rsp_ready_i) ? rsp_draw : rsp_wait_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lfsr_q     <= 32'd1;
      seeded_q   <= 1'b0;
      req_wait_q <= '0;
      rsp_wait_q <= '0;
    end else begin
      lfsr_q     <= lfsr_d;
      seeded_q   <= 1'b1;
      req_wait_q <= req_wait_d;
      rsp_wait_q <= rsp_wait_d;
    end
  end
endmodule
