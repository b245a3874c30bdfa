// SPDX-License-Identifier: Apache-2.0
// Somebody else's system: PicoRV32, 64 KiB of memory, a console and an exit register, and an
// exported accelerator on the co-processor port. It shares nothing with the platforms.
// Addresses: memory from 0; a byte written to 0x10000000 is printed; a word written to 0x10000004
// ends the simulation, well if it is 0.
`timescale 1ns / 1ps
module soc;
  reg clk = 1'b0;
  reg resetn = 1'b0;
  always #5 clk = !clk;

  wire        trap, mem_valid, mem_instr;
  wire [31:0] mem_addr, mem_wdata;
  wire [ 3:0] mem_wstrb;
  reg         mem_ready = 1'b0;
  reg  [31:0] mem_rdata = 32'd0;
  reg  [31:0] memory [0:16383];

  wire        pcpi_valid, pcpi_wr, pcpi_wait, pcpi_ready;
  wire [31:0] pcpi_insn, pcpi_rs1, pcpi_rs2, pcpi_rd;

  picorv32 #(
    .ENABLE_PCPI(1),
    .STACKADDR  (32'h0001_0000)
  ) cpu (
    .clk(clk), .resetn(resetn), .trap(trap),
    .mem_valid(mem_valid), .mem_instr(mem_instr), .mem_ready(mem_ready), .mem_addr(mem_addr),
    .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb), .mem_rdata(mem_rdata),
    .mem_la_read(), .mem_la_write(), .mem_la_addr(), .mem_la_wdata(), .mem_la_wstrb(),
    .pcpi_valid(pcpi_valid), .pcpi_insn(pcpi_insn), .pcpi_rs1(pcpi_rs1), .pcpi_rs2(pcpi_rs2),
    .pcpi_wr(pcpi_wr), .pcpi_rd(pcpi_rd), .pcpi_wait(pcpi_wait), .pcpi_ready(pcpi_ready),
    .irq(32'd0), .eoi(), .trace_valid(), .trace_data()
  );

  accel_pcpi accel (
    .clk_i(clk), .rst_ni(resetn),
    .pcpi_valid_i(pcpi_valid), .pcpi_insn_i(pcpi_insn),
    .pcpi_rs1_i(pcpi_rs1), .pcpi_rs2_i(pcpi_rs2),
    .pcpi_wr_o(pcpi_wr), .pcpi_rd_o(pcpi_rd), .pcpi_wait_o(pcpi_wait), .pcpi_ready_o(pcpi_ready)
  );

  always @(posedge clk) begin
    mem_ready <= mem_valid && !mem_ready;
    mem_rdata <= memory[mem_addr[15:2]];
    if (mem_valid && !mem_ready && mem_addr < 32'h0001_0000) begin
      if (mem_wstrb[0]) memory[mem_addr[15:2]][ 7: 0] <= mem_wdata[ 7: 0];
      if (mem_wstrb[1]) memory[mem_addr[15:2]][15: 8] <= mem_wdata[15: 8];
      if (mem_wstrb[2]) memory[mem_addr[15:2]][23:16] <= mem_wdata[23:16];
      if (mem_wstrb[3]) memory[mem_addr[15:2]][31:24] <= mem_wdata[31:24];
    end
    if (mem_valid && mem_ready && mem_wstrb != 4'd0) begin
      if (mem_addr == 32'h1000_0000) $write("%c", mem_wdata[7:0]);
      if (mem_addr == 32'h1000_0004) begin
        $display("exit %0d", mem_wdata);
        $finish;
      end
    end
    if (resetn && trap) begin
      $display("trap");
      $finish;
    end
  end

  initial begin
    $readmemh("firmware.hex", memory);
    repeat (4) @(posedge clk);
    #1 resetn = 1'b1;
    repeat (2000000) @(posedge clk);
    $display("time-out");
    $finish;
  end
endmodule
