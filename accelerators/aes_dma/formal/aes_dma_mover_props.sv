// SPDX-License-Identifier: Apache-2.0
// The bus master without its cipher, with any memory, cipher and CPU. One byte is watched.
//
// The reference is the value that START gives the byte at once, and that the CPU writes; it knows
// no blocks. A word is one bit, which represents the watched byte's lane. Values are copied, or
// inverted by the cipher, so that P and E(P) always differ, and unrelated values differ in some
// run. E(E(P)) = P hides no error: a job leaves E(P), and a separate assertion excludes a second
// pass through the cipher.
//
// Memory serves reads, writes and the CPU in the same or in different cycles, freely. So it
// represents every memory with fewer ports. It accepts a write's address with its last word. Cipher
// and CPU wait freely; the CPU may change its request after a wait. stop_i and read errors occur at
// any time, and START any number of times. RUN_ONLY keeps only the properties, to search
// counterexamples from reset. Otherwise all assertions hold by induction.
//
// REGISTERED: with aes_dma_watch and the registers of the mover. Then the CPU's request stays until
// it is performed, which memory may delay.
module aes_dma_mover_props (
  input logic       clk_i,
  input logic       start_i,
  input logic       stop_i,
  input logic       cpu_valid_i,
  input logic       cpu_write_i,
  input logic [4:0] cpu_addr_i,
  input logic       cpu_data_i,
  input logic       cpu_strobe_i,  // write strobe of the watched byte's lane
  input logic       cpu_go_i,      // only REGISTERED: memory is ready for the CPU
  input logic       read_go_i,
  input logic       read_error_i,
  input logic       write_go_i,
  input logic       response_go_i,
  input logic       feed_go_i,
  input logic       result_go_i
);
  localparam BlockW = 3, MaxBlocks = 4;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // ---- the job ----------------------------------------------------------------------------------

  // Unaligned blocks, so that some bursts reach the end of a page. The last block has two words; of
  // its second word one byte belongs to the region.
  logic [4:0] src, dst;
  logic [2:0] blocks;
  logic [1:0] last_words;
  logic [3:0] last_strb;
  assign src        = 5'd1;
`ifdef COPY
  assign dst        = 5'd18;
`else
  assign dst        = 5'd1;
`endif
`ifdef COPY
  assign blocks     = 3'd3;
`elsif ONE_BLOCK
  assign blocks     = 3'd1;
`elsif TWO_BLOCKS
  assign blocks     = 3'd2;
