// SPDX-License-Identifier: Apache-2.0
// The engine on APB or Wishbone under the host of fault campaigns, which speaks AXI4-Lite.
//
// It has no flip-flop: what a campaign flips is the engine's. The host holds address and data until
// the response and takes a response only after the request. So the cycle of the request is APB's
// setup phase, and an idle cycle of Wishbone; the cycles of waiting are the access.
module faults_host #(
  parameter Host       = "apb",  // "apb" | "wishbone"
  parameter Dir        = "parallel",
  parameter Has192     = 1,
  parameter Has256     = 1,
  parameter Width      = 128,
  parameter Rounds     = 1,
  parameter Interleave = 1,
  parameter SboxImpl   = "tower",
  parameter Gcm        = 0,
  parameter HashDigit  = 16,
  parameter Guarded    = 0
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
  logic        access, writes, ended, error, unused;
  logic [11:0] address;
  assign unused  = s_axi_wvalid;
  assign access  = s_axi_bready || s_axi_rready;
  assign writes  = s_axi_awvalid || s_axi_bready;
  assign address = writes ? s_axi_awaddr : s_axi_araddr;

  if (Host == "apb") begin : gen_apb
    aes_engine_apb #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Width(Width), .Rounds(Rounds),
      .Interleave(Interleave), .SboxImpl(SboxImpl), .Gcm(Gcm), .HashDigit(HashDigit),
      .Guarded(Guarded)
    ) u_engine (
      .pclk(aclk), .presetn(aresetn), .psel(access || s_axi_awvalid || s_axi_arvalid),
      .penable(access), .pwrite(writes), .paddr(address), .pwdata(s_axi_wdata),
      .pstrb(s_axi_wstrb), .pprot(s_axi_awprot | s_axi_arprot), .pready(ended),
      .prdata(s_axi_rdata), .pslverr(error), .irq_o, .idle_o
    );
  end else if (Host == "wishbone") begin : gen_wishbone
    logic ack, unused_wb;
    assign unused_wb = ^{s_axi_awprot, s_axi_arprot, s_axi_arvalid};
    assign ended     = ack || error;
    aes_engine_wb #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Width(Width), .Rounds(Rounds),
      .Interleave(Interleave), .SboxImpl(SboxImpl), .Gcm(Gcm), .HashDigit(HashDigit),
      .Guarded(Guarded)
    ) u_engine (
      .clk_i(aclk), .rst_ni(aresetn), .wb_cyc_i(access), .wb_stb_i(access), .wb_we_i(writes),
      .wb_adr_i(address), .wb_dat_i(s_axi_wdata), .wb_sel_i(s_axi_wstrb), .wb_ack_o(ack),
      .wb_err_o(error), .wb_dat_o(s_axi_rdata), .irq_o, .idle_o
    );
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  assign {s_axi_awready, s_axi_wready, s_axi_arready} = 3'b111;
  assign s_axi_bvalid = s_axi_bready && ended;
  assign s_axi_rvalid = s_axi_rready && ended;
  assign s_axi_bresp  = {error, 1'b0};
  assign s_axi_rresp  = {error, 1'b0};
endmodule
