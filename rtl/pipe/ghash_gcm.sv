// SPDX-License-Identifier: Apache-2.0
// Tags of GCM messages from several interleaved streams: lengths, GHASH, mask, verdict (SP 800-38D,
// sections 7.1 and 7.2).
//
// Kinds of beats (in_kind_i); in_data_i has the first byte in bits 7 to 0:
//   Text, Aad  ciphertext or additional data to hash; bytes without in_keep_i are zero
//   Head       begins a message: in_data_i is the mask, CIPH_K(J0)
//   Tag        ends a message to decrypt: in_data_i is the received tag, in_keep_i its bytes
//   Iv         part of an IV of another length than 96 bits; its hash is J0 (step 2 of 7.1)
// in_last_i ends a message. in_bad_i refuses it whatever its tag. The block of lengths is hashed in
// a cycle in which no beat needs the multiplier (Head, Tag, or no input).
//
// out_*   one beat a message, in order within a stream: the tag, or zeros if it is decrypted.
//         out_refused_o: the tag is wrong, missing or under MinTag bytes, or the message is bad
// j0_*    the hash of an IV
// done_*  a message of this slot has ended
//
// The expected tag of a decrypted message never leaves this module, so a forger learns only the
// verdict.
module ghash_gcm #(
  parameter Lanes    = 1,
  parameter Streams  = 4,
  parameter Slots    = 2,
  parameter NoteW    = 8,    // width of the note, sideband from a message's last beat to its tag
  parameter MinTag   = 4,    // SP 800-38D, appendix C
  parameter StarvationLimit = 256,  // starvation limit in cycles; a power of 2
  parameter Tags     = 64,   // tags reserved or queued; a power of 2
  parameter StreamW  = (Streams > 1) ? $clog2(Streams) : 1,
  parameter SlotW    = (Slots > 1) ? $clog2(Slots) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 key_valid_i,   // CIPH_K(0) of a slot
  input  logic [SlotW-1:0]     key_slot_i,
  input  logic [127:0]         key_i,
  output logic                 key_busy_o,
  output logic [Slots-1:0]     key_ok_o,
  input  logic                 forget_i,
  input  logic [SlotW-1:0]     forget_slot_i,

  input  logic                 in_valid_i,
  output logic                 in_ready_o,
  input  logic [StreamW-1:0]   in_stream_i,
  input  logic [SlotW-1:0]     in_slot_i,
  input  logic [2:0]           in_kind_i,
  input  logic                 in_decrypt_i,
  input  logic                 in_bad_i,
  input  logic                 in_last_i,
  input  logic [16*Lanes-1:0]  in_keep_i,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [NoteW-1:0]     in_note_i,

  output logic                 out_valid_o,
  input  logic                 out_ready_i,
  output logic [127:0]         out_tag_o,
  output logic                 out_refused_o,
  output logic [NoteW-1:0]     out_note_o,

  output logic                 j0_valid_o,
  output logic [StreamW-1:0]   j0_stream_o,
  output logic [127:0]         j0_o,
  output logic                 done_valid_o,
  output logic [SlotW-1:0]     done_slot_o
);
  localparam logic [2:0] Text = 3'd0, Aad = 3'd1, Head = 3'd2, Tag = 3'd3, Iv = 3'd4;
  localparam CountW = $clog2(Lanes + 1);
  localparam BytesW = $clog2(16*Lanes + 1);
  localparam AadW   = 61;   // bytes; the standard's limits (section 5.2.1.1)
  localparam TextW  = 61;   // (also of an IV)
  localparam AllW   = 128 + 16 + 3 + NoteW;
  localparam AgeW   = $clog2(StarvationLimit + 1);
  localparam logic [Streams-1:0] One = 1;   // one-hot stream 0

  // ---- a beat's size ----------------------------------------------------------------------------

  // The bytes of a good beat are contiguous from the lowest, so bit 0 of in_keep_i shows if there
  // are any. This logic is before a register slice, so the paths after it are short. Payload that
  // affects no decision uses a queue beside the slice, so that flow control drives only the
  // queue's pointers.
  logic [CountW-1:0] in_blocks, blocks;
  logic [BytesW-1:0] in_bytes, bytes;
  logic              in_hashed;
  logic [Lanes-1:0]  begun;            // lanes that have a first byte
  for (genvar l = 0; l < Lanes; l++) begin : gen_begun
    assign begun[l] = in_keep_i[16*l];
  end
  unary_count #(.Width(16*Lanes)) u_bytes (.unary_i(in_keep_i), .count_o(in_bytes));
  unary_count #(.Width(Lanes)) u_blocks (.unary_i(begun), .count_o(in_blocks));
  assign in_hashed = (in_kind_i == Text || in_kind_i == Aad || in_kind_i == Iv) && !in_bad_i
                  && in_keep_i[0];

  // ---- the current beat and the next one --------------------------------------------------------

  // Decisions about a beat are computed while it is the next one.
  logic               next_valid, next_hashed, next_last, load, take;
  logic               valid_q, hashed_q, last_q;
  logic [2:0]         next_kind, kind_q;
  logic [StreamW-1:0] next_stream, stream_now_q;
  skid_buffer #(.Width(StreamW + 3 + 2)) u_in (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o,
    .in_data_i({in_stream_i, in_kind_i, in_hashed, in_last_i}), .out_valid_o(next_valid),
    .out_ready_i(load), .out_data_o({next_stream, next_kind, next_hashed, next_last})
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)   {valid_q, hashed_q} <= '0;
    else if (load) {valid_q, hashed_q} <= {next_valid, next_valid && next_hashed};
  end
  always_ff @(posedge clk_i) begin
    if (load) {stream_now_q, kind_q, last_q} <= {next_stream, next_kind, next_last};
  end

  // Payload of the current beat.
  logic                 payload_ready, payload_valid, decrypt, bad;
  logic [SlotW-1:0]     slot;
  logic [15:0]          keep;
  logic [128*Lanes-1:0] data;
  logic [NoteW-1:0]     note;
  axis_fifo #(
    .Width(CountW + BytesW + SlotW + 2 + 16 + 128*Lanes + NoteW), .Places(4)
  ) u_payload (
    .clk_i, .rst_ni, .in_valid_i(in_valid_i && in_ready_o), .in_ready_o(payload_ready),
    .in_data_i({in_blocks, in_bytes, in_slot_i, in_decrypt_i, in_bad_i, in_keep_i[15:0], in_data_i,
                in_note_i}),
    .out_valid_o(payload_valid), .out_ready_i(take),
    .out_data_o({blocks, bytes, slot, decrypt, bad, keep, data, note})
  );
  logic unused_payload;
  assign unused_payload = payload_ready ^ payload_valid;

  // ---- messages that wait for their block of lengths --------------------------------------------

  logic [Streams-1:0]            waits_q;
  logic [127:0]                  mask_mem [Streams];
  logic [AllW-1:0]               wait_mem [Streams];
  logic [SlotW-1:0]              slot_mem [Streams];
  logic [127:0]                  length_mem [Streams];

  // Each cycle sends one beat to GHASH: the current beat or a block of lengths. A message's first
  // beat never overtakes the lengths of the stream's previous message. If those lengths wait
  // (own_q), they take the cycle; the beat then advances too if it is not hashed. Lengths of the
  // picked stream wait for a cycle with nothing else to hash, up to the starvation limit (late_q).
  // A beat arrives at GHASH two cycles after this decision, as the timing of its ready requires,
  // and nothing stops it in between.
  logic               own_q, some_q, late_q, credit, close, push, hash_ready;
  logic [StreamW-1:0] pick_q, turn_q, closed;
  assign load       = !valid_q || (hash_ready && !late_q && (!own_q || (!hashed_q && credit)));
  assign take       = valid_q && load;
  assign close      = hash_ready && credit && (own_q || (some_q && (!hashed_q || late_q)));
  assign closed     = own_q ? stream_now_q : pick_q;
  assign push       = close || (hash_ready && hashed_q && !own_q && !late_q);

  logic next_waits, next_closed, next_ended, next_own;
  assign next_waits  = waits_q[next_stream];
  assign next_closed = next_stream == closed;
  assign next_ended  = next_stream == stream_now_q && last_q;
  assign next_own    = (next_waits && !(close && next_closed)) || (valid_q && next_ended);

  logic [StreamW-1:0] lowest;
  always_comb begin
    lowest = '0;
    for (int i = Streams - 1; i >= 0; i--) if (waits_q[i]) lowest = StreamW'(i);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      own_q  <= 1'b0;
      some_q <= 1'b0;
      pick_q <= '0;
      turn_q <= '0;
    end else begin
      if (load || close) own_q <= load && next_valid && next_own;
      // One cycle separates two picks, so that a pick that was just closed is not repeated.
      some_q <= !close && (|waits_q);
      if (!some_q) pick_q <= waits_q[turn_q] ? turn_q : lowest;
      if (close && !own_q) begin
        turn_q <= (turn_q == StreamW'(Streams - 1)) ? '0 : turn_q + 1'b1;
      end
    end
  end
  for (genvar s = 0; s < Streams; s++) begin : gen_waits
    logic ends, goes;
    assign ends = last_q && stream_now_q == StreamW'(s);
    assign goes = closed == StreamW'(s);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waits_q[s] <= 1'b0;
      else         waits_q[s] <= (take && ends) || (waits_q[s] && !(close && goes));
    end
  end

  // Starvation limit: count cycles in which lengths wait, other than those that own_q serves.
  // Closing any of these restarts the count.
  logic [AgeW-1:0] age_q;            // restarts one cycle after fresh
  logic            others_wait, other_closed, fresh, fresh_q, old;
  assign others_wait  = |(waits_q & ~((One << stream_now_q) & {Streams{own_q}}));
  assign other_closed = close && !own_q;
  assign fresh        = !others_wait || other_closed;
  assign old          = age_q[AgeW-1];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= 1'b1;
      late_q  <= 1'b0;
      age_q   <= '0;
    end else begin
      fresh_q <= fresh;
      late_q  <= !fresh && (late_q || (old && !fresh_q));
      if (fresh_q)             age_q <= '0;
      else if (!old && credit) age_q <= age_q + 1'b1;
    end
  end

  // ---- stage 1: count bytes ---------------------------------------------------------------------

  localparam FlagsW = Streams + 3;
  localparam BeatW  = 3*StreamW + CountW + SlotW + 5 + 16 + 128*Lanes + NoteW;
  logic [Streams-1:0] new_q;               // the next beat begins a message
  logic [Streams-1:0] mine, more_q1, first_q1;   // one-hot stream
  logic [Streams-1:0] push_bit;
  logic [StreamW-1:0] push_stream;
  logic [FlagsW-1:0]  flags_q1;            // bit 0: a message ends
  logic [BeatW-1:0]   beat_q1;
  logic [BytesW-1:0]  aad_bytes_q1, text_bytes_q1;
  assign push_stream = close ? closed : stream_now_q;
  assign push_bit    = (One << push_stream) & {Streams{push}};
  assign mine        = (One << stream_now_q) & {Streams{take}};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      new_q    <= '1;
      more_q1  <= '0;
      first_q1 <= '0;
      flags_q1 <= '0;
    end else begin
      new_q    <= last_q ? new_q | mine : new_q & ~mine;
      more_q1  <= mine & ~new_q;
      first_q1 <= mine & new_q;
      flags_q1 <= {push_bit, close, take, take && last_q};
    end
  end
  always_ff @(posedge clk_i) begin
    beat_q1       <= {stream_now_q, closed, push_stream, close ? CountW'(1) : blocks, slot,
                      kind_q == Head, kind_q == Tag, kind_q == Iv, decrypt, bad, keep, data, note};
    aad_bytes_q1  <= bytes & {BytesW{hashed_q && kind_q == Aad}};
    text_bytes_q1 <= bytes & {BytesW{hashed_q && kind_q != Aad}};
  end

  logic [Streams-1:0][AadW-1:0]  aad;
  logic [Streams-1:0][TextW-1:0] text;
  for (genvar s = 0; s < Streams; s++) begin : gen_length
    byte_count #(.Width(AadW), .StepW(BytesW)) u_aad (
      .clk_i, .rst_ni, .add_i(more_q1[s]), .first_i(first_q1[s]), .bytes_i(aad_bytes_q1),
      .total_o(aad[s])
    );
    byte_count #(.Width(TextW), .StepW(BytesW)) u_text (
      .clk_i, .rst_ni, .add_i(more_q1[s]), .first_i(first_q1[s]), .bytes_i(text_bytes_q1),
      .total_o(text[s])
    );
  end

  // ---- stage 2: lengths and expected result -----------------------------------------------------

  logic                 close_q, take_q, ends_q, decrypt_q, bad_q;
  logic [Streams-1:0]   push_q;
  logic [StreamW-1:0]   stream_q, closed_q, push_stream_q;
  logic [SlotW-1:0]     slot_q;
  logic                 is_head_q, is_tag_q, is_iv_q;
  logic [15:0]          keep_q;
  logic [CountW-1:0]    count_q;
  logic [128*Lanes-1:0] data_q;
  logic [NoteW-1:0]     note_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {push_q, close_q, take_q, ends_q} <= '0;
    else         {push_q, close_q, take_q, ends_q} <= flags_q1;
  end
  always_ff @(posedge clk_i) begin
    {stream_q, closed_q, push_stream_q, count_q, slot_q, is_head_q, is_tag_q, is_iv_q, decrypt_q,
     bad_q, keep_q, data_q, note_q} <= beat_q1;
  end

  // Section 7.1, step 5, and for an IV step 2: lengths in bits, big-endian.
  logic [127:0] lengths, length_bytes;
  assign lengths = {aad[stream_q], 3'b0, text[stream_q], 3'b0};
  for (genvar i = 0; i < 16; i++) begin : gen_order
    assign length_bytes[8*i +: 8] = lengths[8*(15-i) +: 8];
  end

  // Expected GHASH result: the mask, XORed with the received tag to decrypt.
  logic [127:0] expected;
  logic         refuse, short_tag;
  assign short_tag = !keep_q[MinTag-1];
  assign refuse    = bad_q || decrypt_q != is_tag_q || (is_tag_q && short_tag);
  assign expected  = is_iv_q ? '0
                   : is_head_q ? data_q[127:0]
                   : mask_mem[stream_q] ^ (is_tag_q ? data_q[127:0] : '0);
  always_ff @(posedge clk_i) begin
    if (take_q && is_head_q) mask_mem[stream_q] <= data_q[127:0];
  end

  // ---- stage 3: store both; data follows in_valid_i by one cycle --------------------------------

  localparam KeptW = StreamW + SlotW + AllW + 128;
  localparam FollowW = 1 + StreamW + SlotW + 128*Lanes;
  logic                 ends_q2, close_q2;
  logic [KeptW-1:0]     kept_q2;
  logic [FollowW-1:0]   follow_q2;
  logic [StreamW-1:0]   stream_q2, closed_q2;
  logic [SlotW-1:0]     slot_q2, kept_slot;
  logic [AllW-1:0]      wait_q2;
  logic [127:0]         length_q2;
  logic [128*Lanes-1:0] data_q2;
  assign {stream_q2, kept_slot, wait_q2, length_q2} = kept_q2;
  assign {close_q2, closed_q2, slot_q2, data_q2}    = follow_q2;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ends_q2 <= 1'b0;
    else         ends_q2 <= ends_q;
  end
  always_ff @(posedge clk_i) begin
    kept_q2   <= {stream_q, slot_q, expected, keep_q, is_iv_q, decrypt_q, refuse, note_q,
                  length_bytes};
    follow_q2 <= {close_q, closed_q, slot_q, data_q};
    if (ends_q2) begin
      slot_mem[stream_q2]   <= kept_slot;
      wait_mem[stream_q2]   <= wait_q2;
      length_mem[stream_q2] <= length_q2;
    end
  end

  // ---- hash -------------------------------------------------------------------------------------

  logic                 done;
  logic [127:0]         hash;
  logic [AllW-1:0]      all;
  logic [128*Lanes-1:0] length_lanes;
  if (Lanes == 1) begin : gen_one
    assign length_lanes = length_mem[closed_q2];
  end else begin : gen_more
    assign length_lanes = {{(128*(Lanes-1)){1'b0}}, length_mem[closed_q2]};
  end

  ghash_pipe #(
    .Lanes(Lanes), .Streams(Streams), .Slots(Slots), .NoteW(AllW), .StarvationLimit(StarvationLimit)
  ) u_hash (
    .clk_i, .rst_ni, .key_valid_i, .key_slot_i, .key_i, .key_busy_o, .key_ok_o, .forget_i,
    .forget_slot_i, .in_valid_i(push_q), .in_ready_o(hash_ready),
    .in_stream_i(push_stream_q), .in_count_i(count_q), .in_last_i(close_q),
    .in_slot_i(close_q2 ? slot_mem[closed_q2] : slot_q2),
    .in_data_i(close_q2 ? length_lanes : data_q2), .in_note_i(wait_mem[closed_q2]),
    .out_valid_o(done), .out_stream_o(j0_stream_o), .out_slot_o(done_slot_o), .out_note_o(all),
    .out_hash_o(hash)
  );

  // ---- verdict ----------------------------------------------------------------------------------

  // One cycle each: byte differences, the verdict, and the tag to output.
  logic [127:0]     want, tag, tag_q, shown_q;
  logic [15:0]      kept, differs, differs_q;
  logic             is_iv, was_decrypt, was_bad, hide_q, tag_valid_q, shown_valid_q;
  logic             iv_q1, iv_q2;
  logic             refused_q, wrong;
  logic [NoteW-1:0] tag_note, note_q1, note_q2;
  logic             bad_q1, decrypt_q1;
  assign {want, kept, is_iv, was_decrypt, was_bad, tag_note} = all;
  assign tag = hash ^ want;
  for (genvar i = 0; i < 16; i++) begin : gen_compare
    assign differs[i] = |tag[8*i +: 8] && kept[i];
  end
  assign wrong = |differs_q;
  always_ff @(posedge clk_i) begin
    {tag_q, differs_q, note_q1}                     <= {tag, differs, tag_note};
    {bad_q1, decrypt_q1, iv_q1}                     <= {was_bad, was_decrypt, is_iv};
    {shown_q, note_q2, iv_q2}                       <= {tag_q, note_q1, iv_q1};
    refused_q                                       <= bad_q1 || (decrypt_q1 && wrong);
    hide_q                                          <= bad_q1 || decrypt_q1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {tag_valid_q, shown_valid_q} <= '0;
    else         {tag_valid_q, shown_valid_q} <= {done, tag_valid_q};
  end

  assign j0_valid_o   = done && is_iv;
  assign j0_o         = hash;
  assign done_valid_o = done;

  // A message reserves a place for its tag when its lengths are hashed. The hash of an IV reserves
  // one too, and the output skips it.
  logic tag_valid, tag_is_iv;
  assign out_valid_o = tag_valid && !tag_is_iv;
  credit_fifo #(.Width(1 + 129 + NoteW), .Places(Tags)) u_tags (
    .clk_i, .rst_ni, .take_i(close), .room_o(credit), .in_valid_i(shown_valid_q),
    .in_data_i({iv_q2, hide_q ? 128'b0 : shown_q, refused_q, note_q2}),
    .out_valid_o(tag_valid), .out_ready_i(out_ready_i || tag_is_iv),
    .out_data_o({tag_is_iv, out_tag_o, out_refused_o, out_note_o})
  );
endmodule
