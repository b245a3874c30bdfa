// SPDX-License-Identifier: Apache-2.0
// aes_dma_watch with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_dma_watch_guarded.sv.j2 by `aesforge modules`.
module aes_dma_watch_guarded #(
  parameter Registered = 0,
  parameter AddrW      = 30
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             wrong_o,
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
  logic part_1;
  if (Registered == 0) begin : gen_direct
    assign {valid_o, write_o, addr_o} = {cpu_valid_i, cpu_write_i, cpu_addr_i};
    assign cpu_stall_o = stall_i;
    logic unused;
    assign unused = ^{clk_i, rst_ni, start_i, active_i, cpu_done_i};
    assign part_1 = 1'b0;
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
    (* keep *) logic valid_p, placed_p, write_p, addr_p, stall_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {valid_p, placed_p, write_p, addr_p, stall_p} <= '1;
      else begin
        {valid_p, write_p, addr_p} <= {~^stays, ~^cpu_write_i, ~^cpu_addr_i};
        placed_p                   <= ~^(valid_q && stays && !start_i);
        stall_p                    <= ~^((start_i || active_i) && !pass);
      end
    end
    assign {valid_o, write_o, addr_o} = {placed_q, write_q, addr_q};
    assign cpu_stall_o = stall_q;
    assign part_1 = |{~^{valid_q, valid_p}, ~^{placed_q, placed_p}, ~^{write_q, write_p},
      ~^{addr_q, addr_p}, ~^{stall_q, stall_p}};
  end

  assign wrong_o = part_1;
endmodule
