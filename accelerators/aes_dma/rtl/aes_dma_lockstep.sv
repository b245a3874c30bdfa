// SPDX-License-Identifier: Apache-2.0
// Two copies of the bus master in lockstep: both get every input, and every output of both is
// compared in each cycle. A difference, or fault_i, is an alert; it lasts until reset.
//
// In the cycle of a difference no address or word that differs leaves, and the CPU waits if
// either copy says so. From the next cycle on:
//   - no request leaves; words and responses of requests under way are taken and dropped;
//   - accesses of the CPU no longer wait;
//   - reads of registers return ones, writes are refused, except of INTR_ENABLE;
//   - the interrupt line is high while INTR_ENABLE.ERROR is set;
//   - both copies are reset for a cycle, after which they overwrite keys and blocks in memories.
// A burst of writes may stay cut short, as when the device is reset.
//
// The copies have resets of their own, from different flip-flops: synthesis that merges registers
// of equal inputs keeps both.
module aes_dma_lockstep #(
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

  // One pattern means none: 10. seen_q ends the copies' reset. enable_q is INTR_ENABLE.ERROR.
  logic       good_q, bad_q, seen_q, enable_q, alert, differ;
  logic [1:0] copy_rst_n;

  assign alert      = {good_q, bad_q} != 2'b10;
  assign copy_rst_n = {rst_ni && !(bad_q && !seen_q), rst_ni && (good_q || seen_q)};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                         {good_q, bad_q} <= 2'b10;
    else if (alert || differ || fault_i) {good_q, bad_q} <= 2'b01;
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

  // ---- the copies -------------------------------------------------------------------------------

  logic [1:0]       irq, wr_ready, wr_error, rd_ready, rd_error, cpu_stall, arvalid, rready,
                    awvalid, wvalid, wlast, bready;
  logic [1:0][31:0] rd_data, wdata;
  logic [1:0][29:0] araddr, awaddr;
  logic [1:0][2:0]  arlen;
  logic [1:0][1:0]  awlen;
  logic [1:0][3:0]  wstrb;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    aes_dma_core #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds), .SboxImpl(SboxImpl),
      .MaxBlocks(MaxBlocks), .Gcm(Gcm), .HashDigit(HashDigit), .Registered(Registered)
    ) u_core (
      .clk_i, .rst_ni(copy_rst_n[i]), .irq_o(irq[i]),
      .wr_valid_i(wr_valid_i && !alert), .wr_ready_o(wr_ready[i]), .wr_addr_i, .wr_data_i,
      .wr_strb_i, .wr_error_o(wr_error[i]), .rd_valid_i(rd_valid_i && !alert),
      .rd_ready_o(rd_ready[i]), .rd_addr_i, .rd_data_o(rd_data[i]), .rd_error_o(rd_error[i]),
      .cpu_valid_i, .cpu_write_i, .cpu_addr_i, .cpu_stall_o(cpu_stall[i]), .cpu_done_i,
      .arvalid_o(arvalid[i]), .arready_i, .araddr_o(araddr[i]), .arlen_o(arlen[i]), .rvalid_i,
      .rready_o(rready[i]), .rdata_i, .rerror_i, .awvalid_o(awvalid[i]), .awready_i,
      .awaddr_o(awaddr[i]), .awlen_o(awlen[i]), .wvalid_o(wvalid[i]), .wready_i,
      .wdata_o(wdata[i]), .wstrb_o(wstrb[i]), .wlast_o(wlast[i]), .bvalid_i, .bready_o(bready[i]),
      .berror_i
    );
  end

  // ---- comparison -------------------------------------------------------------------------------

  logic register_differs, cpu_differs, read_differs, aw_differs, w_differs;
  assign register_differs
    = {irq[0], wr_ready[0], wr_error[0], rd_ready[0], rd_error[0], rd_data[0]}
   != {irq[1], wr_ready[1], wr_error[1], rd_ready[1], rd_error[1], rd_data[1]};
  assign cpu_differs      = cpu_stall[0] != cpu_stall[1];
  assign read_differs     = {arvalid[0], araddr[0], arlen[0], rready[0]}
                         != {arvalid[1], araddr[1], arlen[1], rready[1]};
  assign aw_differs       = {awvalid[0], awaddr[0], awlen[0], bready[0]}
                         != {awvalid[1], awaddr[1], awlen[1], bready[1]};
  assign w_differs        = {wvalid[0], wdata[0], wstrb[0], wlast[0]}
                         != {wvalid[1], wdata[1], wstrb[1], wlast[1]};
  assign differ = register_differs || cpu_differs || read_differs || aw_differs || w_differs;

  // ---- outputs ----------------------------------------------------------------------------------

  assign irq_o       = alert ? enable_q : |irq;
  assign wr_ready_o  = alert || wr_ready[0];
  assign wr_error_o  = alert ? !at_enable : wr_error[0];
  assign rd_ready_o  = alert || rd_ready[0];
  assign rd_error_o  = !alert && rd_error[0];
  assign rd_data_o   = alert ? 32'hffffffff : rd_data[0];
  assign cpu_stall_o = (|cpu_stall) && !alert;

  assign arvalid_o = arvalid[0] && !alert && !read_differs;
  assign rready_o  = rready[0] || alert;
  assign awvalid_o = awvalid[0] && !alert && !aw_differs;
  assign wvalid_o  = wvalid[0] && !alert && !w_differs;
  assign bready_o  = bready[0] || alert;
  assign {araddr_o, arlen_o, awaddr_o, awlen_o} = {araddr[0], arlen[0], awaddr[0], awlen[0]};
  assign {wdata_o, wstrb_o, wlast_o} = {wdata[0], wstrb[0], wlast[0]};
endmodule
