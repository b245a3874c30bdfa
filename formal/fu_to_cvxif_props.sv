// SPDX-License-Identifier: Apache-2.0
// fu_to_cvxif between CV32E40X and any unit, by induction, for all time. The adapter accepts only
// the unit's operations with valid operands, and rejects all others in the same cycle. Each
// committed instruction gets one result, its own, in order, stable until accepted. A killed or
// uncommitted one gets none. COMMITTED: the unit gets requests only for committed instructions.
// REGISTERED: its answers go straight to the core then.
//
// One freely chosen accepted instruction (mark_i) is followed from issue to result, so the result
// holds for all.
module fu_to_cvxif_props (
  input logic        clk_i,
  input logic        issue_valid_i,
  input logic [31:0] issue_instr_i,
  input logic [3:0]  issue_id_i,
  input logic [95:0] issue_rs_i,
  input logic [2:0]  issue_rs_valid_i,
  input logic        commit_valid_i,
  input logic [3:0]  commit_id_i,
  input logic        commit_kill_i,
  input logic        result_ready_i,
  input logic        calm_i,
  input logic [2:0]  choose_i,
  input logic        mark_i
);
`ifdef COMMITTED
  localparam bit Speculative = 1'b0;
`else
  localparam bit Speculative = 1'b1;
`endif
`ifdef REGISTERED
  localparam bit Registered = 1'b1;
`else
  localparam bit Registered = 1'b0;
`endif
`ifdef TWO_OPERANDS
  localparam int NumRs = 2;
`else
  localparam int NumRs = 3;
