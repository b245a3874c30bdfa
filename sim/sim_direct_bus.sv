// SPDX-License-Identifier: Apache-2.0
// Everything on a core's data port with a response in the request's cycle or later: memory and
// device (sim_direct_port), and a peripheral, if there is one (sim_block).
//
// Registers keep the peripheral's bus out of the core's paths. A request is presented in the cycle
// after the core's; for the core a write ends in that cycle, a read in the one after its response.

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

  logic        to_block, memory_valid, memory_ready, memory_hold;
  logic        register_accept, register_answer, put, put_q, reading_q, done_q, put_write_q;
  logic [31:0] memory_rdata, register_rdata, read_q, put_data_q;
  logic [11:0] put_addr_q;
  logic [ 3:0] put_strobe_q;

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
    .register_valid_i (put_q),
    .register_write_i (put_write_q),
    .register_strobe_i(put_strobe_q),
    .register_addr_i  (put_addr_q),
    .register_wdata_i (put_data_q),
    .register_accept_o(register_accept),
    .register_answer_o(register_answer),
    .register_rdata_o (register_rdata),
    .irq_o
  );

  assign put = valid_i && to_block && !put_q && !reading_q && !done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {put_q, put_write_q, put_addr_q, put_strobe_q, put_data_q} <= '0;
      {reading_q, done_q, read_q} <= '0;
    end else begin
      put_q     <= put || (put_q && !register_accept);
      reading_q <= (put && !write_i) || (reading_q && !register_answer);
      done_q    <= (put && write_i) || register_answer;
      if (put) {put_write_q, put_addr_q} <= {write_i, addr_i[11:0]};
      if (put) {put_strobe_q, put_data_q} <= {strobe_i, wdata_i};
      if (register_answer) read_q <= register_rdata;
    end
  end

  assign ready_o = done_q || memory_ready;
  assign rdata_o = done_q ? read_q : memory_rdata;

endmodule
