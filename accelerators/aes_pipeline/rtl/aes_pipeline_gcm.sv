// SPDX-License-Identifier: Apache-2.0
// GCM on AXI4-Stream, Lanes blocks a clock (aes_pipeline.sv): SP 800-38D. Beats of Streams streams
// may alternate; the low bits of TID say which one a beat belongs to.
//
// TUSER of a beat: [0] decrypt and [SlotW:1] key slot (of a message's first beat),
// [SlotW+3:SlotW+1] kind. A message is
//   Head   TDATA: an IV of 96 bits, TKEEP 0x0fff. TKEEP 0: the IV was hashed before (Iv)
//   Aad    additional data, if any, then
//   Text   if any: full beats, the last of each kind may have fewer bytes
//   Tag    to decrypt: the tag, MinTag to 16 bytes
// with TLAST on its last beat. An IV of another length is a message of its own before it: Iv beats.
// Each beat comes out on m_axis, with the text enciphered or deciphered, all else unchanged. For
// each message but an Iv's one beat comes out on m_axis_tag, its TID and TUSER those of the last
// beat, but TUSER[0]: refused. A message that does not keep these rules is refused, and its text is
// zero from there on.
//
// A new key of a slot is taken once no message of the slot is inside, and costs one cycle of the
// input for its hash key and one for each power of it.
module aes_pipeline_gcm #(
  parameter Impl     = "tower",
  parameter Depth    = 3,
  parameter KeyBits  = 0,
  parameter Schedule = "agile",
  parameter Slots    = 2,
  parameter Lanes    = 1,
  parameter Streams  = 4,
  parameter IdW      = 8,
  parameter UserW    = 8,
  parameter SideImpl = "ram",
  parameter Limit    = 32'hfffffffe,  // blocks of text in a message: section 5.2.1.1
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
  localparam logic [2:0] Text = 3'd0, Aad = 3'd1, Head = 3'd2, Tag = 3'd3, Iv = 3'd4, Zero = 3'd5;
  localparam Stages  = aes_pipe_pkg::rounds(KeyBits);
  localparam Latency = 1 + Depth*Stages;
  localparam StreamW = (Streams > 1) ? $clog2(Streams) : 1;
  localparam MarkW   = 3 + 2 + SlotW;
  localparam SideW   = W/8 + 1 + IdW + UserW;
  localparam UseW    = 10;   // of messages inside: their beats, and those with tags to come

  logic en, go;
  assign go = s_axis_tvalid && s_axis_tready;

  // ---- the beat that wants to enter -------------------------------------------------------------

  logic [Streams-1:0]              open_q, bad_q, decrypt_q, iv_q, text_q, short_q;
  logic [Streams-1:0][SlotW-1:0]   slot_q;
  logic [Streams-1:0][31:0]        count_q;
  logic [Streams-1:0][31:0]        blocks_q;
  logic [Streams-1:0]              j0_wait_q, j0_have_q, j0_bad_q;
  logic [95:0]                     base_mem [Streams];
  logic [127:0]                    j0_mem [Streams];

  logic [StreamW-1:0] stream;
  logic [2:0]         kind;
  logic               first, bare, contiguous, fits, decrypt, bad, good_first, good_next, good_tag;
  logic               limit, need;
  logic [SlotW-1:0]   slot;
  if (Streams == 1) begin : gen_one_stream
    assign stream = '0;
  end else begin : gen_streams
    assign stream = s_axis_tid[StreamW-1:0];
  end
  assign kind       = s_axis_tuser[SlotW+3:SlotW+1];
  assign first      = !open_q[stream];
  assign bare       = s_axis_tkeep == '0;
  assign contiguous = (s_axis_tkeep & (s_axis_tkeep + 1'b1)) == '0;
  assign fits       = (&s_axis_tkeep[11:0]) && !(|s_axis_tkeep[W/8-1:12]);
  assign decrypt    = first ? s_axis_tuser[0] : decrypt_q[stream];
  assign slot       = first ? s_axis_tuser[SlotW:1] : slot_q[stream];

  // The order of beats, and lengths.
  assign good_first = (kind == Head && (fits || (bare && j0_have_q[stream] && !j0_bad_q[stream])))
                   || (kind == Iv && contiguous && !bare);
  if (Lanes == 1) begin : gen_tag
    assign good_tag = s_axis_tlast;
  end else begin : gen_wide_tag
    assign good_tag = s_axis_tlast && s_axis_tkeep[W/8-1:16] == '0;
  end
  assign limit = blocks_q[stream] > Limit - Lanes;
  always_comb begin
    case (kind)
      Aad:     good_next = !iv_q[stream] && !text_q[stream] && !short_q[stream];
      Text:    good_next = !iv_q[stream] && !(text_q[stream] && short_q[stream]) && !limit;
      Tag:     good_next = !iv_q[stream] && decrypt && good_tag;
      Iv:      good_next = iv_q[stream] && !short_q[stream];
      default: good_next = 1'b0;
    endcase
  end
`ifdef BUG_GCM_ORDER
  assign bad = first ? !good_first : bad_q[stream];
  logic unused_good;
  assign unused_good = good_next;
`else
  assign bad = first ? !good_first : bad_q[stream] || !contiguous || !good_next;
`endif

  // ---- counters ---------------------------------------------------------------------------------

  // Section 7.1, step 2: IV || 0^31 || 1. inc32 (section 6.2) counts bits 127 to 96 of TDATA.
  logic [127:0] j0, head;
  logic [31:0]  number, head_number;
  logic [95:0]  base;
  logic         j0_valid;
  logic [StreamW-1:0] j0_stream;
  assign head        = bare ? j0_mem[stream] : {32'h01000000, s_axis_tdata[95:0]};
  assign head_number = {head[103:96], head[111:104], head[119:112], head[127:120]};
  assign number      = count_q[stream];
  assign base        = base_mem[stream];

  logic [W-1:0] block;
  for (genvar l = 0; l < Lanes; l++) begin : gen_counter
    logic [31:0] value;
    assign value = number + l;
    assign block[128*l +: 128] = need ? '0
         : (kind == Text) ? {value[7:0], value[15:8], value[23:16], value[31:24], base}
         : (kind == Head && l == 0) ? head : '0;
  end

  always_ff @(posedge aclk) begin
    if (go && kind == Head) base_mem[stream] <= head[95:0];
    if (j0_valid)           j0_mem[j0_stream] <= j0;
  end
  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    logic here, got;
    assign here   = go && stream == StreamW'(s);
    assign got    = j0_valid && j0_stream == StreamW'(s);
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) begin
        open_q[s]    <= 1'b0;
        bad_q[s]     <= 1'b0;
        decrypt_q[s] <= 1'b0;
        iv_q[s]      <= 1'b0;
        text_q[s]    <= 1'b0;
        short_q[s]   <= 1'b0;
        slot_q[s]    <= '0;
        count_q[s]   <= '0;
        blocks_q[s]  <= '0;
        j0_wait_q[s] <= 1'b0;
        j0_have_q[s] <= 1'b0;
        j0_bad_q[s]  <= 1'b0;
      end else begin
        if (here) begin
          open_q[s]    <= !s_axis_tlast;
          bad_q[s]     <= bad;
          decrypt_q[s] <= decrypt;
          slot_q[s]    <= slot;
          text_q[s]    <= !first && (text_q[s] || kind == Text);
          short_q[s]   <= kind != Head && !(&s_axis_tkeep);
          if (first) iv_q[s] <= kind == Iv;
          if (first) begin
            count_q[s]  <= head_number + 32'd1;
            blocks_q[s] <= '0;
          end else if (kind == Text) begin
            count_q[s]  <= number + Lanes;
            blocks_q[s] <= blocks_q[s] + Lanes;
          end
        end
        if (here && first && kind == Head && bare)                j0_have_q[s] <= 1'b0;
        else if (got)                                             j0_have_q[s] <= 1'b1;
        if (here && s_axis_tlast && (first ? kind == Iv : iv_q[s])) begin
          j0_wait_q[s] <= 1'b1;
          j0_bad_q[s]  <= bad;
        end else if (got) begin
          j0_wait_q[s] <= 1'b0;
        end
      end
    end
  end

  // ---- keys -------------------------------------------------------------------------------------

  // A slot without messages is claimed for a cycle, so that none begins as its key is taken. It is
  // not claimed before: a message held back would keep back the rest of those that are open.
  logic                       claim_q, key_fire, key_ready, keys_valid, ok, hold, empty;
  logic [SlotW-1:0]           key_slot, need_slot, use_slot, done_slot, last_slot_q;
  logic [Slots-1:0]           need_q, powers_ok;
  logic [Slots-1:0][UseW-1:0] use_q;
  logic                       working_q, inject, begins, done, full, hash_busy;

  if (Slots == 1) begin : gen_one_slot
    assign key_slot  = '0;
    assign need_slot = '0;
  end else begin : gen_slots
    assign key_slot = s_axis_key_tuser[SlotW+1:2];
    always_comb begin
      need_slot = '0;
      for (int i = Slots - 1; i >= 0; i--) if (need_q[i]) need_slot = SlotW'(i);
    end
  end
  assign keys_valid        = s_axis_key_tvalid && claim_q && use_q[key_slot] == '0 && !working_q
                          && !(|need_q);
  assign s_axis_key_tready = keys_valid && key_ready;
  assign key_fire          = keys_valid && key_ready;

  // The hash key of a new key: the cipher of the block of zeros, in a cycle of its own.
  assign need     = (|need_q) && !working_q;
  assign inject   = need && ok && en && !hold;
  assign use_slot = need ? need_slot : slot;
  assign begins   = go && first;
  assign full     = use_q[use_slot] == {UseW{1'b1}};

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      claim_q   <= 1'b0;
      working_q <= 1'b0;
    end else begin
      claim_q <= s_axis_key_tvalid && !key_fire && use_q[key_slot] == '0;
      if (inject)                                                  working_q <= 1'b1;
      else if (working_q && !hash_busy && powers_ok[last_slot_q])   working_q <= 1'b0;
    end
  end
  always_ff @(posedge aclk) if (inject) last_slot_q <= need_slot;
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    logic up, down;
    assign up   = begins && slot == SlotW'(s);
    assign down = done && done_slot == SlotW'(s);
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) begin
        need_q[s] <= 1'b0;
        use_q[s]  <= '0;
      end else begin
        if (key_fire && key_slot == SlotW'(s)) need_q[s] <= 1'b1;
        else if (inject && need_slot == SlotW'(s)) need_q[s] <= 1'b0;
        if (up && !down)      use_q[s] <= use_q[s] + 1'b1;
        else if (!up && down) use_q[s] <= use_q[s] - 1'b1;
      end
    end
  end

  logic [1:0]             size;
  logic [32*Words-1:0]    window;
  logic [Stages:0][127:0] enc_keys, dec_keys;
  aes_pipe_keys #(
    .Impl(Impl), .Dir("fwd"), .Depth(Depth), .KeyBits(KeyBits), .Schedule(Schedule), .Slots(Slots)
  ) u_keys (
    .clk_i(aclk), .rst_ni(aresetn), .key_valid_i(keys_valid), .key_ready_o(key_ready),
    .key_i(s_axis_key_tdata), .key_size_i(s_axis_key_tuser[1:0]), .key_slot_i(key_slot),
    .empty_i(empty), .hold_o(hold), .inv_i(1'b0), .slot_i(use_slot), .ok_o(ok), .size_o(size),
    .window_o(window), .enc_keys_o(enc_keys), .dec_keys_o(dec_keys)
  );

  localparam CountW = $clog2(Latency + 1);
  logic [CountW-1:0] inside_q;
  logic              enter, leave, core_valid;
  assign enter = go || inject;
  assign leave = core_valid && en;
  assign empty = inside_q == '0;
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn)             inside_q <= '0;
    else if (enter && !leave) inside_q <= inside_q + 1'b1;
    else if (!enter && leave) inside_q <= inside_q - 1'b1;
  end

  logic claimed, waits;
  assign claimed = claim_q && s_axis_key_tvalid && key_slot == s_axis_tuser[SlotW:1];
  assign waits   = first && (!powers_ok[s_axis_tuser[SlotW:1]] || claimed || full
                             || (kind == Head && bare && j0_wait_q[stream]));
  assign s_axis_tready = en && !need && !hold && !waits;

  // ---- rounds -----------------------------------------------------------------------------------

  logic [W-1:0]     core_data, text, plain;
  logic [SideW-1:0] side;
  logic [MarkW-1:0] marks;
  aes_pipe_core #(
    .Impl(Impl), .Dir("fwd"), .Depth(Depth), .KeyBits(KeyBits), .Schedule(Schedule), .Lanes(Lanes)
  ) u_core (
    .clk_i(aclk), .rst_ni(aresetn), .en_i(en), .valid_i(enter), .inv_i(1'b0), .size_i(size),
    .data_i(block), .window_i(window), .enc_keys_i(enc_keys), .dec_keys_i(dec_keys),
    .valid_o(core_valid), .data_o(core_data)
  );
  axis_delay #(.Width(W + SideW + MarkW), .Stages(Latency), .Impl(SideImpl)) u_side (
    .clk_i(aclk), .rst_ni(aresetn), .en_i(en),
    .data_i({go ? s_axis_tdata : {W{1'b0}}, s_axis_tkeep, s_axis_tlast, s_axis_tid, s_axis_tuser,
             need ? Zero : kind, decrypt, bad, use_slot}),
    .data_o({text, side, marks})
  );

  // ---- output -----------------------------------------------------------------------------------

  logic [2:0]         out_kind;
  logic               out_decrypt, out_bad, out_last;
  logic [SlotW-1:0]   out_slot;
  logic [W/8-1:0]     out_keep;
  logic [IdW-1:0]     out_id;
  logic [UserW-1:0]   out_user;
  logic [StreamW-1:0] out_stream;
  logic [W-1:0]       result, hashed, kept;
  assign {out_kind, out_decrypt, out_bad, out_slot} = marks;
  assign {out_keep, out_last, out_id, out_user}     = side;
  if (Streams == 1) begin : gen_one_out
    assign out_stream = '0;
  end else begin : gen_out
    assign out_stream = out_id[StreamW-1:0];
  end
  for (genvar i = 0; i < W/8; i++) begin : gen_byte
    assign kept[8*i +: 8]  = text[8*i +: 8] & {8{out_keep[i]}};
    assign plain[8*i +: 8] = (text[8*i +: 8] ^ core_data[8*i +: 8]) & {8{out_keep[i] && !out_bad}};
  end
  assign result = (out_kind == Text) ? plain : text;
  // GHASH takes ciphertext; a Head's mask; all else as it came.
`ifdef BUG_GCM_PLAIN
  assign hashed = (out_kind == Head) ? core_data : (out_kind == Text) ? plain : kept;
`else
  assign hashed = (out_kind == Head) ? core_data
                : (out_kind == Text && !out_decrypt) ? plain : kept;
`endif

  logic m_ready, hash_ready, is_beat;
  assign is_beat = core_valid && out_kind != Zero;
  assign en      = m_ready && hash_ready;
  skid_buffer #(.Width(W + SideW)) u_out (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(is_beat && hash_ready), .in_ready_o(m_ready),
    .in_data_i({result, side}), .out_valid_o(m_axis_tvalid), .out_ready_i(m_axis_tready),
    .out_data_o({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tuser})
  );

  localparam HashW = StreamW + SlotW + 3 + 3 + W/8 + W + IdW + UserW;
  logic               h_valid, h_ready, h_decrypt, h_bad, h_last;
  logic [StreamW-1:0] h_stream;
  logic [SlotW-1:0]   h_slot;
  logic [2:0]         h_kind;
  logic [W/8-1:0]     h_keep;
  logic [W-1:0]       h_data;
  logic [IdW-1:0]     h_id;
  logic [UserW-1:0]   h_user, tag_user;
  logic               refused;
  skid_buffer #(.Width(HashW)) u_hash_in (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(is_beat && m_ready), .in_ready_o(hash_ready),
    .in_data_i({out_stream, out_slot, out_kind, out_decrypt, out_bad, out_last, out_keep, hashed,
                out_id, out_user}),
    .out_valid_o(h_valid), .out_ready_i(h_ready),
    .out_data_o({h_stream, h_slot, h_kind, h_decrypt, h_bad, h_last, h_keep, h_data, h_id, h_user})
  );

  ghash_gcm #(
    .Lanes(Lanes), .Streams(Streams), .Slots(Slots), .NoteW(IdW + UserW)
  ) u_hash (
    .clk_i(aclk), .rst_ni(aresetn),
    .key_valid_i(core_valid && en && out_kind == Zero), .key_slot_i(out_slot),
    .key_i(core_data[127:0]), .key_busy_o(hash_busy), .key_ok_o(powers_ok),
    .forget_i(key_fire), .forget_slot_i(key_slot),
    .in_valid_i(h_valid), .in_ready_o(h_ready), .in_stream_i(h_stream), .in_slot_i(h_slot),
    .in_kind_i(h_kind), .in_decrypt_i(h_decrypt), .in_bad_i(h_bad), .in_last_i(h_last),
    .in_keep_i(h_keep), .in_data_i(h_data), .in_note_i({h_id, h_user}),
    .out_valid_o(m_axis_tag_tvalid), .out_ready_i(m_axis_tag_tready), .out_tag_o(m_axis_tag_tdata),
    .out_refused_o(refused), .out_note_o({m_axis_tag_tid, tag_user}),
    .j0_valid_o(j0_valid), .j0_stream_o(j0_stream), .j0_o(j0),
    .done_valid_o(done), .done_slot_o(done_slot)
  );
  assign m_axis_tag_tuser = {tag_user[UserW-1:1], refused};
  logic unused;
  assign unused = tag_user[0];
endmodule