`endif
  localparam int Ops = Speculative ? 1 : 2;   // places in the operand queue

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
  (* anyconst *) logic [1:0] which;   // see abstract_unit

  logic        issue_ready, accept, writeback, result_valid, result_we, match, rs2, rs3;
  logic [3:0]  result_id;
  logic [4:0]  result_rd;
  logic [31:0] result_data, dec_insn, req_rs1, req_rs2, req_rs3, rsp_rd;
  logic [15:0] op, req_op;
  logic        req_valid, req_ready, rsp_valid, rsp_ready;
  logic [3:0]       unit_held, open;
  logic [3:0][31:0] unit_answers;
  logic [3:0][3:0]  open_id;
  logic             push, own, same;

  fu_to_cvxif #(
    .IdW(4), .Speculative(Speculative), .Registered(Registered), .NumRs(NumRs), .Depth(4)
  ) u_dut (
    .clk_i, .rst_ni(rst_n),
    .issue_valid_i, .issue_ready_o(issue_ready), .issue_instr_i, .issue_id_i, .issue_rs_i,
    .issue_rs_valid_i, .issue_accept_o(accept), .issue_writeback_o(writeback),
    .commit_valid_i, .commit_id_i, .commit_kill_i,
    .result_valid_o(result_valid), .result_ready_i, .result_id_o(result_id),
    .result_data_o(result_data), .result_rd_o(result_rd), .result_we_o(result_we),
    .dec_insn_o(dec_insn), .dec_match_i(match), .dec_rs2_i(rs2), .dec_rs3_i(rs3), .dec_op_i(op),
    .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op), .req_rs1_o(req_rs1),
    .req_rs2_o(req_rs2), .req_rs3_o(req_rs3), .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready),
    .rsp_rd_i(rsp_rd)
  );
  abstract_decode u_decode (
    .insn_i(dec_insn), .match_o(match), .rs2_o(rs2), .rs3_o(rs3), .op_o(op)
  );
  abstract_unit #(.Depth(4), .Registered(Registered)) u_unit (
    .clk_i, .rst_ni(rst_n), .choose_i, .which_i(which),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_rd_o(rsp_rd), .held_o(unit_held), .answer_o(unit_answers)
  );
  assign push = issue_valid_i && issue_ready && accept;
  cvxif_host #(.IdW(4), .Depth(4)) u_host (
    .clk_i, .rst_ni(rst_n), .push_i(push), .issue_valid_i, .issue_id_i, .commit_valid_i,
    .commit_id_i, .own_o(own), .same_o(same), .open_o(open), .id_o(open_id)
  );

  // ---- expected answer to an offer --------------------------------------------------------------
  logic        rs3_zero, ours, operands;
  logic [31:0] want;
  assign rs3_zero = issue_instr_i[31:27] == 5'd0;
  assign ours     = match && issue_instr_i[6:0] != 7'h73 && !(rs3 && NumRs == 2 && !rs3_zero);
  assign operands = issue_rs_valid_i[0] && (!rs2 || issue_rs_valid_i[1]) &&
                    (!rs3 || rs3_zero || issue_rs_valid_i[2]);
  abstract_answer u_want (
    .which_i(which), .op_i(op), .rs1_i(issue_rs_i[31:0]), .rs2_i(issue_rs_i[63:32]),
    .rs3_i(rs3_zero ? 32'd0 : issue_rs_i[95:64]), .rd_o(want)
  );

  // ---- counts: accepted, live, without result; committed, not yet sent to the unit --------------
  logic [2:0] live_q, owed_q;
  logic       taken, kill, grant, asked;
  assign taken = result_valid && result_ready_i;
  assign kill  = (own || same) && commit_kill_i;
  assign grant = (own || same) && !commit_kill_i;
  assign asked = req_valid && req_ready;
  always_ff @(posedge clk_i) begin
    live_q <= !rst_n ? 3'd0 : live_q + {2'd0, push} - {2'd0, kill} - {2'd0, taken};
    owed_q <= !rst_n ? 3'd0 : owed_q + {2'd0, grant} - {2'd0, asked};
  end

  // ---- the marked instruction -------------------------------------------------------------------
  // ahead: live instructions before the marked one; before: those of them without a commit; place:
  // its place.
  logic        m_q, m_commit_q, take, m_own;
  logic [3:0]  m_id_q;
  logic [4:0]  m_rd_q;
  logic [31:0] m_want_q;
  logic [2:0]  ahead_q, before_q, place_q, open_n;
  assign take   = push && mark_i && !m_q;
  assign open_n = {2'd0, open[0]} + {2'd0, open[1]} + {2'd0, open[2]} + {2'd0, open[3]};
  assign m_own  = own && m_q && !m_commit_q && before_q == 3'd0;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      m_q <= 1'b0;
    end else if (take) begin
      m_q        <= !(same && commit_kill_i);
      m_commit_q <= same;
      m_id_q     <= issue_id_i;
      m_rd_q     <= issue_instr_i[11:7];
      m_want_q   <= want;
      ahead_q    <= live_q - {2'd0, own && commit_kill_i} - {2'd0, taken};
      before_q   <= open_n - {2'd0, own};
      place_q    <= valid_n - {2'd0, \u_dut.pop };
    end else if (m_q) begin
      if (m_own) begin
        m_commit_q <= 1'b1;
        if (commit_kill_i) m_q <= 1'b0;
      end
      if (own && !m_own && !m_commit_q) before_q <= before_q - 3'd1;
      ahead_q <= ahead_q - {2'd0, own && !m_own && !m_commit_q && commit_kill_i}
                         - {2'd0, taken && ahead_q != 3'd0};
      if (taken && ahead_q == 3'd0) m_q <= 1'b0;
      place_q <= place_q - {2'd0, \u_dut.pop };
    end
  end

  logic        stalled_q;
  logic [40:0] result_q;
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_n && result_valid && !result_ready_i;
    result_q  <= {result_id, result_rd, result_data};
  end

  always_comb begin
    if (rst_n) begin
      if (issue_valid_i) begin
        assert (dec_insn == issue_instr_i);
        assert (accept == ours);
        assert (writeback == accept);
        if (!ours) assert (issue_ready);
        if (push) assert (operands);
      end
      // Every result belongs to an instruction; the marked one's result is correct.
      if (result_valid) begin
        assert (live_q != 3'd0);
        assert (result_we);
`ifndef CALM
        if (m_q && ahead_q == 3'd0) begin
          assert (m_commit_q);
          assert (result_id == m_id_q && result_rd == m_rd_q && result_data == m_want_q);
        end
`endif
      end
      if (stalled_q) assert (result_valid && result_q == {result_id, result_rd, result_data});
      // Responses always have a place.
      assert (rsp_ready);
      // A stateful unit gets only committed instructions.
      if (!Speculative && req_valid) assert (owed_q != 3'd0 || grant);
    end
  end

`ifdef CALM
  // From some cycle on, after any history, the unit accepts and responds in the same cycle. The
  // core commits or kills open instructions, accepts every result and offers nothing. Nine cycles
  // later nothing is in flight.
  logic       calm_q;
  logic [3:0] quiet_q;
  always_ff @(posedge clk_i) begin
    calm_q  <= rst_n && (calm_q || calm_i);
    quiet_q <= !(rst_n && calm_q) ? 4'd0 : (quiet_q == 4'd9) ? 4'd9 : quiet_q + 4'd1;
  end
  always_comb begin
    if (rst_n && calm_q) begin
      assume (choose_i[1:0] == 2'b11 && result_ready_i && !issue_valid_i);
      if (open[0]) assume (own);
    end
    if (rst_n && quiet_q == 4'd9) assert (valid_n == 3'd0);
  end
`endif

  // ---- invariants of the adapter's registers, by their flattened names --------------------------
  (* hierconn *) wire               \u_dut.pop ;
  (* hierconn *) wire [3:0]         \u_dut.valid_q ;
  (* hierconn *) wire [3:0]         \u_dut.commit_q ;
  (* hierconn *) wire [3:0]         \u_dut.kill_q ;
  (* hierconn *) wire [3:0]         \u_dut.asked_q ;
  (* hierconn *) wire [3:0]         \u_dut.done_q ;
  (* hierconn *) wire [15:0]        \u_dut.id_q ;
  (* hierconn *) wire [19:0]        \u_dut.rd_q ;
  (* hierconn *) wire [127:0]       \u_dut.data_q ;
  (* hierconn *) wire [Ops-1:0]     \u_dut.u_operands.valid_q ;
  (* hierconn *) wire [112*Ops-1:0] \u_dut.u_operands.data_q ;

  logic [3:0]       valid, commit, killed, ask, done;
  logic [3:0][3:0]  id;
  logic [3:0][4:0]  rd;
  logic [3:0][31:0] data;
  logic [1:0]       op_valid;
  logic [1:0][31:0] op_want;
  assign valid  = \u_dut.valid_q ;
  assign commit = valid & \u_dut.commit_q ;
  assign killed = valid & \u_dut.kill_q ;
  assign ask    = valid & \u_dut.asked_q ;
  assign done   = valid & \u_dut.done_q ;
  assign id     = \u_dut.id_q ;
  assign rd     = \u_dut.rd_q ;
  assign data   = \u_dut.data_q ;
  for (genvar i = 0; i < 2; i++) begin : gen_op
    if (i < Ops) begin : gen_used
      logic [111:0] held;
      assign held        = \u_dut.u_operands.data_q [112*i +: 112];
      assign op_valid[i] = \u_dut.u_operands.valid_q [i];
      abstract_answer u_answer (
        .which_i(which), .op_i(held[111:96]), .rs3_i(held[95:64]), .rs2_i(held[63:32]),
        .rs1_i(held[31:0]), .rd_o(op_want[i])
      );
    end else begin : gen_unused
      assign op_valid[i] = 1'b0;
      assign op_want[i]  = '0;
    end
  end

  logic [2:0] valid_n, ask_n, done_n, told_n, live_n, owed_n, unit_n, op_n;
  logic [2:0] ahead_n, before_n, busy_n;
  always_comb begin
    valid_n = '0; ask_n = '0; done_n = '0; told_n = '0; live_n = '0; owed_n = '0; unit_n = '0;
    ahead_n = '0; before_n = '0; busy_n = '0;
    for (int i = 0; i < 4; i++) begin
      valid_n = valid_n + {2'd0, valid[i]};
      ask_n   = ask_n + {2'd0, ask[i]};
      done_n  = done_n + {2'd0, done[i]};
      told_n  = told_n + {2'd0, commit[i] || killed[i]};
      live_n  = live_n + {2'd0, valid[i] && !killed[i]};
      owed_n  = owed_n + {2'd0, commit[i] && !ask[i]};
      unit_n  = unit_n + {2'd0, unit_held[i]};
      if (i < place_q) begin
        ahead_n  = ahead_n + {2'd0, valid[i] && !killed[i]};
        before_n = before_n + {2'd0, valid[i] && !commit[i] && !killed[i]};
        busy_n   = busy_n + {2'd0, ask[i] && !done[i]};
      end
    end
    op_n = {2'd0, op_valid[0]} + {2'd0, op_valid[1]};
  end

  logic [1:0] place;
  assign place = place_q[1:0];
  always_comb begin
    if (rst_n) begin
      // No gaps; operands leave, responses return and commits arrive in order.
      for (int i = 1; i < 4; i++) begin
        if (valid[i]) assert (valid[i-1]);
        if (ask[i]) assert (ask[i-1]);
        // A killed instruction that the unit never got may overtake those in the unit.
        if (done[i] && Speculative) assert (done[i-1]);
        if (commit[i] || killed[i]) assert (commit[i-1] || killed[i-1]);
        if (open[i]) assert (open[i-1]);
        for (int j = 0; j < i; j++) if (open[i]) assert (open_id[i] != open_id[j]);
      end
      assert ((commit & killed) == '0);
      assert ((done & ~ask) == '0);
      assert (op_valid[0] || !op_valid[1]);
      if (!Speculative) assert ((ask & ~(commit | killed)) == '0);
      if (!Speculative) assert ((ask & killed & ~done) == '0);
      // Every instruction is in exactly one place.
      assert (op_n == valid_n - ask_n);
      assert (unit_n == ask_n - done_n);
      assert (live_n == live_q);
      if (!Speculative) assert (owed_n == owed_q);
      assert (open_n == valid_n - told_n);
      for (int i = 0; i < 4; i++) begin
        if (open[i]) assert (open_id[i] == id[2'(told_n + i)]);
      end
      // An offer with its operands is accepted while there is room.
      if (valid_n < 3'd4 && op_n == 3'd0 && operands) assert (issue_ready);
`ifndef CALM
      // The marked instruction is in its expected place with its expected state.
      if (m_q) begin
        assert (place_q < valid_n);
        assert (!killed[place] && commit[place] == m_commit_q);
        assert (id[place] == m_id_q && rd[place] == m_rd_q);
        assert (ahead_n == ahead_q);
        if (!m_commit_q) assert (before_n == before_q);
        if (done[place]) assert (data[place] == m_want_q);
        else if (ask[place]) assert (unit_answers[busy_n[1:0]] == m_want_q);
        else assert (op_want[1'(place_q - ask_n)] == m_want_q);
      end
`endif
    end
  end
endmodule
