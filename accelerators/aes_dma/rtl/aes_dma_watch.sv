// SPDX-License-Identifier: Apache-2.0
// From the CPU's data port to the conflict rule (aes_dma_window) and back.
//
// Registered  0  the rule answers in the cycle of the request
//             1  it sees the request a cycle later, looks at it for two (aes_dma_window), and its
//                answer is a register: while a job is active, and one cycle longer, each
//                access waits three cycles more, and the CPU's address has no path to its stall.
//                The stall is also high without a request. Needs cpu_done_i, and a request that
//                stays until it is performed.
//
// An access that may pass in one cycle may pass in the next, unless that is the first one of a job:
// done blocks stay done. So an answer of the cycle before is true, START excepted.
module aes_dma_watch #(
  parameter Registered = 0,
  parameter AddrW      = 30
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,      // the job is active from the next cycle on
  input  logic             active_i,
  input  logic             cpu_valid_i,
  input  logic             cpu_write_i,
  input  logic [AddrW-1:0] cpu_addr_i,
  input  logic             cpu_done_i,   // the presented access is performed in this cycle
  output logic             cpu_stall_o,
  output logic             valid_o,      // to the rule
  output logic             write_o,
  output logic [AddrW-1:0] addr_o,
  input  logic             stall_i       // the rule's answer
);
  if (Registered == 0) begin : gen_direct
    assign {valid_o, write_o, addr_o} = {cpu_valid_i, cpu_write_i, cpu_addr_i};
    assign cpu_stall_o = stall_i;
    logic unused;
    assign unused = ^{clk_i, rst_ni, start_i, active_i, cpu_done_i};
  end else begin : gen_registered
    logic             valid_q, placed_q, write_q, stall_q, stays, pass;  // placed_q: second cycle
    logic [AddrW-1:0] addr_q;

    assign stays = cpu_valid_i && !cpu_done_i;
    assign pass  = stays && placed_q && !stall_i && !start_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {valid_q, placed_q, write_q, addr_q, stall_q} <= '0;
      else begin
        {valid_q, write_q, addr_q} <= {stays, cpu_write_i, cpu_addr_i};
        placed_q                   <= valid_q && stays && !start_i;
        stall_q                    <= (start_i || active_i) && !pass;
      end
    end
    assign {valid_o, write_o, addr_o} = {placed_q, write_q, addr_q};
    assign cpu_stall_o = stall_q;
  end
endmodule
