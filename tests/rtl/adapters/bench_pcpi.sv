// SPDX-License-Identifier: Apache-2.0
// PicoRV32's side of PCPI with random instructions, against the expected answers.
module bench_pcpi #(
  parameter int MaxDelay = 0,
  parameter int Latency  = 0,
  parameter bit Exact    = 1'b0,   // the unit is combinational: the answer is due in the same cycle
  parameter bit Registered = 1'b0, // the adapter's parameter
  parameter int Cycles   = 2000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        done_o,
  output logic        fail_o,
  output logic [31:0] count_o
);
  logic        valid_q, shown_q, wr, busy, ready, match, rs2, rs3;
  logic [31:0] insn_q, rs1_q, rs2_q, rd, dec_insn, want, answers_q;
  logic [15:0] op, req_op;
  logic        req_valid, req_ready, rsp_valid, rsp_ready;
  logic [31:0] req_rs1, req_rs2, req_rs3, rsp_rd;
  int          cycle_q, age_q;

  `DUT #(.Registered(Registered)) u_dut (
    .clk_i, .rst_ni,
    .pcpi_valid_i(valid_q), .pcpi_insn_i(insn_q), .pcpi_rs1_i(rs1_q), .pcpi_rs2_i(rs2_q),
    .pcpi_wr_o(wr), .pcpi_rd_o(rd), .pcpi_wait_o(busy), .pcpi_ready_o(ready),
    .dec_insn_o(dec_insn), .dec_match_i(match), .dec_rs2_i(rs2), .dec_rs3_i(rs3), .dec_op_i(op),
    .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op), .req_rs1_o(req_rs1),
    .req_rs2_o(req_rs2), .req_rs3_o(req_rs3), .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready),
    .rsp_rd_i(rsp_rd)
  );
  bench_decode u_decode (
    .insn_i(dec_insn), .match_o(match), .rs2_o(rs2), .rs3_o(rs3), .op_o(op)
  );
  bench_slow_unit #(.MaxDelay(MaxDelay), .Latency(Latency), .Seed(17)) u_unit (
    .clk_i, .rst_ni,
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_rd_o(rsp_rd)
  );
  bench_mix u_mix (
    .op_i({6'd0, insn_q[31:25], insn_q[14:12]}), .rs1_i(rs1_q), .rs2_i(rs2_q), .rs3_i('0),
    .rd_o(want)
  );

  // Custom-0, one in four of it illegal (funct3 of 4 and above), rs3 often x0; some other opcodes.
  logic        legal;
  logic [31:0] draw;
  assign legal = insn_q[6:0] == 7'h0b && !insn_q[14] && !(insn_q[13] && insn_q[31:27] != '0);

  always_ff @(posedge clk_i) begin
    draw = $urandom();
    if (!rst_ni) begin
      valid_q <= 1'b0; shown_q <= 1'b0; cycle_q <= 0; age_q <= 0; answers_q <= '0;
      done_o <= 1'b0; fail_o <= 1'b0; count_o <= '0;
    end else begin
      cycle_q <= cycle_q + 1;
      if (cycle_q == Cycles) done_o <= 1'b1;
      if (!valid_q) begin
        age_q <= 0;
        if (ready || busy) fail("answer without an instruction");
        // Like the core, a registered adapter's host shows an instruction in the cycle before.
        valid_q <= Registered ? shown_q : draw[1:0] != 2'd0;
        shown_q <= !shown_q && draw[1:0] != 2'd0;
        if (draw[1:0] != 2'd0 && !(Registered && shown_q)) begin
          insn_q  <= {draw[2] ? 5'd0 : draw[31:27], draw[26:16], draw[15:3], 3'd3};
          insn_q[6:0] <= draw[5:3] == 3'd0 ? 7'h33 : 7'h0b;
          if (draw[7:6] != 2'd0) insn_q[14] <= 1'b0;
          rs1_q   <= $urandom();
          rs2_q   <= $urandom();
        end
      end else begin
        age_q <= age_q + 1;
        if (legal) begin
          if (!busy && !ready) fail("no wait: the core would trap");
          if (!busy) fail("wait fell before the answer");
          if (Exact && !ready) fail("the answer is late");
          if (ready) begin
            if (!wr) fail("no write");
            if (rd != want + answers_q) fail("wrong answer");
            answers_q <= answers_q + 32'd1;
            count_o   <= count_o + 32'd1;
            valid_q   <= 1'b0;
          end else if (age_q > 200) fail("no answer");
        end else begin
          if (ready || busy || req_valid) fail("took a foreign instruction");
          if (age_q > 18) begin
            valid_q <= 1'b0;
            count_o <= count_o + 32'd1;
          end
        end
      end
      if (u_unit.broken_q) fail("request withdrawn or changed");
    end
  end

  task automatic fail(input string why);
    if (!fail_o) $display("%m: cycle %0d: %s", cycle_q, why);
    fail_o <= 1'b1;
  endtask
endmodule