`else
  assign blocks     = 3'd5;
`endif
  assign last_words = 2'd1;
  assign last_strb  = 4'h1;
  (* anyconst *) logic       ordered;
  (* anyconst *) logic [4:0] offset;  // offset of the watched word
  (* anyconst *) logic [1:0] lane;
  logic [4:0] src_last, dst_last, at_src, at_dst;
  logic [2:0] watched;
  logic       copy, inside;
  assign src_last = src + {blocks - 3'd1, last_words};
  assign dst_last = dst + {blocks - 3'd1, last_words};
  assign copy     = src != dst;
  assign watched  = offset[4:2];
  assign at_src   = src + offset;
  assign at_dst   = dst + offset;
  assign inside   = at_dst != dst_last || last_strb[lane];
  always_comb assume (offset <= {blocks - 3'd1, last_words});

  // ---- the master -------------------------------------------------------------------------------

  logic       active, ended, complete, read_fault, write_fault, feed_valid, feed_ready;
  logic       result_valid, stall, arvalid, rready, awvalid, wvalid, wlast, bready, start;
  logic [4:0] fault, araddr, awaddr;
  logic [2:0] front, feed_block;
  logic [3:0] wstrb;
  logic [MaxBlocks-1:0] bits;
  logic [1:0] arlen, awlen;
  logic       wdata, rdata_q;
  logic [3:0][0:0] feed_data, result_data, result_text;
  logic       rvalid_q, rerror_q, bvalid, write, ar_room;

`ifdef REGISTERED
  localparam Registered = 1;
`else
  localparam Registered = 0;
`endif

  logic       watch_valid, watch_write, watch_stall;
  logic [4:0] watch_addr;
  aes_dma_watch #(.Registered(Registered), .AddrW(5)) u_watch (
    .clk_i, .rst_ni(rst_n), .start_i(start), .active_i(active), .cpu_valid_i, .cpu_write_i,
    .cpu_addr_i, .cpu_done_i(cpu), .cpu_stall_o(stall), .valid_o(watch_valid),
    .write_o(watch_write), .addr_o(watch_addr), .stall_i(watch_stall)
  );

  assign start = start_i && !active && rst_n;
  aes_dma_mover #(
    .MaxBlocks(MaxBlocks), .Slots(2), .ReadAhead(2), .BlockW(BlockW), .WordW(1), .PageW(3),
    .Registered(Registered), .SlotRam(Registered)
  ) u_mover (
    .clk_i, .rst_ni(rst_n), .start_i(start), .stop_i, .src_i(src),
    .src_last_i(src_last), .dst_i(dst), .dst_last_i(dst_last), .blocks_i(blocks),
    .last_words_i(last_words), .last_strb_i(last_strb), .ordered_i(ordered),
    .active_o(active), .ended_o(ended), .complete_o(complete), .read_fault_o(read_fault),
    .write_fault_o(write_fault), .fault_o(fault), .front_o(front), .bits_o(bits),
    .feed_valid_o(feed_valid), .feed_ready_i(feed_ready), .feed_data_o(feed_data),
    .feed_block_o(feed_block), .result_valid_i(result_valid), .result_data_i(result_data),
    .result_text_o(result_text), .cpu_valid_i(watch_valid), .cpu_write_i(watch_write),
    .cpu_addr_i(watch_addr), .cpu_stall_o(watch_stall),
    .arvalid_o(arvalid), .arready_i(ar_room), .araddr_o(araddr), .arlen_o(arlen),
    .rvalid_i(rvalid_q), .rready_o(rready), .rdata_i(rdata_q), .rerror_i(rerror_q),
    .awvalid_o(awvalid), .awready_i(write && wlast), .awaddr_o(awaddr), .awlen_o(awlen),
    .wvalid_o(wvalid), .wready_i(write), .wdata_o(wdata), .wstrb_o(wstrb), .wlast_o(wlast),
    .bvalid_i(bvalid), .bready_o(bready), .berror_i(1'b0)
  );

  // ---- cipher -----------------------------------------------------------------------------------

  logic       c_room, c_valid;
  logic [3:0] c_data;
  fifo #(.Width(4), .Depth(2)) u_cipher (
    .clk_i, .rst_ni(rst_n), .in_valid_i(feed_valid && feed_go_i), .in_ready_o(c_room),
    .in_data_i(feed_data), .out_valid_o(c_valid), .out_ready_i(result_go_i), .out_data_o(c_data)
  );
  assign feed_ready   = feed_go_i && c_room;
  assign result_valid = c_valid && result_go_i;
  assign result_data  = ~c_data;

  // ---- memory -----------------------------------------------------------------------------------

  logic       ar_valid, read, cpu, cpu_write, r_last;
  logic [4:0] ar_addr, r_addr, w_addr;
  logic [1:0] ar_len, r_beat_q, w_beat_q, responses_q;
  logic       mem_src_q, mem_dst_q;  // the watched byte; in place only mem_dst_q

  fifo #(.Width(7), .Depth(2)) u_ar (
    .clk_i, .rst_ni(rst_n), .in_valid_i(arvalid), .in_ready_o(ar_room),
    .in_data_i({araddr, arlen}), .out_valid_o(ar_valid), .out_ready_i(read && r_last),
    .out_data_o({ar_addr, ar_len})
  );
`ifdef REGISTERED
  assign cpu       = cpu_valid_i && !stall && rst_n && cpu_go_i;
`else
  assign cpu       = cpu_valid_i && !stall && rst_n;
`endif
  assign cpu_write = cpu && cpu_write_i && cpu_strobe_i;
  assign read      = ar_valid && read_go_i && (!rvalid_q || rready);
  assign write     = awvalid && wvalid && write_go_i && responses_q != 2'd3;
  assign r_last    = r_beat_q == ar_len;
  assign r_addr    = ar_addr + {3'h0, r_beat_q};
  assign w_addr    = awaddr + {3'h0, w_beat_q};
  assign bvalid    = responses_q != 2'd0 && response_go_i;

  logic to_src, to_dst;
  assign to_dst = cpu_addr_i == at_dst;
  assign to_src = cpu_addr_i == at_src && copy;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      {rvalid_q, r_beat_q, w_beat_q, responses_q} <= '0;
    end else begin
      rvalid_q    <= read || (rvalid_q && !rready);
      r_beat_q    <= read ? (r_last ? 2'd0 : r_beat_q + 2'd1) : r_beat_q;
      w_beat_q    <= write ? (wlast ? 2'd0 : w_beat_q + 2'd1) : w_beat_q;
      responses_q <= responses_q + 2'(write && wlast) - 2'(bvalid && bready);
    end
    if (read) begin
      rdata_q  <= r_addr == at_dst ? mem_dst_q : r_addr == at_src ? mem_src_q : 1'b0;
      rerror_q <= read_error_i;
    end
    if (cpu_write && to_dst)                              mem_dst_q <= cpu_data_i;
    if (cpu_write && to_src)                              mem_src_q <= cpu_data_i;
    if (write && w_addr == at_dst && wstrb[lane])         mem_dst_q <= wdata;
  end

  // ---- reference --------------------------------------------------------------------------------

  logic ref_src_q, ref_dst_q, src_now, dst_now, old_q, fed_q, watched_done;
  logic [2:0] next_q;
  assign dst_now = cpu_write && to_dst ? cpu_data_i : ref_dst_q;
  assign src_now = cpu_write && to_src ? cpu_data_i : ref_src_q;
  // After an early end.
  assign watched_done = watched < front
                     || (watched - front < 3'(MaxBlocks) && bits[watched[$clog2(MaxBlocks)-1:0]]);
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      ref_src_q <= mem_src_q;
      ref_dst_q <= mem_dst_q;
    end else begin
      ref_src_q <= src_now;
      ref_dst_q <= dst_now;
      if (start && inside)        ref_dst_q <= !(copy ? src_now : dst_now);
      if (ended && !watched_done) ref_dst_q <= old_q;
      if (start) old_q <= dst_now;
    end
    if (!rst_n || start) begin
      fed_q  <= 1'b0;
      next_q <= 3'd0;
    end else if (feed_valid && feed_ready) begin
      fed_q  <= fed_q || feed_block == watched;
      next_q <= next_q + 3'd1;
    end
  end

  // ---- properties -------------------------------------------------------------------------------

  always_comb begin
    if (rst_n) begin
      // The CPU reads, and overwrites, the value that the reference holds.
      if (cpu && to_dst) assert (mem_dst_q == ref_dst_q);
      if (cpu && to_src) assert (mem_src_q == ref_src_q);
      // CPU and master never write the same byte in one cycle.
      if (write && w_addr == at_dst && wstrb[lane]) assert (!(cpu_write && to_dst));
      // Without an active job memory equals the reference.
      if (!active) assert (mem_dst_q == ref_dst_q);
      // Each block passes the cipher once; in order if the mode requires it.
      if (feed_valid && feed_block == watched) assert (!fed_q);
      if (feed_valid && ordered) assert (feed_block == next_q);
      if (ended && complete) assert (fed_q);
      // No access leaves the regions.
      if (read) assert (r_addr >= src && r_addr <= src_last);
      if (write) begin
        assert (w_addr >= dst && w_addr <= dst_last);
        assert (wstrb == (w_addr == dst_last ? last_strb : 4'hf));
        assert (wlast == (w_beat_q == awlen));
      end
      // No burst crosses a page boundary.
      if (arvalid) assert ({1'b0, araddr[2:0]} + {2'h0, arlen} <= 4'd7);
      if (awvalid) assert ({1'b0, awaddr[2:0]} + {2'h0, awlen} <= 4'd7);
      // No transfer is in flight after the end of a job.
      if (!active) assert (!arvalid && !awvalid && !wvalid && !ar_valid && !rvalid_q
                           && responses_q == 2'd0 && !c_valid);
    end
  end

`ifdef REGISTERED
  // A request that was presented and not performed stays. The watch holds it.
  (* hierconn *) wire \u_watch.gen_registered.valid_q ;
  always_comb begin
    if (rst_n && \u_watch.gen_registered.valid_q ) begin
      assume (cpu_valid_i && cpu_write_i == watch_write && cpu_addr_i == watch_addr);
    end
  end
`endif

`ifndef RUN_ONLY
  // ---- state invariants for the induction -------------------------------------------------------

  (* hierconn *) wire [2:0] \u_mover.busy , \u_mover.full , \u_mover.ready , \u_mover.last ;
  (* hierconn *) wire [2:0][2:0] \u_mover.block ;
`ifdef REGISTERED
  (* hierconn *) wire [3:0][3:0] \u_mover.gen_stores.u_text.blocks ;
  (* hierconn *) wire [3:0][3:0] \u_mover.gen_stores.u_outcome.blocks ;
  logic [2:0][3:0] text, outcome;  // a place's words before and after the cipher
  assign text    = \u_mover.gen_stores.u_text.blocks [2:0];
  assign outcome = \u_mover.gen_stores.u_outcome.blocks [2:0];
`else
  (* hierconn *) wire [2:0][3:0] \u_mover.data ;
  logic [2:0][3:0] text, outcome;
  assign {text, outcome} = {2{\u_mover.data }};
`endif
  (* hierconn *) wire [2:0] \u_mover.claim , \u_mover.filled , \u_mover.feed , \u_mover.result ;
  (* hierconn *) wire [2:0] \u_mover.write , \u_mover.done , \u_mover.w_place_q ;
  (* hierconn *) wire [1:0] \u_mover.claim_q , \u_mover.fill_q , \u_mover.feed_q , \u_mover.take_q ;
  (* hierconn *) wire [1:0] \u_mover.write_q , \u_mover.free_q , \u_mover.ahead_q ;
  (* hierconn *) wire [2:0] \u_mover.scan_q ;
  (* hierconn *) wire [1:0] \u_mover.fill_word_q , \u_mover.w_word_q , \u_mover.w_left_q ;
  (* hierconn *) wire [1:0] \u_mover.w_rest_q , \u_mover.ar_rest_q , \u_mover.aw_rest_q ;
  (* hierconn *) wire \u_mover.early_q , \u_mover.ar_more_q , \u_mover.aw_more_q ;
  (* hierconn *) wire \u_mover.w_more_q ;
  (* hierconn *) wire \u_mover.b_half_q , \u_mover.b_error_q , \u_mover.touch_valid ;
  (* hierconn *) wire [2:0] \u_mover.touch_block ;
  (* hierconn *) wire [2:0] \u_mover.u_read_order.valid_q , \u_mover.u_read_order.data_q ;
  (* hierconn *) wire [3:0] \u_mover.u_cipher_order.valid_q , \u_mover.u_cipher_order.data_q ;
  (* hierconn *) wire [2:0] \u_mover.u_write_order.valid_q ;
  (* hierconn *) wire [5:0] \u_mover.u_write_order.data_q ;
  (* hierconn *) wire [1:0] \u_cipher.valid_q ;
  (* hierconn *) wire [1:0][3:0] \u_cipher.data_q ;
  (* hierconn *) wire [1:0] \u_ar.valid_q ;
  (* hierconn *) wire [1:0][6:0] \u_ar.data_q ;

  // State of each place's block: 0 none, 1 being read, 2 read, 3 in the cipher, 4 out of it, 5
  // being written.
  logic [2:0]      here;     // the place that holds the watched block
  logic [2:0][2:0] at_q;
  logic [2:0]      o_xs, o_splits;
  logic [4:0]      raddr_q;  // address of the word that memory offers
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < 3; p++) begin
      if (!rst_n || ended || \u_mover.done [p]) at_q[p] <= 3'd0;
      else if (\u_mover.write [p])              at_q[p] <= 3'd5;
      else if (\u_mover.result [p])             at_q[p] <= 3'd4;
      else if (\u_mover.feed [p])               at_q[p] <= 3'd3;
      else if (\u_mover.filled [p])             at_q[p] <= 3'd2;
      else if (\u_mover.claim [p])              at_q[p] <= 3'd1;
    end
    if (read) raddr_q <= r_addr;
  end

  // Padded to four entries for a two-bit index.
  logic [3:0]      last4, here4, o_xs4, o_splits4;
  logic [3:0][2:0] block4, at4;
  assign last4     = {1'b0, \u_mover.last };
  assign block4    = {3'd0, \u_mover.block };
  assign at4       = {3'd0, at_q};
  assign here4     = {1'b0, here};
  assign o_xs4     = {1'b0, o_xs};
  assign o_splits4 = {1'b0, o_splits};

  function automatic logic [2:0] pick(input logic [3:0][2:0] of, input logic [1:0] i);
    pick = i == 2'd0 ? of[0] : i == 2'd1 ? of[1] : i == 2'd2 ? of[2] : of[3];
  endfunction
  function automatic logic word(input logic [3:0] of, input logic [1:0] i);
    word = of[i];
  endfunction

  // Round-robin places in states 1 to k; all places in state k.
  function automatic logic [1:0] up_to(input logic [2:0][2:0] at, input logic [2:0] k);
    up_to = 2'(at[0] != 3'd0 && at[0] <= k) + 2'(at[1] != 3'd0 && at[1] <= k);
  endfunction
  function automatic logic [1:0] count(input logic [2:0][2:0] at, input logic [2:0] k);
    count = 2'(at[0] == k) + 2'(at[1] == k) + 2'(at[2] == k);
  endfunction
  // A queue has `entries` valid entries; the extra place is one of them if it is in state k.
  function automatic logic queue(input logic [3:0] valid, input logic [3:0] x,
                                 input logic [2:0][2:0] at, input logic [2:0] k);
    logic [1:0] n;
    n = count(at, k);
    queue = valid == {1'b0, n > 2'd2, n > 2'd1, n > 2'd0}
         && 3'(x[0] && valid[0]) + 3'(x[1] && valid[1]) + 3'(x[2] && valid[2])
            == 3'(at[2] == k);
  endfunction
  // The place of queue entry i; the first round-robin entry is place `turn`.
  function automatic logic [1:0] place(input logic [3:0] x, input logic [1:0] i,
                                       input logic turn);
    logic other;
    other = (i > 2'd0 && !x[0]) ^ (i > 2'd1 && !x[1]);
    place = x[i] ? 2'd2 : {1'b0, turn ^ other};
  endfunction
  function automatic logic onehot(input logic [1:0] p);
    onehot = ^p;
  endfunction
  function automatic logic [1:0] words(input logic is_last);
    words = is_last ? last_words : 2'd3;
  endfunction

  logic [2:0][1:0] o_entry;
  logic [3:0]      owed;
  assign o_entry  = \u_mover.u_write_order.data_q ;
  assign o_xs     = {o_entry[2][0], o_entry[1][0], o_entry[0][0]};
  assign o_splits = {o_entry[2][1], o_entry[1][1], o_entry[0][1]}
                  & \u_mover.u_write_order.valid_q ;
  assign owed = 4'(count(at_q, 3'd5)) + 4'(o_splits[0]) + 4'(o_splits[1]) + 4'(o_splits[2]);

  function automatic logic is_done(input logic [2:0] b, input logic [2:0] f,
                                   input logic [MaxBlocks-1:0] bs);
    is_done = b < f || (b - f < 3'(MaxBlocks) && bs[b[$clog2(MaxBlocks)-1:0]]);
  endfunction

  // Bursts in flight, oldest first, as the places require.
  logic [3:0]      b_valid;
  logic [3:0][4:0] b_addr;
  logic [3:0][1:0] b_len;
  logic [2:0]      reads;
  logic [1:0]      fifo_n;
  always_comb begin
    fifo_n = 2'(\u_ar.valid_q [0]) + 2'(\u_ar.valid_q [1]);
    b_valid = '0; b_addr = '0; b_len = '0;
    for (int i = 0; i < 2; i++) begin
      b_valid[i] = \u_ar.valid_q [i];
      {b_addr[i], b_len[i]} = \u_ar.data_q [i];
    end
    b_addr[0] = b_addr[0] + {3'h0, r_beat_q};
    b_len[0]  = b_len[0] - r_beat_q;
    b_valid[2] = arvalid;
    b_addr[2]  = araddr;
    b_len[2]   = arlen;
    b_valid[3] = arvalid && \u_mover.ar_more_q ;
    b_addr[3]  = {araddr[4:2] + 3'd1, 2'b00};
    b_len[3]   = \u_mover.ar_rest_q ;
  end
  logic       walk_ok;
  logic [1:0] e, pl;
  logic [2:0] w;
  always_comb begin
    walk_ok = 1'b1;
    e = 2'd0;
    w = {1'b0, \u_mover.fill_word_q } + {2'b0, rvalid_q};
    pl = place({1'b0, \u_mover.u_read_order.data_q }, 2'd0, \u_mover.fill_q [1]);
    if (rvalid_q && w > {1'b0, words(last4[pl])}) begin
      w = 3'd0;
      e = 2'd1;
    end
    for (int i = 0; i < 4; i++) begin
      if (b_valid[i]) begin
        pl = place({1'b0, \u_mover.u_read_order.data_q }, e, \u_mover.fill_q [1]);
        if (e >= count(at_q, 3'd1)) walk_ok = 1'b0;
        if (b_addr[i] != src + {pick(block4, pl), w[1:0]}) walk_ok = 1'b0;
        w = w + {1'b0, b_len[i]} + 3'd1;
        if (w > {1'b0, words(last4[pl])} + 3'd1) walk_ok = 1'b0;
        if (w == {1'b0, words(last4[pl])} + 3'd1) begin
          w = 3'd0;
          e = e + 2'd1;
        end
      end
    end
    if (w != 3'd0 || e != count(at_q, 3'd1)) walk_ok = 1'b0;
  end

  logic       p_now, first;
  assign first = \u_mover.claim_q [1];
  logic [1:0] r_pl, w_pl, c_pl0, c_pl1;
  logic       word_written;
  assign p_now = copy ? ref_src_q : inside ? !ref_dst_q : ref_dst_q;
  assign r_pl  = place({1'b0, \u_mover.u_read_order.data_q }, 2'd0, \u_mover.fill_q [1]);
  assign c_pl0 = place(\u_mover.u_cipher_order.data_q , 2'd0, \u_mover.take_q [1]);
  assign c_pl1 = place(\u_mover.u_cipher_order.data_q , 2'd1, \u_mover.take_q [1]);
  assign w_pl  = \u_mover.w_place_q [2] ? 2'd2 : {1'b0, \u_mover.w_place_q [1]};
  logic [1:0] o_n;
  for (genvar p = 0; p < 3; p++) begin : gen_here
    assign here[p] = \u_mover.busy [p] && \u_mover.block [p] == watched;
  end
  // True if the watched word of a block in state 5 has been written.
  assign word_written = (here[0] && at_q[0] == 3'd5 || here[1] && at_q[1] == 3'd5
                         || here[2] && at_q[2] == 3'd5)
                     && !(wvalid && here4[w_pl] && \u_mover.w_word_q <= offset[1:0]);
  assign o_n = count(at_q, 3'd5);

`ifdef REGISTERED
  // What was found out about a block stays true for the cycle until it is picked.
  (* hierconn *) wire \u_mover.pick_valid , \u_mover.pick_x , \u_mover.pick_taken ;
  (* hierconn *) wire \u_mover.pick_last , \u_mover.pick_split ;
  (* hierconn *) wire [2:0] \u_mover.pick ;
  (* hierconn *) wire [4:0] \u_mover.pick_addr ;
  (* hierconn *) wire [1:0] \u_mover.pick_words ;
  logic pick_taken;  // now
  assign pick_taken = is_done(\u_mover.pick , front, bits)
                   || (\u_mover.busy [0] && \u_mover.block [0] == \u_mover.pick )
                   || (\u_mover.busy [1] && \u_mover.block [1] == \u_mover.pick )
                   || (\u_mover.busy [2] && \u_mover.block [2] == \u_mover.pick );
  always_comb begin
    if (rst_n) begin
      if (active && !stall) assert (watch_valid && !watch_stall);
      if (watch_valid)      assert (\u_watch.gen_registered.valid_q );
      if (active && \u_mover.pick_valid ) begin
        assert (\u_mover.pick < blocks);
        assert (\u_mover.pick_taken == pick_taken);
        if (!pick_taken) assert (\u_mover.pick >= front && \u_mover.pick - front < 3'(MaxBlocks));
        if (\u_mover.pick_x ) assert (!ordered);
        else                  assert (\u_mover.pick == \u_mover.scan_q );
        assert (\u_mover.pick_last == (\u_mover.pick == blocks - 3'd1));
        assert (\u_mover.pick_words == words(\u_mover.pick_last ));
        assert (\u_mover.pick_addr == src + {\u_mover.pick , 2'b00});
        assert (\u_mover.pick_split
                == ({1'b0, \u_mover.pick_addr [2:0]} + {2'b00, \u_mover.pick_words } > 4'd7));
      end
    end
  end
`endif

  always_comb begin
    if (rst_n) begin
      for (int p = 0; p < 3; p++) begin
        assert (at_q[p] <= 3'd5);
        assert (\u_mover.busy [p] == (at_q[p] != 3'd0));
        assert (\u_mover.full [p] == (at_q[p] == 3'd2));
        assert (\u_mover.ready [p] == (at_q[p] == 3'd4));
        if (\u_mover.busy [p]) begin
          assert (active);
          assert (\u_mover.last [p] == (\u_mover.block [p] == blocks - 3'd1));
          assert (\u_mover.block [p] < blocks && \u_mover.block [p] >= front);
          assert (\u_mover.block [p] - front < 3'(MaxBlocks));
          assert (!is_done(\u_mover.block [p], front, bits));
          if (p != 2) assert (\u_mover.block [p] < \u_mover.scan_q );
          for (int q = 0; q < p; q++) begin
            if (\u_mover.busy [q]) assert (\u_mover.block [p] != \u_mover.block [q]);
          end
        end
      end
      // Round-robin pointers.
      assert (onehot(\u_mover.claim_q ) && onehot(\u_mover.fill_q ) && onehot(\u_mover.feed_q ));
      assert (onehot(\u_mover.take_q ) && onehot(\u_mover.write_q ) && onehot(\u_mover.free_q ));
      assert (pick(at4, {1'b0, \u_mover.free_q [1]}) >= pick(at4, {1'b0, !\u_mover.free_q [1]}));
      assert (\u_mover.fill_q [1]  == first ^ 1'(up_to(at_q, 3'd1)));
      assert (\u_mover.feed_q [1]  == first ^ 1'(up_to(at_q, 3'd2)));
      assert (\u_mover.take_q [1]  == first ^ 1'(up_to(at_q, 3'd3)));
      assert (\u_mover.write_q [1] == first ^ 1'(up_to(at_q, 3'd4)));
      assert (\u_mover.free_q [1]  == first ^ 1'(up_to(at_q, 3'd5)));
      assert (\u_mover.ahead_q == up_to(at_q, 3'd2));
      assert (\u_mover.early_q == (at_q[2] == 3'd1 || at_q[2] == 3'd2));
      // Queues.
      assert (queue({1'b0, \u_mover.u_read_order.valid_q }, {1'b0, \u_mover.u_read_order.data_q },
                    at_q, 3'd1));
      assert (queue(\u_mover.u_cipher_order.valid_q , \u_mover.u_cipher_order.data_q , at_q, 3'd3));
      assert (queue({1'b0, \u_mover.u_write_order.valid_q }, {1'b0, o_xs}, at_q, 3'd5));
      assert (\u_cipher.valid_q == \u_mover.u_cipher_order.valid_q [1:0]);
      assert (!\u_mover.u_cipher_order.valid_q [2]);
      assert (!\u_ar.valid_q [1] || \u_ar.valid_q [0]);
      assert (r_beat_q == 2'd0 || \u_ar.valid_q [0]);
      if (\u_ar.valid_q [0]) assert (r_beat_q <= ar_len);
      // Reading.
      if (at_q[0] != 3'd1 && at_q[1] != 3'd1 && at_q[2] != 3'd1) begin
        assert (\u_mover.fill_word_q == 2'd0 && !rvalid_q);
      end else begin
        assert (\u_mover.fill_word_q <= words(last4[r_pl]));
      end
      assert (walk_ok);
      if (rvalid_q) assert (raddr_q == src + {pick(block4, r_pl), \u_mover.fill_word_q });
      if (arvalid && \u_mover.ar_more_q ) assert (araddr[1:0] + arlen == 2'd3);
      if (\u_mover.ar_more_q ) assert (arvalid);
      // Writing.
      if (\u_mover.aw_more_q || \u_mover.w_more_q ) assert (wvalid);
      assert (awvalid == wvalid);
      if (wvalid) begin
        assert (\u_mover.w_place_q == 3'd1 || \u_mover.w_place_q == 3'd2
                || \u_mover.w_place_q == 3'd4);
        assert (pick(at4, w_pl) == 3'd5);
        assert (o_xs4[o_n - 2'd1] == \u_mover.w_place_q [2]);
        if (!\u_mover.w_place_q [2]) assert (\u_mover.w_place_q [1:0] == ~\u_mover.write_q );
        assert (\u_mover.w_more_q == \u_mover.aw_more_q );
        assert (\u_mover.w_rest_q == \u_mover.aw_rest_q || !\u_mover.w_more_q );
        assert ({1'b0, w_beat_q} + {1'b0, \u_mover.w_left_q } == {1'b0, awlen});
        assert (awaddr + {3'h0, w_beat_q} == dst + {pick(block4, w_pl), \u_mover.w_word_q });
        assert ({2'b0, \u_mover.w_word_q } + {2'b0, \u_mover.w_left_q }
                + (\u_mover.w_more_q ? {2'b0, \u_mover.w_rest_q } + 4'd1 : 4'd0)
                == {2'b0, words(last4[w_pl])});
        if (\u_mover.w_more_q ) assert (awaddr[1:0] + awlen == 2'd3 && o_splits4[o_n - 2'd1]);
      end else begin
        assert (\u_mover.w_place_q == 3'd0 && w_beat_q == 2'd0);
      end
      assert (4'(responses_q) + 4'(wvalid) + 4'(wvalid && \u_mover.w_more_q )
              + 4'(\u_mover.b_half_q ) == owed);
      if (\u_mover.b_half_q ) assert (o_splits[0]);
      assert (!\u_mover.b_error_q );
      // Blocks.
      if (active) begin
        assert (front <= \u_mover.scan_q && \u_mover.scan_q <= blocks);
        for (int b = 0; b < 7; b++) begin
          if (3'(b) < \u_mover.scan_q ) begin
            assert (is_done(3'(b), front, bits)
                    || (\u_mover.busy [0] && \u_mover.block [0] == 3'(b))
                    || (\u_mover.busy [1] && \u_mover.block [1] == 3'(b))
                    || (\u_mover.busy [2] && \u_mover.block [2] == 3'(b)));
          end
        end
        for (int b = 1; b < 8; b++) if (3'(b) >= blocks) assert (!is_done(3'(b), front, bits));
        if (ordered) begin
          assert (at_q[2] == 3'd0 && !\u_mover.touch_valid );
          assert (next_q == \u_mover.scan_q - {1'b0, \u_mover.ahead_q });
          for (int b = 0; b < 8; b++) begin
            if (is_done(3'(b), front, bits)) assert (3'(b) < \u_mover.scan_q );
          end
          if (pick(at4, {1'b0, !first}) != 3'd0) begin
            assert (pick(block4, {1'b0, !first}) == \u_mover.scan_q - 3'd1);
          end
          if (pick(at4, {1'b0, first}) != 3'd0) begin
            assert (pick(block4, {1'b0, first}) == \u_mover.scan_q - 3'd2);
          end
        end
        if (\u_mover.touch_valid ) begin
          assert (\u_mover.touch_block >= front && \u_mover.touch_block < blocks);
          assert (\u_mover.touch_block - front < 3'(MaxBlocks));
        end
      end
      // The watched byte.
      if (copy) assert (mem_src_q == ref_src_q);
      if (!active || watched_done) assert (mem_dst_q == ref_dst_q);
      if (active) begin
        assert (fed_q == (watched_done || (here[0] && at_q[0] >= 3'd3)
                          || (here[1] && at_q[1] >= 3'd3) || (here[2] && at_q[2] >= 3'd3)));
        if (!watched_done) begin
          assert (mem_dst_q == (word_written ? ref_dst_q : old_q));
          assert (ref_dst_q == (inside ? (copy ? !ref_src_q : !old_q) : old_q));
          if (rvalid_q && raddr_q == at_src) assert (rdata_q == p_now);
          for (int p = 0; p < 3; p++) begin
            if (here[p]) begin
              if (at_q[p] == 3'd2 || (at_q[p] == 3'd1 && r_pl == 2'(p)
                                      && \u_mover.fill_word_q > offset[1:0])) begin
                assert (word(text[p], offset[1:0]) == p_now);
              end
              if (at_q[p] >= 3'd4) assert (word(outcome[p], offset[1:0]) == !p_now);
            end
          end
          if (\u_cipher.valid_q [0] && here4[c_pl0]) begin
            assert (word(\u_cipher.data_q [0], offset[1:0]) == p_now);
          end
          if (\u_cipher.valid_q [1] && here4[c_pl1]) begin
            assert (word(\u_cipher.data_q [1], offset[1:0]) == p_now);
          end
        end
      end
    end
  end
`endif
endmodule
