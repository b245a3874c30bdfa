// SPDX-License-Identifier: Apache-2.0
// A core's register accesses as AXI4-Lite transfers (ARM IHI 0022E). Writes are posted: for the
// core they end when both channels have accepted them. A read starts when all earlier writes have
// their responses. No core here has a bus error; the peripheral's status shows errors.

module sim_axil_master #(
  parameter AddrW = 12
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,   // valid and payload are stable until accepted
  input  logic             write_i,
  input  logic [3:0]       strobe_i,
  input  logic [AddrW-1:0] addr_i,
  input  logic [31:0]      wdata_i,
  output logic             accept_o,
  output logic             answer_o,  // response of the accepted read; with rdata_o
  output logic [31:0]      rdata_o,

  output logic             m_axi_awvalid,
  input  logic             m_axi_awready,
  output logic [AddrW-1:0] m_axi_awaddr,
  output logic             m_axi_wvalid,
  input  logic             m_axi_wready,
  output logic [31:0]      m_axi_wdata,
  output logic [3:0]       m_axi_wstrb,
  input  logic             m_axi_bvalid,
  output logic             m_axi_bready,
  output logic             m_axi_arvalid,
  input  logic             m_axi_arready,
  output logic [AddrW-1:0] m_axi_araddr,
  input  logic             m_axi_rvalid,
  output logic             m_axi_rready,
  input  logic [31:0]      m_axi_rdata
);

  localparam logic [3:0] MostPosted = 4'd8;

  logic       address_sent_q, data_sent_q, reading_q;
  logic [3:0] posted_q;  // writes without a response
  logic       may_write, may_read, write_done, read_sent;

  assign may_write  = valid_i && write_i && posted_q < MostPosted;
  assign may_read   = valid_i && !write_i && !reading_q && posted_q == 4'd0;
  assign write_done = may_write && (address_sent_q || m_axi_awready) &&
                      (data_sent_q || m_axi_wready);
  assign read_sent  = may_read && m_axi_arready;

  assign m_axi_awvalid = may_write && !address_sent_q;
  assign m_axi_wvalid  = may_write && !data_sent_q;
  assign m_axi_arvalid = may_read;
  assign m_axi_bready  = 1'b1;
  assign m_axi_rready  = 1'b1;
  assign m_axi_awaddr  = addr_i;
  assign m_axi_araddr  = addr_i;
  assign m_axi_wdata   = wdata_i;
  assign m_axi_wstrb   = strobe_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      address_sent_q <= 1'b0;
      data_sent_q    <= 1'b0;
      reading_q      <= 1'b0;
      posted_q       <= 4'd0;
    end else begin
      address_sent_q <= may_write && !write_done && (address_sent_q || m_axi_awready);
      data_sent_q    <= may_write && !write_done && (data_sent_q || m_axi_wready);
      reading_q      <= read_sent || (reading_q && !m_axi_rvalid);
      posted_q       <= posted_q + 4'(write_done) - 4'(m_axi_bvalid);
    end
  end

  assign accept_o = write_done || read_sent;
  assign answer_o = m_axi_rvalid;
  assign rdata_o  = m_axi_rdata;

endmodule
