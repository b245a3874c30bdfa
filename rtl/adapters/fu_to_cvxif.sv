// SPDX-License-Identifier: Apache-2.0
// Connects a functional unit to the CORE-V eXtension Interface (CV-X-IF) as CV32E40X implements it.
//
// Source: OpenHW CV-X-IF specification 0.2.0 and the core's RTL (if_xif.sv, cv32e40x_id_stage.sv,
// cv32e40x_controller_fsm.sv, cv32e40x_wb_stage.sv):
// - Issue is in ID. The core may withdraw an unanswered offer. It offers every unknown instruction
//   and every CSR instruction; these are rejected in the same cycle. The core uses issue_writeback
//   even for rejected instructions, so it is low for them.
// - Each answered issue, accepted or not, gets exactly one commit with its id, from EX, in issue
//   order.
// - WB waits for the result, in issue order.
//
// A combinational unit has its result two cycles after issue, when the instruction reaches WB: one
// cycle per independent instruction, two per instruction of a dependent chain.
//
// Speculative = 1: the unit starts in the issue cycle; results of killed instructions are dropped.
//   For stateless units.
// Speculative = 0: the unit gets its request in the commit cycle, never for a killed instruction.
//   For stateful units. Combinational units have the same speed in both settings.
// Registered = 1: each response of the unit is at least one cycle after its request was first
//   offered. With Speculative = 0 it goes straight to the core, so such a unit has the speed of a
//   combinational one.
// NumRs: register operands of the host. Operands that the host has are awaited. Without a third
//   operand, an operation that reads it is rejected, unless it names x0.
// Depth: accepted instructions in flight. Two are in the core's EX and WB. A killed one may remain
//   as long as the unit processes it.
module fu_to_cvxif #(
  parameter int IdW         = 4,
  parameter bit Speculative = 1'b1,
  parameter bit Registered  = 1'b0,
  parameter int NumRs       = 3,
  parameter int Depth       = 4
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  // CV-X-IF, host side
  input  logic           issue_valid_i,
  output logic           issue_ready_o,
  input  logic [31:0]    issue_instr_i,
  input  logic [IdW-1:0] issue_id_i,
  input  logic [95:0]    issue_rs_i,        // {rs3, rs2, rs1}
  input  logic [2:0]     issue_rs_valid_i,
  output logic           issue_accept_o,
  output logic           issue_writeback_o,
  input  logic           commit_valid_i,
  input  logic [IdW-1:0] commit_id_i,
  input  logic           commit_kill_i,
  output logic           result_valid_o,
  input  logic           result_ready_i,
  output logic [IdW-1:0] result_id_o,
  output logic [31:0]    result_data_o,
  output logic [4:0]     result_rd_o,
  output logic           result_we_o,
  // decoder
  output logic [31:0]    dec_insn_o,
  input  logic           dec_match_i,
  input  logic           dec_rs2_i,
  input  logic           dec_rs3_i,
  input  logic [15:0]    dec_op_i,
  // functional unit
  output logic           req_valid_o,
  input  logic           req_ready_i,
  output logic [15:0]    req_op_o,
  output logic [31:0]    req_rs1_o,
  output logic [31:0]    req_rs2_o,
  output logic [31:0]    req_rs3_o,
  input  logic           rsp_valid_i,
  output logic           rsp_ready_o,
  input  logic [31:0]    rsp_rd_i
);
  // ---- issue ------------------------------------------------------------------------------------
  logic is_csr, rs3_zero, rs_valid, room, op_room, push;
  // SYSTEM opcode: CSR instructions (and ecall and similar) belong to the core, even if the decoder
  // matches.
  assign is_csr   = issue_instr_i[6:0] == 7'h73;
  assign rs3_zero = issue_instr_i[31:27] == 5'd0;

  assign dec_insn_o = issue_instr_i;
  assign issue_accept_o = dec_match_i && !is_csr && !(dec_rs3_i && NumRs < 3 && !rs3_zero);
  assign issue_writeback_o = issue_accept_o;

  assign rs_valid = issue_rs_valid_i[0] && (issue_rs_valid_i[1] || !dec_rs2_i) &&
                    (issue_rs_valid_i[2] || !dec_rs3_i || rs3_zero);
  assign issue_ready_o = !issue_accept_o || (room && op_room && rs_valid);
  assign push = issue_valid_i && issue_ready_o && issue_accept_o;

  // ---- operand queue ----------------------------------------------------------------------------
  // The core can withdraw an offer, but an adapter cannot withdraw a unit's request. So an
  // instruction is first accepted here; registers know if there is room for one more. Speculative:
  // the request passes directly, with one place for a busy unit. Otherwise two places: one waits
  // for its commit while the next one enters.
  logic        op_valid, op_ready, go;
  logic [31:0] issue_rs3;
  logic [4:0]  issue_rd;
  assign issue_rs3 = rs3_zero ? 32'd0 : issue_rs_i[95:64];
  assign issue_rd  = issue_instr_i[11:7];
  fifo #(.Width(16 + 96), .Depth(Speculative ? 1 : 2), .FallThrough(Speculative)) u_operands (
    .clk_i, .rst_ni,
    .in_valid_i (push),
    .in_ready_o (op_room),
    .in_data_i  ({dec_op_i, issue_rs3, issue_rs_i[63:0]}),
    .out_valid_o(op_valid),
    .out_ready_i(op_ready),
    .out_data_o ({req_op_o, req_rs3_o, req_rs2_o, req_rs1_o})
  );

  // ---- instructions in flight, oldest at place 0 ------------------------------------------------
  // At most one of commit and kill is set. asked: the operands were sent to the unit or dropped.
  // done: the unit sends nothing more for it.
  logic [Depth-1:0]          valid_d, valid_q, commit_d, commit_q, kill_d, kill_q;
  logic [Depth-1:0]          asked_d, asked_q, done_d, done_q;
  logic [Depth-1:0][IdW-1:0] id_d, id_q;
  logic [Depth-1:0][4:0]     rd_d, rd_q;
  logic [Depth-1:0][31:0]    data_d, data_q;

  // commit and kill including this cycle's commit.
  logic [Depth-1:0] commit_now, kill_now;
  always_comb begin
    for (int i = 0; i < Depth; i++) begin
      commit_now[i] = commit_q[i];
      kill_now[i]   = kill_q[i];
      if (commit_valid_i && commit_id_i == id_q[i] && !commit_q[i] && !kill_q[i]) begin
        commit_now[i] = !commit_kill_i;
        kill_now[i]   = commit_kill_i;
      end
    end
  end

  // Operands and responses are in order: the operands at the head of their queue belong to the
  // oldest instruction not yet asked, a response to the oldest not yet done. Either may be the one
  // being pushed. One-hot over the used places; zero means the one being pushed.
  logic [Depth-1:0] to_ask, to_answer, ask_sel, rsp_sel;
  assign to_ask    = valid_q & ~asked_q;
  assign to_answer = valid_q & ~done_q;
  // Lowest set bit.
  assign ask_sel   = to_ask & (~to_ask + 1'b1);
  assign rsp_sel   = to_answer & (~to_answer + 1'b1);

  logic drop;
  if (Speculative) begin : gen_speculative
    assign go   = 1'b1;
    assign drop = 1'b0;
  end else begin : gen_committed
    assign go = |(ask_sel & commit_now);
    assign drop = op_valid && |(ask_sel & kill_now);
  end
  assign req_valid_o = op_valid && go;
  assign op_ready    = (req_ready_i && go) || drop;
  // Every request already has a place.
  assign rsp_ready_o = 1'b1;

  // The oldest instruction's response, if it is here or, where it goes straight, arrives.
  logic        first_done, pop;
  logic [31:0] first_data;
  if (Registered && !Speculative) begin : gen_straight
    assign first_done = done_q[0] || (asked_q[0] && rsp_valid_i);
    assign first_data = done_q[0] ? data_q[0] : rsp_rd_i;
  end else begin : gen_stored
    assign first_done = done_q[0];
    assign first_data = data_q[0];
  end

  assign result_valid_o = valid_q[0] && first_done && commit_q[0];
  assign result_id_o   = id_q[0];
  assign result_data_o = first_data;
  assign result_rd_o   = rd_q[0];
  assign result_we_o   = 1'b1;
  assign pop = valid_q[0] && first_done && (kill_q[0] || (commit_q[0] && result_ready_i));

  assign room = !valid_q[Depth-1];

  logic [Depth-1:0] valid_s, commit_s, kill_s, asked_s, done_s;
  logic [Depth-1:0][31:0] data_s;
  always_comb begin
    // Update the used places, ...
    valid_s  = valid_q;
    commit_s = commit_now;
    kill_s   = kill_now;
    asked_s  = asked_q;
    done_s   = done_q;
    data_s   = data_q;
    for (int i = 0; i < Depth; i++) begin
      if (ask_sel[i] && op_valid && op_ready) begin
        asked_s[i] = 1'b1;
        if (drop) done_s[i] = 1'b1;
      end
      if (rsp_sel[i] && rsp_valid_i) begin
        done_s[i] = 1'b1;
        data_s[i] = rsp_rd_i;
      end
    end
    // ... move them up, ...
    valid_d  = valid_s;
    commit_d = commit_s;
    kill_d   = kill_s;
    asked_d  = asked_s;
    done_d   = done_s;
    data_d   = data_s;
    id_d     = id_q;
    rd_d     = rd_q;
    if (pop) begin
      for (int i = 0; i < Depth; i++) begin
        valid_d[i]  = (i + 1 < Depth) && valid_s[(i+1)%Depth];
        commit_d[i] = commit_s[(i+1)%Depth];
        kill_d[i]   = kill_s[(i+1)%Depth];
        asked_d[i]  = asked_s[(i+1)%Depth];
        done_d[i]   = done_s[(i+1)%Depth];
        data_d[i]   = data_s[(i+1)%Depth];
        id_d[i]     = id_q[(i+1)%Depth];
        rd_d[i]     = rd_q[(i+1)%Depth];
      end
    end
    // ... and put the new one into the first free place.
    for (int i = Depth - 1; i >= 0; i--) begin
      if (push && !valid_d[i] && (i == 0 || valid_d[(i+Depth-1)%Depth])) begin
        valid_d[i]  = 1'b1;
        id_d[i]     = issue_id_i;
        rd_d[i]     = issue_rd;
        commit_d[i] = commit_valid_i && commit_id_i == issue_id_i && !commit_kill_i;
        kill_d[i]   = commit_valid_i && commit_id_i == issue_id_i && commit_kill_i;
        asked_d[i]  = Speculative && ask_sel == '0 && op_valid && op_ready;
        done_d[i]   = rsp_valid_i && rsp_sel == '0;
        data_d[i]   = rsp_rd_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      commit_q <= '0;
      kill_q   <= '0;
      asked_q  <= '0;
      done_q   <= '0;
    end else begin
      valid_q  <= valid_d;
      commit_q <= commit_d;
      kill_q   <= kill_d;
      asked_q  <= asked_d;
      done_q   <= done_d;
    end
  end
  // Needs no reset: read only when valid_q is set.
  always_ff @(posedge clk_i) begin
    id_q   <= id_d;
    rd_q   <= rd_d;
    data_q <= data_d;
  end
endmodule
