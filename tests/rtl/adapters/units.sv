// SPDX-License-Identifier: Apache-2.0
// A decoder and a functional unit of no accelerator, to test the adapters with.

// Operation: custom-0 with funct3 below 4; funct3[1]: reads rs3, funct3[0]: reads rs2. Also, to see
// that an adapter does not trust it, one encoding among the core's own CSR instructions.
module bench_decode (
  input  logic [31:0] insn_i,
  output logic        match_o,
  output logic        rs2_o,
  output logic        rs3_o,
  output logic [15:0] op_o
);
  assign match_o = (insn_i[6:0] == 7'h0b && !insn_i[14]) ||
                   (insn_i[6:0] == 7'h73 && insn_i[14:12] == 3'd1);
  assign rs2_o = insn_i[12];
  assign rs3_o = insn_i[13] && insn_i[6:0] == 7'h0b;
  assign op_o  = {6'd0, insn_i[31:25], insn_i[14:12]};
endmodule

// The expected answer without state; the unit and the benches share it.
module bench_mix (
  input  logic [15:0] op_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  input  logic [31:0] rs3_i,
  output logic [31:0] rd_o
);
  assign rd_o = (rs1_i ^ {rs2_i[24:0], rs2_i[31:25]}) + rs3_i * 32'd3 + {op_i, 16'd1} * 32'h9e37;
endmodule

// Latency 0: combinational. Latency 1: one register, one operation a cycle. Stateful: each answer
// also counts the requests before it, so that a lost or repeated request shows in all later
// answers.
module bench_unit #(
  parameter int Latency  = 0,
  parameter bit Stateful = 1'b1
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
  logic [31:0] mix, answer, count_q;
  bench_mix u_mix (
    .op_i(req_op_i), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i), .rs3_i(req_rs3_i), .rd_o(mix)
  );
  assign answer = Stateful ? mix + count_q : mix;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else if (req_valid_i && req_ready_o) count_q <= count_q + 32'd1;
  end
  if (Latency == 0) begin : gen_now
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
    assign rsp_rd_o    = answer;
  end else begin : gen_later
    logic        valid_q;
    logic [31:0] data_q;
    assign rsp_valid_o = valid_q;
    assign rsp_rd_o    = data_q;
    assign req_ready_o = !valid_q || rsp_ready_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end
    always_ff @(posedge clk_i) if (req_ready_o) data_q <= answer;
  end
endmodule

// Unit after random delays: what each adapter drives in the benches.
module bench_slow_unit #(
  parameter int MaxDelay = 0,
  parameter int Latency  = 0,
  parameter bit Stateful = 1'b1,
  parameter int Seed     = 1
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
  logic        unit_req_valid, unit_req_ready, unit_rsp_valid, unit_rsp_ready;
  logic [15:0] unit_req_op;
  logic [31:0] unit_req_rs1, unit_req_rs2, unit_req_rs3, unit_rsp_rd;
  fu_random_delay #(.MaxDelay(MaxDelay), .Seed(Seed)) u_delay (
    .clk_i, .rst_ni,
    .req_valid_i, .req_ready_o, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i,
    .rsp_valid_o, .rsp_ready_i, .rsp_rd_o,
    .unit_req_valid_o(unit_req_valid), .unit_req_ready_i(unit_req_ready),
    .unit_req_op_o(unit_req_op), .unit_req_rs1_o(unit_req_rs1), .unit_req_rs2_o(unit_req_rs2),
    .unit_req_rs3_o(unit_req_rs3), .unit_rsp_valid_i(unit_rsp_valid),
    .unit_rsp_ready_o(unit_rsp_ready), .unit_rsp_rd_i(unit_rsp_rd)
  );
  bench_unit #(.Latency(Latency), .Stateful(Stateful)) u_unit (
    .clk_i, .rst_ni,
    .req_valid_i(unit_req_valid), .req_ready_o(unit_req_ready), .req_op_i(unit_req_op),
    .req_rs1_i(unit_req_rs1), .req_rs2_i(unit_req_rs2), .req_rs3_i(unit_req_rs3),
    .rsp_valid_o(unit_rsp_valid), .rsp_ready_i(unit_rsp_ready), .rsp_rd_o(unit_rsp_rd)
  );
  // The unit's own view of the rules: a request stays, unchanged, until it is taken.
  logic         held_q;
  logic [111:0] payload_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= 1'b0;
    else         held_q <= req_valid_i && !req_ready_o;
  end
  always_ff @(posedge clk_i) begin
    payload_q <= {req_op_i, req_rs1_i, req_rs2_i, req_rs3_i};
    if (rst_ni && held_q && (!req_valid_i ||
                             payload_q != {req_op_i, req_rs1_i, req_rs2_i, req_rs3_i}))
      broken_q <= 1'b1;
    if (!rst_ni) broken_q <= 1'b0;
  end
  logic broken_q /* verilator public_flat_rd */;
endmodule
