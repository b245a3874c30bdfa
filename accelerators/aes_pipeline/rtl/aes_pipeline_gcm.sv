// SPDX-License-Identifier: Apache-2.0
// GCM (SP 800-38D) on AXI4-Stream, Lanes blocks a clock; aes_pipeline.sv describes the ports. Beats
// of Streams streams may interleave. The low bits of TID select a beat's stream.
//
// TUSER of a beat: [SlotW+3:SlotW+1] kind; of a message's first beat also [0] decrypt and [SlotW:1]
// key slot. A message is
//   Head   TDATA: an IV of 96 bits, TKEEP 0x0fff; or TKEEP 0 after an Iv message
//   Aad    additional data, optional
//   Text   optional. Beats of Aad and Text are full; the last of each kind may be shorter
//   Tag    only to decrypt: the tag, MinTag to 16 bytes
// with TLAST on its last beat. An IV of another length is a separate message of Iv beats before it.
//
// Every beat leaves on m_axis: text is encrypted or decrypted, all else is unchanged. Plaintext is
// released before authentication. Buffer it until m_axis_tag reports success.
//
// m_axis_tag gives one beat for each message except Iv messages. TID and TUSER are those of the
// message's last beat, except TUSER[0]: refused. A message that breaks these rules is refused, and
// its text is zero from the offending beat on.
//
// A slot takes a new key when none of its messages is in flight. The key costs one input cycle for
// the hash key and one for each power of it.
//
// Flow  "stall": the rounds stop together while m_axis or GHASH has no room
//       "credit": the rounds never stop. A beat enters when the queues of m_axis and of GHASH have
//       both reserved a place for it. Pipeline registers separate input, decoding, key, rounds and
//       queues.
module aes_pipeline_gcm #(
  parameter SboxImpl = "tower",
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
  parameter Limit    = 32'hfffffffe,  // text blocks in a message: section 5.2.1.1
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
  localparam logic [2:0] Text = 3'd0, Aad = 3'd1, Head = 3'd2, Tag = 3'd3, Iv = 3'd4, Zero = 3'd5,
                         None = 3'd7;  // Zero: internal, never input
  localparam Rounds  = aes_pipe_pkg::rounds(KeyBits);
  localparam Latency = 1 + PipeRegs*Rounds;
  localparam Cut     = (Flow == "credit") ? 1 : 0;  // pipeline registers around the rounds
  localparam Inside  = Latency + 3*Cut;
  localparam StreamW = (Streams > 1) ? $clog2(Streams) : 1;
  localparam MarkW   = 3 + 2 + SlotW;
  localparam SideW   = W/8 + 1 + IdW + UserW;
  localparam UseW    = 10;   // width of a slot's count of messages in flight

  logic en, room, go;

  // ---- the incoming beat ------------------------------------------------------------------------

  logic [Streams-1:0] open_q, iv_q, j0_wait_q;
  logic [StreamW-1:0] s_stream;
  logic [SlotW-1:0]   s_slot;
  logic [2:0]         s_kind;
  logic               s_take, s_ready, s_first, s_hashed_iv, s_waits;
  logic               s_bare, s_contiguous, s_fits, s_short;
  logic [Slots-1:0]   ready_q;     // a message may start with this slot's key
  if (Streams == 1) begin : gen_one_in
    assign s_stream = '0;
  end else begin : gen_in
    assign s_stream = s_axis_tid[StreamW-1:0];
  end
  if (Slots == 1) begin : gen_one_slot_in
    assign s_slot = '0;
  end else begin : gen_slot_in
    assign s_slot = s_axis_tuser[SlotW:1];
  end
  if (Lanes == 1) begin : gen_tag
    assign s_short = 1'b1;
  end else begin : gen_wide_tag
    assign s_short = s_axis_tkeep[W/8-1:16] == '0;
  end
  assign s_kind        = s_axis_tuser[SlotW+3:SlotW+1];
  assign s_bare        = s_axis_tkeep == '0;
  assign s_contiguous  = (s_axis_tkeep[W/8-1:1] & ~s_axis_tkeep[W/8-2:0]) == '0;
  assign s_fits        = (&s_axis_tkeep[11:0]) && !(|s_axis_tkeep[W/8-1:12]);
  assign s_first       = !open_q[s_stream];
  assign s_hashed_iv   = s_first ? s_kind == Iv : iv_q[s_stream];
  // A message whose IV is hashed waits for that hash.
  assign s_waits       = s_first && (!ready_q[s_slot] || j0_wait_q[s_stream]);
  assign s_axis_tready = s_ready && !s_waits;
  assign s_take        = s_axis_tvalid && s_axis_tready;

  logic               j0_valid;
  logic [StreamW-1:0] j0_stream;
  for (genvar s = 0; s < Streams; s++) begin : gen_open
    logic here, got;
    assign here = s_take && s_stream == StreamW'(s);
    assign got  = j0_valid && j0_stream == StreamW'(s);
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) begin
        open_q[s]    <= 1'b0;
        iv_q[s]      <= 1'b0;
        j0_wait_q[s] <= 1'b0;
      end else begin
        if (here) begin
          open_q[s] <= !s_axis_tlast;
          iv_q[s]   <= s_hashed_iv;
        end
        if (here && s_axis_tlast && s_hashed_iv) j0_wait_q[s] <= 1'b1;
        else if (got)                            j0_wait_q[s] <= 1'b0;
      end
    end
  end

  // Decoded fields of the incoming beat.
  localparam ToldW = StreamW + SlotW + 12;
  localparam BeatW = W + SideW;
  logic               decoded_valid, decoded_ready, need, inject;
  logic [ToldW-1:0]   s_decoded, decoded;
  logic [BeatW-1:0]   s_beat, decoded_beat;
  logic [StreamW-1:0] decoded_stream;
  logic [SlotW-1:0]   decoded_slot;
  logic               decoded_head, decoded_aad, decoded_text, decoded_tag,
                      decoded_iv;   // kind of the beat
  logic               decoded_first, decoded_hashed_iv, decoded_bare, decoded_contiguous,
                      decoded_fits, decoded_full,
                      decoded_tail;
  assign s_beat = {s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tid, s_axis_tuser};
  assign s_decoded = {s_stream, s_slot, s_kind == Head, s_kind == Aad, s_kind == Text,
                      s_kind == Tag,
                   s_kind == Iv, s_first, s_hashed_iv, s_bare, s_contiguous, s_fits,
                   &s_axis_tkeep, s_axis_tlast && s_short};
  assign {decoded_stream, decoded_slot, decoded_head, decoded_aad, decoded_text, decoded_tag,
          decoded_iv, decoded_first,
          decoded_hashed_iv, decoded_bare, decoded_contiguous, decoded_fits, decoded_full,
          decoded_tail} = decoded;

  // Flow "credit": a register slice holds the decoded fields, which the flow control depends on.
  // The wide beat goes through a small queue beside it, so that flow control drives only the
  // queue's pointers.
  if (Cut != 0) begin : gen_queue
    logic queue_ready, queue_valid, unused_queue;
    skid_buffer #(.Width(ToldW)) u_told (
      .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(s_axis_tvalid && !s_waits),
      .in_ready_o(s_ready), .in_data_i(s_decoded), .out_valid_o(decoded_valid),
      .out_ready_i(decoded_ready), .out_data_o(decoded)
    );
    axis_fifo #(.Width(BeatW), .Places(4)) u_queue (
      .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(s_take), .in_ready_o(queue_ready),
      .in_data_i(s_beat), .out_valid_o(queue_valid), .out_ready_i(go), .out_data_o(decoded_beat)
    );
    assign unused_queue = queue_ready ^ queue_valid;
  end else begin : gen_no_queue
    assign decoded_valid = s_axis_tvalid && !s_waits;
    assign s_ready    = decoded_ready;
    assign decoded    = s_decoded;
    assign decoded_beat  = s_beat;
  end
  assign decoded_ready = room && !need;
  assign go         = decoded_valid && decoded_ready;

  // ---- the accepted beat ------------------------------------------------------------------------

  logic               beat, zero;    // zero: the internal block of zeros
  logic [W-1:0]       data;
  logic [W/8-1:0]     keep;
  logic               tlast;
  logic [IdW-1:0]     id;
  logic [UserW-1:0]   user;
  logic               is_head, is_text, bare, first, hashed_iv, first_good, first_j0, next_aad,
                      next_text, next_tag, next_iv;
  logic [SlotW-1:0]   zero_slot, first_slot;
  logic [StreamW-1:0] stream;
  logic               short_beat;
  logic [SlotW-1:0]   need_slot;

  // From the top bit: first beat is good (Head with an IV of 96 bits, or Iv); first beat is good if
  // its IV hash is good (j0); later beat of kind Aad, Text, Tag or Iv that this stream's state must
  // allow; short beat.
  logic       decoded_next;
  logic [6:0] verdicts;
  assign decoded_next = !decoded_first && decoded_contiguous;
  assign verdicts  = {
    decoded_first && ((decoded_head && decoded_fits) ||
                      (decoded_iv && decoded_contiguous && !decoded_bare)),
    decoded_first && decoded_head && decoded_bare,
    decoded_next && !decoded_hashed_iv && decoded_aad,
    decoded_next && !decoded_hashed_iv && decoded_text,
    decoded_next && !decoded_hashed_iv && decoded_tag && decoded_tail,
    decoded_next && decoded_hashed_iv && decoded_iv,
    !decoded_head && !decoded_full
  };
  aes_pipe_delay #(.Width(2*SlotW + StreamW + 12 + BeatW), .Stages(Cut)) u_beat (
    .clk_i(aclk), .en_i(1'b1),
    .data_i({need_slot, decoded_slot, decoded_stream, decoded_head, decoded_text, decoded_bare,
             decoded_first,
             decoded_hashed_iv, verdicts, decoded_beat}),
    .data_o({zero_slot, first_slot, stream, is_head, is_text, bare, first, hashed_iv, first_good,
             first_j0, next_aad, next_text, next_tag, next_iv, short_beat, data, keep, tlast, id,
             user})
  );

  // Per stream: kinds that may follow (none after an error); text_q: a Text beat was input;
  // limit_q: the text has reached Limit.
  logic [Streams-1:0]              aad_ok_q, text_ok_q, tag_ok_q, iv_ok_q, text_q, limit_q;
  logic [Streams-1:0]              decrypt_q;
  logic [Streams-1:0]              iv_bad_q, j0_ok_q;   // j0_ok_q: the hash of a good IV is ready
  logic [Streams-1:0][SlotW-1:0]   slot_q;
  logic [Streams-1:0][31:0]        count_q, blocks_q;
  logic [95:0]                     base_mem [Streams];
  logic [127:0]                    j0_mem [Streams];
  logic [31:0]                     j0_count_mem [Streams];   // counter of the first text block

  logic [2:0]         kind;
  logic               decrypt, good, bad, late_text;
  logic [SlotW-1:0]   slot, use_slot;
  assign kind       = user[SlotW+3:SlotW+1];
  assign decrypt    = first ? user[0] : decrypt_q[stream];
  assign slot       = first ? first_slot : slot_q[stream];
  assign use_slot   = zero ? zero_slot : slot;
  assign late_text  = !first && (text_q[stream] || is_text);
  assign good = first_good || (first_j0 && j0_ok_q[stream])
             || (next_aad && aad_ok_q[stream])
             || (next_text && text_ok_q[stream] && !limit_q[stream])
             || (next_tag && tag_ok_q[stream]) || (next_iv && iv_ok_q[stream]);
  assign bad  = !good;

  // ---- counters ---------------------------------------------------------------------------------

  // Section 7.1, step 2: IV || 0^31 || 1. inc32 (section 6.2) counts bits 127 to 96 of TDATA.
  logic [127:0] j0, head;
  logic [31:0]  number, j0_number;
  logic [95:0]  base;
  assign head      = bare ? j0_mem[stream] : {32'h01000000, data[95:0]};
  assign j0_number = {j0[103:96], j0[111:104], j0[119:112], j0[127:120]};
  assign number    = count_q[stream];
  assign base      = base_mem[stream];

  // Compute both candidates of each lane, counter block and J0. The choice is made after a pipeline
  // register with Flow "credit".
  logic [W-1:0] counted, headed;
  logic         is_counted, is_headed;
  assign is_counted = beat && is_text;
  assign is_headed  = beat && is_head;
  for (genvar l = 0; l < Lanes; l++) begin : gen_counter
    logic [31:0] value;
    assign value = number + l;
    assign counted[128*l +: 128] = {value[7:0], value[15:8], value[23:16], value[31:24], base};
    assign headed[128*l +: 128]  = (l == 0) ? head : '0;
  end

  always_ff @(posedge aclk) begin
    if (is_headed) base_mem[stream] <= head[95:0];
    if (j0_valid) begin
      j0_mem[j0_stream]       <= j0;
      j0_count_mem[j0_stream] <= j0_number + 32'd1;
    end
  end
  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    logic here, got;
    assign here = beat && stream == StreamW'(s);
    assign got  = j0_valid && j0_stream == StreamW'(s);
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) begin
        aad_ok_q[s]  <= 1'b0;
        text_ok_q[s] <= 1'b0;
        tag_ok_q[s]  <= 1'b0;
        iv_ok_q[s]   <= 1'b0;
        text_q[s]    <= 1'b0;
        limit_q[s]   <= 1'b0;
        decrypt_q[s] <= 1'b0;
        slot_q[s]    <= '0;
        count_q[s]   <= '0;
        blocks_q[s]  <= '0;
        iv_bad_q[s]  <= 1'b0;
        j0_ok_q[s]   <= 1'b0;
      end else begin
        if (here) begin
          aad_ok_q[s]  <= good && !late_text && !short_beat;
          text_ok_q[s] <= good && !(late_text && short_beat);
          tag_ok_q[s]  <= good && decrypt;
          iv_ok_q[s]   <= good && !short_beat;
          text_q[s]    <= late_text;
          decrypt_q[s] <= decrypt;
          slot_q[s]    <= slot;
          if (first) begin
            count_q[s]  <= bare ? j0_count_mem[stream] : 32'd2;
            blocks_q[s] <= '0;
            limit_q[s]  <= 1'b0;
          end else if (is_text) begin
            count_q[s]  <= count_q[s] + Lanes;
            blocks_q[s] <= blocks_q[s] + Lanes;
            limit_q[s]  <= blocks_q[s] > Limit - 2*Lanes;
          end
        end
        if (here && tlast && hashed_iv) iv_bad_q[s] <= bad;
        if (here && first_j0)           j0_ok_q[s]  <= 1'b0;
        else if (got)                   j0_ok_q[s]  <= !iv_bad_q[s];
      end
    end
  end

  // ---- keys -------------------------------------------------------------------------------------

  // Claim a slot without messages for four cycles, so that no message starts while its key is
  // taken. Claim it only when it is idle: a blocked first beat would block the later beats of open
  // messages.
  logic                       key_fire, key_load, key_ready, key_wait_q, hold, empty;
  logic [32*Words-1:0]        key_q;      // key accepted but not yet loaded into aes_pipe_keys
  logic [1:0]                 key_size_q;
  logic [SlotW-1:0]           key_slot_q;
  logic [3:0]                 claim_q;
  logic [Slots-1:0]           idle_q;     // one cycle ago no message of the slot was in flight
  logic [SlotW-1:0]           key_slot, done_slot, last_slot_q;
  logic [Slots-1:0]           need_q, powers_ok;
  logic [Slots-1:0][UseW-1:0] use_q;
  logic                       working_q, begun_q, done, unused_now, hash_busy;
  logic [SlotW-1:0]           begun_slot_q;

  if (Slots == 1) begin : gen_one_slot
    assign key_slot  = '0;
    assign need_slot = '0;
    logic unused_slot;
    assign unused_slot = ^s_axis_key_tuser[SlotW+1:2];
  end else begin : gen_slots
    assign key_slot = s_axis_key_tuser[SlotW+1:2];
    always_comb begin
      need_slot = '0;
      for (int i = Slots - 1; i >= 0; i--) if (need_q[i]) need_slot = SlotW'(i);
    end
  end
  assign unused_now        = s_axis_key_tvalid && idle_q[key_slot];
  assign s_axis_key_tready = claim_q[3];
  assign key_fire          = s_axis_key_tvalid && claim_q[3];
  assign key_load          = key_wait_q && key_ready;

  // A new key's hash key is the encrypted block of zeros, which takes one cycle of the input.
  assign need   = (|need_q) && !working_q;
  assign inject = need && en && !hold;

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      claim_q    <= '0;
      key_wait_q <= 1'b0;
      working_q  <= 1'b0;
    end else begin
      claim_q[0] <= unused_now && !key_fire;
      claim_q[1] <= unused_now && claim_q[0] && !key_fire;
      claim_q[2] <= unused_now && claim_q[1] && !key_fire && !key_wait_q && !(|need_q)
                 && !working_q;
      claim_q[3] <= unused_now && claim_q[2] && !key_fire;
      key_wait_q <= key_fire || (key_wait_q && !key_ready);
      if (inject)                                                working_q <= 1'b1;
      else if (working_q && !hash_busy && powers_ok[last_slot_q]) working_q <= 1'b0;
    end
  end
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begun_q <= 1'b0;
    else          begun_q <= s_take && s_first;
  end
  always_ff @(posedge aclk) begin
    begun_slot_q <= s_slot;
    if (inject) last_slot_q <= need_slot;
  end
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn)         {key_q, key_size_q, key_slot_q} <= '0;
    else if (!key_wait_q) {key_q, key_size_q, key_slot_q} <= {s_axis_key_tdata,
                                                              s_axis_key_tuser[1:0], key_slot};
  end
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    logic up, down;
    assign up   = begun_q && begun_slot_q == SlotW'(s);
    assign down = done && done_slot == SlotW'(s);
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) begin
        need_q[s]  <= 1'b0;
        use_q[s]   <= '0;
        idle_q[s]  <= 1'b0;
        ready_q[s] <= 1'b0;
      end else begin
        idle_q[s] <= use_q[s] == '0;
        if (key_load && key_slot_q == SlotW'(s)) need_q[s] <= 1'b1;
        else if (inject && need_slot == SlotW'(s)) need_q[s] <= 1'b0;
        if (up && !down)      use_q[s] <= use_q[s] + 1'b1;
        else if (!up && down) use_q[s] <= use_q[s] - 1'b1;
        // use_q lags by up to three messages: stop before the count can overflow.
        ready_q[s] <= powers_ok[s] && use_q[s][UseW-1:2] != {(UseW-2){1'b1}}
                   && !(unused_now && key_slot == SlotW'(s));
      end
    end
  end

  logic [1:0]             size;
  logic [32*Words-1:0]    window;
  logic [SlotW-1:0]       window_slot;
  logic                   ok;
  logic [Rounds:0][127:0] enc_keys, dec_keys;
  aes_pipe_keys #(
    .SboxImpl(SboxImpl), .Dir("fwd"), .PipeRegs(PipeRegs), .KeyBits(KeyBits), .Schedule(Schedule),
    .Slots(Slots)
  ) u_keys (
    .clk_i(aclk), .rst_ni(aresetn), .key_valid_i(key_wait_q), .key_ready_o(key_ready),
    .key_i(key_q), .key_size_i(key_size_q), .key_slot_i(key_slot_q),
    .empty_i(empty), .hold_o(hold), .inv_i(1'b0), .slot_i(window_slot), .ok_o(ok), .size_o(size),
    .window_o(window), .enc_keys_o(enc_keys), .dec_keys_o(dec_keys)
  );
  // Schedule "static" stores a single key.
  if (Schedule == "static" && Slots != 1) begin : gen_unknown_slots
    aesforge_unknown_impl u_unknown ();
  end
  logic unused_ok;
  assign unused_ok = ok;

  localparam CountW = $clog2(Inside + 1);
  logic [CountW-1:0] inside_q;
  logic              enter, near, leave, core_valid;   // near: enters, but is not counted yet
  assign leave = core_valid && en;
  assign empty = inside_q == '0 && !near;
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn)            inside_q <= '0;
    else if (enter != leave) inside_q <= enter ? inside_q + 1'b1 : inside_q - 1'b1;
  end

  // ---- rounds -----------------------------------------------------------------------------------

  logic [W-1:0]        core_data, text, block_near, block_in, counted_near, headed_near;
  logic                is_counted_near, is_headed_near;
  logic [32*Words-1:0] window_in;
  logic [1:0]          size_in;
  logic                valid_in;
  logic [SideW-1:0]    side;
  logic [MarkW-1:0]    marks;
  logic [W+SideW+MarkW+1:0] side_near, side_far;
  logic [2:0]          side_kind;
  assign side_kind = zero ? Zero : (kind == Zero) ? None : kind;
  if (Cut != 0) begin : gen_cut
    logic beat_q, zero_q, near_q, in_q;
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) {beat_q, zero_q, near_q, in_q} <= '0;
      else          {beat_q, zero_q, near_q, in_q} <= {go, inject, beat_q || zero_q, near_q};
    end
    assign beat     = beat_q;
    assign zero     = zero_q;
    assign enter    = beat_q || zero_q;
    assign near     = enter;
    assign valid_in = in_q;
  end else begin : gen_uncut
    assign beat     = go;
    assign zero     = need;
    assign enter    = go || inject;
    assign near     = 1'b0;
    assign valid_in = enter;
  end
  aes_pipe_delay #(.Width(2*W + 2 + SlotW), .Stages(Cut)) u_near (
    .clk_i(aclk), .en_i(1'b1), .data_i({counted, headed, is_counted, is_headed, use_slot}),
    .data_o({counted_near, headed_near, is_counted_near, is_headed_near, window_slot})
  );
  assign block_near = (counted_near & {W{is_counted_near}}) | (headed_near & {W{is_headed_near}});
  aes_pipe_delay #(.Width(W + 32*Words + 2), .Stages(Cut)) u_in (
    .clk_i(aclk), .en_i(1'b1), .data_i({block_near, window, size}),
    .data_o({block_in, window_in, size_in})
  );
  aes_pipe_core #(
    .SboxImpl(SboxImpl), .Dir("fwd"), .PipeRegs(PipeRegs), .KeyBits(KeyBits), .Schedule(Schedule),
    .Lanes(Lanes)
  ) u_core (
    .clk_i(aclk), .rst_ni(aresetn), .en_i(en), .valid_i(valid_in), .inv_i(1'b0), .size_i(size_in),
    .data_i(block_in), .window_i(window_in), .enc_keys_i(enc_keys), .dec_keys_i(dec_keys),
    .valid_o(core_valid), .data_o(core_data)
  );
  // Decode the kind here for the output stage: any text, and text to encrypt.
  logic to_text, to_clear;
  assign to_text  = side_kind == Text;
  assign to_clear = to_text && !decrypt;
  aes_pipe_delay #(.Width(W + SideW + MarkW + 2), .Stages(Cut)) u_side_near (
    .clk_i(aclk), .en_i(1'b1),
    .data_i({beat ? data : {W{1'b0}}, keep, tlast, id, user, side_kind, to_text, to_clear, decrypt,
             bad, use_slot}),
    .data_o(side_near)
  );
  axis_delay #(.Width(W + SideW + MarkW + 2), .Stages(Latency), .SideImpl(SideImpl)) u_side (
    .clk_i(aclk), .rst_ni(aresetn), .en_i(en), .data_i(side_near), .data_o(side_far)
  );

  // ---- output -----------------------------------------------------------------------------------

  logic [2:0]         out_kind;
  logic               out_decrypt, out_bad, out_last;
  logic [SlotW-1:0]   out_slot;
  logic [W/8-1:0]     out_keep;
  logic [IdW-1:0]     out_id;
  logic [UserW-1:0]   out_user;
  logic [StreamW-1:0] out_stream;
  logic [W-1:0]       result, hashed;

  // Byte masks that select input (came) and cipher output (made) for m_axis (to) and GHASH (hash).
  // GHASH takes ciphertext, a Head's mask, and all else as input. Flow "credit" computes the masks
  // one stage early, so that a single lookup table separates the rounds from the next registers.
  logic [W-1:0]         far_data;
  logic [W/8-1:0]       far_keep, far_good, to_came, to_made, hash_came, hash_made;
  logic [IdW+UserW:0]   far_note;
  logic [2:0]           far_kind;
  logic                 far_text, far_clear, far_decrypt, far_bad, far_head;
  logic [SlotW-1:0]     far_slot;
  assign {far_data, far_keep, far_note, far_kind, far_text, far_clear, far_decrypt, far_bad,
          far_slot} = side_far;
  assign far_head = far_kind == Head;
  assign far_good = far_keep & ~{W/8{far_bad}};
  aes_pipe_delay #(.Width(W + SideW + MarkW + 4*W/8), .Stages(Cut)) u_side_out (
    .clk_i(aclk), .en_i(1'b1),
    .data_i({far_data, far_keep, far_note, far_kind, far_decrypt, far_bad, far_slot,
             ~{W/8{far_text}} | far_good, {W/8{far_text}} & far_good,
             far_keep & ~{W/8{far_head || (far_clear && far_bad)}},
             {W/8{far_head}} | ({W/8{far_clear}} & far_good)}),
    .data_o({text, side, marks, to_came, to_made, hash_came, hash_made})
  );
  assign {out_kind, out_decrypt, out_bad, out_slot} = marks;
  assign {out_keep, out_last, out_id, out_user}     = side;
  if (Streams == 1) begin : gen_one_out
    assign out_stream = '0;
  end else begin : gen_out
    assign out_stream = out_id[StreamW-1:0];
  end
  for (genvar i = 0; i < W/8; i++) begin : gen_byte
    assign result[8*i +: 8] = (text[8*i +: 8] & {8{to_came[i]}})
                            ^ (core_data[8*i +: 8] & {8{to_made[i]}});
    assign hashed[8*i +: 8] = (text[8*i +: 8] & {8{hash_came[i]}})
                            ^ (core_data[8*i +: 8] & {8{hash_made[i]}});
  end

  // Output of the rounds; Flow "credit" adds a pipeline register.
  localparam HashW  = StreamW + SlotW + 3 + 3 + W/8 + W + IdW + UserW;
  localparam LeaveW = W + SideW + HashW + SlotW + 128;
  logic              is_beat, is_key, beat_out, key_out;
  logic [SlotW-1:0]  key_out_slot;
  logic [127:0]      key_out_data;
  logic [W+SideW-1:0] m_data;
  logic [HashW-1:0]  hash_data, h_all;
  logic [LeaveW-1:0] leaving;
  assign is_beat = core_valid && out_kind != Zero;
  assign is_key  = core_valid && out_kind == Zero && en;
  assign leaving = {result, side, out_stream, out_slot, out_kind, out_decrypt, out_bad, out_last,
                    out_keep, hashed, out_id, out_user, out_slot, core_data[127:0]};
  aes_pipe_delay #(.Width(LeaveW), .Stages(Cut)) u_leave (
    .clk_i(aclk), .en_i(1'b1), .data_i(leaving),
    .data_o({m_data, hash_data, key_out_slot, key_out_data})
  );

  logic h_valid, h_ready;
  if (Flow == "stall") begin : gen_stall
    logic m_ready, hash_ready;
    assign beat_out = is_beat;
    assign key_out  = is_key;
    assign en       = m_ready && hash_ready;
    assign room     = en;
    skid_buffer #(.Width(W + SideW)) u_out (
      .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(beat_out && hash_ready), .in_ready_o(m_ready),
      .in_data_i(m_data), .out_valid_o(m_axis_tvalid), .out_ready_i(m_axis_tready),
      .out_data_o({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tuser})
    );
    skid_buffer #(.Width(HashW)) u_hash_in (
      .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(beat_out && m_ready), .in_ready_o(hash_ready),
      .in_data_i(hash_data), .out_valid_o(h_valid), .out_ready_i(h_ready), .out_data_o(h_all)
    );
  end else if (Flow == "credit") begin : gen_credit
    // Each beat reserves a place in both queues. The block of zeros enters neither.
    localparam Places = 2**$clog2(Inside + 12);
    logic m_room, hash_room, beat_out_q, key_out_q;
    assign beat_out = beat_out_q;
    assign key_out  = key_out_q;
    assign en       = 1'b1;
    assign room     = m_room && hash_room;
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) {beat_out_q, key_out_q} <= '0;
      else          {beat_out_q, key_out_q} <= {is_beat, is_key};
    end
    credit_fifo #(.Width(W + SideW), .Places(Places)) u_out (
      .clk_i(aclk), .rst_ni(aresetn), .take_i(go), .room_o(m_room), .in_valid_i(beat_out),
      .in_data_i(m_data), .out_valid_o(m_axis_tvalid), .out_ready_i(m_axis_tready),
      .out_data_o({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tuser})
    );
    credit_fifo #(.Width(HashW), .Places(Places)) u_hash_in (
      .clk_i(aclk), .rst_ni(aresetn), .take_i(go), .room_o(hash_room), .in_valid_i(beat_out),
      .in_data_i(hash_data), .out_valid_o(h_valid), .out_ready_i(h_ready), .out_data_o(h_all)
    );
  end else begin : gen_unknown_flow
    aesforge_unknown_impl u_unknown ();
  end

  logic               h_decrypt, h_bad, h_last, refused, hash_j0, hash_done;
  logic [StreamW-1:0] hash_stream;
  logic [127:0]       hash_j0_data;
  logic [SlotW-1:0]   hash_slot;
  logic [StreamW-1:0] h_stream;
  logic [SlotW-1:0]   h_slot;
  logic [2:0]         h_kind;
  logic [W/8-1:0]     h_keep;
  logic [W-1:0]       h_data;
  logic [IdW-1:0]     h_id;
  logic [UserW-1:0]   h_user, tag_user;
  assign {h_stream, h_slot, h_kind, h_decrypt, h_bad, h_last, h_keep, h_data, h_id, h_user} = h_all;
  ghash_gcm #(
    .Lanes(Lanes), .Streams(Streams), .Slots(Slots), .NoteW(IdW + UserW)
  ) u_hash (
    .clk_i(aclk), .rst_ni(aresetn),
    .key_valid_i(key_out), .key_slot_i(key_out_slot), .key_i(key_out_data),
    .key_busy_o(hash_busy), .key_ok_o(powers_ok),
    .forget_i(key_fire), .forget_slot_i(key_slot),
    .in_valid_i(h_valid), .in_ready_o(h_ready), .in_stream_i(h_stream), .in_slot_i(h_slot),
    .in_kind_i(h_kind), .in_decrypt_i(h_decrypt), .in_bad_i(h_bad), .in_last_i(h_last),
    .in_keep_i(h_keep), .in_data_i(h_data), .in_note_i({h_id, h_user}),
    .out_valid_o(m_axis_tag_tvalid), .out_ready_i(m_axis_tag_tready), .out_tag_o(m_axis_tag_tdata),
    .out_refused_o(refused), .out_note_o({m_axis_tag_tid, tag_user}),
    .j0_valid_o(hash_j0), .j0_stream_o(hash_stream), .j0_o(hash_j0_data),
    .done_valid_o(hash_done), .done_slot_o(hash_slot)
  );
  assign m_axis_tag_tuser = {tag_user[UserW-1:1], refused};

  // Feedback from GHASH to the input and key logic; Flow "credit" adds a pipeline register.
  if (Cut != 0) begin : gen_told_late
    always_ff @(posedge aclk or negedge aresetn) begin
      if (!aresetn) {j0_valid, done} <= '0;
      else          {j0_valid, done} <= {hash_j0, hash_done};
    end
  end else begin : gen_told_now
    assign {j0_valid, done} = {hash_j0, hash_done};
  end
  aes_pipe_delay #(.Width(StreamW + 128 + SlotW), .Stages(Cut)) u_told_by (
    .clk_i(aclk), .en_i(1'b1), .data_i({hash_stream, hash_j0_data, hash_slot}),
    .data_o({j0_stream, j0, done_slot})
  );
  logic unused;
  assign unused = tag_user[0];
endmodule
