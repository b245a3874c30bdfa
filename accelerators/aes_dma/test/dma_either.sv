// SPDX-License-Identifier: Apache-2.0
// aes_dma or, with Guarded, aes_dma_guarded; for benches and fault campaigns.
module dma_either #(
  parameter Dir            = "shared",
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Rounds         = 2,
  parameter SboxImpl       = "lut",
  parameter MaxBlocks      = 256,
  parameter Gcm            = 0,
  parameter HashDigit      = 32,
  parameter Registered     = 0,
  parameter Guarded        = 0
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
  if (Guarded != 0) begin : gen_guarded
    aes_dma_guarded #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds), .SboxImpl(SboxImpl),
      .MaxBlocks(MaxBlocks), .Gcm(Gcm), .HashDigit(HashDigit), .Registered(Registered)
    ) u_dma (.*);
  end else begin : gen_plain
    aes_dma #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds), .SboxImpl(SboxImpl),
      .MaxBlocks(MaxBlocks), .Gcm(Gcm), .HashDigit(HashDigit), .Registered(Registered)
    ) u_dma (.*);
  end
endmodule
