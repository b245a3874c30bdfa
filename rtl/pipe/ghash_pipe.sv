// SPDX-License-Identifier: Apache-2.0
// GHASH (SP 800-38D, section 6.4) of several interleaved streams, Lanes blocks a clock, without
// gaps between messages and without knowing their lengths in advance.
//
// Each stream has a queue of `Places` beats. A beat waits there until the power of the key for its
// product is known:
//  - Mid-message: the number of blocks up to the beat that is Places beats later. The product is
//    added to that beat.
//  - Once the message's end is in the queue: the number of blocks up to the end. The product is
//    added to the result.
// So each beat needs one multiplication, closing a message needs none, and a product may take
// Places cycles to return.
//
// A stream with an over-full queue (Places + 1 beats) is served in the next cycle. In other cycles
// a stream whose queue holds a message end is served, round-robin. If no such cycle occurs for
// `StarvationLimit` cycles (the starvation limit), the input stops until one does.
//
// Beats: in_count_i blocks from lane 0 up, the other lanes zero. in_last_i ends a message; that
// beat is one block, the lengths, and its in_note_i and slot return with the result. Slot, data and
// note follow one cycle after the other inputs.
//
// Keys: key_valid_i gives a slot's key. After Places * Lanes products key_ok_o shows that its
// powers are stored. One key is processed at a time (key_busy_o). A slot's key must not change
// while blocks of the slot are in flight.
//
// Results are in order within a stream, at most one a cycle, and have no back-pressure.
module ghash_pipe #(
  parameter Lanes    = 1,
  parameter Streams  = 4,
  parameter Slots    = 2,
  parameter NoteW    = 8,
  parameter StarvationLimit = 256,
  parameter StreamW  = (Streams > 1) ? $clog2(Streams) : 1,
  parameter SlotW    = (Slots > 1) ? $clog2(Slots) : 1,
  parameter CountW   = $clog2(Lanes + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 key_valid_i,
  input  logic [SlotW-1:0]     key_slot_i,
  input  logic [127:0]         key_i,
  output logic                 key_busy_o,
  output logic [Slots-1:0]     key_ok_o,
  input  logic                 forget_i,        // invalidates the slot's key
  input  logic [SlotW-1:0]     forget_slot_i,

  input  logic [Streams-1:0]   in_valid_i,      // one-hot in_stream_i
  output logic                 in_ready_o,      // a register; low: no beat two cycles later
  input  logic [StreamW-1:0]   in_stream_i,
  input  logic [CountW-1:0]    in_count_i,
  input  logic                 in_last_i,
  input  logic [SlotW-1:0]     in_slot_i,       // slot, data, note: one cycle later
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [NoteW-1:0]     in_note_i,

  output logic                 out_valid_o,
  output logic [StreamW-1:0]   out_stream_o,
  output logic [SlotW-1:0]     out_slot_o,
  output logic [NoteW-1:0]     out_note_o,
  output logic [127:0]         out_hash_o
);
  // A product must return within Places cycles after its beat is read, because the next beat in
  // that place then reads it: see `Back`. The stages from a beat's arrival to the read do not
  // count, since the memories are written with the same delay.
  localparam Places  = 8;
  localparam PlaceW  = 3;
  localparam Powers  = Places*Lanes;
  localparam PowerW  = $clog2(Powers);
  localparam SumW    = PowerW + 1;       // width of a number of blocks: 1 to Powers
  localparam W       = 128*Lanes;
  localparam Queued  = 2**(StreamW + PlaceW);
  localparam Back    = 6;                // latency, from the chosen beat to its product
  localparam AgeW    = $clog2(StarvationLimit + 1);

  // ---- queues -----------------------------------------------------------------------------------

  // Per stream: head_q: oldest place; tail_q: next free place; fill_q: one-hot number of waiting
  // beats, Places + 1 for at most one cycle; total_q: blocks ever input (modulo); newest_q: total_q
  // before the newest beat; seen_q: beats of the open message (saturates at Places); ends_q:
  // waiting beats that end a message (bit 0: the oldest).
  logic [Streams-1:0][PlaceW-1:0] head_q, tail_q;
  logic [Streams-1:0][Places+1:0] fill_q;
  logic [Streams-1:0][SumW-1:0]   total_q, newest_q;
  logic [Streams-1:0][PlaceW:0]   seen_q;
  logic [Streams-1:0][Places:0]   ends_q;
  logic [W-1:0]                   data_mem [Queued];
  logic [SumW-1:0]                start_mem [Queued];  // blocks before this beat
  logic [SlotW:0]                 mark_mem [Queued];   // slot; first in its place
  logic [NoteW-1:0]               note_mem [Queued];

  // ---- choice of the beat to multiply -----------------------------------------------------------

  // The queue-state feedback path must close timing in one cycle, so streams are one-hot and every
  // choice uses only registers. An over-full queue has priority. One input a cycle allows at most
  // one such queue, and none while a power of a key is multiplied. Otherwise serve last cycle's
  // pick, unless that cycle's input hit a full queue.
  logic               ask_q, raise;   // raise: multiply a power of a key
  logic [2:0]         asked_q;
  logic               blocked_q;
  logic [Streams-1:0] here, gone, full, over, pick_q;

  assign here = in_valid_i;
  assign gone = over | (pick_q & {Streams{!blocked_q}});
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) blocked_q <= 1'b0;
    else         blocked_q <= ask_q || (|(here & full));
  end

  // Pick a stream with a message end that will still be queued when it is served. If the stream
  // cannot be served in this cycle, any end qualifies (closable_q), else only one that is not the
  // oldest beat (still_q). Both registers are at most one cycle old, and err only towards zero. A
  // pick that had to wait is kept.
  logic [Streams-1:0] closable_q, still_q, choice, kept, chosen, turn_q, turn_next;
  logic               turn_choice, hold;
  assign choice      = ((pick_q | over) & still_q) | (~(pick_q | over) & closable_q);
  assign kept        = pick_q & ((over & still_q) | (~over & closable_q));
  assign turn_choice = |(choice & turn_q);
  assign chosen      = turn_choice ? turn_q : choice & (~choice + 1'b1);
  assign hold        = blocked_q && (|pick_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pick_q <= '0;
    else         pick_q <= hold ? kept : chosen;
  end

  logic [SumW-1:0] in_blocks;
  assign in_blocks = SumW'(in_count_i);
  for (genvar s = 0; s < Streams; s++) begin : gen_state
    logic              ends_here;
    logic [Places:0]   ends;
    logic [Places+1:0] fill, ends_now;
    assign turn_next[s] = turn_q[(s + Streams - 1) % Streams];
    assign fill      = fill_q[s];
    assign ends      = ends_q[s];
    assign over[s]   = fill[Places+1];
    assign full[s]   = fill[Places+1] || fill[Places];
    assign ends_here = here[s] && in_last_i;
    assign ends_now  = {1'b0, ends} | (fill & {(Places+2){ends_here}});
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        head_q[s]     <= '0;
        tail_q[s]     <= '0;
        fill_q[s]     <= (Places+2)'(1);
        total_q[s]    <= '0;
        newest_q[s]   <= '0;
        seen_q[s]     <= '0;
        ends_q[s]     <= '0;
        closable_q[s] <= 1'b0;
        still_q[s]    <= 1'b0;
      end else begin
        ends_q[s]     <= gone[s] ? ends_now[Places+1:1] : ends_now[Places:0];
        closable_q[s] <= (|ends[Places-1:1]) || (ends[0] && !gone[s]);
        still_q[s]    <= (|ends[Places:2]) || (ends[1] && !gone[s]);
        if (here[s] != gone[s]) begin
          fill_q[s] <= gone[s] ? {1'b0, fill[Places+1:1]} : {fill[Places:0], 1'b0};
        end
        if (gone[s]) head_q[s] <= head_q[s] + 1'b1;
        if (here[s]) begin
          tail_q[s]   <= tail_q[s] + 1'b1;
          total_q[s]  <= total_q[s] + in_blocks;
          newest_q[s] <= total_q[s];
          if (in_last_i) seen_q[s] <= '0;
          else if (seen_q[s] != (PlaceW+1)'(Places)) seen_q[s] <= seen_q[s] + 1'b1;
        end
      end
    end
  end

  // Stage 1: the chosen stream's state at the choice. For message ends: if one is queued, if the
  // oldest beat is one, and the distance from it to the first one.
  localparam HeldW = StreamW + 2*PlaceW + 2 + SumW;
  logic [Streams-1:0]            gone_q;
  logic [Streams-1:0][HeldW-1:0] held_q;
  logic [HeldW-1:0]              held;
  logic                          raise_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {gone_q, raise_q} <= '0;
    else         {gone_q, raise_q} <= {gone, raise};
  end
  for (genvar s = 0; s < Streams; s++) begin : gen_held
    logic [Places-1:0] ends;
    logic [PlaceW-1:0] distance;
    assign ends = ends_q[s][Places-1:0];
    always_comb begin
      distance = '0;
      for (int i = Places - 1; i >= 0; i--) if (ends[i]) distance = PlaceW'(i);
    end
    always_ff @(posedge clk_i) begin
      held_q[s] <= {StreamW'(s), head_q[s], |ends, ends[0], distance, newest_q[s]};
    end
  end
  always_comb begin
    held = '0;
    for (int i = 0; i < Streams; i++) held |= held_q[i] & {HeldW{gone_q[i]}};
  end

  // Stage 2: the first end's place, and if the stream's previous beat had the same end in its
  // queue.
  logic               gone_q1, raise_q1, ended, ends_first;
  logic [StreamW-1:0] stream_q1;
  logic [PlaceW-1:0]  place_q1, distance_q1, end_place;
  logic [SumW-1:0]    newest_q1;
  logic [Streams-1:0] closing_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {gone_q1, raise_q1} <= '0;
    else         {gone_q1, raise_q1} <= {|gone_q, raise_q};
  end
  always_ff @(posedge clk_i) begin
    {stream_q1, place_q1, ended, ends_first, distance_q1, newest_q1} <= held;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      closing_q <= '0;
    else if (gone_q1) closing_q[stream_q1] <= ended && !ends_first;
  end
  assign end_place = place_q1 + distance_q1;

  // Stage 3: the number of blocks before that end (or the newest beat) and before this beat. The
  // end may have arrived two cycles before the choice, and the beat that reuses this place one
  // cycle before it. So start_mem is written in this stage, and the other memories when they are
  // read.
  logic                      gone_q2, raise_q2, closing_q2, ended_q2, last_q2;
  logic [StreamW+PlaceW-1:0] at_q2, end_at;
  logic [SumW-1:0]           newest_q2;   // less 1
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {gone_q2, raise_q2} <= '0;
    else         {gone_q2, raise_q2} <= {gone_q1, raise_q1};
  end
  always_ff @(posedge clk_i) begin
    at_q2      <= {stream_q1, place_q1};
    end_at     <= {stream_q1, end_place};
    newest_q2  <= newest_q1 - 1'b1;
    closing_q2 <= closing_q[stream_q1];
    ended_q2   <= ended;
    last_q2    <= ends_first;
  end

  // Stage 4: the difference. An end is one block, and its power counts the blocks before it and
  // itself.
  logic                      gone_q3, raise_q3, closing_q3, ended_q3, last_q3, fresh;
  logic [StreamW+PlaceW-1:0] at, sum_at;             // equal; one copy near each memory
  logic [SumW-1:0]           upto_q3, start_q3, power;   // less 1
  logic [SlotW-1:0]          slot;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {gone_q3, raise_q3, sum_at} <= '0;
    else         {gone_q3, raise_q3, sum_at} <= {gone_q2, raise_q2, at_q2};
  end
  always_ff @(posedge clk_i) begin
    at                              <= at_q2;
    upto_q3                         <= ended_q2 ? start_mem[end_at] : newest_q2;
    start_q3                        <= start_mem[at_q2];
    {closing_q3, ended_q3, last_q3} <= {closing_q2, ended_q2, last_q2};
  end
  assign power         = upto_q3 - start_q3;
  assign {fresh, slot} = mark_mem[at];

  localparam WriteW = W + SlotW + NoteW;
  localparam WhereW = StreamW + PlaceW + SumW + 1;
  logic [2:0]                fire_q;
  logic                      write_q4, write_q5, write_q6, fresh_q4, fresh_q5;
  logic [StreamW+PlaceW-1:0] in_at_q4, in_at_q5, in_at_q6;
  logic [WhereW-1:0]         where;
  logic [SlotW-1:0]          write_slot;
  logic [W-1:0]              write_data;
  logic [SumW-1:0]           write_start;
  logic [NoteW-1:0]          write_note, write_note_q6;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {write_q6, write_q5, write_q4, fire_q} <= '0;
    else         {write_q6, write_q5, write_q4, fire_q} <= {write_q5, write_q4, fire_q, |here};
  end
  assign where = {in_stream_i, tail_q[in_stream_i], total_q[in_stream_i],
                  seen_q[in_stream_i] != (PlaceW+1)'(Places)};
  aes_pipe_delay #(.Width(WhereW), .Stages(4)) u_where (
    .clk_i, .en_i(1'b1), .data_i(where), .data_o({in_at_q4, write_start, fresh_q4})
  );
  aes_pipe_delay #(.Width(WriteW), .Stages(4)) u_write (
    .clk_i, .en_i(1'b1), .data_i({in_data_i, in_slot_i, in_note_i}),
    .data_o({write_data, write_slot, write_note})
  );
  always_ff @(posedge clk_i) begin
    {in_at_q5, fresh_q5}      <= {in_at_q4, fresh_q4};
    {in_at_q6, write_note_q6} <= {in_at_q5, write_note};
    if (write_q4) start_mem[in_at_q4] <= write_start;
    if (write_q5) begin
      data_mem[in_at_q5] <= write_data;
      mark_mem[in_at_q5] <= {fresh_q5, write_slot};
    end
    if (write_q6) note_mem[in_at_q6] <= write_note_q6;
  end

  // ---- keys: the powers, one after the other ----------------------------------------------------

  // A request (ask) leads, four cycles later, to a cycle without input. So no queue is over-full in
  // the fifth cycle, which multiplies the power.
  logic               key_valid_q, ask, busy_q, raised, store_q;  // raised: power ready
  logic [SlotW-1:0]   key_slot_q;
  logic [PowerW-1:0]  index_q;                       // last stored power, less 1
  logic [PowerW-1:0]  store_at_q;                    // power being stored, less 1
  logic [127:0]       key, key_q, grown_q, product_q;
  logic [Slots-1:0]   key_ok_q;

  gf128_order u_key (.data_i(key_i), .data_o(key));
  assign ask        = key_valid_q || (raised && index_q != PowerW'(Powers - 2));
  assign key_busy_o = key_valid_q || busy_q;
  assign key_ok_o   = key_ok_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_valid_q <= 1'b0;
      asked_q     <= '0;
      ask_q       <= 1'b0;
      raise       <= 1'b0;
      busy_q      <= 1'b0;
      store_q     <= 1'b0;
      key_slot_q  <= '0;
      index_q     <= '0;
      key_ok_q    <= '0;
    end else begin
      key_valid_q      <= key_valid_i;
      store_q          <= key_valid_q || raised;
      {ask_q, asked_q} <= {asked_q, ask};
      raise            <= ask_q;
      if (key_valid_i) key_slot_q <= key_slot_i;
      if (key_valid_q) begin
        busy_q  <= 1'b1;
        index_q <= '0;
      end else if (raised) begin
        index_q <= index_q + 1'b1;
        if (index_q == PowerW'(Powers - 2)) begin
          busy_q               <= 1'b0;
          key_ok_q[key_slot_q] <= 1'b1;
        end
      end
      if (forget_i) key_ok_q[forget_slot_i] <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    key_q      <= key;
    store_at_q <= key_valid_q ? '0 : index_q + 1'b1;
    if (key_valid_q || raised) grown_q <= key_valid_q ? key_q : product_q;
  end

  // ---- starvation limit and round-robin ---------------------------------------------------------

  // Starvation limit for messages whose end is queued.
  logic            ready_q, waits, late, late_q;   // late_q: limit reached
  logic [AgeW-1:0] age, age_q;
  assign in_ready_o = ready_q;
  assign waits      = (|closable_q) && (blocked_q || pick_q == '0);
  always_comb begin
    if (!waits)      {age, late} = '0;
    else if (late_q) {age, late} = {age_q, 1'b1};
    else             {age, late} = {age_q + 1'b1, age_q == AgeW'(StarvationLimit - 1)};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      age_q   <= '0;
      late_q  <= 1'b0;
      ready_q <= 1'b1;
      turn_q  <= Streams'(1);
    end else begin
      age_q   <= age;
      late_q  <= late;
      ready_q <= !asked_q[0] && !late;
      if (!hold && (|choice)) turn_q <= turn_next;
    end
  end

  // ---- multiplication ---------------------------------------------------------------------------

  // Pipeline: the beat and the product returned to its place (op); operands; four registers of the
  // product; the sum of the lanes, reduced.
  logic                      op_q, op_raise_q, op_fresh_q;
  logic [StreamW+PlaceW-1:0] op_at_q;
  logic [W-1:0]              op_data_q;
  logic [SlotW-1:0]          op_slot_q;
  logic [PowerW-1:0]         op_power_q;      // less 1
  logic                      op_keep_q, op_first_q, op_last_q;
  logic [127:0]              sum_mem [Queued];
  logic [127:0]              back_q;

  logic unused_power;
  assign unused_power = power[SumW-1];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q       <= 1'b0;
      op_raise_q <= 1'b0;
    end else begin
      op_q       <= gone_q3;
      op_raise_q <= raise_q3;
    end
  end
  always_ff @(posedge clk_i) begin
    op_at_q    <= at;
    op_data_q  <= data_mem[at];
    back_q     <= sum_mem[sum_at];
    op_slot_q  <= raise_q3 ? key_slot_q : slot;
    op_power_q <= raise_q3 ? '0 : power[PowerW-1:0];
    op_fresh_q <= fresh;
    op_keep_q  <= !raise_q3 && !ended_q3;     // product returns to this place
    op_first_q <= !closing_q3;
    op_last_q  <= last_q3;
  end

  // The returned product is added to the first block. A key is already a polynomial and uses lane 0
  // only.
  logic [W-1:0]   ordered, a, a_q, b, b_q;
  logic [127:0]   product;
  logic [254:0]   total;
  logic [Lanes:0][254:0] totals;
  assign totals[0] = '0;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [127:0]      powers [2**(SlotW + PowerW)];
    logic [254:0]      one;
    logic [PowerW-1:0] lane_power;
    gf128_order u_order (
      .data_i(op_data_q[128*l +: 128]), .data_o(ordered[128*l +: 128])
    );
    if (l == 0) begin : gen_first
      assign a[127:0] = op_raise_q ? grown_q : ordered[127:0] ^ (op_fresh_q ? 128'b0 : back_q);
    end else begin : gen_other
      assign a[128*l +: 128] = op_raise_q ? 128'b0 : ordered[128*l +: 128];
    end
    assign lane_power = op_power_q - PowerW'(l);
    assign b[128*l +: 128] = powers[{op_slot_q, lane_power}];
    gf128_mul u_mul (
      .clk_i, .a_i(a_q[128*l +: 128]), .b_i(b_q[128*l +: 128]), .product_o(one)
    );
    assign totals[l+1] = totals[l] ^ one;
    always_ff @(posedge clk_i) if (store_q) powers[{key_slot_q, store_at_q}] <= grown_q;
  end
  assign total = totals[Lanes];
  gf128_reduce u_reduce (.data_i(total), .data_o(product));
  always_ff @(posedge clk_i) begin
    a_q       <= a;
    b_q       <= b;
    product_q <= product;
  end

  // Sideband of the multiplication.
  logic                      r_valid, r_raise, r_keep, r_first, r_last, op_done_q;
  logic [StreamW+PlaceW-1:0] r_at;
  logic [SlotW-1:0]          r_slot;
  logic [Back-1:0][1:0]      beside_q;
  logic [Back-2:0][1:0]      beside_kept;
  assign beside_kept = beside_q[Back-2:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beside_q <= '0;
    else         beside_q <= {beside_kept, {op_q, op_raise_q}};
  end
  assign {r_valid, r_raise} = beside_q[Back-1];
  aes_pipe_delay #(.Width(StreamW + PlaceW + SlotW + 3), .Stages(Back)) u_marks (
    .clk_i, .en_i(1'b1), .data_i({op_at_q, op_slot_q, op_keep_q, op_first_q, op_last_q}),
    .data_o({r_at, r_slot, r_keep, r_first, r_last})
  );
  assign raised = r_raise;

  // note_mem holds a note only while its beat waits, so it is read one cycle after the beat.
  logic [NoteW-1:0] note;
  assign note = note_mem[op_at_q];
  axis_delay #(.Width(NoteW), .Stages(Back + 1)) u_note (
    .clk_i, .rst_ni, .en_i(1'b1), .data_i(note), .data_o(out_note_o)
  );

  // ---- results ----------------------------------------------------------------------------------

  logic [127:0]       hash_mem [Streams];
  logic [127:0]       hash, hash_q;
  logic [StreamW-1:0] r_stream, stream_q;
  logic [SlotW-1:0]   slot_q;
  assign r_stream = r_at[StreamW+PlaceW-1:PlaceW];
  assign hash     = (r_first ? '0 : hash_mem[r_stream]) ^ product_q;
  always_ff @(posedge clk_i) begin
    if (r_valid && r_keep)  sum_mem[r_at] <= product_q;
    if (r_valid && !r_keep) hash_mem[r_stream] <= hash;
    hash_q   <= hash;
    stream_q <= r_stream;
    slot_q   <= r_slot;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) op_done_q <= 1'b0;
    else         op_done_q <= r_valid && !r_keep && r_last;
  end
  assign out_valid_o  = op_done_q;
  assign out_stream_o = stream_q;
  assign out_slot_o   = slot_q;
  gf128_order u_hash (.data_i(hash_q), .data_o(out_hash_o));
endmodule
