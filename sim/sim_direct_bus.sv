// SPDX-License-Identifier: Apache-2.0
// Everything on a core's data port with a response in the request's cycle or later: memory and
// device (sim_direct_port), and a peripheral, if there is one (sim_block).

module sim_direct_bus (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,   // valid and payload are stable until ready
  input  logic        write_i,
  input  logic [ 3:0] strobe_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        ready_o,
  output logic [31:0] rdata_o,   // valid from the second half of the ready cycle
  output logic        irq_o      // the peripheral's interrupt
);

  logic        to_block, memory_valid, memory_ready, memory_hold, register_ready;
  logic        register_accept, register_answer;
  logic [31:0] memory_rdata, register_rdata;

  assign to_block     = sim_pkg::in_block(addr_i);
  assign memory_valid = valid_i && !to_block;

  sim_direct_port #(.Port(sim_pkg::DataPort)) u_memory (
    .clk_i,
    .rst_ni,
    .valid_i (memory_valid && !memory_hold),
    .write_i,
    .strobe_i,
    .addr_i,
    .wdata_i,
    .ready_o (memory_ready),
    .rdata_o (memory_rdata)
  );

  sim_block u_block (
    .clk_i,
    .rst_ni,
    .cpu_valid_i      (memory_valid),
    .cpu_write_i      (write_i),
    .cpu_addr_i       (addr_i),
    .cpu_hold_o       (memory_hold),
    .cpu_done_i       (memory_ready),
    .register_valid_i (valid_i && to_block),
    .register_write_i (write_i),
    .register_strobe_i(strobe_i),
    .register_addr_i  (addr_i[11:0]),
    .register_wdata_i (wdata_i),
    .register_accept_o(register_accept),
    .register_answer_o(register_answer),
    .register_rdata_o (register_rdata),
    .irq_o
  );

  // A write ends when it is accepted, a read when its response arrives.
  assign register_ready = write_i ? register_accept : register_answer;
  assign ready_o        = to_block ? valid_i && register_ready : memory_ready;
  assign rdata_o        = to_block ? register_rdata : memory_rdata;

endmodule
