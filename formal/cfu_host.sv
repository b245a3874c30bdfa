// SPDX-License-Identifier: Apache-2.0
// Assumptions on the core for the proof of fu_to_cfu. Source: VexRiscv_FullCfu.v of
// pythondata-cpu-vexriscv 1.0.1.post407.
module cfu_host (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       cmd_valid_i,
  input  logic       cmd_ready_i,
  input  logic       rsp_valid_i,
  input  logic       rsp_ready_i,
  output logic [1:0] waiting_o      // commands without an accepted response
);
  logic [1:0] waiting_q;
  assign waiting_o = waiting_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waiting_q <= 2'd0;
    else waiting_q <= waiting_q + {1'b0, cmd_valid_i && cmd_ready_i}
                                - {1'b0, rsp_valid_i && rsp_ready_i};
  end

  always_comb begin
    // At most two: one from the instruction in the memory stage, which waits for its response
    // (memory_CfuPlugin_rsp_valid), and one from the instruction in the execute stage, which issues
    // once (execute_CfuPlugin_fired) and cannot enter the memory stage meanwhile. Nothing else is
    // assumed: commands may arrive, and responses be accepted, in any cycle.
    if (rst_ni) assume (!(cmd_valid_i && waiting_q == 2'd2));
  end
endmodule
