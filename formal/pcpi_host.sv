// SPDX-License-Identifier: Apache-2.0
// Assumptions on the core for the proof of fu_to_pcpi. Source: picorv32.v of
// pythondata-cpu-picorv32 1.0.post218, on which platforms/picorv32/test proves them.
module pcpi_host #(
  parameter Early = 0  // 1: an instruction is shown in the cycle before pcpi_valid too
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        pcpi_valid_i,
  input logic [31:0] pcpi_insn_i,
  input logic [31:0] pcpi_rs1_i,
  input logic [31:0] pcpi_rs2_i,
  input logic        pcpi_wait_i,
  input logic        pcpi_ready_i
);
  logic        waiting_q, answered_q;
  logic [95:0] payload_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q  <= 1'b0;
      answered_q <= 1'b0;
    end else begin
      // Without wait and ready the core may give up (its time-out, CATCH_ILLINSN).
      waiting_q  <= pcpi_valid_i && pcpi_wait_i && !pcpi_ready_i;
      answered_q <= pcpi_valid_i && pcpi_ready_i;
    end
  end
  always_ff @(posedge clk_i) payload_q <= {pcpi_insn_i, pcpi_rs1_i, pcpi_rs2_i};

  always_comb begin
    if (rst_ni) begin
      // States cpu_state_ld_rs1/ld_rs2: pcpi_valid and the operands are stable while pcpi_int_wait
      // holds off the time-out; pcpi_valid falls in the cycle after pcpi_ready.
      if (waiting_q) begin
        assume (pcpi_valid_i);
        assume (payload_q == {pcpi_insn_i, pcpi_rs1_i, pcpi_rs2_i});
      end
      if (answered_q) assume (!pcpi_valid_i);
      // The state before them: the instruction is decoded, and pcpi_insn holds it.
      if (Early != 0 && pcpi_valid_i) assume (payload_q[95:64] == pcpi_insn_i);
    end
  end
endmodule
