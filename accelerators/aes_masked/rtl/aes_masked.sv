// SPDX-License-Identifier: Apache-2.0
// Masked AES with an AXI4-Lite slave: registers in aes_masked.rdl.
module aes_masked #(
  parameter Sideload = 0  // 1: keys of a key manager too
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
  // A key manager's port: see aes_masked_core.
  input  logic        sideload_valid_i,
  output logic        sideload_take_o,
  output logic [2:0]  sideload_word_o,
  input  logic [31:0] sideload0_i,
  input  logic [31:0] sideload1_i,
  output logic        irq_o,
  output logic        idle_o
);
  logic        wr_valid, wr_ready, wr_error, rd_valid, rd_ready, rd_error;
  logic [11:0] wr_addr, rd_addr;
  logic [31:0] wr_data, rd_data;
  logic [3:0]  wr_strb;

  axil_slave_half u_slave (
    .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr, .s_axi_awprot, .s_axi_wvalid,
    .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid, .s_axi_bready, .s_axi_bresp,
    .s_axi_arvalid, .s_axi_arready, .s_axi_araddr, .s_axi_arprot, .s_axi_rvalid, .s_axi_rready,
    .s_axi_rdata, .s_axi_rresp,
    .wr_valid_o(wr_valid), .wr_ready_i(wr_ready), .wr_addr_o(wr_addr), .wr_data_o(wr_data),
    .wr_strb_o(wr_strb), .wr_error_i(wr_error), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready),
    .rd_addr_o(rd_addr), .rd_data_i(rd_data), .rd_error_i(rd_error)
  );

  aes_masked_core #(.Sideload(Sideload)) u_core (
    .clk_i(aclk), .rst_ni(aresetn), .irq_o, .idle_o, .sideload_valid_i, .sideload_take_o,
    .sideload_word_o, .sideload0_i, .sideload1_i,
    .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr), .wr_data_i(wr_data),
    .wr_strb_i(wr_strb), .wr_error_o(wr_error), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
    .rd_addr_i(rd_addr), .rd_data_o(rd_data), .rd_error_o(rd_error)
  );
endmodule
