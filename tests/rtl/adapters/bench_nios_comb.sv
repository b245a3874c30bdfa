// SPDX-License-Identifier: Apache-2.0
// Nios II's side of its combinational custom-instruction port with random operations.
module bench_nios_comb #(
  parameter int Cycles = 2000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        done_o,
  output logic        fail_o,
  output logic [31:0] count_o
);
  logic        match, req_valid, req_ready, unit_valid, unit_ready;
  logic [7:0]  n_q, dec_n;
  logic [15:0] req_op;
  logic [31:0] a_q, b_q, result, req_rs1, req_rs2, req_rs3, unit_rd, mix;
  int          cycle_q;

  `DUT u_dut (
    .n_i(n_q), .dataa_i(a_q), .datab_i(b_q), .result_o(result), .dec_n_o(dec_n),
    .dec_match_i(match), .req_valid_o(req_valid), .req_ready_i(req_ready), .req_op_o(req_op),
    .req_rs1_o(req_rs1), .req_rs2_o(req_rs2), .req_rs3_o(req_rs3), .rsp_valid_i(unit_valid),
    .rsp_ready_o(unit_ready), .rsp_rd_i(unit_rd)
  );
  assign match = dec_n[2:0] != 3'd7;
  bench_unit #(.Stateful(1'b0)) u_unit (
    .clk_i(1'b0), .rst_ni(1'b0),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_rs1_i(req_rs1),
    .req_rs2_i(req_rs2), .req_rs3_i(req_rs3), .rsp_valid_o(unit_valid), .rsp_ready_i(unit_ready),
    .rsp_rd_o(unit_rd)
  );
  bench_mix u_mix (.op_i({8'd0, n_q}), .rs1_i(a_q), .rs2_i(b_q), .rs3_i('0), .rd_o(mix));

  always_ff @(posedge clk_i) begin
    n_q <= 8'($urandom());
    a_q <= $urandom();
    b_q <= $urandom();
    if (!rst_ni) begin
      cycle_q <= 0; done_o <= 1'b0; fail_o <= 1'b0; count_o <= '0;
    end else begin
      cycle_q <= cycle_q + 1;
      if (cycle_q == Cycles) done_o <= 1'b1;
      if (result != (n_q[2:0] != 3'd7 ? mix : '0)) begin
        if (!fail_o) $display("%m: cycle %0d: wrong answer", cycle_q);
        fail_o <= 1'b1;
      end
      count_o <= count_o + 32'd1;
    end
  end
endmodule
