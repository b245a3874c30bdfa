// SPDX-License-Identifier: Apache-2.0
// The bus master whose registers have parity (aes_dma_core_guarded), and what follows a fault. A
// wrong parity, or fault_i, is an alert; it lasts until reset.
//
// In the cycle of a wrong parity no request and no word leaves, and accesses of the CPU wait. From
// the next cycle on:
//   - no request leaves; words and responses of requests under way are taken and dropped;
//   - accesses of the CPU no longer wait;
//   - reads of registers return ones, writes are refused, except of INTR_ENABLE;
//   - the interrupt line is high while INTR_ENABLE.ERROR is set;
//   - the bus master is reset for a cycle, after which it overwrites keys and blocks in memories.
// A burst of writes may stay cut short, as when the device is reset.
//
// Registers of data are cleared by an edge of the clock during reset, and are wrong before it.
module aes_dma_alert #(
  parameter Dir            = "shared",  // see aes_dma
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Rounds         = 2,
  parameter SboxImpl       = "lut",
  parameter MaxBlocks      = 256,
  parameter Gcm            = 0,
  parameter HashDigit      = 32,
  parameter Registered     = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        fault_i,        // a fault that was found elsewhere
  output logic        irq_o,
  input  logic        wr_valid_i,
  output logic        wr_ready_o,
  input  logic [11:0] wr_addr_i,
  input  logic [31:0] wr_data_i,
  input  logic [3:0]  wr_strb_i,
  output logic        wr_error_o,
  input  logic        rd_valid_i,
  output logic        rd_ready_o,
  input  logic [11:0] rd_addr_i,
  output logic [31:0] rd_data_o,
  output logic        rd_error_o,

  input  logic        cpu_valid_i,
  input  logic        cpu_write_i,
  input  logic [29:0] cpu_addr_i,     // words
  output logic        cpu_stall_o,
  input  logic        cpu_done_i,

  output logic        arvalid_o,
  input  logic        arready_i,
  output logic [29:0] araddr_o,       // words
  output logic [2:0]  arlen_o,
  input  logic        rvalid_i,
  output logic        rready_o,
  input  logic [31:0] rdata_i,
  input  logic        rerror_i,
  output logic        awvalid_o,
  input  logic        awready_i,
  output logic [29:0] awaddr_o,
  output logic [1:0]  awlen_o,
  output logic        wvalid_o,
  input  logic        wready_i,
  output logic [31:0] wdata_o,
  output logic [3:0]  wstrb_o,
  output logic        wlast_o,
  input  logic        bvalid_i,
  output logic        bready_o,
  input  logic        berror_i
);
  // ---- the alert --------------------------------------------------------------------------------

  // One pattern means none: 10. seen_q ends the bus master's reset. enable_q is INTR_ENABLE.ERROR.
  logic good_q, bad_q, seen_q, enable_q, alert, wrong, core_rst_n;

  assign alert      = {good_q, bad_q} != 2'b10;
  assign core_rst_n = rst_ni && !(bad_q && !seen_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                        {good_q, bad_q} <= 2'b10;
    else if (alert || wrong || fault_i) {good_q, bad_q} <= 2'b01;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_q <= 1'b0;
    else         seen_q <= alert;
  end

  logic at_enable;
  assign at_enable = wr_addr_i[11:2] == aes_dma_regs_pkg::ADDR_INTR_ENABLE[11:2] && wr_strb_i[0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) enable_q <= 1'b0;
    else if (wr_valid_i && wr_ready_o && at_enable) begin
      enable_q <= wr_data_i[aes_dma_regs_pkg::INTR_ENABLE_ERROR_LSB];
    end
  end

  // ---- the bus master ---------------------------------------------------------------------------

  logic        irq, wr_ready, wr_error, rd_ready, rd_error, cpu_stall, arvalid, rready, awvalid,
               wvalid, bready;
  logic [31:0] rd_data;

  aes_dma_core_guarded #(
    .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds), .SboxImpl(SboxImpl),
    .MaxBlocks(MaxBlocks), .Gcm(Gcm), .HashDigit(HashDigit), .Registered(Registered)
  ) u_core (
    .clk_i, .rst_ni(core_rst_n), .wrong_o(wrong), .irq_o(irq),
    .wr_valid_i(wr_valid_i && !alert), .wr_ready_o(wr_ready), .wr_addr_i, .wr_data_i, .wr_strb_i,
    .wr_error_o(wr_error), .rd_valid_i(rd_valid_i && !alert), .rd_ready_o(rd_ready), .rd_addr_i,
    .rd_data_o(rd_data), .rd_error_o(rd_error), .cpu_valid_i, .cpu_write_i, .cpu_addr_i,
    .cpu_stall_o(cpu_stall), .cpu_done_i, .arvalid_o(arvalid), .arready_i, .araddr_o, .arlen_o,
    .rvalid_i, .rready_o(rready), .rdata_i, .rerror_i, .awvalid_o(awvalid), .awready_i, .awaddr_o,
    .awlen_o, .wvalid_o(wvalid), .wready_i, .wdata_o, .wstrb_o, .wlast_o, .bvalid_i,
    .bready_o(bready), .berror_i
  );

  // ---- outputs ----------------------------------------------------------------------------------

  assign irq_o       = alert ? enable_q : irq;
  assign wr_ready_o  = alert || wr_ready;
  assign wr_error_o  = alert ? !at_enable : wr_error;
  assign rd_ready_o  = alert || rd_ready;
  assign rd_error_o  = !alert && rd_error;
  assign rd_data_o   = alert ? 32'hffffffff : rd_data;
  assign cpu_stall_o = (cpu_stall || wrong) && !alert;

  assign arvalid_o = arvalid && !alert && !wrong;
  assign rready_o  = rready || alert;
  assign awvalid_o = awvalid && !alert && !wrong;
  assign wvalid_o  = wvalid && !alert && !wrong;
  assign bready_o  = bready || alert;
endmodule
