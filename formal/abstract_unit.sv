// SPDX-License-Identifier: Apache-2.0
// Any functional unit, for proofs: arbitrary latency, arbitrary back-pressure, responses in order.
// Source: docs/architecture.md, section 2 (the functional-unit port).
//
// choose_i is free, so a proof covers every unit that obeys the port's rules: accept or not,
// respond or not, in each cycle. This includes a combinational unit, which shows its response
// before it accepts (rsp_valid = req_valid, req_ready = rsp_ready). The response is one of the
// operands, or the operation; which_i, constant and unknown, selects it, so that a proof covers
// every bit of all of them. Adapters move data without using it: any other function would serve as
// well, at a higher cost for the solver. The unit asserts the adapter's side of the rules: a
// request is stable until it is accepted.
module abstract_unit #(
  parameter int Depth      = 4,       // capacity in requests
  parameter bit Registered = 1'b0     // no response in the cycle in which its request appears
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [2:0]             choose_i,
  input  logic [1:0]             which_i,
  input  logic                   req_valid_i,
  output logic                   req_ready_o,
  input  logic [15:0]            req_op_i,
  input  logic [31:0]            req_rs1_i,
  input  logic [31:0]            req_rs2_i,
  input  logic [31:0]            req_rs3_i,
  output logic                   rsp_valid_o,
  input  logic                   rsp_ready_i,
  output logic [31:0]            rsp_rd_o,
  // Requests held, oldest at place 0, for invariants.
  output logic [Depth-1:0]       held_o,
  output logic [Depth-1:0][31:0] answer_o
);
  logic [31:0] answer;
  abstract_answer u_answer (
    .which_i, .op_i(req_op_i), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i), .rs3_i(req_rs3_i),
    .rd_o(answer)
  );

  logic [Depth-1:0]       held_q;
  logic [Depth-1:0][31:0] answer_q;
  logic                   direct, direct_q, shown_q;
  assign held_o   = held_q;
  assign answer_o = answer_q;

  // Combinational in this cycle; an offered response is stable until it is accepted.
  logic pending_q, fresh;
  assign fresh = Registered && !pending_q;
  assign direct      = held_q == '0 && req_valid_i && (direct_q || (choose_i[2] && !fresh));
  assign req_ready_o = direct ? rsp_ready_i : (choose_i[0] && !held_q[Depth-1]);
  assign rsp_valid_o = direct || (held_q[0] && (shown_q || choose_i[1]));
  assign rsp_rd_o    = direct ? answer : answer_q[0];

  logic push, pop;
  assign push = req_valid_i && req_ready_o && !direct;
  assign pop  = rsp_valid_o && rsp_ready_i && !direct;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q   <= '0;
      direct_q <= 1'b0;
      shown_q  <= 1'b0;
    end else begin
      direct_q <= direct && !rsp_ready_i;
      shown_q  <= rsp_valid_o && !rsp_ready_i && !direct;
      for (int i = 0; i < Depth; i++) begin
        if (pop) begin
          held_q[i]   <= (i + 1 < Depth) && held_q[(i+1)%Depth];
          answer_q[i] <= answer_q[(i+1)%Depth];
        end
        if (push && ((pop && held_q[i] && !((i + 1 < Depth) && held_q[(i+1)%Depth])) ||
                     (!pop && !held_q[i] && (i == 0 || held_q[(i+Depth-1)%Depth])))) begin
          held_q[i]   <= 1'b1;
          answer_q[i] <= answer;
        end
      end
    end
  end

  // The adapter's side of the rules.
  logic [111:0] payload_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pending_q <= 1'b0;
    else         pending_q <= req_valid_i && !req_ready_o;
  end
  always_ff @(posedge clk_i) payload_q <= {req_op_i, req_rs1_i, req_rs2_i, req_rs3_i};
  always_comb begin
    if (rst_ni && pending_q) begin
      assert (req_valid_i);
      assert (payload_q == {req_op_i, req_rs1_i, req_rs2_i, req_rs3_i});
    end
    // Invariants of this model: no gap among held requests, at most one kind of response offered.
    if (rst_ni) begin
      for (int i = 1; i < Depth; i++) assert (!held_q[i] || held_q[i-1]);
      assert (!direct_q || (held_q == '0 && pending_q));
      assert (!shown_q || held_q[0]);
    end
  end
endmodule

// The function that the abstract unit computes.
module abstract_answer (
  input  logic [1:0]  which_i,
  input  logic [15:0] op_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  input  logic [31:0] rs3_i,
  output logic [31:0] rd_o
);
  assign rd_o = which_i[1] ? (which_i[0] ? {16'd1, op_i} : rs3_i) : (which_i[0] ? rs2_i : rs1_i);
endmodule

// Any decoder: an adapter sees only three bits, which are taken from the instruction.
module abstract_decode (
  input  logic [31:0] insn_i,
  output logic        match_o,
  output logic        rs2_o,
  output logic        rs3_o,
  output logic [15:0] op_o
);
  assign {match_o, rs3_o, rs2_o} = insn_i[14:12];
  assign op_o = {6'd0, insn_i[31:25], insn_i[14:12]};
endmodule
