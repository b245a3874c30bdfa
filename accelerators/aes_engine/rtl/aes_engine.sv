// SPDX-License-Identifier: Apache-2.0
// AES engine with an AXI4-Lite slave: AES-128/192/256, ECB, CBC, CTR and optional GCM,
// memory-mapped (Kale 2021, sections 2 and 3; registers in aes_engine.rdl).
//
// Made from aes_engine.sv.j2 by `aesforge modules`.
module aes_engine #(
  parameter Dir            = "parallel",  // "enc" | "dec" | "shared" | "parallel", see aes_iter
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Width          = 128,         // bits of state a cycle: 128 | 32
  parameter Rounds         = 1,           // 1 | 2
  parameter Interleave     = 1,           // blocks interleaved in a unit: 1 to 3
  parameter SboxImpl       = "tower",     // see aes_sbox; "bram": aes_words
  parameter Gcm            = 0,           // 1: GCM in the encryption channel
  parameter HashDigit      = 16,          // bits of its hash a cycle: a power of two, 1 to 64
  parameter Guarded        = 0            // 1: a flipped bit is an alert; "bram", HashDigit is 8
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
  output logic        irq_o,
  output logic        idle_o
);
  logic        wr_valid, wr_ready, wr_error, rd_valid, rd_ready, rd_error;
  logic [11:0] wr_addr, rd_addr;
  logic [31:0] wr_data, rd_data;
  logic [3:0]  wr_strb;

  if (Guarded != 0) begin : gen_guarded
    logic fault, wr_parity, rd_parity;
    axil_slave_guarded u_slave (
      .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr, .s_axi_awprot, .s_axi_wvalid,
      .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid, .s_axi_bready, .s_axi_bresp,
      .s_axi_arvalid, .s_axi_arready, .s_axi_araddr, .s_axi_arprot, .s_axi_rvalid, .s_axi_rready,
      .s_axi_rdata, .s_axi_rresp, .fault_o(fault), .wr_parity_o(wr_parity), .rd_parity_i(rd_parity),
      .wr_valid_o(wr_valid), .wr_ready_i(wr_ready), .wr_addr_o(wr_addr), .wr_data_o(wr_data),
      .wr_strb_o(wr_strb), .wr_error_i(wr_error), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready),
      .rd_addr_o(rd_addr), .rd_data_i(rd_data), .rd_error_i(rd_error)
    );

    aes_engine_core_guarded #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Width(Width),
      .Rounds(Rounds), .SboxImpl(SboxImpl), .Gcm(Gcm)
    ) u_core (
      .clk_i(aclk), .rst_ni(aresetn), .irq_o, .idle_o,
      .fault_i(fault), .wr_parity_i(wr_parity), .rd_parity_o(rd_parity),
      .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr), .wr_data_i(wr_data),
      .wr_strb_i(wr_strb), .wr_error_o(wr_error), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
      .rd_addr_i(rd_addr), .rd_data_o(rd_data), .rd_error_o(rd_error)
    );
  end else begin : gen_plain
    axil_slave u_slave (
      .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr, .s_axi_awprot, .s_axi_wvalid,
      .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid, .s_axi_bready, .s_axi_bresp,
      .s_axi_arvalid, .s_axi_arready, .s_axi_araddr, .s_axi_arprot, .s_axi_rvalid, .s_axi_rready,
      .s_axi_rdata, .s_axi_rresp,
      .wr_valid_o(wr_valid), .wr_ready_i(wr_ready), .wr_addr_o(wr_addr), .wr_data_o(wr_data),
      .wr_strb_o(wr_strb), .wr_error_i(wr_error), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready),
      .rd_addr_o(rd_addr), .rd_data_i(rd_data), .rd_error_i(rd_error)
    );

    aes_engine_core #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Width(Width),
      .Rounds(Rounds), .Interleave(Interleave), .SboxImpl(SboxImpl),
      .Gcm(Gcm), .HashDigit(HashDigit)
    ) u_core (
      .clk_i(aclk), .rst_ni(aresetn), .irq_o, .idle_o,
      .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr), .wr_data_i(wr_data),
      .wr_strb_i(wr_strb), .wr_error_o(wr_error), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
      .rd_addr_i(rd_addr), .rd_data_o(rd_data), .rd_error_o(rd_error)
    );
  end
endmodule
