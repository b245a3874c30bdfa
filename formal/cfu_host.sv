// SPDX-License-Identifier: Apache-2.0
// What the proof of fu_to_cfu takes for granted about the core.
// Source: VexRiscv_FullCfu.v of pythondata-cpu-vexriscv 1.0.1.post407.
module cfu_host (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       cmd_valid_i,
  input  logic       cmd_ready_i,
  input  logic       rsp_valid_i,
  input  logic       rsp_ready_i,
  output logic [1:0] waiting_o      // commands that have left and whose answer has not been taken
);
  logic [1:0] waiting_q;
  assign waiting_o = waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waiting_q <= 2'd0;
    else waiting_q <= waiting_q + {1'b0, cmd_valid_i && cmd_ready_i}
                                - {1'b0, rsp_valid_i && rsp_ready_i};
  end

  always_comb begin
    // At most two: one from the instruction in the memory stage, which does not move on before its
    // answer is there (memory_CfuPlugin_rsp_valid), one from the instruction in the execute stage,
    // which issues once (execute_CfuPlugin_fired) and cannot enter the memory stage meanwhile.
    // Nothing else is assumed: commands may come in any cycle, answers may be taken in any cycle.
    if (rst_ni) assume (!(cmd_valid_i && waiting_q == 2'd2));
  end
endmodule
