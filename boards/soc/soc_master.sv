// SPDX-License-Identifier: Apache-2.0
// RAM that the core shares with a bus master (accel_block), and the bus master's registers.
//
// An access of the core is kept in registers until it is performed, so no path leads from the
// accelerator through the core. The accelerator may stall an access to RAM. The RAM port performs
// one access a clock; core and bus master take turns when both request it. The turn is a register:
// the bus master's first access waits a clock for it.
//
// A write to a register ends with its response: a job has started before the core's next access.
// The bus master reaches RAM only, every other address is a bus error for it.

module soc_master #(
  parameter Words = 2048
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        ram_req_i,     // neither this nor the next while hold_o
  input  logic        block_req_i,
  input  logic [ 3:0] we_i,          // bytes to write; none: a read
  input  logic [27:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        hold_o,        // the last access is not complete
  output logic [31:0] ram_rdata_o,
  output logic [31:0] block_rdata_o
);

  localparam logic [31:0] Base = 32'h1000_0000;  // of RAM
  localparam int Width = $clog2(Words);

  // The core's access -----------------------------------------------------------------------------

  logic        ram_q, ask_q, open_q;  // to RAM; to a register: not accepted, without its response
  logic        cpu_done, accept, answer, bvalid, bready;
  logic [ 3:0] we_q;
  logic [27:0] addr_q;
  logic [31:0] wdata_q, register_rdata, rdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {ram_q, ask_q, open_q} <= 3'b000;
    end else begin
      ram_q  <= ram_req_i || (ram_q && !cpu_done);
      ask_q  <= block_req_i || (ask_q && !accept);
      open_q <= block_req_i || (open_q && !answer && !(bvalid && bready));
    end
  end
  always_ff @(posedge clk_i) begin
    if (ram_req_i || block_req_i) {we_q, addr_q, wdata_q} <= {we_i, addr_i, wdata_i};
    if (answer) rdata_q <= register_rdata;
  end
  assign hold_o        = ram_q || open_q;
  assign block_rdata_o = rdata_q;

  logic        awvalid, awready, wvalid, wready, arvalid, arready, rvalid, rready;
  logic [11:0] awaddr, araddr;
  logic [31:0] wdata, rdata;
  logic [ 3:0] wstrb;

  sim_axil_master u_registers (
    .clk_i, .rst_ni, .valid_i(ask_q), .write_i(we_q != 4'd0), .strobe_i(we_q),
    .addr_i(addr_q[11:0]), .wdata_i(wdata_q), .accept_o(accept), .answer_o(answer),
    .rdata_o(register_rdata),
    .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awaddr(awaddr),
    .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb),
    .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_arvalid(arvalid),
    .m_axi_arready(arready), .m_axi_araddr(araddr), .m_axi_rvalid(rvalid),
    .m_axi_rready(rready), .m_axi_rdata(rdata)
  );

  // The accelerator -------------------------------------------------------------------------------

  logic        m_awvalid, m_awready, m_wvalid, m_wready, m_bvalid, m_bready;
  logic        m_arvalid, m_arready, m_rvalid, m_rready, m_wlast, m_rlast;
  logic [31:0] m_awaddr, m_wdata, m_araddr, m_rdata, cpu_addr;
  logic [ 7:0] m_arlen;
  logic [ 3:0] m_wstrb;
  logic [ 1:0] m_bresp, m_rresp;
  logic        stall, irq;

  // RAM repeats in its part of the address space; the accelerator sees the word's first address.
  assign cpu_addr = Base | 32'(addr_q[Width+1:0]);

  accel_block u_accel (
    .aclk(clk_i), .aresetn(rst_ni),
    .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_awaddr(awaddr),
    .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
    .s_axi_bvalid(bvalid), .s_axi_bready(bready), .s_axi_arvalid(arvalid),
    .s_axi_arready(arready), .s_axi_araddr(araddr), .s_axi_rvalid(rvalid),
    .s_axi_rready(rready), .s_axi_rdata(rdata),
    .m_axi_awvalid(m_awvalid), .m_axi_awready(m_awready), .m_axi_awaddr(m_awaddr),
    .m_axi_wvalid(m_wvalid), .m_axi_wready(m_wready), .m_axi_wdata(m_wdata),
    .m_axi_wstrb(m_wstrb), .m_axi_wlast(m_wlast), .m_axi_bvalid(m_bvalid),
    .m_axi_bready(m_bready), .m_axi_bresp(m_bresp), .m_axi_arvalid(m_arvalid),
    .m_axi_arready(m_arready), .m_axi_araddr(m_araddr), .m_axi_arlen(m_arlen),
    .m_axi_rvalid(m_rvalid), .m_axi_rready(m_rready), .m_axi_rdata(m_rdata),
    .m_axi_rresp(m_rresp), .m_axi_rlast(m_rlast), .cpu_valid_i(ram_q),
    .cpu_write_i(we_q != 4'd0), .cpu_addr_i(cpu_addr), .cpu_stall_o(stall),
    .cpu_done_i(cpu_done), .irq_o(irq)
  );

  // RAM -------------------------------------------------------------------------------------------

  logic        master_valid, master_write, master_inside, grant, error_q;
  logic        turn_q;  // the bus master's
  logic [29:0] master_addr;
  logic [31:0] master_wdata;
  logic [ 3:0] master_wstrb;

  // A single master that uses no ids.
  logic unused_bid, unused_rid;
  axi_memory u_memory (
    .aclk(clk_i), .aresetn(rst_ni),
    .s_axi_awid(1'b0), .s_axi_awvalid(m_awvalid), .s_axi_awready(m_awready),
    .s_axi_awaddr(m_awaddr), .s_axi_wvalid(m_wvalid), .s_axi_wready(m_wready),
    .s_axi_wdata(m_wdata), .s_axi_wstrb(m_wstrb), .s_axi_wlast(m_wlast),
    .s_axi_bid(unused_bid), .s_axi_bvalid(m_bvalid), .s_axi_bready(m_bready),
    .s_axi_bresp(m_bresp), .s_axi_arid(1'b0), .s_axi_arvalid(m_arvalid),
    .s_axi_arready(m_arready), .s_axi_araddr(m_araddr), .s_axi_arlen(m_arlen),
    .s_axi_rid(unused_rid), .s_axi_rvalid(m_rvalid), .s_axi_rready(m_rready),
    .s_axi_rdata(m_rdata), .s_axi_rresp(m_rresp), .s_axi_rlast(m_rlast),
    .mem_valid_o(master_valid), .mem_ready_i(grant), .mem_write_o(master_write),
    .mem_addr_o(master_addr), .mem_wdata_o(master_wdata), .mem_wstrb_o(master_wstrb),
    .mem_rdata_i(ram_rdata_o), .mem_error_i(error_q)
  );

  assign cpu_done      = ram_q && !stall && !turn_q;
  assign grant         = master_valid && turn_q;
  assign master_inside = master_addr[29:Width] == Base[31:Width+2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {turn_q, error_q} <= 2'b00;
    end else begin
      turn_q  <= master_valid && !(turn_q && ram_q && !stall);
      error_q <= !master_inside;
    end
  end

  logic [      3:0] ram_we;
  logic [Width-1:0] ram_addr;

  always_comb begin
    if (turn_q) {ram_we, ram_addr} = {master_write ? master_wstrb : 4'd0, master_addr[Width-1:0]};
    else        {ram_we, ram_addr} = {we_q, addr_q[Width+1:2]};
  end

  soc_ram #(.Words(Words)) u_ram (
    .clk_i,
    .req_i  (cpu_done || (grant && master_inside)),
    .we_i   (ram_we),
    .addr_i (ram_addr),
    .wdata_i(turn_q ? master_wdata : wdata_q),
    .rdata_o(ram_rdata_o)
  );

  // Nobody waits for interrupts here. RAM repeats; the address of a register has twelve bits.
  logic unused;
  assign unused = ^{irq, addr_q[27:Width+2]};

endmodule
