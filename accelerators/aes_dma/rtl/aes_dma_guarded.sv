// SPDX-License-Identifier: Apache-2.0
// aes_dma with parity: a flipped bit of a flip-flop becomes an alert (aes_dma_alert), never a wrong
// result. Ports and parameters are those of aes_dma, without SboxImpl "bram" and Registered.
//
// cpu_valid_i, cpu_write_i, cpu_addr_i  the presented access, every cycle until it is performed
// cpu_stall_o                           combinational: keep this access from memory
// cpu_done_i                            the presented access is performed in this cycle
//
// Made from aes_dma_guarded.sv.j2 by `aesforge modules`.
module aes_dma_guarded #(
  parameter Dir            = "shared",  // "enc" | "dec" | "shared" | "parallel", see aes_iter
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Rounds         = 2,         // 1 | 2
  parameter SboxImpl       = "lut",     // S-box, see aes_sbox
  parameter MaxBlocks      = 256,       // blocks with a done-bit: 8, 16, ... 2048
  parameter Gcm            = 0,         // 1: GCM; Dir is not "dec"
  parameter HashDigit      = 32,        // bits of a block that its hash takes a cycle
  parameter Registered     = 0          // 1: for clocks, see aes_dma_watch
) (
  input  logic        aclk,
  input  logic        aresetn,
  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  input  logic [11:0] s_axi_awaddr,
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
  input  logic [11:0] s_axi_araddr,
  input  logic [2:0]  s_axi_arprot,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic [31:0] s_axi_rdata,
  output logic [1:0]  s_axi_rresp,

  output logic [0:0]  m_axi_awid,
  output logic        m_axi_awvalid,
  input  logic        m_axi_awready,
  output logic [31:0] m_axi_awaddr,
  output logic [7:0]  m_axi_awlen,
  output logic [2:0]  m_axi_awsize,
  output logic [1:0]  m_axi_awburst,
  output logic [3:0]  m_axi_awcache,
  output logic [2:0]  m_axi_awprot,
  output logic        m_axi_wvalid,
  input  logic        m_axi_wready,
  output logic [31:0] m_axi_wdata,
  output logic [3:0]  m_axi_wstrb,
  output logic        m_axi_wlast,
  input  logic [0:0]  m_axi_bid,
  input  logic        m_axi_bvalid,
  output logic        m_axi_bready,
  input  logic [1:0]  m_axi_bresp,
  output logic [0:0]  m_axi_arid,
  output logic        m_axi_arvalid,
  input  logic        m_axi_arready,
  output logic [31:0] m_axi_araddr,
  output logic [7:0]  m_axi_arlen,
  output logic [2:0]  m_axi_arsize,
  output logic [1:0]  m_axi_arburst,
  output logic [3:0]  m_axi_arcache,
  output logic [2:0]  m_axi_arprot,
  input  logic [0:0]  m_axi_rid,
  input  logic        m_axi_rvalid,
  output logic        m_axi_rready,
  input  logic [31:0] m_axi_rdata,
  input  logic [1:0]  m_axi_rresp,
  input  logic        m_axi_rlast,

  input  logic        cpu_valid_i,
  input  logic        cpu_write_i,
  input  logic [31:0] cpu_addr_i,
  output logic        cpu_stall_o,
  input  logic        cpu_done_i,
  output logic        irq_o
);
  logic        wr_valid, wr_ready, wr_error, rd_valid, rd_ready, rd_error;
  logic [11:0] wr_addr, rd_addr;
  logic [31:0] wr_data, rd_data;
  logic [3:0]  wr_strb;
  logic        fault, wr_parity;

  axil_slave_guarded u_slave (
    .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr, .s_axi_awprot, .s_axi_wvalid,
    .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid, .s_axi_bready, .s_axi_bresp,
    .s_axi_arvalid, .s_axi_arready, .s_axi_araddr, .s_axi_arprot, .s_axi_rvalid, .s_axi_rready,
    .s_axi_rdata, .s_axi_rresp, .fault_o(fault), .wr_parity_o(wr_parity), .rd_parity_i(^rd_data),
    .wr_valid_o(wr_valid), .wr_ready_i(wr_ready), .wr_addr_o(wr_addr), .wr_data_o(wr_data),
    .wr_strb_o(wr_strb), .wr_error_i(wr_error), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready),
    .rd_addr_o(rd_addr), .rd_data_i(rd_data), .rd_error_i(rd_error)
  );

  logic [2:0] arlen;
  logic [1:0] awlen;
  aes_dma_alert #(
    .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds),
    .SboxImpl(SboxImpl), .MaxBlocks(MaxBlocks), .Gcm(Gcm), .HashDigit(HashDigit),
    .Registered(Registered)
  ) u_master (
    .clk_i(aclk), .rst_ni(aresetn), .fault_i(fault), .irq_o,
    .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr), .wr_data_i(wr_data),
    .wr_strb_i(wr_strb), .wr_error_o(wr_error), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
    .rd_addr_i(rd_addr), .rd_data_o(rd_data), .rd_error_o(rd_error),
    .cpu_valid_i, .cpu_write_i, .cpu_addr_i(cpu_addr_i[31:2]), .cpu_stall_o, .cpu_done_i,
    .arvalid_o(m_axi_arvalid), .arready_i(m_axi_arready), .araddr_o(m_axi_araddr[31:2]),
    .arlen_o(arlen), .rvalid_i(m_axi_rvalid), .rready_o(m_axi_rready), .rdata_i(m_axi_rdata),
    .rerror_i(m_axi_rresp[1]), .awvalid_o(m_axi_awvalid), .awready_i(m_axi_awready),
    .awaddr_o(m_axi_awaddr[31:2]), .awlen_o(awlen), .wvalid_o(m_axi_wvalid),
    .wready_i(m_axi_wready), .wdata_o(m_axi_wdata), .wstrb_o(m_axi_wstrb), .wlast_o(m_axi_wlast),
    .bvalid_i(m_axi_bvalid), .bready_o(m_axi_bready), .berror_i(m_axi_bresp[1])
  );

  // Incrementing bursts of whole words: bufferable, modifiable; data, secure, unprivileged.
  assign {m_axi_awid, m_axi_arid}       = 2'b00;
  assign {m_axi_araddr[1:0], m_axi_awaddr[1:0]} = 4'b0000;
  assign {m_axi_awlen, m_axi_arlen}     = {6'h0, awlen, 5'h0, arlen};
  assign {m_axi_awsize, m_axi_arsize}   = {3'd2, 3'd2};
  assign {m_axi_awburst, m_axi_arburst} = {2'b01, 2'b01};
  assign {m_axi_awcache, m_axi_arcache} = {4'b0011, 4'b0011};
  assign {m_axi_awprot, m_axi_arprot}   = {3'b000, 3'b000};

  // Words arrive in order and each job counts them, so ids and rlast are unused. u_slave compares
  // the parity of written words.
  logic unused;
  assign unused = ^{wr_parity, m_axi_rid, m_axi_bid, m_axi_rlast, m_axi_rresp[0], m_axi_bresp[0],
                    cpu_addr_i[1:0]};
endmodule
