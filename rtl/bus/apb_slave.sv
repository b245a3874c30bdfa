// SPDX-License-Identifier: Apache-2.0
// APB slave that drives the register port of axil_slave: AMBA APB protocol specification (ARM IHI
// 0024E), sections 3.1 to 3.4: wait states, byte strobes, error response.
module apb_slave #(
  parameter AddrW = 12
) (
  input  logic             pclk,
  input  logic             presetn,
  input  logic             psel,
  input  logic             penable,
  input  logic             pwrite,
  input  logic [AddrW-1:0] paddr,
  input  logic [31:0]      pwdata,
  input  logic [3:0]       pstrb,
  input  logic [2:0]       pprot,
  output logic             pready,
  output logic [31:0]      prdata,
  output logic             pslverr,

  output logic             wr_valid_o,
  input  logic             wr_ready_i,
  output logic [AddrW-1:0] wr_addr_o,
  output logic [31:0]      wr_data_o,
  output logic [3:0]       wr_strb_o,
  input  logic             wr_error_i,
  output logic             rd_valid_o,
  input  logic             rd_ready_i,
  output logic [AddrW-1:0] rd_addr_o,
  input  logic [31:0]      rd_data_i,
  input  logic             rd_error_i
);
  // The access phase is one request. The register's response ends the phase.
  logic access, unused;
  assign unused = ^{pclk, presetn, pprot};
  assign access = psel && penable;

  assign wr_valid_o = access && pwrite;
  assign wr_addr_o  = paddr;
  assign wr_data_o  = pwdata;
  assign wr_strb_o  = pstrb;
  assign rd_valid_o = access && !pwrite;
  assign rd_addr_o  = paddr;

  assign pready  = pwrite ? wr_ready_i : rd_ready_i;
  assign prdata  = access && !pwrite ? rd_data_i : 32'h0;
  assign pslverr = access && pready && (pwrite ? wr_error_i : rd_error_i);
endmodule
