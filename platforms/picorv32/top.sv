// SPDX-License-Identifier: Apache-2.0
// PicoRV32 with its memory, the test bench's device, and an accelerator on the PCPI port or on the
// bus. Ports of the core: README of PicoRV32, "PicoRV32 Native Memory Interface" and "PCPI".

module top (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic irq_i,
  output logic trap_o
);

  // Lines 0 to 2 are the core's own timer, illegal instruction and bus error; the test bench uses
  // the first free one. The others are masked permanently, so that the core stops on an illegal
  // instruction.
  localparam int IrqLine = 3;

  logic        mem_valid, mem_instr, mem_ready;
  logic [31:0] mem_addr, mem_wdata, mem_rdata;
  logic [ 3:0] mem_wstrb;
  logic        fetch_ready, data_ready;
  logic [31:0] fetch_rdata, data_rdata;
  logic        block_irq;

  logic        pcpi_valid, pcpi_wr, pcpi_wait, pcpi_ready;
  logic [31:0] pcpi_insn, pcpi_rs1, pcpi_rs2, pcpi_rd;

  picorv32 #(
    .BARREL_SHIFTER (1'b1),
    .ENABLE_PCPI    (1'b1),
    .ENABLE_FAST_MUL(1'b1),
    .ENABLE_DIV     (1'b1),
    .ENABLE_IRQ     (1'b1),
    .MASKED_IRQ     (~(32'd1 << IrqLine)),
    .LATCHED_IRQ    (32'd0),               // the line is a level
    .PROGADDR_RESET (32'h0000_0000),
    .PROGADDR_IRQ   (32'h0000_0010)
  ) u_core (
    .clk         (clk_i),
    .resetn      (rst_ni),
    .trap        (trap_o),
    .mem_valid   (mem_valid),
    .mem_instr   (mem_instr),
    .mem_ready   (mem_ready),
    .mem_addr    (mem_addr),
    .mem_wdata   (mem_wdata),
    .mem_wstrb   (mem_wstrb),
    .mem_rdata   (mem_rdata),
    .mem_la_read (),
    .mem_la_write(),
    .mem_la_addr (),
    .mem_la_wdata(),
    .mem_la_wstrb(),
    .pcpi_valid  (pcpi_valid),
    .pcpi_insn   (pcpi_insn),
    .pcpi_rs1    (pcpi_rs1),
    .pcpi_rs2    (pcpi_rs2),
    .pcpi_wr     (pcpi_wr),
    .pcpi_rd     (pcpi_rd),
    .pcpi_wait   (pcpi_wait),
    .pcpi_ready  (pcpi_ready),
    .irq         (32'(irq_i || block_irq) << IrqLine),
    .eoi         (),
    .trace_valid (),
    .trace_data  ()
  );

  // One bus, two ports: fetches and data may have different wait states. A fetch outside memory
  // returns zero, an illegal instruction, so prefetching is harmless.
  assign mem_ready = mem_instr ? fetch_ready : data_ready;
  assign mem_rdata = mem_instr ? fetch_rdata : data_rdata;

  sim_direct_port #(.Port(sim_pkg::FetchPort)) u_fetch (
    .clk_i,
    .rst_ni,
    .valid_i (mem_valid && mem_instr),
    .write_i (1'b0),
    .strobe_i(4'd0),
    .addr_i  (mem_addr),
    .wdata_i (32'd0),
    .ready_o (fetch_ready),
    .rdata_o (fetch_rdata)
  );

  sim_direct_bus u_data (
    .clk_i,
    .rst_ni,
    .valid_i (mem_valid && !mem_instr),
    .write_i (|mem_wstrb),
    .strobe_i(mem_wstrb),
    .addr_i  (mem_addr),
    .wdata_i (mem_wdata),
    .ready_o (data_ready),
    .rdata_o (data_rdata),
    .irq_o   (block_irq)
  );

  logic [31:0] dec_insn;
  logic        dec_match, dec_rs2, dec_rs3;
  logic [15:0] dec_op;
  logic        req_valid, req_ready, rsp_valid, rsp_ready;
  logic [15:0] req_op;
  logic [31:0] req_rs1, req_rs2, req_rs3, rsp_rd;

  fu_to_pcpi #(
    .Registered(accel_traits_pkg::Registered)
  ) u_adapter (
    .clk_i,
    .rst_ni,
    .pcpi_valid_i(pcpi_valid),
    .pcpi_insn_i (pcpi_insn),
    .pcpi_rs1_i  (pcpi_rs1),
    .pcpi_rs2_i  (pcpi_rs2),
    .pcpi_wr_o   (pcpi_wr),
    .pcpi_rd_o   (pcpi_rd),
    .pcpi_wait_o (pcpi_wait),
    .pcpi_ready_o(pcpi_ready),
    .dec_insn_o  (dec_insn),
    .dec_match_i (dec_match),
    .dec_rs2_i   (dec_rs2),
    .dec_rs3_i   (dec_rs3),
    .dec_op_i    (dec_op),
    .req_valid_o (req_valid),
    .req_ready_i (req_ready),
    .req_op_o    (req_op),
    .req_rs1_o   (req_rs1),
    .req_rs2_o   (req_rs2),
    .req_rs3_o   (req_rs3),
    .rsp_valid_i (rsp_valid),
    .rsp_ready_o (rsp_ready),
    .rsp_rd_i    (rsp_rd)
  );

  accel_decode u_decode (
    .insn_i (dec_insn),
    .match_o(dec_match),
    .rs2_o  (dec_rs2),
    .rs3_o  (dec_rs3),
    .op_o   (dec_op)
  );

  accel_unit u_unit (
    .clk_i,
    .rst_ni,
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_op_i   (req_op),
    .req_rs1_i  (req_rs1),
    .req_rs2_i  (req_rs2),
    .req_rs3_i  (req_rs3),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_rd_o   (rsp_rd)
  );

endmodule
