// SPDX-License-Identifier: Apache-2.0
// fu_to_pcpi between PicoRV32 and any unit. Each instruction of the unit gets one correct result,
// in order, with wait until then. Other instructions get no reaction. Proved by induction, for all
// time. REGISTERED: for a unit whose responses are never in the cycle of their request.
`ifdef REGISTERED
`define REGISTERED_VALUE 1
`else
`define REGISTERED_VALUE 0
`endif
module fu_to_pcpi_props (
  input logic        clk_i,
  input logic        pcpi_valid_i,
  input logic [31:0] pcpi_insn_i,
  input logic [31:0] pcpi_rs1_i,
  input logic [31:0] pcpi_rs2_i,
  input logic        calm_i,
  input logic [2:0]  choose_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
  (* anyconst *) logic [1:0] which;   // see abstract_unit

  logic        wr, busy, ready, match, rs2, rs3;
  logic [31:0] rd, dec_insn, req_rs1, req_rs2, req_rs3, rsp_rd;
  logic [15:0] op, req_op;
  logic        req_valid, req_ready, rsp_valid, rsp_ready;
  logic        held;
  logic [31:0] held_answer;

  fu_to_pcpi #(.Registered(`REGISTERED_VALUE)) u_dut (
    .clk_i, .rst_ni(rst_n),
    .pcpi_valid_i, .pcpi_insn_i, .pcpi_rs1_i, .pcpi_rs2_i,
    .pcpi_wr_o(wr), .pcpi_rd_o(rd), .pcpi_wait_o(busy), .pcpi_ready_o(ready),
    .dec_insn_o(dec_insn), .dec_match_i(match), .dec_rs2_i(rs2), .dec_rs3_i(rs3), .dec_op_i(op),
    .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op), .req_rs1_o(req_rs1),
    .req_rs2_o(req_rs2), .req_rs3_o(req_rs3), .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready),
    .rsp_rd_i(rsp_rd)
  );
  abstract_decode u_decode (
    .insn_i(dec_insn), .match_o(match), .rs2_o(rs2), .rs3_o(rs3), .op_o(op)
  );
  abstract_unit #(.Depth(2), .Registered(`REGISTERED_VALUE)) u_unit (
    .clk_i, .rst_ni(rst_n), .choose_i, .which_i(which),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_rd_o(rsp_rd), .held_o(unit_held), .answer_o(unit_answers)
  );
  logic [1:0]       unit_held;
  logic [1:0][31:0] unit_answers;
  assign held        = unit_held[0];
  assign held_answer = unit_answers[0];
  pcpi_host #(.Early(`REGISTERED_VALUE)) u_host (
    .clk_i, .rst_ni(rst_n), .pcpi_valid_i, .pcpi_insn_i, .pcpi_rs1_i, .pcpi_rs2_i,
    .pcpi_wait_i(busy), .pcpi_ready_i(ready)
  );

  logic        ours;
  logic [31:0] want;
  assign ours = pcpi_valid_i && match && !(rs3 && pcpi_insn_i[31:27] != '0);
  abstract_answer u_want (
    .which_i(which), .op_i(op), .rs1_i(pcpi_rs1_i), .rs2_i(pcpi_rs2_i), .rs3_i('0), .rd_o(want)
  );

`ifdef CALM
  // From some cycle on, after any history, the unit accepts and responds in the same cycle. Then an
  // instruction of the unit ends within three cycles.
  logic       calm_q;
  logic [2:0] silent_q;
  always_ff @(posedge clk_i) begin
    calm_q   <= rst_n && (calm_q || calm_i);
    silent_q <= (rst_n && calm_q && ours && !ready) ? silent_q + 3'd1 : 3'd0;
  end
`endif

  // The adapter's one register, by its flattened name.
  (* hierconn *) wire \u_dut.sent_q ;

`ifdef REGISTERED
  // Its second register, and the unit's view of it: a request that was presented before.
  (* hierconn *) wire \u_dut.gen_registered.shown_q ;
  (* hierconn *) wire \u_unit.pending_q ;
  always_comb begin
    if (rst_n) begin
      if (\u_dut.gen_registered.shown_q ) assert (ours);
      if (held || \u_unit.pending_q ) assert (\u_dut.gen_registered.shown_q );
    end
  end
`endif

  always_comb begin
    if (rst_n) begin
      assert (dec_insn == pcpi_insn_i);
      // No output for a foreign instruction, or without one.
      if (!ours) assert (!busy && !ready && !req_valid);
      // wait is high from the first cycle to the last.
      if (ours) assert (busy);
      // The correct result, with the write enable.
      if (ready) assert (wr && rd == want);
      // No response is lost: the core accepts it in the cycle in which the unit hands it over.
      if (rsp_valid && rsp_ready) assert (ready);
      // One request per instruction, and none remains afterwards.
      assert (!(req_valid && held));
`ifdef CALM
      // No deadlock.
      if (calm_q) assume (choose_i[1:0] == 2'b11);
      assert (silent_q < 3'd3);
`endif
      // Invariant: the unit holds a request, for this instruction, exactly while sent_q is set.
      assert (\u_dut.sent_q == held);
      assert (!unit_held[1]);
      if (held) assert (ours && held_answer == want);
    end
  end
endmodule
