// SPDX-License-Identifier: Apache-2.0
// CV32E40X's side of CV-X-IF: three pipeline stages with stalls, kills and withdrawn offers.
module bench_cvxif #(
  parameter int MaxDelay    = 0,
  parameter int Latency     = 0,
  parameter bit Exact       = 1'b0,  // nothing stalls: one accepted instruction a cycle, always
  parameter bit Speculative = 1'b1,
  parameter bit Registered  = 1'b0,
  parameter int NumRs       = 3,
  parameter int Cycles      = 2000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        done_o,
  output logic        fail_o,
  output logic [31:0] count_o
);
  logic        issue_valid, issue_ready, accept, writeback, commit_valid, commit_kill;
  logic        result_valid, result_ready, result_we, match, rs2, rs3;
  logic [2:0]  rs_valid_q;
  logic [3:0]  result_id;
  logic [4:0]  result_rd;
  logic [95:0] rs_q, rs;
  logic [31:0] insn_q, result_data, dec_insn, mix;
  logic [15:0] op, req_op;
  logic        req_valid, req_ready, rsp_valid, rsp_ready;
  logic [31:0] req_rs1, req_rs2, req_rs3, rsp_rd;
  int          cycle_q, idle_q;

  // ID
  logic        id_valid_q;
  logic [3:0]  id_q;
  // EX
  logic        ex_valid_q, ex_accepted_q, ex_told_q, ex_killed_q, halt_q, kill_q;
  logic [3:0]  ex_id_q;
  logic [4:0]  ex_rd_q;
  logic [31:0] ex_want_q;
  // WB; wb_x_q: waits for a result
  logic        wb_valid_q, wb_x_q, wb_stall_q;
  logic [3:0]  wb_id_q;
  logic [4:0]  wb_rd_q;
  logic [31:0] wb_want_q;

  `DUT #(
    .IdW(4), .Speculative(Speculative), .Registered(Registered), .NumRs(NumRs)
  ) u_dut (
    .clk_i, .rst_ni,
    .issue_valid_i(issue_valid), .issue_ready_o(issue_ready), .issue_instr_i(insn_q),
    .issue_id_i(id_q), .issue_rs_i(rs), .issue_rs_valid_i(rs_valid_q), .issue_accept_o(accept),
    .issue_writeback_o(writeback), .commit_valid_i(commit_valid), .commit_id_i(ex_id_q),
    .commit_kill_i(commit_kill), .result_valid_o(result_valid), .result_ready_i(result_ready),
    .result_id_o(result_id), .result_data_o(result_data), .result_rd_o(result_rd),
    .result_we_o(result_we),
    .dec_insn_o(dec_insn), .dec_match_i(match), .dec_rs2_i(rs2), .dec_rs3_i(rs3), .dec_op_i(op),
    .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op), .req_rs1_o(req_rs1),
    .req_rs2_o(req_rs2), .req_rs3_o(req_rs3), .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready),
    .rsp_rd_i(rsp_rd)
  );
  bench_decode u_decode (
    .insn_i(dec_insn), .match_o(match), .rs2_o(rs2), .rs3_o(rs3), .op_o(op)
  );
  bench_slow_unit #(
    .MaxDelay(MaxDelay), .Latency(Latency), .Stateful(!Speculative), .Seed(29)
  ) u_unit (
    .clk_i, .rst_ni,
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_rd_o(rsp_rd)
  );

  // Operands are meaningless until they are valid; x0 reads as zero.
  logic [31:0] want_rs3;
  assign rs = {rs_valid_q[2] ? rs_q[95:64] : ~rs_q[95:64],
               rs_valid_q[1] ? rs_q[63:32] : ~rs_q[63:32],
               rs_valid_q[0] ? rs_q[31:0] : ~rs_q[31:0]};
  assign want_rs3 = insn_q[31:27] == '0 ? '0 : rs[95:64];
  bench_mix u_mix (
    .op_i({6'd0, insn_q[31:25], insn_q[14:12]}), .rs1_i(rs[31:0]), .rs2_i(rs[63:32]),
    .rs3_i(want_rs3), .rd_o(mix)
  );

  logic legal, operands, offered_q, ex_ready, ex_go, wb_ready, issued, taken, told;
  assign legal = insn_q[6:0] == 7'h0b && !insn_q[14] &&
                 !(insn_q[13] && NumRs < 3 && insn_q[31:27] != '0);
  assign operands = rs_valid_q[0] && (rs_valid_q[1] || !insn_q[12]) &&
                    (rs_valid_q[2] || !insn_q[13] || insn_q[31:27] == '0);
  // cv32e40x_wb_stage.sv, with cure D of its result_ready
  assign result_ready = wb_valid_q && wb_x_q && !wb_stall_q;
  assign taken        = result_valid && result_ready;
  assign wb_ready     = !wb_valid_q || (!wb_stall_q && (!wb_x_q || result_valid));
  // cv32e40x_controller_fsm.sv: the first cycle in which EX is not halted, or is killed
  assign commit_valid = ex_valid_q && !ex_told_q && (!halt_q || kill_q);
  assign commit_kill  = kill_q || !ex_accepted_q;
  assign told         = ex_told_q || commit_valid;
  assign ex_go        = ex_valid_q && told && wb_ready;
  assign ex_ready     = !ex_valid_q || ex_go;
  // cv32e40x_id_stage.sv with cure A; a kill in EX reaches ID too
  assign issue_valid = id_valid_q && ex_ready && !(commit_valid && kill_q);
  assign issued      = issue_valid && issue_ready;

  logic [31:0] draw, draw2, commits_q;
  logic        stalled_q;
  logic [40:0] result_q;
  always_ff @(posedge clk_i) begin
    draw  = $urandom();
    draw2 = $urandom();
    if (!rst_ni) begin
      id_valid_q <= 1'b0; ex_valid_q <= 1'b0; wb_valid_q <= 1'b0; id_q <= '0; cycle_q <= 0;
      idle_q <= 0; halt_q <= 1'b0; kill_q <= 1'b0; wb_stall_q <= 1'b0; offered_q <= 1'b0;
      done_o <= 1'b0; fail_o <= 1'b0; count_o <= '0; commits_q <= '0; stalled_q <= 1'b0;
      rs_valid_q <= '0;
    end else begin
      cycle_q <= cycle_q + 1;
      if (cycle_q == Cycles) done_o <= 1'b1;
      halt_q     <= !Exact && draw2[1:0] == 2'd0;
      kill_q     <= !Exact && draw2[4:2] == 3'd0;
      wb_stall_q <= !Exact && draw2[6:5] == 2'd0;

      // ---- ID: a new instruction, or the same one with more operands valid
      if (issued || !id_valid_q || (commit_valid && kill_q) || (!Exact && draw[31:28] == '0)) begin
        id_valid_q <= Exact || draw[1:0] != 2'd0;
        insn_q     <= {draw[2] ? 5'd0 : draw[31:27], draw[26:3], 1'b0, 7'd0} | 32'h0b;
        insn_q[6:0] <= draw2[9:7] == 3'd0 ? 7'h73 : draw2[9:7] == 3'd1 ? 7'h5b : 7'h0b;
        if (draw2[11:10] != 2'd0) insn_q[14] <= 1'b0;
        rs_q       <= {$urandom(), $urandom(), $urandom()};
        rs_valid_q <= {NumRs == 3 && (Exact || draw2[12]), Exact || draw2[13], Exact || draw2[14]};
        // the number moves on with every offer that was answered or was pending
        if (issued || issue_valid) id_q <= id_q + 4'd1;
      end else begin
        rs_valid_q <= rs_valid_q | {NumRs == 3 && draw2[15], draw2[17:16]};
      end
      if (issue_valid) begin
        if (!legal && !issue_ready) fail("a rejection is not immediate");
        if (!legal && writeback) fail("a rejected instruction writes");
        if (issued && accept != legal) fail("wrong accept");
        if (issued && legal && !operands) fail("operands not valid");
        if (issued && legal && !writeback) fail("no write");
        if (Exact && !issue_ready) fail("not one instruction a cycle");
      end

      // ---- EX
      if (commit_valid && ex_accepted_q && !commit_kill) commits_q <= commits_q + 32'd1;
      if (ex_ready) begin
        ex_valid_q    <= issued;
        ex_accepted_q <= accept;
        ex_told_q     <= 1'b0;
        ex_killed_q   <= 1'b0;
        ex_id_q       <= id_q;
        ex_rd_q       <= insn_q[11:7];
        ex_want_q     <= mix;
      end else if (commit_valid) begin
        ex_told_q   <= 1'b1;
        ex_killed_q <= commit_kill;
        if (!Speculative) ex_want_q <= ex_want_q + commits_q;
      end

      // ---- WB
      if (wb_ready) begin
        wb_valid_q <= ex_go;
        wb_x_q     <= ex_accepted_q && !(ex_told_q ? ex_killed_q : commit_kill);
        wb_id_q    <= ex_id_q;
        wb_rd_q    <= ex_rd_q;
        wb_want_q  <= (Speculative || ex_told_q) ? ex_want_q : ex_want_q + commits_q;
      end
      if (result_valid) begin
        if (wb_valid_q && wb_x_q) begin
          if (result_id != wb_id_q) fail("wrong id");
        end else if (!(ex_valid_q && ex_told_q && !ex_killed_q && result_id == ex_id_q)) begin
          fail("a result for a killed or uncommitted instruction");
        end
      end
      if (taken) begin
        if (result_rd != wb_rd_q) fail("wrong register");
        if (result_data != wb_want_q) fail("wrong result");
        if (!result_we) fail("no write");
        count_o <= count_o + 32'd1;
      end
      if (Exact && wb_valid_q && wb_x_q && !result_valid) fail("the result is late");
      idle_q <= (wb_valid_q && wb_x_q && !taken) ? idle_q + 1 : 0;
      if (idle_q > 300) fail("no result");
      stalled_q <= result_valid && !result_ready;
      result_q  <= {result_id, result_rd, result_data};
      if (stalled_q && (!result_valid || result_q != {result_id, result_rd, result_data}))
        fail("result withdrawn or changed");
      if (u_unit.broken_q) fail("request withdrawn or changed");
    end
  end

  task automatic fail(input string why);
    if (!fail_o) $display("%m: cycle %0d: %s", cycle_q, why);
    fail_o <= 1'b1;
  endtask
endmodule
