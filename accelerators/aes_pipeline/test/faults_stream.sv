// SPDX-License-Identifier: Apache-2.0
// The pipeline under the host of fault campaigns, which speaks AXI4-Lite: faults_player offers its
// beats and keeps what leaves. What is flipped is the pipeline's; the flip-flops of `outside` are
// not.
module faults_stream #(
  parameter Mode     = "ecb",
  parameter SboxImpl = "tower",
  parameter Dir      = "both",
  parameter PipeRegs = 3,
  parameter KeyBits  = 0,
  parameter Schedule = "agile",
  parameter Slots    = 2,
  parameter Lanes    = 1,
  parameter Streams  = 4,
  parameter Flow     = "stall"
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
  output logic [1:0]  s_axi_rresp
);
  localparam Words = aes_pipe_pkg::key_words(KeyBits);
  localparam SlotW = (Slots > 1) ? $clog2(Slots) : 1;
  localparam Beat  = 128*Lanes;

  logic                key_valid, key_ready, iv_valid, iv_ready, beat_valid, beat_ready, beat_last;
  logic                out_valid, out_ready, out_last, tag_valid, tag_ready;
  logic [32*Words-1:0] key_data;
  logic [SlotW+1:0]    key_user;
  logic [Beat-1:0]     beat_data, out_data;
  logic [Beat/8-1:0]   beat_keep, out_keep;
  logic [7:0]          beat_user, out_user, out_id, tag_user, tag_id;
  logic [127:0]        tag_data;

  aes_pipeline #(
    .Mode(Mode), .SboxImpl(SboxImpl), .Dir(Dir), .PipeRegs(PipeRegs), .KeyBits(KeyBits),
    .Schedule(Schedule), .Slots(Slots), .Lanes(Lanes), .Streams(Streams), .Flow(Flow)
  ) u_pipeline (
    .aclk, .aresetn,
    .s_axis_key_tvalid(key_valid), .s_axis_key_tready(key_ready), .s_axis_key_tdata(key_data),
    .s_axis_key_tuser(key_user),
    .s_axis_iv_tvalid(iv_valid), .s_axis_iv_tready(iv_ready), .s_axis_iv_tdata(beat_data[127:0]),
    .s_axis_tvalid(beat_valid), .s_axis_tready(beat_ready), .s_axis_tdata(beat_data),
    .s_axis_tkeep(beat_keep), .s_axis_tlast(beat_last), .s_axis_tid(8'd0),
    .s_axis_tuser(beat_user),
    .m_axis_tvalid(out_valid), .m_axis_tready(out_ready), .m_axis_tdata(out_data),
    .m_axis_tkeep(out_keep), .m_axis_tlast(out_last), .m_axis_tid(out_id), .m_axis_tuser(out_user),
    .m_axis_tag_tvalid(tag_valid), .m_axis_tag_tready(tag_ready), .m_axis_tag_tdata(tag_data),
    .m_axis_tag_tid(tag_id), .m_axis_tag_tuser(tag_user)
  );

  faults_player #(.Words(Words), .KeyW(SlotW + 2), .Beat(Beat)) outside (
    .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr, .s_axi_awprot, .s_axi_wvalid,
    .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid, .s_axi_bready, .s_axi_bresp,
    .s_axi_arvalid, .s_axi_arready, .s_axi_araddr, .s_axi_arprot, .s_axi_rvalid, .s_axi_rready,
    .s_axi_rdata, .s_axi_rresp,
    .key_valid_o(key_valid), .key_ready_i(key_ready), .key_data_o(key_data), .key_user_o(key_user),
    .iv_valid_o(iv_valid), .iv_ready_i(iv_ready), .beat_valid_o(beat_valid),
    .beat_ready_i(beat_ready), .beat_data_o(beat_data), .beat_keep_o(beat_keep),
    .beat_last_o(beat_last), .beat_user_o(beat_user),
    .out_valid_i(out_valid), .out_ready_o(out_ready), .out_data_i(out_data), .out_keep_i(out_keep),
    .out_last_i(out_last), .out_user_i(out_user), .tag_valid_i(tag_valid), .tag_ready_o(tag_ready),
    .tag_data_i(tag_data), .tag_user_i(tag_user)
  );

  logic unused;
  assign unused = ^{out_id, tag_id};
endmodule
