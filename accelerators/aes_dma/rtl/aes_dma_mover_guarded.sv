// SPDX-License-Identifier: Apache-2.0
// aes_dma_mover with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_dma_mover_guarded.sv.j2 by `aesforge modules`.
module aes_dma_mover_guarded #(
  parameter MaxBlocks = 256,
  parameter Slots     = 4,   // power of two
  parameter ReadAhead = 2,   // blocks being read or waiting for the cipher
  parameter BlockW    = 28,
  parameter WordW     = 32,  // bits of a word, fewer only in proofs
  parameter PageW     = 10,  // no burst crosses a multiple of 2**PageW words
  parameter Registered = 0,  // 1: a register after each choice of a block; costs 1 or 2 cycles
  parameter SlotRam   = 0    // 1: words of the blocks in distributed RAM; with Registered
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  wrong_o,

  input  logic                  start_i,       // only while not active
  input  logic                  stop_i,
  input  logic [BlockW+1:0]     src_i,         // first and last words; stable while active
  input  logic [BlockW+1:0]     src_last_i,
  input  logic [BlockW+1:0]     dst_i,
  input  logic [BlockW+1:0]     dst_last_i,
  input  logic [BlockW-1:0]     blocks_i,      // at least one
  input  logic [1:0]            last_words_i,  // words of the last block, less one
  input  logic [3:0]            last_strb_i,   // bytes of its last word
  input  logic                  ordered_i,
  output logic                  active_o,
  output logic                  ended_o,
  output logic                  complete_o,    // valid with ended_o: all blocks are done
  output logic                  read_fault_o,  // pulse at a job's first error
  output logic                  write_fault_o,
  output logic [BlockW+1:0]     fault_o,       // a cycle later: first word of the failed block
  output logic [BlockW-1:0]     front_o,
  output logic [MaxBlocks-1:0]  bits_o,

  output logic                  feed_valid_o,  // may change before it is taken
  input  logic                  feed_ready_i,
  output logic [3:0][WordW-1:0] feed_data_o,
  output logic [BlockW-1:0]     feed_block_o,
  input  logic                  result_valid_i,  // in feed order, no back-pressure
  input  logic [3:0][WordW-1:0] result_data_i,
  output logic [3:0][WordW-1:0] result_text_o,   // the fed block that the result is from

  input  logic                  cpu_valid_i,
  input  logic                  cpu_write_i,
  input  logic [BlockW+1:0]     cpu_addr_i,
  output logic                  cpu_stall_o,

  output logic                  arvalid_o,
  input  logic                  arready_i,
  output logic [BlockW+1:0]     araddr_o,      // words
  output logic [1:0]            arlen_o,
  input  logic                  rvalid_i,
  output logic                  rready_o,
  input  logic [WordW-1:0]      rdata_i,
  input  logic                  rerror_i,
  output logic                  awvalid_o,
  input  logic                  awready_i,
  output logic [BlockW+1:0]     awaddr_o,
  output logic [1:0]            awlen_o,
  output logic                  wvalid_o,
  input  logic                  wready_i,
  output logic [WordW-1:0]      wdata_o,
  output logic [3:0]            wstrb_o,
  output logic                  wlast_o,
  input  logic                  bvalid_i,
  output logic                  bready_o,
  input  logic                  berror_i
);
  localparam IndexW = $clog2(MaxBlocks);
  localparam CountW = $clog2(Slots + 1);
  localparam logic [Slots:0] PlaceX = {1'b1, {Slots{1'b0}}};

  // ---- the job ----------------------------------------------------------------------------------

  logic              active_q, stop_q, running, ended, drained, moving;
  logic [BlockW-1:0] front;

  assign running    = active_q && !stop_q;
  assign complete_o = front == blocks_i;
  assign ended      = active_q && (complete_o || (stop_q && drained && !moving));
  assign ended_o    = ended;
  assign active_o   = active_q;
  assign front_o    = front;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      stop_q   <= 1'b0;
    end else if (start_i) begin
      active_q <= 1'b1;
      stop_q   <= 1'b0;
    end else if (ended) begin
      active_q <= 1'b0;
      stop_q   <= 1'b0;
    end else if (active_q && (stop_i || read_fault_o || write_fault_o)) begin
      stop_q   <= 1'b1;
    end
  end
  (* keep *) logic active_p, stop_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_p <= 1'b1;
      stop_p   <= 1'b1;
    end else if (start_i) begin
      active_p <= 1'b0;
      stop_p   <= 1'b1;
    end else if (ended) begin
      active_p <= 1'b1;
      stop_p   <= 1'b1;
    end else if (active_q && (stop_i || read_fault_o || write_fault_o)) begin
      stop_p   <= 1'b0;
    end
  end

  // ---- slots ------------------------------------------------------------------------------------

  // Places 0 to Slots-1 are used round-robin. The last place is for the block that the CPU touches.
  logic [Slots:0]                   busy, full, ready, last;
  logic [Slots:0][BlockW-1:0]       block;
  logic [Slots:0][3:0][WordW-1:0]   data;
  logic [Slots:0]                   claim, beat, filled, feed, result, write, done;
  logic [BlockW-1:0]                cand, pick, b_block;
  logic                             cand_last, pick_last, b_last, b_bad;
  logic [1:0]                       fill_word_q;

  logic [Slots:0] part_2;
  for (genvar i = 0; i <= Slots; i++) begin : gen_slot
    logic part_1;
    aes_dma_slot_guarded #(.BlockW(BlockW), .WordW(WordW)) u_slot (
      .wrong_o(part_1),
      .clk_i, .rst_ni, .clear_i(done[i] || ended), .claim_i(claim[i]), .block_i(pick),
      .last_i(pick_last), .beat_i(beat[i]), .filled_i(filled[i]), .word_i(fill_word_q),
      .data_i(rdata_i), .feed_i(feed[i]), .result_i(result[i]), .result_data_i(result_data_i),
      .write_i(write[i]), .busy_o(busy[i]), .full_o(full[i]), .ready_o(ready[i]),
      .block_o(block[i]), .last_o(last[i]), .data_o(data[i])
    );
    assign part_2[i] = part_1;
  end

  // One-hot pointers to the round-robin places: next to claim, to fill, to feed, and so on.
  logic [Slots-1:0] claim_q, fill_q, feed_q, take_q, write_q, free_q;
  logic             claim_r, filled_r, feed_r, result_r, write_r, done_r;

  function automatic logic [Slots-1:0] turn(input logic [Slots-1:0] place, input logic step);
    turn = step ? {place[Slots-2:0], place[Slots-1]} : place;
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {claim_q, fill_q, feed_q, take_q, write_q, free_q} <= {6{Slots'(1)}};
    end else if (ended) begin
      {claim_q, fill_q, feed_q, take_q, write_q, free_q} <= {6{Slots'(1)}};
    end else begin
      claim_q <= turn(claim_q, claim_r);
      fill_q  <= turn(fill_q, filled_r);
      feed_q  <= turn(feed_q, feed_r);
      take_q  <= turn(take_q, result_r);
      write_q <= turn(write_q, write_r);
      free_q  <= turn(free_q, done_r);
    end
  end
  (* keep *) logic claim_p, fill_p, feed_p, take_p, write_p, free_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {claim_p, fill_p, feed_p, take_p, write_p, free_p} <= '0;
    end else if (ended) begin
      {claim_p, fill_p, feed_p, take_p, write_p, free_p} <= '0;
    end else begin
      claim_p <= ~^(turn(claim_q, claim_r));
      fill_p  <= ~^(turn(fill_q, filled_r));
      feed_p  <= ~^(turn(feed_q, feed_r));
      take_p  <= ~^(turn(take_q, result_r));
      write_p <= ~^(turn(write_q, write_r));
      free_p  <= ~^(turn(free_q, done_r));
    end
  end

  // ---- next block to read -----------------------------------------------------------------------

  logic              touch_valid, look_done, taken, scan_near, skip, can_read, claim_x, can_claim;
  logic [BlockW-1:0] touch_block, scan_q, cpu_block, scan_ahead;
  logic [Slots:0]    match;
  logic [CountW-1:0] ahead_q;  // blocks of round-robin places not yet fed to the cipher
  logic              stall;

  logic part_3;
  aes_dma_window_guarded #(
    .MaxBlocks(MaxBlocks), .BlockW(BlockW), .Registered(Registered)
  ) u_window (
    .wrong_o(part_3),
    .clk_i, .rst_ni, .start_i, .active_i(active_q), .ordered_i, .src_i, .src_last_i, .dst_i,
    .dst_last_i, .cpu_valid_i, .cpu_write_i, .cpu_addr_i, .cpu_stall_o(stall),
    .cpu_block_o(cpu_block), .touch_valid_o(touch_valid), .touch_block_o(touch_block),
    .look_block_i(cand), .look_done_o(look_done), .scan_i(scan_q),
    .done_valid_i(b_last && !b_bad), .done_block_i(b_block), .front_o(front), .moving_o(moving),
    .bits_o
  );

  // All blocks in flight, the touched one and a near one of the scan are less than MaxBlocks apart.
  for (genvar i = 0; i <= Slots; i++) begin : gen_match
    assign match[i] = busy[i] && block[i][IndexW-1:0] == cand[IndexW-1:0];
  end
  assign cand       = touch_valid ? touch_block : scan_q;
  assign taken      = look_done || (|match);
  assign scan_ahead = scan_q - front;
  assign scan_near  = (scan_ahead >> IndexW) == '0 && scan_q != blocks_i;

  // True if a burst of words + 1 words crosses a page boundary.
  function automatic logic splits(input logic [PageW-1:0] addr, input logic [1:0] words);
    splits = (&addr[PageW-1:2]) && ({1'b0, addr[1:0]} + {1'b0, words} > 3'd3);
  endfunction

  // pick: the candidate with what was found out about it. With Registered that takes a cycle, and a
  // block is picked every second cycle, so that nothing changes in between.
  logic              pick_valid, pick_x, pick_taken, pick_split, cand_split;
  logic [BlockW+1:0] pick_addr, cand_addr;
  logic [1:0]        cand_words, pick_words;
  assign cand_last  = cand == blocks_i - BlockW'(1);
  assign cand_words = cand_last ? last_words_i : 2'd3;
  assign cand_addr  = src_i + {cand, 2'b00};
  assign cand_split = splits(cand_addr[PageW-1:0], cand_words);
  logic part_4;
  if (Registered == 0) begin : gen_pick
    assign pick_valid = touch_valid || scan_near;
    assign {pick_x, pick_taken, pick_last, pick_split}
         = {touch_valid, taken, cand_last, cand_split};
    assign {pick, pick_addr, pick_words} = {cand, cand_addr, cand_words};
    assign part_4 = 1'b0;
  end else begin : gen_pick
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {pick_valid, pick_x, pick_taken, pick_last, pick_split} <= '0;
        {pick, pick_addr, pick_words} <= '0;
      end else begin
        pick_valid <= running && !pick_valid && (touch_valid || scan_near);
        {pick_x, pick_taken, pick_last, pick_split} <= {touch_valid, taken, cand_last, cand_split};
        {pick, pick_addr, pick_words} <= {cand, cand_addr, cand_words};
      end
    end
    (* keep *) logic pick_valid_p, pick_x_p, pick_taken_p, pick_last_p,
                     pick_split_p, pick_p, pick_addr_p, pick_words_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {pick_valid_p, pick_x_p, pick_taken_p, pick_last_p, pick_split_p} <= '1;
        {pick_p, pick_addr_p, pick_words_p} <= '1;
      end else begin
        pick_valid_p <= ~^(running && !pick_valid && (touch_valid || scan_near));
        {pick_x_p, pick_taken_p, pick_last_p, pick_split_p}
            <= {~^touch_valid, ~^taken, ~^cand_last, ~^cand_split};
        {pick_p, pick_addr_p, pick_words_p} <= {~^cand, ~^cand_addr, ~^cand_words};
      end
    end
    assign part_4 = |{~^{pick_valid, pick_valid_p}, ~^{pick_x, pick_x_p},
      ~^{pick_taken, pick_taken_p}, ~^{pick_last, pick_last_p}, ~^{pick_split, pick_split_p},
      ~^{pick, pick_p}, ~^{pick_addr, pick_addr_p}, ~^{pick_words, pick_words_p}};
  end
  assign can_claim = running && pick_valid && !pick_taken && can_read;
  assign claim_x   = can_claim && pick_x && !busy[Slots];
  assign claim_r   = can_claim && !pick_x && !(|(busy[Slots-1:0] & claim_q))
                  && ahead_q < CountW'(ReadAhead);
  assign skip      = running && pick_valid && pick_taken && !pick_x;
  assign claim     = {claim_x, claim_q & {Slots{claim_r}}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)              scan_q <= '0;
    else if (start_i)         scan_q <= '0;
    else if (claim_r || skip) scan_q <= scan_q + BlockW'(1);
  end
  (* keep *) logic scan_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)              scan_p <= 1'b1;
    else if (start_i)         scan_p <= 1'b1;
    else if (claim_r || skip) scan_p <= ~^(scan_q + BlockW'(1));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                 ahead_q <= '0;
    else if (ended)              ahead_q <= '0;
    else if (claim_r && !feed_r) ahead_q <= ahead_q + CountW'(1);
    else if (feed_r && !claim_r) ahead_q <= ahead_q - CountW'(1);
  end
  (* keep *) logic ahead_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                 ahead_p <= 1'b1;
    else if (ended)              ahead_p <= 1'b1;
    else if (claim_r && !feed_r) ahead_p <= ~^(ahead_q + CountW'(1));
    else if (feed_r && !claim_r) ahead_p <= ~^(ahead_q - CountW'(1));
  end

  // hold: the touched block has not yet been fed from the extra place. The other blocks then wait
  // before the cipher and before the write channel.
  logic early_q, holds, hold;  // early_q: the block in the extra place has not been fed
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)            early_q <= 1'b0;
    else if (ended)         early_q <= 1'b0;
    else if (claim_x)       early_q <= 1'b1;
    else if (feed[Slots])   early_q <= 1'b0;
  end
  (* keep *) logic early_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)            early_p <= 1'b1;
    else if (ended)         early_p <= 1'b1;
    else if (claim_x)       early_p <= 1'b0;
    else if (feed[Slots])   early_p <= 1'b1;
  end
  assign holds = running && touch_valid && !(|match[Slots-1:0]) && !look_done
              && (!busy[Slots] || early_q);
  logic part_5;
  if (Registered == 0) begin : gen_hold
    assign hold = holds;
    assign part_5 = 1'b0;
  end else begin : gen_hold
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) hold <= 1'b0;
      else         hold <= holds;
    end
    (* keep *) logic hold_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) hold_p <= 1'b1;
      else         hold_p <= ~^holds;
    end
    assign part_5 = ~^{hold, hold_p};
  end

  // ---- read -------------------------------------------------------------------------------------

  logic              arvalid_q, ar_more_q;
  logic [BlockW+1:0] araddr_q;
  logic [BlockW-1:0] araddr_next;
  logic [1:0]        arlen_q, ar_rest_q, araddr_low, r_words;
  logic              r_valid, r_x, r_beat, r_last, r_room;
  logic [Slots:0]    r_place;

  assign can_read = !arvalid_q || (arready_i && !ar_more_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {arvalid_q, ar_more_q, arlen_q, ar_rest_q, araddr_q} <= '0;
    end else if (claim_x || claim_r) begin
      arvalid_q <= 1'b1;
      araddr_q  <= pick_addr;
      ar_more_q <= pick_split;
      arlen_q   <= pick_split ? 2'd3 - araddr_low : pick_words;
      ar_rest_q <= araddr_low + pick_words;
    end else if (arready_i) begin
      arvalid_q <= ar_more_q;
      araddr_q  <= {araddr_next, 2'b00};
      ar_more_q <= 1'b0;
      arlen_q   <= ar_rest_q;
    end
  end
  (* keep *) logic arvalid_p, ar_more_p, arlen_p, ar_rest_p, araddr_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {arvalid_p, ar_more_p, arlen_p, ar_rest_p, araddr_p} <= '1;
    end else if (claim_x || claim_r) begin
      arvalid_p <= 1'b0;
      araddr_p  <= ~^pick_addr;
      ar_more_p <= ~^pick_split;
      arlen_p   <= ~^(pick_split ? 2'd3 - araddr_low : pick_words);
      ar_rest_p <= ~^(araddr_low + pick_words);
    end else if (arready_i) begin
      arvalid_p <= ~^ar_more_q;
      araddr_p  <= ~^({araddr_next, 2'b00});
      ar_more_p <= 1'b1;
      arlen_p   <= ~^ar_rest_q;
    end
  end
  assign araddr_low  = pick_addr[1:0];
  assign araddr_next = araddr_q[BlockW+1:2] + BlockW'(1);
  assign arvalid_o   = arvalid_q;
  assign araddr_o    = araddr_q;
  assign arlen_o     = arlen_q;

  // Read data arrives in address order.
  logic part_6;
  fifo_guarded #(.Width(1), .Depth(Slots + 1)) u_read_order (
    .wrong_o(part_6),
    .clk_i, .rst_ni, .in_valid_i(claim_x || claim_r), .in_ready_o(r_room), .in_data_i(claim_x),
    .out_valid_o(r_valid), .out_ready_i(r_last), .out_data_o(r_x)
  );
  assign r_place  = r_x ? PlaceX : {1'b0, fill_q};
  assign r_words  = |(r_place & last) ? last_words_i : 2'd3;
  assign rready_o = r_valid;
  assign r_beat   = r_valid && rvalid_i;
  assign r_last   = r_beat && fill_word_q == r_words;
  assign beat     = r_place & {Slots+1{r_beat}};
  assign filled   = r_place & {Slots+1{r_last}};
  assign filled_r = r_last && !r_x;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     fill_word_q <= 2'd0;
    else if (r_last) fill_word_q <= 2'd0;
    else if (r_beat) fill_word_q <= fill_word_q + 2'd1;
  end
  (* keep *) logic fill_word_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     fill_word_p <= 1'b1;
    else if (r_last) fill_word_p <= 1'b1;
    else if (r_beat) fill_word_p <= ~^(fill_word_q + 2'd1);
  end

  // ---- cipher -----------------------------------------------------------------------------------

  logic           feed_any, c_valid, c_x, c_room;
  logic [Slots:0] feed_place, result_place;

  assign feed_place    = full[Slots] ? PlaceX
                                     : {1'b0, full[Slots-1:0] & feed_q & {Slots{!hold}}};
  assign feed_valid_o  = running && (|feed_place) && c_room;
  assign feed_any      = feed_valid_o && feed_ready_i;
  assign feed          = feed_place & {Slots+1{feed_any}};
  assign feed_r        = feed_any && !full[Slots];

  logic part_7;
  fifo_guarded #(.Width(1), .Depth(4)) u_cipher_order (
    .wrong_o(part_7),
    .clk_i, .rst_ni, .in_valid_i(feed_any), .in_ready_o(c_room), .in_data_i(full[Slots]),
    .out_valid_o(c_valid), .out_ready_i(result_valid_i), .out_data_o(c_x)
  );
  assign result_place = c_x ? PlaceX : {1'b0, take_q};
  assign result       = result_place & {Slots+1{result_valid_i && c_valid}};
  assign result_r     = result_valid_i && c_valid && !c_x;

  // ---- write ------------------------------------------------------------------------------------

  logic [Slots:0]    write_able, write_place, w_place_q, w_place;
  logic              write_x, write_any, w_free, aw_free, aw_split, w_final, w_word_last;
  logic              awvalid_q, aw_more_q, wvalid_q, w_more_q, w_block_last;
  logic [BlockW-1:0] write_block;
  logic [BlockW+1:0] awaddr_q, awaddr_d;
  logic [BlockW-1:0] awaddr_next;
  logic [1:0]        awlen_q, aw_rest_q, awaddr_low, write_words, w_word_q, w_left_q, w_rest_q;
  logic              o_valid, o_x, o_split, o_room;

  // With Registered a block waits a cycle between its result and its write, and the write channel
  // one between two blocks, in which memory reads.
  assign write_able  = Registered != 0 ? ready : ready | result;
  assign write_x     = write_able[Slots];
  assign write_place = write_x ? PlaceX
                               : {1'b0, write_able[Slots-1:0] & write_q & {Slots{!hold}}};
  assign w_final     = w_left_q == 2'd0 && !w_more_q;
  assign w_free      = !wvalid_q || (Registered == 0 && wready_i && w_final);
  assign aw_free     = !awvalid_q || (awready_i && !aw_more_q);
  assign write_any   = (|write_place) && w_free && aw_free;
  assign write       = write_place & {Slots+1{write_any}};
  assign write_r     = write_any && !write_x;

  logic [BlockW:0] unused_room;
  assign unused_room = {r_room && o_room, cpu_block};

  // The chosen place's block, and whether it is the last one.
  logic write_last;
  always_comb begin
    write_block = '0;
    for (int i = 0; i <= Slots; i++) write_block |= block[i] & {BlockW{write_place[i]}};
  end
  assign write_last  = |(write_place & last);
  assign write_words = write_last ? last_words_i : 2'd3;
  assign awaddr_d    = dst_i + {write_block, 2'b00};
  assign awaddr_low  = awaddr_d[1:0];
  assign awaddr_next = awaddr_q[BlockW+1:2] + BlockW'(1);
  assign aw_split    = splits(awaddr_d[PageW-1:0], write_words);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {awvalid_q, aw_more_q, awlen_q, aw_rest_q, awaddr_q} <= '0;
    end else if (write_any) begin
      awvalid_q <= 1'b1;
      awaddr_q  <= awaddr_d;
      aw_more_q <= aw_split;
      awlen_q   <= aw_split ? 2'd3 - awaddr_low : write_words;
      aw_rest_q <= awaddr_low + write_words;
    end else if (awready_i) begin
      awvalid_q <= aw_more_q;
      awaddr_q  <= {awaddr_next, 2'b00};
      aw_more_q <= 1'b0;
      awlen_q   <= aw_rest_q;
    end
  end
  (* keep *) logic awvalid_p, aw_more_p, awlen_p, aw_rest_p, awaddr_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {awvalid_p, aw_more_p, awlen_p, aw_rest_p, awaddr_p} <= '1;
    end else if (write_any) begin
      awvalid_p <= 1'b0;
      awaddr_p  <= ~^awaddr_d;
      aw_more_p <= ~^aw_split;
      awlen_p   <= ~^(aw_split ? 2'd3 - awaddr_low : write_words);
      aw_rest_p <= ~^(awaddr_low + write_words);
    end else if (awready_i) begin
      awvalid_p <= ~^aw_more_q;
      awaddr_p  <= ~^({awaddr_next, 2'b00});
      aw_more_p <= 1'b1;
      awlen_p   <= ~^aw_rest_q;
    end
  end
  assign awvalid_o = awvalid_q;
  assign awaddr_o  = awaddr_q;
  assign awlen_o   = awlen_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {wvalid_q, w_more_q, w_word_q, w_left_q, w_rest_q, w_place_q} <= '0;
    end else if (write_any) begin
      wvalid_q  <= 1'b1;
      w_place_q <= write_place;
      w_word_q  <= 2'd0;
      w_more_q  <= aw_split;
      w_left_q  <= aw_split ? 2'd3 - awaddr_low : write_words;
      w_rest_q  <= awaddr_low + write_words;
    end else if (wvalid_q && wready_i) begin
      w_word_q <= w_word_q + 2'd1;
      if (w_left_q != 2'd0) begin
        w_left_q <= w_left_q - 2'd1;
      end else if (w_more_q) begin
        w_left_q <= w_rest_q;
        w_more_q <= 1'b0;
      end else begin
        wvalid_q  <= 1'b0;
        w_place_q <= '0;
      end
    end
  end
  (* keep *) logic wvalid_p, w_more_p, w_word_p, w_left_p, w_rest_p, w_place_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {wvalid_p, w_more_p, w_word_p, w_left_p, w_rest_p, w_place_p} <= '1;
    end else if (write_any) begin
      wvalid_p  <= 1'b0;
      w_place_p <= ~^write_place;
      w_word_p  <= 1'b1;
      w_more_p  <= ~^aw_split;
      w_left_p  <= ~^(aw_split ? 2'd3 - awaddr_low : write_words);
      w_rest_p  <= ~^(awaddr_low + write_words);
    end else if (wvalid_q && wready_i) begin
      w_word_p <= ~^(w_word_q + 2'd1);
      if (w_left_q != 2'd0) begin
        w_left_p <= ~^(w_left_q - 2'd1);
      end else if (w_more_q) begin
        w_left_p <= ~^w_rest_q;
        w_more_p <= 1'b1;
      end else begin
        wvalid_p  <= 1'b1;
        w_place_p <= 1'b1;
      end
    end
  end

  always_comb begin
    feed_block_o = '0;
    for (int i = 0; i <= Slots; i++) feed_block_o |= block[i] & {BlockW{feed_place[i]}};
  end

  // ---- words of the blocks in flight ------------------------------------------------------------

  logic [3:0][WordW-1:0] w_data;

  if (SlotRam == 0) begin : gen_slots
    always_comb begin
      w_data        = '0;
      result_text_o = '0;
      feed_data_o   = '0;
      for (int i = 0; i <= Slots; i++) begin
        w_data        |= data[i] & {4*WordW{w_place_q[i]}};
        result_text_o |= data[i] & {4*WordW{result_place[i]}};
        feed_data_o   |= data[i] & {4*WordW{feed_place[i]}};
      end
    end
  end else begin : gen_stores
    aesforge_unknown_impl u_unknown ();
  end

  assign w_place      = w_place_q & last;
  assign w_block_last = |w_place;
  assign w_word_last  = w_block_last && w_word_q == last_words_i;
  assign wvalid_o     = wvalid_q;
  assign wdata_o      = w_data[w_word_q];
  assign wstrb_o      = w_word_last ? last_strb_i : 4'hf;
  assign wlast_o      = w_left_q == 2'd0;

  // ---- responses --------------------------------------------------------------------------------

  logic              b_half_q, b_error_q;
  logic [Slots:0]    b_place, fault_place;
  logic [BlockW-1:0] fault_block;

  logic part_8;
  fifo_guarded #(.Width(2), .Depth(Slots + 1)) u_write_order (
    .wrong_o(part_8),
    .clk_i, .rst_ni, .in_valid_i(write_any), .in_ready_o(o_room), .in_data_i({aw_split, write_x}),
    .out_valid_o(o_valid), .out_ready_i(b_last), .out_data_o({o_split, o_x})
  );
  assign bready_o = o_valid;
  assign b_last   = o_valid && bvalid_i && (b_half_q || !o_split);
  assign b_place  = o_x ? PlaceX : {1'b0, free_q};
  assign done     = b_place & {Slots+1{b_last}};
  assign done_r   = b_last && !o_x;
  assign b_bad    = berror_i || b_error_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {b_half_q, b_error_q} <= 2'b00;
    end else if (b_last) begin
      {b_half_q, b_error_q} <= 2'b00;
    end else if (bvalid_i && o_valid) begin
      b_half_q  <= 1'b1;
      b_error_q <= berror_i;
    end
  end
  (* keep *) logic b_half_p, b_error_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {b_half_p, b_error_p} <= '1;
    end else if (b_last) begin
      {b_half_p, b_error_p} <= '1;
    end else if (bvalid_i && o_valid) begin
      b_half_p  <= 1'b0;
      b_error_p <= ~^berror_i;
    end
  end

  logic [BlockW-1:0] b_found;
  assign fault_place = write_fault_o ? b_place : r_place;
  always_comb begin
    b_found     = '0;
    fault_block = '0;
    for (int i = 0; i <= Slots; i++) begin
      b_found     |= block[i] & {BlockW{b_place[i]}};
      fault_block |= block[i] & {BlockW{fault_place[i]}};
    end
  end
  assign b_block = b_found;

  // ---- ends and errors --------------------------------------------------------------------------

  assign drained       = !arvalid_q && !r_valid && !c_valid && !(|ready) && !wvalid_q
                      && !awvalid_q && !o_valid;
  assign write_fault_o = running && b_last && b_bad;
  assign read_fault_o  = running && r_beat && rerror_i && !write_fault_o;

  logic              fault_write_q;
  logic [BlockW-1:0] fault_block_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {fault_write_q, fault_block_q} <= '0;
    else         {fault_write_q, fault_block_q} <= {write_fault_o, fault_block};
  end
  (* keep *) logic fault_write_p, fault_block_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {fault_write_p, fault_block_p} <= '1;
    else         {fault_write_p, fault_block_p} <= {~^write_fault_o, ~^fault_block};
  end
  assign fault_o = (fault_write_q ? dst_i : src_i) + {fault_block_q, 2'b00};

  assign cpu_stall_o = stall;

  assign wrong_o = |{~^{active_q, active_p}, ~^{stop_q, stop_p}, part_2, ~^{claim_q, claim_p},
    ~^{fill_q, fill_p}, ~^{feed_q, feed_p}, ~^{take_q, take_p}, ~^{write_q, write_p},
    ~^{free_q, free_p}, part_3, part_4, ~^{scan_q, scan_p}, ~^{ahead_q, ahead_p},
    ~^{early_q, early_p}, part_5, ~^{arvalid_q, arvalid_p}, ~^{ar_more_q, ar_more_p},
    ~^{arlen_q, arlen_p}, ~^{ar_rest_q, ar_rest_p}, ~^{araddr_q, araddr_p}, part_6,
    ~^{fill_word_q, fill_word_p}, part_7, ~^{awvalid_q, awvalid_p}, ~^{aw_more_q, aw_more_p},
    ~^{awlen_q, awlen_p}, ~^{aw_rest_q, aw_rest_p}, ~^{awaddr_q, awaddr_p}, ~^{wvalid_q, wvalid_p},
    ~^{w_more_q, w_more_p}, ~^{w_word_q, w_word_p}, ~^{w_left_q, w_left_p}, ~^{w_rest_q, w_rest_p},
    ~^{w_place_q, w_place_p}, part_8, ~^{b_half_q, b_half_p}, ~^{b_error_q, b_error_p},
    ~^{fault_write_q, fault_write_p}, ~^{fault_block_q, fault_block_p}};
endmodule
