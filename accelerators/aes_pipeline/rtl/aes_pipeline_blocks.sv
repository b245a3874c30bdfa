// SPDX-License-Identifier: Apache-2.0
// ECB and CTR on AXI4-Stream, Lanes blocks a clock; aes_pipeline.sv describes the ports. Source:
// FIPS 197; fully unrolled pipeline of Gielata 2008, here with a pipelined key schedule too.
//
// Mode  "ecb": TUSER[0] of a block: decrypt
//       "ctr": s_axis_iv gives the first counter block of each packet (up to TLAST), SP 800-38A,
//       section 6.5. All 128 bits count up, big-endian. Bytes without TKEEP are 0 in the output.
// Flow  "stall": the output buffer's ready (`en`, a register) enables all rounds together
//       "credit": the rounds never stop. A block enters when the output queue has reserved a
//       place for it, and passes one extra register before the rounds.
module aes_pipeline_blocks #(
  parameter Mode     = "ecb",
  parameter SboxImpl = "tower",
  parameter Dir      = "both",
  parameter PipeRegs = 3,
  parameter KeyBits  = 0,
  parameter Schedule = "agile",
  parameter Slots    = 2,
  parameter Lanes    = 1,
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
  output logic [UserW-1:0]    m_axis_tuser
);
  localparam Rounds  = aes_pipe_pkg::rounds(KeyBits);
  localparam Latency = 1 + PipeRegs*Rounds;
  localparam Early   = (Flow == "credit") ? 1 : 0;
  localparam SideW   = W/8 + 1 + IdW + UserW;

  logic             en, room, ok, hold, go, inv;
  logic [W-1:0]     block;
  logic [SideW-1:0] out_side;
  logic [SlotW-1:0] slot;

  assign slot = s_axis_tuser[SlotW:1];
  assign go   = s_axis_tvalid && s_axis_tready;

  // ---- keys -------------------------------------------------------------------------------------

  logic [1:0]             size;
  logic [32*Words-1:0]    window;
  logic [Rounds:0][127:0] enc_keys, dec_keys;
  logic                   empty;

  aes_pipe_keys #(
    .SboxImpl(SboxImpl), .Dir(Dir), .PipeRegs(PipeRegs), .KeyBits(KeyBits), .Schedule(Schedule),
    .Slots(Slots)
  ) u_keys (
    .clk_i(aclk), .rst_ni(aresetn), .key_valid_i(s_axis_key_tvalid),
    .key_ready_o(s_axis_key_tready), .key_i(s_axis_key_tdata),
    .key_size_i(s_axis_key_tuser[1:0]), .key_slot_i(s_axis_key_tuser[SlotW+1:2]),
    .empty_i(empty), .hold_o(hold), .inv_i(inv), .slot_i(slot), .ok_o(ok), .size_o(size),
    .window_o(window), .enc_keys_o(enc_keys), .dec_keys_o(dec_keys)
  );

  // Blocks in flight.
  localparam CountW = $clog2(Latency + 2);
  logic [CountW-1:0] count_q;
  logic              leave, core_valid;
  assign empty = count_q == '0;
  assign leave = core_valid && en;
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn)         count_q <= '0;
    else if (go && !leave) count_q <= count_q + 1'b1;
    else if (!go && leave) count_q <= count_q - 1'b1;
  end

  // ---- rounds -----------------------------------------------------------------------------------

  logic                go_in, inv_in;
  logic [1:0]          size_in;
  logic [W-1:0]        block_in, core_data, out_data;
  logic [32*Words-1:0] window_in;
  logic [SideW-1:0]    side_in;

  aes_pipe_delay #(.Width(3 + W + 32*Words + SideW), .Stages(Early)) u_early (
    .clk_i(aclk), .en_i(1'b1),
    .data_i({inv, size, block, window, s_axis_tkeep, s_axis_tlast, s_axis_tid, s_axis_tuser}),
    .data_o({inv_in, size_in, block_in, window_in, side_in})
  );
  if (Early != 0) begin : gen_early
    logic go_q;
    assign go_in = go_q;
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) go_q <= 1'b0;
      else          go_q <= go;
    end
  end else begin : gen_now
    assign go_in = go;
  end

  aes_pipe_core #(
    .SboxImpl(SboxImpl), .Dir(Dir), .PipeRegs(PipeRegs), .KeyBits(KeyBits), .Schedule(Schedule),
    .Lanes(Lanes)
  ) u_core (
    .clk_i(aclk), .rst_ni(aresetn), .en_i(en), .valid_i(go_in), .inv_i(inv_in), .size_i(size_in),
    .data_i(block_in), .window_i(window_in), .enc_keys_i(enc_keys), .dec_keys_i(dec_keys),
    .valid_o(core_valid), .data_o(core_data)
  );
  axis_delay #(.Width(SideW), .Stages(Latency), .SideImpl(SideImpl)) u_side (
    .clk_i(aclk), .rst_ni(aresetn), .en_i(en), .data_i(side_in), .data_o(out_side)
  );

  if (Mode == "ecb") begin : gen_ecb
    logic unused_iv;
    assign unused_iv = ^{s_axis_iv_tvalid, s_axis_iv_tdata};
    assign s_axis_iv_tready = 1'b0;
    assign s_axis_tready = room && ok && !hold;
    assign inv           = s_axis_tuser[0];
    assign block         = s_axis_tdata;
    assign out_data      = core_data;
  end else if (Mode == "ctr") begin : gen_ctr
    logic           first_q, ready;
    logic [127:0]   counter_q;
    logic [W-1:0]   text_in, text;
    logic [W/8-1:0] out_keep;

    // A packet's first block and its counter block are taken in the same cycle.
    assign ready            = room && ok && !hold;
    assign s_axis_tready    = ready && (s_axis_iv_tvalid || !first_q);
    assign s_axis_iv_tready = ready && first_q && s_axis_tvalid;
    assign inv              = 1'b0;

    logic [127:0] counter, counter_next;
    assign counter      = first_q ? s_axis_iv_tdata : counter_q;
    assign block[127:0] = counter;
    for (genvar l = 1; l < Lanes; l++) begin : gen_lane
      aes_pipe_counter #(.Step(l)) u_ahead (.data_i(counter), .data_o(block[128*l +: 128]));
    end
    aes_pipe_counter #(.Step(Lanes)) u_counter (.data_i(counter), .data_o(counter_next));
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) first_q <= 1'b1;
      else if (go)  first_q <= s_axis_tlast;
    end
    always_ff @(posedge aclk) if (go) counter_q <= counter_next;

    aes_pipe_delay #(.Width(W), .Stages(Early)) u_early_text (
      .clk_i(aclk), .en_i(1'b1), .data_i(go ? s_axis_tdata : '0), .data_o(text_in)
    );
    axis_delay #(.Width(W), .Stages(Latency), .SideImpl(SideImpl)) u_text (
      .clk_i(aclk), .rst_ni(aresetn), .en_i(en), .data_i(text_in), .data_o(text)
    );
    assign out_keep = out_side[SideW-1:SideW-W/8];
    for (genvar i = 0; i < W/8; i++) begin : gen_byte
      assign out_data[8*i +: 8] = (core_data[8*i +: 8] ^ text[8*i +: 8]) & {8{out_keep[i]}};
    end
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  // ---- output -----------------------------------------------------------------------------------

  if (Flow == "stall") begin : gen_stall
    skid_buffer #(.Width(W + SideW)) u_out (
      .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(core_valid), .in_ready_o(en),
      .in_data_i({out_data, out_side}), .out_valid_o(m_axis_tvalid), .out_ready_i(m_axis_tready),
      .out_data_o({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tuser})
    );
    assign room = en;
  end else if (Flow == "credit") begin : gen_credit
    // The queue's block RAM may be placed far from the rounds, so register its input. Places covers
    // the latency with these registers (see credit_fifo.sv).
    localparam Places = 2**$clog2(Latency + 12);
    logic               done_q;
    logic [W+SideW-1:0] done_data_q;
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) done_q <= 1'b0;
      else          done_q <= core_valid;
    end
    always_ff @(posedge aclk) done_data_q <= {out_data, out_side};
    credit_fifo #(.Width(W + SideW), .Places(Places)) u_out (
      .clk_i(aclk), .rst_ni(aresetn), .take_i(go), .room_o(room), .in_valid_i(done_q),
      .in_data_i(done_data_q), .out_valid_o(m_axis_tvalid), .out_ready_i(m_axis_tready),
      .out_data_o({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tuser})
    );
    assign en = 1'b1;
  end else begin : gen_unknown_flow
    aesforge_unknown_impl u_unknown ();
  end
endmodule
