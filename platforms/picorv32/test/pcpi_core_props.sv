// SPDX-License-Identifier: Apache-2.0
// PicoRV32 as in ../top.sv, any memory, any interrupts and any unit on PCPI that claims no
// instruction of the core's own. What formal/pcpi_host.sv assumes of the core is asserted here.
module pcpi_core_props (
  input logic        clk_i,
  input logic        mem_ready_i,
  input logic [31:0] mem_rdata_i,
  input logic        irq_i,
  input logic        answer_i,  // the unit's result is there
  input logic [31:0] rd_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic        valid, claimed, answered;
  logic [31:0] insn, rs1, rs2;

  // The core's own: SYSTEM, and multiplication and division.
  assign claimed  = valid && insn[6:0] != 7'h73 && !(insn[6:0] == 7'h33 && insn[31:25] == 7'd1);
  assign answered = claimed && answer_i;

  picorv32 #(
    .BARREL_SHIFTER (1'b1),
    .ENABLE_PCPI    (1'b1),
    .ENABLE_FAST_MUL(1'b1),
    .ENABLE_DIV     (1'b1),
    .ENABLE_IRQ     (1'b1),
    .MASKED_IRQ     (~32'd8),
    .LATCHED_IRQ    (32'd0),
    .PROGADDR_RESET (32'h0000_0000),
    .PROGADDR_IRQ   (32'h0000_0010)
  ) u_core (
    .clk       (clk_i),
    .resetn    (rst_n),
    .mem_ready (mem_ready_i),
    .mem_rdata (mem_rdata_i),
    .pcpi_valid(valid),
    .pcpi_insn (insn),
    .pcpi_rs1  (rs1),
    .pcpi_rs2  (rs2),
    .pcpi_wr   (answered),
    .pcpi_rd   (rd_i),
    .pcpi_wait (claimed),
    .pcpi_ready(answered),
    .irq       (32'(irq_i) << 3)
  );

  pcpi_host #(.Early(1)) u_host (
    .clk_i,
    .rst_ni(rst_n),
    .pcpi_valid_i(valid),
    .pcpi_insn_i(insn),
    .pcpi_rs1_i(rs1),
    .pcpi_rs2_i(rs2),
    .pcpi_wait_i(claimed),
    .pcpi_ready_i(answered)
  );
endmodule
