// SPDX-License-Identifier: Apache-2.0
// Nios II's side of its multi-cycle custom-instruction port with random operations, random clk_en
// and noise on the wires between operations, against the expected answers.
module bench_nios #(
  parameter int MaxDelay = 0,
  parameter int Latency  = 0,
  parameter bit Exact    = 1'b0,   // a unit that answers at once: done one clock after start
  parameter int Cycles   = 2000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        done_o,
  output logic        fail_o,
  output logic [31:0] count_o
);
  logic        clk_en_q, start_q, open_q, done, match, req_valid, req_ready, unit_valid, unit_ready;
  logic [7:0]  n_q, dec_n;
  logic [15:0] req_op;
  logic [31:0] a_q, b_q, result, req_rs1, req_rs2, req_rs3, unit_rd, mix;
  int          cycle_q, idle_q;

  `DUT u_dut (
    .clk_i, .rst_ni, .clk_en_i(clk_en_q), .start_i(start_q), .n_i(n_q), .dataa_i(a_q),
    .datab_i(b_q), .done_o(done), .result_o(result), .dec_n_o(dec_n), .dec_match_i(match),
    .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op), .req_rs1_o(req_rs1),
    .req_rs2_o(req_rs2), .req_rs3_o(req_rs3), .rsp_valid_i(unit_valid), .rsp_ready_o(unit_ready),
    .rsp_rd_i(unit_rd)
  );
  assign match = dec_n[2:0] != 3'd7;
  bench_slow_unit #(.MaxDelay(MaxDelay), .Latency(Latency), .Seed(31)) u_unit (
    .clk_i, .rst_ni,
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(unit_valid), .rsp_ready_i(unit_ready),
    .rsp_rd_o(unit_rd)
  );
  bench_mix u_mix (.op_i({8'd0, n_q}), .rs1_i(a_q), .rs2_i(b_q), .rs3_i('0), .rd_o(mix));

  logic        begins, known, held_q;
  logic [31:0] draw, known_q, result_q;
  assign begins = start_q && clk_en_q && !open_q;
  assign known  = n_q[2:0] != 3'd7;

  always_ff @(posedge clk_i) begin
    draw = $urandom();
    if (!rst_ni) begin
      clk_en_q <= 1'b1; start_q <= 1'b0; open_q <= 1'b0; cycle_q <= 0; idle_q <= 0; known_q <= '0;
      done_o <= 1'b0; fail_o <= 1'b0; count_o <= '0; held_q <= 1'b0;
    end else begin
      cycle_q <= cycle_q + 1;
      if (cycle_q == Cycles) done_o <= 1'b1;
      clk_en_q <= draw[1:0] != 2'd0;
      if (begins) begin
        start_q <= 1'b0;
        open_q  <= 1'b1;
        idle_q  <= 0;
      end
      if (done && !open_q) fail("done without a start");
      if (done && open_q) begin
        if (result != (known ? mix + known_q : '0)) fail("wrong answer");
        if (clk_en_q) begin
          count_o <= count_o + 32'd1;
          if (known) known_q <= known_q + 32'd1;
          open_q  <= 1'b0;
        end
      end
      if (open_q) idle_q <= idle_q + 1;
      if (open_q && Exact && !done) fail("not one clock");
      if (open_q && idle_q > 200) fail("no answer");
      // The next operation, or noise.
      if ((open_q && done && clk_en_q) || (!open_q && !begins)) begin
        if (!start_q || (draw[4:2] == 3'd0 && !clk_en_q)) start_q <= draw[6:5] != 2'd0;
        if (!start_q || !clk_en_q) begin
          n_q <= draw[14:7];
          a_q <= $urandom();
          b_q <= $urandom();
        end
      end
      held_q   <= done && !clk_en_q;
      result_q <= result;
      if (held_q && (!done || result != result_q)) fail("done or result not held");
      if (u_unit.broken_q) fail("request withdrawn or changed");
    end
  end

  task automatic fail(input string why);
    if (!fail_o) $display("%m: cycle %0d: %s", cycle_q, why);
    fail_o <= 1'b1;
  endtask
endmodule
