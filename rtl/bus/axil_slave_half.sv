// SPDX-License-Identifier: Apache-2.0
// axil_slave with buffers of one entry: less logic, and each channel accepts one transfer every
// other cycle, which is enough for a processor. Everything else is the same.
//
// Made from axil_slave_half.sv.j2 by `aesforge modules`.
module axil_slave_half #(
  parameter AddrW = 12
) (
  input  logic             aclk,
  input  logic             aresetn,
  input  logic             s_axi_awvalid,
  output logic             s_axi_awready,
  input  logic [AddrW-1:0] s_axi_awaddr,
  input  logic [2:0]       s_axi_awprot,
  input  logic             s_axi_wvalid,
  output logic             s_axi_wready,
  input  logic [31:0]      s_axi_wdata,
  input  logic [3:0]       s_axi_wstrb,
  output logic             s_axi_bvalid,
  input  logic             s_axi_bready,
  output logic [1:0]       s_axi_bresp,
  input  logic             s_axi_arvalid,
  output logic             s_axi_arready,
  input  logic [AddrW-1:0] s_axi_araddr,
  input  logic [2:0]       s_axi_arprot,
  output logic             s_axi_rvalid,
  input  logic             s_axi_rready,
  output logic [31:0]      s_axi_rdata,
  output logic [1:0]       s_axi_rresp,

  output logic             wr_valid_o,   // stable with its payload until wr_ready_i
  input  logic             wr_ready_i,
  output logic [AddrW-1:0] wr_addr_o,
  output logic [31:0]      wr_data_o,
  output logic [3:0]       wr_strb_o,
  input  logic             wr_error_i,   // valid with wr_ready_i
  output logic             rd_valid_o,   // stable with its address until rd_ready_i
  input  logic             rd_ready_i,
  output logic [AddrW-1:0] rd_addr_o,
  input  logic [31:0]      rd_data_i,    // valid with rd_ready_i
  input  logic             rd_error_i
);
  localparam logic [1:0] Okay   = 2'b00;
  localparam logic [1:0] Slverr = 2'b10;

  logic unused;
  assign unused = ^{s_axi_awprot, s_axi_arprot};

  // ---- write ------------------------------------------------------------------------------------

  logic aw_valid, w_valid, wr_done, b_free, bvalid_q;
  logic [1:0] bresp_q;

  axil_half_buffer #(.Width(AddrW)) u_aw (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(s_axi_awvalid), .in_ready_o(s_axi_awready),
    .in_data_i(s_axi_awaddr), .out_valid_o(aw_valid), .out_ready_i(wr_done), .out_data_o(wr_addr_o)
  );
  axil_half_buffer #(.Width(36)) u_w (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(s_axi_wvalid), .in_ready_o(s_axi_wready),
    .in_data_i({s_axi_wstrb, s_axi_wdata}), .out_valid_o(w_valid), .out_ready_i(wr_done),
    .out_data_o({wr_strb_o, wr_data_o})
  );

  // A write waits for a free response register, then for the register port.
  assign b_free     = !bvalid_q || s_axi_bready;
  assign wr_valid_o = aw_valid && w_valid && b_free;
  assign wr_done    = wr_valid_o && wr_ready_i;

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      bvalid_q <= 1'b0;
      bresp_q  <= Okay;
    end else if (wr_done) begin
      bvalid_q <= 1'b1;
      bresp_q  <= wr_error_i ? Slverr : Okay;
    end else if (s_axi_bready) begin
      bvalid_q <= 1'b0;
    end
  end
  assign s_axi_bvalid = bvalid_q;
  assign s_axi_bresp  = bresp_q;

  // ---- read -------------------------------------------------------------------------------------

  logic        ar_valid, rd_done, rvalid_q;
  logic [1:0]  rresp_q;
  logic [31:0] rdata_q;

  axil_half_buffer #(.Width(AddrW), .FallThrough(1)) u_ar (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(s_axi_arvalid), .in_ready_o(s_axi_arready),
    .in_data_i(s_axi_araddr), .out_valid_o(ar_valid), .out_ready_i(rd_done), .out_data_o(rd_addr_o)
  );

  assign rd_valid_o = ar_valid && (!rvalid_q || s_axi_rready);
  assign rd_done    = rd_valid_o && rd_ready_i;

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      rvalid_q <= 1'b0;
      rresp_q  <= Okay;
    end else if (rd_done) begin
      rvalid_q <= 1'b1;
      rresp_q  <= rd_error_i ? Slverr : Okay;
    end else if (s_axi_rready) begin
      rvalid_q <= 1'b0;
    end
  end

  // Zero while there is no response, by the flip-flops' own synchronous reset.
  always_ff @(posedge aclk) begin
    if (!rd_done && (!rvalid_q || s_axi_rready)) rdata_q <= 32'h0;
    else if (rd_done) rdata_q <= rd_data_i;
  end
  assign s_axi_rvalid = rvalid_q;
  assign s_axi_rresp  = rresp_q;
  assign s_axi_rdata  = rdata_q;
endmodule
