// SPDX-License-Identifier: Apache-2.0
// VexRiscv's side of the CFU bus with random commands, against the expected answers.
module bench_cfu #(
  parameter int MaxDelay   = 0,
  parameter int Latency    = 0,
  parameter bit Registered = 1'b0,
  parameter bit Exact      = 1'b0,   // ready core and unit: answer exactly one cycle later
  parameter int Cycles     = 2000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        done_o,
  output logic        fail_o,
  output logic [31:0] count_o
);
  logic        cmd_valid, cmd_ready, rsp_valid, ready_q, offer_q, match, rs2, rs3;
  logic [9:0]  id_q;
  logic [31:0] rs1_q, rs2_q, data, dec_insn, mix;
  logic [15:0] op, req_op;
  logic        req_valid, req_ready, unit_valid, unit_ready;
  logic [31:0] req_rs1, req_rs2, req_rs3, unit_rd;
  int          cycle_q, idle_q;

  `DUT #(.Registered(Registered)) u_dut (
    .clk_i, .rst_ni,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_function_id_i(id_q),
    .cmd_inputs_0_i(rs1_q), .cmd_inputs_1_i(rs2_q),
    .cfu_rsp_valid_o(rsp_valid), .cfu_rsp_ready_i(ready_q), .cfu_rsp_outputs_0_o(data),
    .dec_insn_o(dec_insn), .dec_match_i(match), .dec_rs2_i(rs2), .dec_rs3_i(rs3), .dec_op_i(op),
    .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op), .req_rs1_o(req_rs1),
    .req_rs2_o(req_rs2), .req_rs3_o(req_rs3), .rsp_valid_i(unit_valid), .rsp_ready_o(unit_ready),
    .rsp_rd_i(unit_rd)
  );
  bench_decode u_decode (
    .insn_i(dec_insn), .match_o(match), .rs2_o(rs2), .rs3_o(rs3), .op_o(op)
  );
  bench_slow_unit #(.MaxDelay(MaxDelay), .Latency(Latency), .Seed(23)) u_unit (
    .clk_i, .rst_ni,
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(unit_valid), .rsp_ready_i(unit_ready),
    .rsp_rd_o(unit_rd)
  );
  bench_mix u_mix (.op_i({6'd0, id_q}), .rs1_i(rs1_q), .rs2_i(rs2_q), .rs3_i('0), .rd_o(mix));

  // At most two commands wait: see fu_to_cfu.sv.
  logic [3:0][31:0] want_q;        // expected answers, oldest first
  int               waiting_q;
  logic             only_known, known, fired, taken, stalled_q, fired_q;
  logic [31:0]      draw, known_q, data_q;
  assign only_known = Exact && Registered;
  assign known     = !id_q[2] && !(id_q[1] && id_q[9:5] != '0);
  assign cmd_valid = offer_q && waiting_q < 2;
  assign fired     = cmd_valid && cmd_ready;
  assign taken     = rsp_valid && ready_q;

  always_ff @(posedge clk_i) begin
    draw = $urandom();
    if (!rst_ni) begin
      offer_q <= 1'b0; ready_q <= 1'b1; cycle_q <= 0; idle_q <= 0; waiting_q <= 0; known_q <= '0;
      done_o <= 1'b0; fail_o <= 1'b0; count_o <= '0; stalled_q <= 1'b0; fired_q <= 1'b0;
    end else begin
      cycle_q <= cycle_q + 1;
      if (cycle_q == Cycles) done_o <= 1'b1;
      if (!cmd_ready) fail("cmd_ready is low");
      ready_q <= Exact || draw[1:0] != 2'd0;
      if (fired || !offer_q) begin
        offer_q <= draw[3:2] != 2'd0;
        // A zero waits until the unit owes nothing: after a register not exactly one cycle.
        id_q    <= {draw[4] && !only_known ? draw[13:9] : 5'd0, draw[8:7],
                    draw[6:5] == 2'd0 && !only_known, draw[15:14]};
        rs1_q   <= $urandom();
        rs2_q   <= $urandom();
      end
      if (taken) begin
        if (waiting_q == 0) fail("an answer nobody waits for");
        if (data != want_q[0]) fail("wrong answer");
        count_o <= count_o + 32'd1;
        want_q  <= {want_q[0], want_q[3:1]};
      end
      if (fired) begin
        want_q[waiting_q[1:0] - {1'b0, taken}] <= known ? mix + known_q : '0;
        if (known) known_q <= known_q + 32'd1;
      end
      waiting_q <= waiting_q + (fired ? 1 : 0) - (taken ? 1 : 0);
      idle_q    <= (waiting_q == 0 || taken) ? 0 : idle_q + 1;
      if (idle_q > 200) fail("no answer");
      fired_q <= fired;
      if (Exact && rsp_valid != fired_q) fail("not one cycle");
      stalled_q <= rsp_valid && !ready_q;
      data_q    <= data;
      if (stalled_q && (!rsp_valid || data != data_q)) fail("answer withdrawn or changed");
      if (u_unit.broken_q) fail("request withdrawn or changed");
    end
  end

  task automatic fail(input string why);
    if (!fail_o) $display("%m: cycle %0d: %s", cycle_q, why);
    fail_o <= 1'b1;
  endtask
endmodule
