// SPDX-License-Identifier: Apache-2.0
// A peripheral on the bus: its registers in the core's address space, its bus master on the memory
// port that it shares with the core's data accesses (one access a cycle), and its stall output for
// these accesses. Instruction fetches have a separate port.
//
// The port's turns are a register, so no path leads from the bus master to the core's ready: the
// master's first access waits a cycle for its turn, and so does an access of the core that meets
// the master's turn.

module sim_block (
  input  logic        clk_i,
  input  logic        rst_ni,

  // The core's data access to memory or device.
  input  logic        cpu_valid_i,
  input  logic        cpu_write_i,
  input  logic [31:0] cpu_addr_i,
  output logic        cpu_hold_o,        // stall: not in this cycle
  input  logic        cpu_done_i,        // the access is performed in this cycle

  // The core's access to the registers.
  input  logic        register_valid_i,  // valid and payload are stable until accepted
  input  logic        register_write_i,
  input  logic [ 3:0] register_strobe_i,
  input  logic [11:0] register_addr_i,
  input  logic [31:0] register_wdata_i,
  output logic        register_accept_o,
  output logic        register_answer_o, // response of the oldest read
  output logic [31:0] register_rdata_o,

  output logic        irq_o
);

  logic        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [31:0] wdata, rdata;
  logic [11:0] awaddr, araddr;
  logic [ 3:0] wstrb;

  logic        m_awvalid, m_awready, m_wvalid, m_wready, m_bvalid, m_bready;
  logic        m_arvalid, m_arready, m_rvalid, m_rready, m_wlast, m_rlast;
  logic [31:0] m_awaddr, m_wdata, m_araddr, m_rdata;
  logic [ 7:0] m_arlen;
  logic [ 3:0] m_wstrb;
  logic [ 1:0] m_bresp, m_rresp;

  logic        stall, master_valid, master_wants, master_grant, master_write, master_error;
  logic        cpu_waits, turn_q;  // turn_q: the master's turn
  logic [29:0] master_addr;
  logic [31:0] master_wdata, master_rdata;
  logic [ 3:0] master_wstrb;

  sim_axil_master u_registers (
    .clk_i,
    .rst_ni,
    .valid_i      (register_valid_i),
    .write_i      (register_write_i),
    .strobe_i     (register_strobe_i),
    .addr_i       (register_addr_i),
    .wdata_i      (register_wdata_i),
    .accept_o     (register_accept_o),
    .answer_o     (register_answer_o),
    .rdata_o      (register_rdata_o),
    .m_axi_awvalid(awvalid),
    .m_axi_awready(awready),
    .m_axi_awaddr (awaddr),
    .m_axi_wvalid (wvalid),
    .m_axi_wready (wready),
    .m_axi_wdata  (wdata),
    .m_axi_wstrb  (wstrb),
    .m_axi_bvalid (bvalid),
    .m_axi_bready (bready),
    .m_axi_arvalid(arvalid),
    .m_axi_arready(arready),
    .m_axi_araddr (araddr),
    .m_axi_rvalid (rvalid),
    .m_axi_rready (rready),
    .m_axi_rdata  (rdata)
  );

  accel_block u_block (
    .aclk         (clk_i),
    .aresetn      (rst_ni),
    .s_axi_awvalid(awvalid),
    .s_axi_awready(awready),
    .s_axi_awaddr (awaddr),
    .s_axi_wvalid (wvalid),
    .s_axi_wready (wready),
    .s_axi_wdata  (wdata),
    .s_axi_wstrb  (wstrb),
    .s_axi_bvalid (bvalid),
    .s_axi_bready (bready),
    .s_axi_arvalid(arvalid),
    .s_axi_arready(arready),
    .s_axi_araddr (araddr),
    .s_axi_rvalid (rvalid),
    .s_axi_rready (rready),
    .s_axi_rdata  (rdata),
    .m_axi_awvalid(m_awvalid),
    .m_axi_awready(m_awready),
    .m_axi_awaddr (m_awaddr),
    .m_axi_wvalid (m_wvalid),
    .m_axi_wready (m_wready),
    .m_axi_wdata  (m_wdata),
    .m_axi_wstrb  (m_wstrb),
    .m_axi_wlast  (m_wlast),
    .m_axi_bvalid (m_bvalid),
    .m_axi_bready (m_bready),
    .m_axi_bresp  (m_bresp),
    .m_axi_arvalid(m_arvalid),
    .m_axi_arready(m_arready),
    .m_axi_araddr (m_araddr),
    .m_axi_arlen  (m_arlen),
    .m_axi_rvalid (m_rvalid),
    .m_axi_rready (m_rready),
    .m_axi_rdata  (m_rdata),
    .m_axi_rresp  (m_rresp),
    .m_axi_rlast  (m_rlast),
    .cpu_valid_i,
    .cpu_write_i,
    .cpu_addr_i,
    .cpu_stall_o  (stall),
    .cpu_done_i,
    .irq_o
  );

  // A single master that uses no ids.
  logic unused_bid, unused_rid;
  axi_memory u_memory (
    .aclk         (clk_i),
    .aresetn      (rst_ni),
    .s_axi_awid   (1'b0),
    .s_axi_awvalid(m_awvalid),
    .s_axi_awready(m_awready),
    .s_axi_awaddr (m_awaddr),
    .s_axi_wvalid (m_wvalid),
    .s_axi_wready (m_wready),
    .s_axi_wdata  (m_wdata),
    .s_axi_wstrb  (m_wstrb),
    .s_axi_wlast  (m_wlast),
    .s_axi_bid    (unused_bid),
    .s_axi_bvalid (m_bvalid),
    .s_axi_bready (m_bready),
    .s_axi_bresp  (m_bresp),
    .s_axi_arid   (1'b0),
    .s_axi_arvalid(m_arvalid),
    .s_axi_arready(m_arready),
    .s_axi_araddr (m_araddr),
    .s_axi_arlen  (m_arlen),
    .s_axi_rid    (unused_rid),
    .s_axi_rvalid (m_rvalid),
    .s_axi_rready (m_rready),
    .s_axi_rdata  (m_rdata),
    .s_axi_rresp  (m_rresp),
    .s_axi_rlast  (m_rlast),
    .mem_valid_o  (master_valid),
    .mem_ready_i  (master_grant),
    .mem_write_o  (master_write),
    .mem_addr_o   (master_addr),
    .mem_wdata_o  (master_wdata),
    .mem_wstrb_o  (master_wstrb),
    .mem_rdata_i  (master_rdata),
    .mem_error_i  (master_error)
  );

  sim_master_port u_port (
    .clk_i,
    .rst_ni,
    .valid_i (master_valid),
    .ready_o (master_wants),
    .grant_i (master_grant),
    .write_i (master_write),
    .strobe_i(master_wstrb),
    .addr_i  ({master_addr, 2'b00}),
    .wdata_i (master_wdata),
    .rdata_o (master_rdata),
    .error_o (master_error)
  );

  // Core and bus master take turns when both request the port.
  assign cpu_waits    = cpu_valid_i && !stall && !cpu_done_i;
  assign master_grant = master_wants && turn_q;
  assign cpu_hold_o   = stall || turn_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else         turn_q <= master_valid && !cpu_waits;
  end

endmodule
