// SPDX-License-Identifier: Apache-2.0
// fu_to_nios between Nios II and any unit. Each start on an enabled clock gives one request and one
// correct result, zero for a number without an operation. done and the result are stable until an
// enabled clock. Proved by induction, for all time.
module fu_to_nios_props (
  input logic        clk_i,
  input logic        clk_en_i,
  input logic        start_i,
  input logic [7:0]  n_i,
  input logic [31:0] dataa_i,
  input logic [31:0] datab_i,
  input logic        calm_i,
  input logic [2:0]  choose_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
  (* anyconst *) logic [1:0] which;   // see abstract_unit

  logic             done, match, open, req_valid, req_ready, rsp_valid, rsp_ready;
  logic [7:0]       dec_n;
  logic [15:0]      req_op;
  logic [31:0]      result, req_rs1, req_rs2, req_rs3, rsp_rd, answer, want;
  logic [1:0]       unit_held;
  logic [1:0][31:0] unit_answers;

  fu_to_nios u_dut (
    .clk_i, .rst_ni(rst_n), .clk_en_i, .start_i, .n_i, .dataa_i, .datab_i, .done_o(done),
    .result_o(result), .dec_n_o(dec_n), .dec_match_i(match), .req_valid_o(req_valid),
    .req_ready_i(req_ready), .req_op_o(req_op), .req_rs1_o(req_rs1), .req_rs2_o(req_rs2),
    .req_rs3_o(req_rs3), .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready), .rsp_rd_i(rsp_rd)
  );
  abstract_unit #(.Depth(2)) u_unit (
    .clk_i, .rst_ni(rst_n), .choose_i, .which_i(which),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_rd_o(rsp_rd), .held_o(unit_held), .answer_o(unit_answers)
  );
  nios_host u_host (
    .clk_i, .rst_ni(rst_n), .clk_en_i, .start_i, .n_i, .dataa_i, .datab_i, .done_i(done),
    .open_o(open)
  );
  // Any decoder: the adapter sees only its match bit.
  assign match = dec_n[0];
  abstract_answer u_want (
    .which_i(which), .op_i({8'd0, n_i}), .rs1_i(dataa_i), .rs2_i(datab_i), .rs3_i('0),
    .rd_o(answer)
  );
  assign want = n_i[0] ? answer : '0;

  // A result that must be stable: offered on a disabled clock.
  logic        held_q;
  logic [31:0] result_q;
  always_ff @(posedge clk_i) begin
    held_q   <= rst_n && done && !clk_en_i;
    result_q <= result;
  end

`ifdef CALM
  // From some cycle on the unit accepts and responds in the same cycle and every clock is enabled:
  // an operation ends within three cycles.
  logic       calm_q;
  logic [2:0] silent_q;
  always_ff @(posedge clk_i) begin
    calm_q   <= rst_n && (calm_q || calm_i);
    silent_q <= (rst_n && calm_q && open && !done) ? silent_q + 3'd1 : 3'd0;
  end
`endif

  (* hierconn *) wire        \u_dut.busy_q ;
  (* hierconn *) wire        \u_dut.sent_q ;
  (* hierconn *) wire        \u_dut.done_q ;
  (* hierconn *) wire [31:0] \u_dut.result_q ;

  always_comb begin
    if (rst_n) begin
      // A result belongs to an open operation, is correct, and is stable.
      if (done) assert (open && result == want);
      if (held_q) assert (done && result == result_q);
      // Only started operations become requests.
      if (req_valid) assert (match && (open || (start_i && clk_en_i)));
      // One request at a time, none repeated, no response lost.
      assert (!(req_valid && unit_held[0]));
      if (rsp_valid) assert (rsp_ready);
`ifdef CALM
      if (calm_q) assume (choose_i[1:0] == 2'b11 && clk_en_i);
      assert (silent_q < 3'd3);
`endif
      // Invariants.
      assert (open == (\u_dut.busy_q || \u_dut.done_q ));
      assert (!(\u_dut.busy_q && \u_dut.done_q ));
      assert (\u_dut.sent_q == unit_held[0]);
      assert (!unit_held[1]);
      if (\u_dut.sent_q ) assert (\u_dut.busy_q && unit_answers[0] == want);
      if (\u_dut.busy_q ) assert (match);
      if (\u_dut.done_q ) assert (\u_dut.result_q == want);
    end
  end
endmodule
