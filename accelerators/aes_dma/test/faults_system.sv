// SPDX-License-Identifier: Apache-2.0
// The bus master under the host of fault campaigns, which speaks AXI4-Lite, beside a memory. What
// is flipped is the bus master's; the flip-flops of `outside` are not.
//
// Addresses from 0x1000 on are read through the CPU's port: the memory, and at 0x1800 whether a
// word besides the destination has changed. The host holds an address until its answer and takes
// answers only after the request.
module faults_system #(
  parameter Dir            = "shared",
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Rounds         = 2,
  parameter SboxImpl       = "lut",
  parameter MaxBlocks      = 256,
  parameter Gcm            = 0,
  parameter HashDigit      = 32,
  parameter Registered     = 0,
  parameter Guarded        = 0   // 1: aes_dma_guarded
) (
  input  logic        aclk,
  input  logic        aresetn,
  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  input  logic [12:0] s_axi_awaddr,
  input  logic [2:0]  s_axi_awprot,
  input  logic        s_axi_wvalid,
  output logic        s_axi_wready,
  input  logic [31:0] s_axi_wdata,
  input  logic [3:0]  s_axi_wstrb,
  output logic        s_axi_bvalid,
  input  logic        s_axi_bready,
  output logic [1:0]  s_axi_bresp,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  input  logic [12:0] s_axi_araddr,
  input  logic [2:0]  s_axi_arprot,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic [31:0] s_axi_rdata,
  output logic [1:0]  s_axi_rresp,
  output logic        irq_o
);
  logic        awvalid, awready, wvalid, wready, wlast, bvalid, bready;
  logic        arvalid, arready, rvalid, rready, rlast;
  logic [31:0] awaddr, wdata, araddr, rdata, cpu_rdata, rd_data;
  logic [7:0]  awlen, arlen;
  logic [3:0]  wstrb;
  logic [1:0]  rd_resp;
  logic        at_cpu, at_memory, rd_arready, rd_valid, cpu_valid, cpu_stall, cpu_done, changed;
  logic        aw_id, ar_id;
  logic [23:0] constants;

  assign at_cpu    = s_axi_araddr[12];
  assign at_memory = !s_axi_araddr[11];
  assign cpu_valid = at_cpu && at_memory && s_axi_rready;
  assign cpu_done  = cpu_valid && !cpu_stall;

  assign s_axi_arready = at_cpu || rd_arready;
  assign s_axi_rvalid  = at_cpu ? s_axi_rready && (!at_memory || !cpu_stall) : rd_valid;
  assign s_axi_rdata   = !at_cpu ? rd_data : at_memory ? cpu_rdata : {31'd0, changed};
  assign s_axi_rresp   = at_cpu ? 2'b00 : rd_resp;

  dma_either #(
    .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds), .SboxImpl(SboxImpl),
    .MaxBlocks(MaxBlocks), .Gcm(Gcm), .HashDigit(HashDigit), .Registered(Registered),
    .Guarded(Guarded)
  ) u_dma (
    .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr(s_axi_awaddr[11:0]),
    .s_axi_awprot, .s_axi_wvalid, .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid,
    .s_axi_bready, .s_axi_bresp, .s_axi_arvalid(s_axi_arvalid && !at_cpu),
    .s_axi_arready(rd_arready), .s_axi_araddr(s_axi_araddr[11:0]), .s_axi_arprot,
    .s_axi_rvalid(rd_valid), .s_axi_rready(s_axi_rready && !at_cpu), .s_axi_rdata(rd_data),
    .s_axi_rresp(rd_resp),
    .m_axi_awid(aw_id), .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awaddr(awaddr),
    .m_axi_awlen(awlen), .m_axi_awsize(constants[2:0]), .m_axi_awburst(constants[4:3]),
    .m_axi_awcache(constants[8:5]), .m_axi_awprot(constants[11:9]), .m_axi_wvalid(wvalid),
    .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),
    .m_axi_bid(1'b0), .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bresp(2'b00),
    .m_axi_arid(ar_id), .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_araddr(araddr),
    .m_axi_arlen(arlen), .m_axi_arsize(constants[14:12]), .m_axi_arburst(constants[16:15]),
    .m_axi_arcache(constants[20:17]), .m_axi_arprot(constants[23:21]), .m_axi_rid(1'b0),
    .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rdata(rdata), .m_axi_rresp(2'b00),
    .m_axi_rlast(rlast),
    .cpu_valid_i(cpu_valid), .cpu_write_i(1'b0), .cpu_addr_i({25'd0, s_axi_araddr[6:2], 2'b00}),
    .cpu_stall_o(cpu_stall), .cpu_done_i(cpu_done), .irq_o
  );

  faults_memory outside (
    .clk_i(aclk), .rst_ni(aresetn), .awvalid_i(awvalid), .awready_o(awready), .awaddr_i(awaddr),
    .wvalid_i(wvalid), .wready_o(wready), .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast),
    .bvalid_o(bvalid), .bready_i(bready), .arvalid_i(arvalid), .arready_o(arready),
    .araddr_i(araddr), .arlen_i(arlen), .rvalid_o(rvalid), .rready_i(rready), .rdata_o(rdata),
    .rlast_o(rlast), .cpu_word_i(s_axi_araddr[6:2]), .cpu_rdata_o(cpu_rdata), .changed_o(changed)
  );

  logic unused;
  assign unused = ^{awlen, aw_id, ar_id, constants, s_axi_awaddr[12]};
endmodule
