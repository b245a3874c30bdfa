// SPDX-License-Identifier: Apache-2.0
// AES on AXI4-Stream, Lanes blocks a clock. Mode selects ECB or CTR (aes_pipeline_blocks.sv) or GCM
// (aes_pipeline_gcm.sv). These files describe Mode and Flow; aes_pipe_pkg.sv describes SboxImpl and
// PipeRegs, aes_pipe_keys.sv Schedule.
//
// TDATA: the first byte of a block or key is in bits 7 to 0, as AXI4-Stream orders bytes. The first
// of Lanes blocks is in the lowest bits.
// s_axis       TUSER[0]: decrypt; TUSER[SlotW:1]: key slot (Schedule "agile"); GCM also the kind.
// m_axis       the same beats in the same order. TKEEP, TLAST, TID and TUSER are sideband.
// s_axis_key   TUSER[1:0]: 0 = 128, 1 = 192, 2 = 256 bits (KeyBits = 0); TUSER[SlotW+1:2]: slot.
//              A block uses the last key that its slot took in an earlier cycle. Without a key
//              the block waits.
// s_axis_iv    CTR: the first counter block of each packet.
// m_axis_tag   GCM: one beat per message with its tag; TUSER[0]: refused.
module aes_pipeline #(
  parameter Mode     = "ecb",
  parameter SboxImpl = "tower",
  parameter Dir      = "both",
  parameter PipeRegs = 3,
  parameter KeyBits  = 0,
  parameter Schedule = "agile",
  parameter Slots    = 2,
  parameter Lanes    = 1,
  parameter Streams  = 4,
  parameter IdW      = 8,
  parameter UserW    = 8,
  parameter SideImpl = "ram",
  parameter Flow     = "stall",
  parameter Words    = aes_pipe_pkg::key_words(KeyBits),
  parameter SlotW    = (Slots > 1) ? $clog2(Slots) : 1,
  parameter W        = 128*Lanes
) (
  input  logic                aclk,
  input  logic                aresetn,

  input  logic                s_axis_key_tvalid,
  output logic                s_axis_key_tready,
  input  logic [32*Words-1:0] s_axis_key_tdata,
  input  logic [SlotW+1:0]    s_axis_key_tuser,

  input  logic                s_axis_iv_tvalid,
  output logic                s_axis_iv_tready,
  input  logic [127:0]        s_axis_iv_tdata,

  input  logic                s_axis_tvalid,
  output logic                s_axis_tready,
  input  logic [W-1:0]        s_axis_tdata,
  input  logic [W/8-1:0]      s_axis_tkeep,
  input  logic                s_axis_tlast,
  input  logic [IdW-1:0]      s_axis_tid,
  input  logic [UserW-1:0]    s_axis_tuser,

  output logic                m_axis_tvalid,
  input  logic                m_axis_tready,
  output logic [W-1:0]        m_axis_tdata,
  output logic [W/8-1:0]      m_axis_tkeep,
  output logic                m_axis_tlast,
  output logic [IdW-1:0]      m_axis_tid,
  output logic [UserW-1:0]    m_axis_tuser,

  output logic                m_axis_tag_tvalid,
  input  logic                m_axis_tag_tready,
  output logic [127:0]        m_axis_tag_tdata,
  output logic [IdW-1:0]      m_axis_tag_tid,
  output logic [UserW-1:0]    m_axis_tag_tuser
);
  if (Mode == "gcm") begin : gen_gcm
    aes_pipeline_gcm #(
      .SboxImpl(SboxImpl), .PipeRegs(PipeRegs), .KeyBits(KeyBits), .Schedule(Schedule),
      .Slots(Slots),
      .Lanes(Lanes), .Streams(Streams), .IdW(IdW), .UserW(UserW), .SideImpl(SideImpl),
      .Flow(Flow)
    ) u_gcm (
      .aclk, .aresetn,
      .s_axis_key_tvalid, .s_axis_key_tready, .s_axis_key_tdata, .s_axis_key_tuser,
      .s_axis_tvalid, .s_axis_tready, .s_axis_tdata, .s_axis_tkeep, .s_axis_tlast, .s_axis_tid,
      .s_axis_tuser, .m_axis_tvalid, .m_axis_tready, .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast,
      .m_axis_tid, .m_axis_tuser, .m_axis_tag_tvalid, .m_axis_tag_tready, .m_axis_tag_tdata,
      .m_axis_tag_tid, .m_axis_tag_tuser
    );
    assign s_axis_iv_tready = 1'b0;
    logic unused;
    assign unused = ^{s_axis_iv_tvalid, s_axis_iv_tdata};
  end else begin : gen_blocks
    aes_pipeline_blocks #(
      .Mode(Mode), .SboxImpl(SboxImpl), .Dir(Dir), .PipeRegs(PipeRegs), .KeyBits(KeyBits),
      .Schedule(Schedule),
      .Slots(Slots), .Lanes(Lanes), .IdW(IdW), .UserW(UserW), .SideImpl(SideImpl), .Flow(Flow)
    ) u_blocks (
      .aclk, .aresetn,
      .s_axis_key_tvalid, .s_axis_key_tready, .s_axis_key_tdata, .s_axis_key_tuser,
      .s_axis_iv_tvalid, .s_axis_iv_tready, .s_axis_iv_tdata,
      .s_axis_tvalid, .s_axis_tready, .s_axis_tdata, .s_axis_tkeep, .s_axis_tlast, .s_axis_tid,
      .s_axis_tuser, .m_axis_tvalid, .m_axis_tready, .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast,
      .m_axis_tid, .m_axis_tuser
    );
    assign m_axis_tag_tvalid = 1'b0;
    assign m_axis_tag_tdata  = '0;
    assign m_axis_tag_tid    = '0;
    assign m_axis_tag_tuser  = '0;
    logic unused;
    assign unused = m_axis_tag_tready;
  end
endmodule
