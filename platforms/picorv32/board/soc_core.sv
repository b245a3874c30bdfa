// SPDX-License-Identifier: Apache-2.0
// PicoRV32 on a board: the core in a small configuration, and the accelerator on its PCPI port.
//
// The look-ahead interface (README of PicoRV32, "mem_la_*") shows an access one clock before the
// core waits for it: a memory that answers in the clock after a request never makes it wait. There
// is no request while it waits.

module soc_core (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        req_o,     // an access; its data come in the next clock without hold_i
  output logic [ 3:0] we_o,      // bytes to write; none: a read
  output logic [31:0] addr_o,
  output logic [31:0] wdata_o,
  input  logic [31:0] rdata_i,
  input  logic        hold_i,    // the answer is not there
  output logic        trap_o     // stopped on an illegal instruction, for good
);

  logic        la_read, la_write;
  logic [ 3:0] la_strobe;
  logic [31:0] la_addr;
  logic        pcpi_valid, pcpi_wr, pcpi_wait, pcpi_ready;
  logic [31:0] pcpi_insn, pcpi_rs1, pcpi_rs2, pcpi_rd;

  assign req_o  = la_read || la_write;
  assign we_o   = la_write ? la_strobe : 4'd0;
  assign addr_o = la_addr;

  picorv32 #(
    .ENABLE_PCPI      (1'b1),
    .ENABLE_COUNTERS64(1'b0),
    .CATCH_MISALIGN   (1'b0)
  ) u_core (
    .clk         (clk_i),
    .resetn      (rst_ni),
    .trap        (trap_o),
    .mem_valid   (),
    .mem_instr   (),
    .mem_ready   (!hold_i),
    .mem_addr    (),
    .mem_wdata   (),
    .mem_wstrb   (),
    .mem_rdata   (rdata_i),
    .mem_la_read (la_read),
    .mem_la_write(la_write),
    .mem_la_addr (la_addr),
    .mem_la_wdata(wdata_o),
    .mem_la_wstrb(la_strobe),
    .pcpi_valid  (pcpi_valid),
    .pcpi_insn   (pcpi_insn),
    .pcpi_rs1    (pcpi_rs1),
    .pcpi_rs2    (pcpi_rs2),
    .pcpi_wr     (pcpi_wr),
    .pcpi_rd     (pcpi_rd),
    .pcpi_wait   (pcpi_wait),
    .pcpi_ready  (pcpi_ready),
    .irq         (32'd0),
    .eoi         (),
    .trace_valid (),
    .trace_data  ()
  );

  accel_pcpi u_accel (
    .clk_i,
    .rst_ni,
    .pcpi_valid_i(pcpi_valid),
    .pcpi_insn_i (pcpi_insn),
    .pcpi_rs1_i  (pcpi_rs1),
    .pcpi_rs2_i  (pcpi_rs2),
    .pcpi_wr_o   (pcpi_wr),
    .pcpi_rd_o   (pcpi_rd),
    .pcpi_wait_o (pcpi_wait),
    .pcpi_ready_o(pcpi_ready)
  );

endmodule
