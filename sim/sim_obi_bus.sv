// SPDX-License-Identifier: Apache-2.0
// Everything on a core's data port with an address and a response phase (OBI 1.2, OpenHW Group):
// memory and device (sim_obi_port), and a peripheral, if there is one (sim_block). At most one
// access is in flight.

module sim_obi_bus (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,
  output logic        gnt_o,
  input  logic        we_i,
  input  logic [ 3:0] be_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o,
  output logic        irq_o      // the peripheral's interrupt
);

  logic        to_block, memory_req, memory_gnt, memory_rvalid, memory_hold, memory_free;
  logic        register_req, register_accept, register_answer, register_rvalid, register_free;
  logic        memory_busy_q, read_busy_q, written_q;
  logic [31:0] memory_rdata, register_rdata;

  assign to_block      = sim_pkg::in_block(addr_i);
  assign memory_free   = !memory_busy_q || memory_rvalid;
  assign register_free = !read_busy_q || register_answer;
  assign memory_req    = req_i && !to_block && register_free;
  assign register_req  = req_i && to_block && memory_free && register_free;

  sim_obi_port #(.Port(sim_pkg::DataPort)) u_memory (
    .clk_i,
    .rst_ni,
    .req_i   (memory_req && !memory_hold),
    .gnt_o   (memory_gnt),
    .we_i,
    .be_i,
    .addr_i,
    .wdata_i,
    .rvalid_o(memory_rvalid),
    .rdata_o (memory_rdata)
  );

  sim_block u_block (
    .clk_i,
    .rst_ni,
    .cpu_valid_i      (memory_req && memory_free),
    .cpu_write_i      (we_i),
    .cpu_addr_i       (addr_i),
    .cpu_hold_o       (memory_hold),
    .cpu_done_i       (memory_gnt),
    .register_valid_i (register_req),
    .register_write_i (we_i),
    .register_strobe_i(be_i),
    .register_addr_i  (addr_i[11:0]),
    .register_wdata_i (wdata_i),
    .register_accept_o(register_accept),
    .register_answer_o(register_answer),
    .register_rdata_o (register_rdata),
    .irq_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      memory_busy_q <= 1'b0;
      read_busy_q   <= 1'b0;
      written_q     <= 1'b0;
    end else begin
      memory_busy_q <= memory_gnt || !memory_free;
      read_busy_q   <= (register_accept && !we_i) || !register_free;
      written_q     <= register_accept && we_i;
    end
  end

  assign register_rvalid = written_q || (read_busy_q && register_answer);
  assign gnt_o           = memory_gnt || register_accept;
  assign rvalid_o        = memory_rvalid || register_rvalid;
  assign rdata_o         = register_rvalid ? register_rdata : memory_rdata;

endmodule
