// SPDX-License-Identifier: Apache-2.0
// fu_to_cfu between VexRiscv and any unit. cmd_ready is always high and no command is lost. Each
// command gets one correct response, in order; a foreign command gets zero. A response is stable
// until accepted. Proved by induction, for all time. REGISTERED: for a unit with registered
// responses, which the adapter passes on; no response is in the cycle of its command.
`ifdef REGISTERED
`define REGISTERED_VALUE 1
`else
`define REGISTERED_VALUE 0
`endif
module fu_to_cfu_props (
  input logic        clk_i,
  input logic        cmd_valid_i,
  input logic [9:0]  cmd_function_id_i,
  input logic [31:0] cmd_inputs_0_i,
  input logic [31:0] cmd_inputs_1_i,
  input logic        cfu_rsp_ready_i,
  input logic        calm_i,
  input logic [2:0]  choose_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
  (* anyconst *) logic [1:0] which;   // see abstract_unit

  logic        cmd_ready, rsp_valid, match, rs2, rs3;
  logic [31:0] rsp_data, dec_insn, req_rs1, req_rs2, req_rs3, unit_rd;
  logic [15:0] op, req_op;
  logic        req_valid, req_ready, unit_valid, unit_ready;
  logic [1:0]  waiting, unit_held;
  logic [1:0][31:0] unit_answers;

  fu_to_cfu #(.Registered(`REGISTERED_VALUE)) u_dut (
    .clk_i, .rst_ni(rst_n),
    .cmd_valid_i, .cmd_ready_o(cmd_ready), .cmd_function_id_i, .cmd_inputs_0_i, .cmd_inputs_1_i,
    .cfu_rsp_valid_o(rsp_valid), .cfu_rsp_ready_i, .cfu_rsp_outputs_0_o(rsp_data),
    .dec_insn_o(dec_insn), .dec_match_i(match), .dec_rs2_i(rs2), .dec_rs3_i(rs3), .dec_op_i(op),
    .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op), .req_rs1_o(req_rs1),
    .req_rs2_o(req_rs2), .req_rs3_o(req_rs3), .rsp_valid_i(unit_valid), .rsp_ready_o(unit_ready),
    .rsp_rd_i(unit_rd)
  );
  abstract_decode u_decode (
    .insn_i(dec_insn), .match_o(match), .rs2_o(rs2), .rs3_o(rs3), .op_o(op)
  );
  abstract_unit #(.Depth(2), .Registered(`REGISTERED_VALUE)) u_unit (
    .clk_i, .rst_ni(rst_n), .choose_i, .which_i(which),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(unit_valid), .rsp_ready_i(unit_ready),
    .rsp_rd_o(unit_rd), .held_o(unit_held), .answer_o(unit_answers)
  );
  cfu_host u_host (
    .clk_i, .rst_ni(rst_n), .cmd_valid_i, .cmd_ready_i(cmd_ready), .rsp_valid_i(rsp_valid),
    .rsp_ready_i(cfu_rsp_ready_i), .waiting_o(waiting)
  );

  // The expected responses, oldest first.
  logic [31:0]      want;
  logic [1:0][31:0] want_q;
  logic             taken;
  cfu_want u_want (
    .which_i(which), .id_i(cmd_function_id_i), .rs1_i(cmd_inputs_0_i), .rs2_i(cmd_inputs_1_i),
    .rd_o(want)
  );
  assign taken = rsp_valid && cfu_rsp_ready_i;
  always_ff @(posedge clk_i) begin
    if (taken) want_q[0] <= want_q[1];
    if (cmd_valid_i) begin
      if (waiting - {1'b0, taken} == 2'd0) want_q[0] <= want;
      else                                 want_q[1] <= want;
    end
  end

  logic        stalled_q;
  logic [31:0] data_q;
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_n && rsp_valid && !cfu_rsp_ready_i;
    data_q    <= rsp_data;
  end

`ifdef CALM
  // From some cycle on, after any history, the unit accepts and responds in the same cycle, the
  // core accepts every response and sends no command. Five cycles later nothing is in flight.
  logic       calm_q;
  logic [2:0] quiet_q;
  always_ff @(posedge clk_i) begin
    calm_q  <= rst_n && (calm_q || calm_i);
    quiet_q <= !(rst_n && calm_q) ? 3'd0 : (quiet_q == 3'd5) ? 3'd5 : quiet_q + 3'd1;
  end
`endif

  // The adapter's registers, by their flattened names.
  (* hierconn *) wire         \u_dut.out_valid_q ;
  (* hierconn *) wire [31:0]  \u_dut.out_data_q ;
  (* hierconn *) wire [1:0]   \u_dut.flight_q ;
  (* hierconn *) wire         \u_dut.cmd_room ;
  (* hierconn *) wire [1:0]   \u_dut.u_cmd.valid_q ;
  (* hierconn *) wire [147:0] \u_dut.u_cmd.data_q ;
  logic [73:0] cmd0, cmd1;
  logic [31:0] cmd0_want, cmd1_want;
  assign {cmd1, cmd0} = \u_dut.u_cmd.data_q ;
  cfu_want u_cmd0 (
    .which_i(which), .id_i(cmd0[73:64]), .rs1_i(cmd0[31:0]), .rs2_i(cmd0[63:32]), .rd_o(cmd0_want)
  );
  cfu_want u_cmd1 (
    .which_i(which), .id_i(cmd1[73:64]), .rs1_i(cmd1[31:0]), .rs2_i(cmd1[63:32]), .rd_o(cmd1_want)
  );

  // Everything in flight, oldest first: response register, unit, command queue.
  logic [1:0]       in_out, in_unit, in_queue;
  logic [4:0][31:0] way;
  logic [2:0]       place;
  always_comb begin
    in_out   = {1'b0, \u_dut.out_valid_q };
    in_unit  = {1'b0, unit_held[0]} + {1'b0, unit_held[1]};
    in_queue = {1'b0, \u_dut.u_cmd.valid_q [0]} + {1'b0, \u_dut.u_cmd.valid_q [1]};
    way   = '0;
    place = 3'd0;
    if (in_out != 2'd0) begin
      way[place] = \u_dut.out_data_q ;
      place = place + 3'd1;
    end
    for (int i = 0; i < 2; i++) begin
      if (unit_held[i]) begin
        way[place] = unit_answers[i];
        place = place + 3'd1;
      end
    end
    if (\u_dut.u_cmd.valid_q [0]) begin
      way[place] = cmd0_want;
      place = place + 3'd1;
    end
    if (\u_dut.u_cmd.valid_q [1]) begin
      way[place] = cmd1_want;
      place = place + 3'd1;
    end
  end

  always_comb begin
    if (rst_n) begin
      assert (cmd_ready);
      // The queue has room for every arriving command.
      if (cmd_valid_i) assert (\u_dut.cmd_room );
      // A response belongs to the oldest command and is stable until accepted.
      if (rsp_valid) begin
        assert (waiting != 2'd0);
`ifndef CALM
        assert (rsp_data == want_q[0]);
`endif
      end
      if (stalled_q) assert (rsp_valid && rsp_data == data_q);
      // The decoder's input: custom-0, registers x0.
      assert (dec_insn[24:15] == '0 && dec_insn[11:0] == 12'h00b);
      // The unit gets only its own operations.
      if (req_valid) assert (match && !(rs3 && dec_insn[31:27] != '0));
      assert (req_rs3 == '0);
`ifdef CALM
      // No deadlock.
      if (calm_q) assume (choose_i[1:0] == 2'b11 && cfu_rsp_ready_i && !cmd_valid_i);
      if (quiet_q == 3'd5) assert (waiting == 2'd0);
`endif
      // Invariants: nothing is lost, added or reordered on the way.
      assert (waiting <= 2'd2);
      assert (\u_dut.u_cmd.valid_q [0] || !\u_dut.u_cmd.valid_q [1]);
      assert (\u_dut.flight_q == in_unit);
      assert ({1'b0, in_out} + {1'b0, in_unit} + {1'b0, in_queue} == {1'b0, waiting});
`ifndef CALM
      if (waiting > 2'd0) assert (way[0] == want_q[0]);
      if (waiting > 2'd1) assert (way[1] == want_q[1]);
`endif
    end
  end
endmodule

// The expected response of a command: the operation's, or zero.
module cfu_want (
  input  logic [1:0]  which_i,
  input  logic [9:0]  id_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  output logic [31:0] rd_o
);
  logic        match, rs2, rs3;
  logic [15:0] op;
  logic [31:0] answer;
  abstract_decode u_decode (
    .insn_i({id_i[9:3], 10'd0, id_i[2:0], 12'h00b}), .match_o(match), .rs2_o(rs2), .rs3_o(rs3),
    .op_o(op)
  );
  abstract_answer u_answer (.which_i, .op_i(op), .rs1_i, .rs2_i, .rs3_i('0), .rd_o(answer));
  assign rd_o = (match && !(rs3 && id_i[9:5] != '0)) ? answer : '0;
endmodule
