// SPDX-License-Identifier: Apache-2.0
// The registers of an accelerator on the bus, as the core's memory port sees them. An access is
// kept until the AXI4-Lite transfer has accepted it, and a read until its response; the core waits
// so long. Without an accelerator there is nothing to answer, and nobody asks.

module soc_block (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,   // not while hold_o
  input  logic [ 3:0] we_i,    // bytes to write; none: a read
  input  logic [11:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        hold_o,  // the answer to the last access is not there
  output logic [31:0] rdata_o
);

  logic        ask_q, read_q;  // not yet accepted; a read without its response
  logic        accept, answer, irq;
  logic [ 3:0] we_q;
  logic [11:0] addr_q;
  logic [31:0] wdata_q, rdata;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {ask_q, read_q} <= 2'b00;
    end else begin
      ask_q  <= req_i || (ask_q && !accept);
      read_q <= (req_i && we_i == 4'd0) || (read_q && !answer);
    end
  end
  always_ff @(posedge clk_i) begin
    if (req_i) {we_q, addr_q, wdata_q} <= {we_i, addr_i, wdata_i};
  end

  // The answer is in a register, so that no path leads from the accelerator through the core.
  logic [31:0] rdata_q;
  always_ff @(posedge clk_i) if (answer) rdata_q <= rdata;
  assign hold_o  = ask_q || read_q;
  assign rdata_o = rdata_q;

  logic        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [11:0] awaddr, araddr;
  logic [31:0] m_wdata, m_rdata;
  logic [ 3:0] wstrb;

  sim_axil_master u_master (
    .clk_i, .rst_ni, .valid_i(ask_q), .write_i(we_q != 4'd0), .strobe_i(we_q), .addr_i(addr_q),
    .wdata_i(wdata_q), .accept_o(accept), .answer_o(answer), .rdata_o(rdata),
    .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awaddr(awaddr),
    .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(m_wdata), .m_axi_wstrb(wstrb),
    .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_arvalid(arvalid),
    .m_axi_arready(arready), .m_axi_araddr(araddr), .m_axi_rvalid(rvalid),
    .m_axi_rready(rready), .m_axi_rdata(m_rdata)
  );

  logic        unused_awvalid, unused_wvalid, unused_wlast, unused_bready, unused_arvalid;
  logic        unused_rready, unused_stall;
  logic [31:0] unused_awaddr, unused_wdata, unused_araddr;
  logic [ 7:0] unused_arlen;
  logic [ 3:0] unused_wstrb;
  accel_block u_accel (
    .aclk(clk_i), .aresetn(rst_ni),
    .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_awaddr(awaddr),
    .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_wdata(m_wdata), .s_axi_wstrb(wstrb),
    .s_axi_bvalid(bvalid), .s_axi_bready(bready), .s_axi_arvalid(arvalid),
    .s_axi_arready(arready), .s_axi_araddr(araddr), .s_axi_rvalid(rvalid),
    .s_axi_rready(rready), .s_axi_rdata(m_rdata),
    // Bus masters are in another system (soc_dma.sv).
    .m_axi_awvalid(unused_awvalid), .m_axi_awready(1'b0), .m_axi_awaddr(unused_awaddr),
    .m_axi_wvalid(unused_wvalid), .m_axi_wready(1'b0), .m_axi_wdata(unused_wdata),
    .m_axi_wstrb(unused_wstrb), .m_axi_wlast(unused_wlast), .m_axi_bvalid(1'b0),
    .m_axi_bready(unused_bready), .m_axi_bresp(2'b00), .m_axi_arvalid(unused_arvalid),
    .m_axi_arready(1'b0), .m_axi_araddr(unused_araddr), .m_axi_arlen(unused_arlen),
    .m_axi_rvalid(1'b0), .m_axi_rready(unused_rready), .m_axi_rdata(32'd0),
    .m_axi_rresp(2'b00), .m_axi_rlast(1'b0), .cpu_valid_i(1'b0), .cpu_write_i(1'b0),
    .cpu_addr_i(32'd0), .cpu_stall_o(unused_stall), .cpu_done_i(1'b0), .irq_o(irq)
  );

  logic unused;
  assign unused = irq;

endmodule
