// SPDX-License-Identifier: Apache-2.0
// The longest wait of the CPU. The bus master has no cipher but its real number of places; the
// cipher has any latency from six cycles. axi_memory connects it to a memory that is always ready
// while the CPU waits, and otherwise waits freely. The order is free, jobs are complete, blocks are
// whole and do not cross a page boundary.
//
// Default: the state invariants (`sound`) hold by induction. STEP: from any such state with a
// waiting access, elapsed cycles plus the remaining ones (`left`) are at most `bound`, also one
// cycle later. `left` falls by one each cycle, so the access completes. RUN_ONLY: only the bound,
// searched from reset.
//
// REGISTERED: with aes_dma_watch and the registers of the mover, and a cipher of two lanes. There
// is no `left`. DWELL: in any state in which the invariants hold, the touched block leaves each of
// its six states in time: not begun, being read, read, in the cipher, out of it, being written. It
// never goes back, so an access waits at most for their sum.
module aes_dma_stall_props (
  input logic       clk_i,
  input logic       start_i,
  input logic       cpu_valid_i,
  input logic       cpu_write_i,
  input logic [6:0] cpu_addr_i,
  input logic       ready_i
);
  localparam BlockW = 5, MaxBlocks = 8, Slots = 4;

  logic rst_n, first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;
`ifdef STEP
  assign rst_n = 1'b1;
`elsif DWELL
  assign rst_n = 1'b1;
`else
  assign rst_n = !first_q;
`endif

  localparam ReadAhead = 2;  // blocks read before the touched one
  localparam logic Ordered = 1'b0;  // the touched block may overtake

  // Two rounds a cycle: 6, 7 or 8; one round: 11, 13 or 15; lanes: 12, 14, 16. `bound` is the
  // proved limit.
  (* anyconst *) logic [4:0] latency;
  logic [6:0] pipe, three, bound;
  assign pipe  = 7'd25 + 7'(latency);
  assign three = 7'd3 * 7'(latency) + 7'd5;
`ifdef REGISTERED
  localparam Registered = 1;
  assign bound = '0;  // unused
  always_comb assume (latency == 5'd12 || latency == 5'd14 || latency == 5'd16);
`else
  localparam Registered = 0;
  assign bound = pipe > three ? pipe : three;
  always_comb assume (latency >= 5'd6 && latency < 5'd16);
`endif

  // ---- the job ---------------------------------------------------------------------------------

  (* anyconst *) logic [BlockW-1:0] blocks;
  always_comb assume (blocks != '0 && !blocks[BlockW-1]);
  logic [6:0] last_word;
  assign last_word = {blocks - 5'd1, 2'd3};

  logic       active, stall, feed_valid, feed_ready, result_valid, start, ready;
  logic       arvalid, arready, rvalid, rready, awvalid, awready, wvalid, wready, wlast, bvalid;
  logic       bready, mem_valid, mem_write, bid, rid, rlast, wdata, ended, complete;
  logic       read_fault, write_fault;
  logic [6:0] araddr, awaddr, fault;
  logic [1:0] arlen, awlen, bresp, rresp;
  logic [3:0] wstrb, mem_wstrb, feed_data, result_text;
  logic [4:0] front, feed_block;
  logic [7:0] bits;
  logic [31:0] rdata, mem_wdata;
  logic [29:0] mem_addr;

  logic       watch_valid, watch_write, watch_stall, waits;
  logic [6:0] watch_addr;
  aes_dma_watch #(.Registered(Registered), .AddrW(7)) u_watch (
    .clk_i, .rst_ni(rst_n), .start_i(start), .active_i(active), .cpu_valid_i, .cpu_write_i,
    .cpu_addr_i, .cpu_done_i(cpu_valid_i && !stall), .cpu_stall_o(stall), .valid_o(watch_valid),
    .write_o(watch_write), .addr_o(watch_addr), .stall_i(watch_stall)
  );

  assign waits = cpu_valid_i && stall;
  assign start = start_i && !active && rst_n;
  assign ready = waits || ready_i;
  aes_dma_mover #(
    .MaxBlocks(MaxBlocks), .Slots(Slots), .ReadAhead(ReadAhead), .BlockW(BlockW), .WordW(1),
    .PageW(5), .Registered(Registered), .SlotRam(Registered)
  ) u_mover (
    .clk_i, .rst_ni(rst_n), .start_i(start), .stop_i(1'b0), .src_i(7'd0), .src_last_i(last_word),
    .dst_i(7'd0), .dst_last_i(last_word), .blocks_i(blocks), .last_words_i(2'd3),
    .last_strb_i(4'hf), .ordered_i(Ordered), .active_o(active), .ended_o(ended),
    .complete_o(complete), .read_fault_o(read_fault), .write_fault_o(write_fault),
    .fault_o(fault), .front_o(front), .bits_o(bits), .feed_valid_o(feed_valid),
    .feed_ready_i(feed_ready), .feed_data_o(feed_data), .feed_block_o(feed_block),
    .result_valid_i(result_valid), .result_data_i(4'h0), .result_text_o(result_text),
    .cpu_valid_i(watch_valid), .cpu_write_i(watch_write), .cpu_addr_i(watch_addr),
    .cpu_stall_o(watch_stall), .arvalid_o(arvalid),
    .arready_i(arready), .araddr_o(araddr), .arlen_o(arlen), .rvalid_i(rvalid),
    .rready_o(rready), .rdata_i(1'b0), .rerror_i(1'b0), .awvalid_o(awvalid),
    .awready_i(awready), .awaddr_o(awaddr), .awlen_o(awlen), .wvalid_o(wvalid),
    .wready_i(wready), .wdata_o(wdata), .wstrb_o(wstrb), .wlast_o(wlast), .bvalid_i(bvalid),
    .bready_o(bready), .berror_i(1'b0)
  );
  axi_memory u_memory (
    .aclk(clk_i), .aresetn(rst_n), .s_axi_awid(1'b0), .s_axi_awvalid(awvalid),
    .s_axi_awready(awready), .s_axi_awaddr({23'h0, awaddr, 2'b00}), .s_axi_wvalid(wvalid),
    .s_axi_wready(wready), .s_axi_wdata(32'h0), .s_axi_wstrb(wstrb), .s_axi_wlast(wlast),
    .s_axi_bid(bid), .s_axi_bvalid(bvalid), .s_axi_bready(bready), .s_axi_bresp(bresp),
    .s_axi_arid(1'b0), .s_axi_arvalid(arvalid), .s_axi_arready(arready),
    .s_axi_araddr({23'h0, araddr, 2'b00}), .s_axi_arlen({6'h0, arlen}), .s_axi_rid(rid),
    .s_axi_rvalid(rvalid), .s_axi_rready(rready), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
    .s_axi_rlast(rlast), .mem_valid_o(mem_valid), .mem_ready_i(ready), .mem_write_o(mem_write),
    .mem_addr_o(mem_addr), .mem_wdata_o(mem_wdata), .mem_wstrb_o(mem_wstrb),
    .mem_rdata_i(32'h0), .mem_error_i(1'b0)
  );

`ifdef REGISTERED
  // Two lanes in turn: a block is in a lane's rounds, then in its result.
  logic            in_turn_q, out_turn_q;
  logic [1:0]      out_q;
  logic [1:0][4:0] run_q;  // remaining cycles in the rounds
  assign result_valid = out_q[out_turn_q];
  assign feed_ready   = run_q[in_turn_q] <= 5'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_n) {in_turn_q, out_turn_q} <= 2'b00;
    else {in_turn_q, out_turn_q} <= {in_turn_q ^ (feed_valid && feed_ready),
                                     out_turn_q ^ result_valid};
    for (int i = 0; i < 2; i++) begin
      if (!rst_n)                                                  run_q[i] <= 5'd0;
      else if (feed_valid && feed_ready && in_turn_q == 1'(i))     run_q[i] <= latency - 5'd1;
      else if (run_q[i] != 5'd0)                                   run_q[i] <= run_q[i] - 5'd1;
      if (!rst_n)                                                  out_q[i] <= 1'b0;
      else if (run_q[i] == 5'd1)                                   out_q[i] <= 1'b1;
      else if (out_turn_q == 1'(i))                                out_q[i] <= 1'b0;
    end
  end
`else
  // One block in the cipher; the next one enters in the cycle in which it leaves.
  logic [4:0] left_q;
  assign result_valid = left_q == 5'd1;
  assign feed_ready   = left_q <= 5'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_n)                        left_q <= 5'd0;
    else if (feed_valid && feed_ready) left_q <= latency;
    else if (left_q != 5'd0)           left_q <= left_q - 5'd1;
  end
`endif

  // An access is stable until it is performed. The wait counts from when its block has a done-bit.
  logic       waits_q, write_q, near;
  logic [6:0] addr_q;
  logic [5:0] count_q;
  logic [4:0] touched;
  assign touched = cpu_addr_i[6:2];
  assign near    = touched - front < 5'(MaxBlocks);
  always_ff @(posedge clk_i) begin
    waits_q <= waits && rst_n;
    write_q <= cpu_write_i;
    addr_q  <= cpu_addr_i;
    if (!rst_n || !waits || !near) count_q <= 6'd0;
    else if (count_q != 6'd63)     count_q <= count_q + 6'd1;
  end
  always_comb begin
    if (rst_n && waits_q) assume (cpu_valid_i && cpu_write_i == write_q && cpu_addr_i == addr_q);
  end

  // ---- state invariants ------------------------------------------------------------------------

  (* hierconn *) wire [4:0] \u_mover.busy , \u_mover.full , \u_mover.ready , \u_mover.w_place_q ;
  (* hierconn *) wire [4:0] \u_mover.claim , \u_mover.filled , \u_mover.feed , \u_mover.result ;
  (* hierconn *) wire [4:0] \u_mover.write , \u_mover.done ;
  (* hierconn *) wire [4:0][4:0] \u_mover.block ;
  (* hierconn *) wire [3:0] \u_mover.claim_q , \u_mover.fill_q , \u_mover.feed_q ;
  (* hierconn *) wire [3:0] \u_mover.take_q , \u_mover.write_q , \u_mover.free_q ;
  (* hierconn *) wire [2:0] \u_mover.ahead_q ;
  (* hierconn *) wire [4:0] \u_mover.scan_q , \u_mover.touch_block ;
  (* hierconn *) wire [1:0] \u_mover.fill_word_q , \u_mover.w_word_q , \u_mover.w_left_q ;
  (* hierconn *) wire \u_mover.early_q , \u_mover.ar_more_q , \u_mover.aw_more_q ;
  (* hierconn *) wire \u_mover.w_more_q , \u_mover.b_half_q , \u_mover.b_error_q ;
  (* hierconn *) wire \u_mover.touch_valid , \u_mover.stop_q ;
  (* hierconn *) wire [4:0] \u_mover.u_read_order.valid_q , \u_mover.u_read_order.data_q ;
  (* hierconn *) wire [3:0] \u_mover.u_cipher_order.valid_q , \u_mover.u_cipher_order.data_q ;
  (* hierconn *) wire [4:0] \u_mover.u_write_order.valid_q ;
  (* hierconn *) wire [4:0][1:0] \u_mover.u_write_order.data_q ;
  (* hierconn *) wire [7:0] \u_mover.u_window.front_src_q , \u_mover.u_window.front_dst_q ;
  (* hierconn *) wire [1:0] \u_memory.u_ar.valid_q , \u_memory.u_r.valid_q ;
  (* hierconn *) wire [1:0] \u_memory.u_aw.valid_q , \u_memory.u_b.valid_q ;
  (* hierconn *) wire [1:0][38:0] \u_memory.u_ar.data_q ;
  (* hierconn *) wire [1:0] \u_memory.r_count_q , \u_memory.b_count_q ;
  (* hierconn *) wire [7:0] \u_memory.read_count_q ;
  (* hierconn *) wire \u_memory.last_write_q , \u_memory.reading_q , \u_memory.writing_q ;
  (* hierconn *) wire \u_memory.write_last_q ;

  // State of each place's block: 0 none, 1 being read, 2 read, 3 in the cipher, 4 out of it, 5
  // being written. The last place is for the touched block.
  logic [4:0][2:0] at_q;
  for (genvar p = 0; p < 5; p++) begin : gen_at
    always_ff @(posedge clk_i) begin
      if (!rst_n || ended || \u_mover.done [p]) at_q[p] <= 3'd0;
      else if (\u_mover.write [p])              at_q[p] <= 3'd5;
      else if (\u_mover.result [p])             at_q[p] <= 3'd4;
      else if (\u_mover.feed [p])               at_q[p] <= 3'd3;
      else if (\u_mover.filled [p])             at_q[p] <= 3'd2;
      else if (\u_mover.claim [p])              at_q[p] <= 3'd1;
    end
  end

  // All places in state k; round-robin places in state k or later.
  function automatic logic [2:0] count(input logic [4:0][2:0] at, input logic [2:0] k);
    count = 3'd0;
    for (int p = 0; p < 5; p++) count = count + 3'(at[p] == k);
  endfunction
  function automatic logic [1:0] beyond(input logic [4:0][2:0] at, input logic [2:0] k);
    beyond = 2'd0;  // modulo four places
    for (int p = 0; p < 4; p++) beyond = beyond + 2'(at[p] >= k);
  endfunction
  // Index of the round-robin place in a one-hot register.
  function automatic logic [1:0] number(input logic [3:0] place);
    number = {place[3] || place[2], place[3] || place[1]};
  endfunction
  function automatic logic onehot(input logic [3:0] place);
    onehot = place == 4'd1 || place == 4'd2 || place == 4'd4 || place == 4'd8;
  endfunction
  // A queue has an entry for each place in state k; the extra place has one if it is in that state.
  function automatic logic queue(input logic [4:0] valid, input logic [4:0] x,
                                 input logic [4:0][2:0] at, input logic [2:0] k);
    logic [2:0] n, extra;
    n     = 3'd0;
    extra = 3'd0;
    for (int i = 0; i < 5; i++) n = n + 3'(valid[i]);
    for (int i = 0; i < 5; i++) extra = extra + 3'(valid[i] && x[i]);
    queue = (valid & (valid + 5'd1)) == 5'd0 && n == count(at, k) && extra == 3'(at[4] == k);
  endfunction
  function automatic logic is_done(input logic [4:0] b, input logic [4:0] f,
                                   input logic [7:0] bs);
    is_done = b < f || (b - f < 5'(MaxBlocks) && bs[b[2:0]]);
  endfunction

  logic places_ok, turns_ok, reading_ok, cipher_ok, writing_ok, blocks_ok, touch_ok, window_ok;

  always_comb begin
    places_ok = !\u_mover.stop_q ;
    for (int p = 0; p < 5; p++) begin
      if (at_q[p] > 3'd5)                            places_ok = 1'b0;
      if (\u_mover.busy [p] != (at_q[p] != 3'd0))    places_ok = 1'b0;
      if (\u_mover.full [p] != (at_q[p] == 3'd2))    places_ok = 1'b0;
      if (\u_mover.ready [p] != (at_q[p] == 3'd4))   places_ok = 1'b0;
      if (\u_mover.busy [p] && !active)              places_ok = 1'b0;
    end
  end

  logic [1:0]      oldest;
  logic [3:0][2:0] half, line;  // line: the round-robin places from the oldest on
  assign oldest = number(\u_mover.free_q );
  assign half   = oldest[1] ? {at_q[1:0], at_q[3:2]} : at_q[3:0];
  assign line   = oldest[0] ? {half[0], half[3:1]} : half;
  always_comb begin
    turns_ok = onehot(\u_mover.claim_q ) && onehot(\u_mover.fill_q ) && onehot(\u_mover.feed_q )
            && onehot(\u_mover.take_q ) && onehot(\u_mover.write_q ) && onehot(\u_mover.free_q );
    for (int k = 0; k < 3; k++) begin
      if (line[k] < line[k+1]) turns_ok = 1'b0;
    end
    if (number(\u_mover.claim_q ) != oldest + beyond(at_q, 3'd1)) turns_ok = 1'b0;
    if (number(\u_mover.fill_q )  != oldest + beyond(at_q, 3'd2)) turns_ok = 1'b0;
    if (number(\u_mover.feed_q )  != oldest + beyond(at_q, 3'd3)) turns_ok = 1'b0;
    if (number(\u_mover.take_q )  != oldest + beyond(at_q, 3'd4)) turns_ok = 1'b0;
    if (number(\u_mover.write_q ) != oldest + beyond(at_q, 3'd5)) turns_ok = 1'b0;
    if (\u_mover.ahead_q > 3'd2)                                  turns_ok = 1'b0;
    if (\u_mover.ahead_q != count({3'd0, at_q[3:0]}, 3'd1) + count({3'd0, at_q[3:0]}, 3'd2)) begin
      turns_ok = 1'b0;
    end
    if (\u_mover.early_q != (at_q[4] == 3'd1 || at_q[4] == 3'd2)) turns_ok = 1'b0;
  end

  // Outstanding words, on the master's side and on the memory's.
  logic [4:0] asked, due;
  logic [1:0] ar_n;
  assign ar_n  = 2'(\u_memory.u_ar.valid_q [0]) + 2'(\u_memory.u_ar.valid_q [1]);
  assign asked = {count(at_q, 3'd1), 2'b00} - 5'(\u_mover.fill_word_q );
  assign due   = {3'(ar_n) + 3'(arvalid), 2'b00} - 5'(\u_memory.read_count_q )
               + 5'(\u_memory.reading_q );
  always_comb begin
    reading_ok = queue(\u_mover.u_read_order.valid_q , \u_mover.u_read_order.data_q , at_q, 3'd1)
              && asked == due && !\u_mover.ar_more_q && !(arvalid && arlen != 2'd3)
              && !(\u_memory.u_ar.valid_q == 2'b10) && \u_memory.u_r.valid_q == 2'b00
              && \u_memory.r_count_q == 2'(\u_memory.reading_q )
              && \u_memory.read_count_q <= 8'd3
              && !(\u_memory.read_count_q != 8'd0 && !\u_memory.u_ar.valid_q [0])
              && !(\u_mover.fill_word_q != 2'd0 && count(at_q, 3'd1) == 3'd0);
    for (int i = 0; i < 2; i++) begin
      if (\u_memory.u_ar.valid_q [i] && \u_memory.u_ar.data_q [i][37:30] != 8'd3) begin
        reading_ok = 1'b0;
      end
    end
  end

  logic cipher_queue_ok;
  assign cipher_queue_ok = queue({1'b0, \u_mover.u_cipher_order.valid_q },
                                 {1'b0, \u_mover.u_cipher_order.data_q }, at_q, 3'd3);
`ifdef REGISTERED
  // The older lane is the one whose turn it is; its blocks are ahead of the other's.
  logic [4:0] run_old, run_new;
  logic       out_old, out_new;
  assign run_old = run_q[out_turn_q];
  assign run_new = run_q[!out_turn_q];
  assign out_old = out_q[out_turn_q];
  assign out_new = out_q[!out_turn_q];
  assign cipher_ok = cipher_queue_ok && run_old < latency && run_new < latency && !out_new
                  && count(at_q, 3'd3) == 3'(run_old != 5'd0) + 3'(run_new != 5'd0) + 3'(out_old)
                  && in_turn_q == out_turn_q ^ 1'(count(at_q, 3'd3))
                  && (out_old || run_new == 5'd0 || (run_old != 5'd0 && run_old < run_new))
                  && !(out_old && run_old != 5'd0 && (run_new == 5'd0 || run_new >= run_old));
`else
  assign cipher_ok = cipher_queue_ok
                  && count(at_q, 3'd3) == 3'(left_q != 5'd0) && left_q <= latency;
`endif

  logic [4:0] o_xs, o_splits;
  logic [2:0] o_n;
  logic       answer, newest_x;
  for (genvar i = 0; i < 5; i++) begin : gen_order
    assign {o_splits[i], o_xs[i]} = \u_mover.u_write_order.data_q [i];
  end
  assign o_n      = count(at_q, 3'd5);
  assign newest_x = |(o_xs & \u_mover.u_write_order.valid_q
                      & ~(\u_mover.u_write_order.valid_q >> 1));
  assign answer   = \u_memory.writing_q && \u_memory.write_last_q ;
  always_comb begin
    writing_ok = queue(\u_mover.u_write_order.valid_q , o_xs, at_q, 3'd5)
              && (o_splits & \u_mover.u_write_order.valid_q ) == 5'd0
              && !\u_mover.aw_more_q && !\u_mover.w_more_q && !\u_mover.b_half_q
              && !\u_mover.b_error_q && o_n == 3'(wvalid) + 3'(answer)
              && \u_memory.b_count_q == 2'(answer) && \u_memory.u_b.valid_q == 2'b00
              && !\u_memory.u_aw.valid_q [1]
              && 2'(awvalid) + 2'(\u_memory.u_aw.valid_q [0]) == 2'(wvalid);
    if (wvalid) begin
      if ({1'b0, \u_mover.w_word_q } + {1'b0, \u_mover.w_left_q } != 3'd3) writing_ok = 1'b0;
      if (awlen != 2'd3 && awvalid)                                        writing_ok = 1'b0;
      if (awvalid && \u_mover.w_word_q > 2'd1)                             writing_ok = 1'b0;
      // It is the queue's last entry.
      if (newest_x != \u_mover.w_place_q [4])                              writing_ok = 1'b0;
      if (\u_mover.w_place_q [4] ? \u_mover.w_place_q [3:0] != 4'd0
                                 : \u_mover.w_place_q [3:0]
                                   != {\u_mover.write_q [0], \u_mover.write_q [3:1]}) begin
        writing_ok = 1'b0;
      end
    end
  end

  always_comb begin
    blocks_ok = 1'b1;
    for (int p = 0; p < 5; p++) begin
      if (\u_mover.busy [p]) begin
        if (\u_mover.block [p] >= blocks || \u_mover.block [p] < front
            || \u_mover.block [p] - front >= 5'(MaxBlocks)
            || is_done(\u_mover.block [p], front, bits)
            || (p != 4 && \u_mover.block [p] >= \u_mover.scan_q )) blocks_ok = 1'b0;
        for (int q = 0; q < p; q++) begin
          if (\u_mover.busy [q] && \u_mover.block [p] == \u_mover.block [q]) blocks_ok = 1'b0;
        end
      end
    end
    if (active && (front > \u_mover.scan_q || \u_mover.scan_q > blocks)) blocks_ok = 1'b0;
  end

  // While the extra place is in use the CPU waits for its block.
  assign touch_ok = (!\u_mover.touch_valid
                     || (waits_q && active && \u_mover.touch_block == touched
                         && touched >= front && near && touched < blocks))
                 && (at_q[4] == 3'd0
                     || (\u_mover.touch_valid && \u_mover.block [4] == touched));
  assign window_ok = !active
                  || (\u_mover.u_window.front_src_q == {1'b0, front, 2'b00}
                      && \u_mover.u_window.front_dst_q == {1'b0, front, 2'b00});

`ifdef REGISTERED
  // What was found out about a block stays true for the cycle until it is picked, and the answer to
  // a request until it is performed.
  (* hierconn *) wire \u_mover.pick_valid , \u_mover.pick_x , \u_mover.pick_taken ;
  (* hierconn *) wire \u_mover.pick_last , \u_mover.pick_split ;
  (* hierconn *) wire [4:0] \u_mover.pick ;
  (* hierconn *) wire [6:0] \u_mover.pick_addr ;
  (* hierconn *) wire [1:0] \u_mover.pick_words ;
  (* hierconn *) wire \u_mover.u_window.at_src , \u_mover.u_window.at_dst ;
  (* hierconn *) wire \u_mover.u_window.in_dst , \u_mover.u_window.close_dst ;
  (* hierconn *) wire \u_mover.u_window.near_dst ;
  (* hierconn *) wire [2:0] \u_mover.u_window.look_dst , \u_mover.u_window.index_dst ;
  (* hierconn *) wire \u_watch.gen_registered.valid_q ;
  logic pick_ok, pick_taken, seen;
  assign seen = \u_watch.gen_registered.valid_q ;
  always_comb begin
    pick_taken = is_done(\u_mover.pick , front, bits);
    for (int p = 0; p < 5; p++) begin
      if (\u_mover.busy [p] && \u_mover.block [p] == \u_mover.pick ) pick_taken = 1'b1;
    end
    pick_ok = !active || !\u_mover.pick_valid
           || (\u_mover.pick < blocks && \u_mover.pick_taken == pick_taken
               && (pick_taken || (\u_mover.pick >= front
                                  && \u_mover.pick - front < 5'(MaxBlocks)))
               && (\u_mover.pick_x ? pick_taken || (\u_mover.touch_valid
                                                    && \u_mover.pick == touched)
                                   : \u_mover.pick == \u_mover.scan_q )
               && \u_mover.pick_last == (\u_mover.pick == blocks - 5'd1)
               && \u_mover.pick_words == 2'd3 && !\u_mover.pick_split
               && \u_mover.pick_addr == {\u_mover.pick , 2'b00});
    if (seen && !(waits_q && watch_write == cpu_write_i && watch_addr == cpu_addr_i)) begin
      pick_ok = 1'b0;
    end
    if (active && !stall && !(watch_valid && !watch_stall)) pick_ok = 1'b0;
    if (active && waits_q && !seen)                         pick_ok = 1'b0;
    // The place of a request is that of the cycle before, with the frontier of now.
    if (watch_valid && !seen)                               pick_ok = 1'b0;
    if (active && \u_mover.touch_valid && !(watch_valid && \u_mover.u_window.close_dst )) begin
      pick_ok = 1'b0;
    end
    if (active && watch_valid
        && (\u_mover.u_window.at_src || \u_mover.u_window.at_dst != \u_mover.u_window.in_dst
            || (\u_mover.u_window.at_dst
                && (\u_mover.u_window.look_dst != \u_mover.u_window.index_dst
                    || (\u_mover.u_window.close_dst && !\u_mover.u_window.near_dst ))))) begin
      pick_ok = 1'b0;
    end
    // While the extra place is in use the touched block is the candidate.
    if (\u_mover.busy [4] && \u_mover.pick_valid && !\u_mover.pick_x ) pick_ok = 1'b0;
  end
`else
  logic pick_ok;
  assign pick_ok = 1'b1;

  // ---- remaining wait of an access -------------------------------------------------------------

  // Remaining cycles, counting the current one as 1; each cycle subtracts one. T is the touched
  // block. Memory moves a word a cycle; waiting reads and writes alternate.
  logic       in_turn, in_extra, last_write, t_older, any_younger;
  logic [2:0] at_t, n_ready, n_cipher, younger1;
  logic [6:0] to_read, writing, drained, d_a, d_b, feed_b, res_b, feed_t, res_t, read_b, read_t;
  logic [6:0] left, after, own, turn_left, extra_left, full_in, c;
  logic [3:0] here;

  function automatic logic [6:0] larger(input logic [6:0] a, input logic [6:0] b);
    larger = a > b ? a : b;
  endfunction
  function automatic logic [6:0] smaller(input logic [6:0] a, input logic [6:0] b);
    smaller = a < b ? a : b;
  endfunction
  // Cycles to write `words` words while `others` are read.
  function automatic logic [6:0] to_write(input logic [6:0] words, input logic [6:0] others,
                                          input logic was_write);
    to_write = words == 7'd0 ? 7'd0 : words + smaller(others, words - 7'(!was_write));
  endfunction
  // Cycles to read `words` words, until the last one arrives, while others are written.
  function automatic logic [6:0] to_have(input logic [6:0] words, input logic was_write);
    to_have = words == 7'd0 ? 7'd1 : 7'd2 * words - 7'(was_write) + 7'd1;
  endfunction

  assign last_write = \u_memory.last_write_q ;
  assign to_read    = 7'(due) - 7'(\u_memory.reading_q );
  assign writing    = wvalid ? 7'(\u_mover.w_left_q ) + 7'd1 : 7'd0;
  assign c          = 7'(left_q);
  for (genvar p = 0; p < 4; p++) begin : gen_here
    assign here[p] = \u_mover.busy [p] && \u_mover.block [p] == touched;
  end
  assign in_turn  = |here;
  assign in_extra = \u_mover.busy [4];

  always_comb begin
    at_t     = 3'd0;
    n_ready  = 3'd0;
    n_cipher = 3'd0;
    younger1 = 3'd0;
    for (int p = 0; p < 4; p++) begin
      if (here[p]) at_t = at_q[p];
      n_ready  = n_ready + 3'(at_q[p] == 3'd4);
      n_cipher = n_cipher + 3'(at_q[p] == 3'd3);
    end
  end

  // T in a round-robin place: at most two blocks have not reached the cipher, T and one before it
  // (B) or after it.
  logic [3:0] here_half, here_line, ahead_line, front_line, ready_line;
  logic       has_b, b_read, has_a;
  assign here_half = oldest[1] ? {here[1:0], here[3:2]} : here;
  assign here_line = oldest[0] ? {here_half[0], here_half[3:1]} : here_half;
  for (genvar k = 0; k < 4; k++) begin : gen_line
    assign ahead_line[k] = line[k] == 3'd1 || line[k] == 3'd2;
    assign front_line[k] = |here_line[3:k] && !here_line[k];  // before T
    assign ready_line[k] = line[k] == 3'd4;
  end
  logic behind_reads;  // a block after T is being read
  always_comb begin
    has_b        = |(ahead_line & front_line);
    b_read       = 1'b0;
    behind_reads = 1'b0;
    for (int k = 0; k < 4; k++) begin
      if (front_line[k] && line[k] == 3'd1)                    b_read = 1'b1;
      if (!front_line[k] && !here_line[k] && line[k] == 3'd1)  behind_reads = 1'b1;
    end
  end
  logic [2:0] ready_before;
  always_comb begin
    ready_before = 3'd0;
    for (int k = 0; k < 4; k++) ready_before = ready_before + 3'(ready_line[k] && front_line[k]);
  end
  assign has_a  = n_cipher != 3'd0 && at_t != 3'd3;
  // Words of blocks after T that may be read between the writes of T's words.
  assign own    = 7'd5 + (at_t == 3'd1 ? (behind_reads ? 7'd4 : 7'd0) : smaller(7'd4, to_read));
  assign after  = 7'd4 + smaller(7'd4, to_read);
  assign read_t = to_have(behind_reads ? to_read - 7'd4 : to_read, last_write);
  assign read_b = to_have(to_read - 7'd4, last_write);
  assign drained = to_write(writing + {2'd0, ready_before, 2'b00}, to_read, last_write)
                 + 7'(!wvalid && ready_before != 3'd0);
  assign d_a    = has_a ? larger(c, drained) + after : drained;
  assign feed_b = larger(larger(c, 7'd1), b_read ? read_b + 7'd1 : 7'd1);
  assign res_b  = feed_b + 7'(latency);
  assign d_b    = has_b ? larger(res_b, d_a) + after : d_a;
  assign feed_t = larger(has_b ? res_b : larger(c, 7'd1), at_t == 3'd1 ? read_t + 7'd1 : 7'd1);
  assign res_t  = at_t == 3'd3 ? c : feed_t + 7'(latency);
  logic written;
  assign written = |(\u_mover.w_place_q [3:0] & here);
  assign turn_left = at_t == 3'd5 ? (written ? to_write(writing, to_read, last_write) : 7'd0) + 7'd1
                   : at_t == 3'd4 ? to_write(writing + {2'd0, ready_before, 2'b00} + 7'd4, to_read,
                                             last_write) + 7'd1 + 7'(!wvalid)
                   : larger(res_t, d_b) + own;

  // T in the extra place, or not yet there: T is read last, and the others wait until it is fed.
  logic [6:0] pending, fed_in, over, behind;
  assign pending = 7'd4 * (7'(n_ready) + 7'(n_cipher));
  assign full_in = to_read == 7'd0 ? 7'd1 : to_read + writing + 7'd1;
  assign fed_in  = at_q[4] == 3'd2 ? larger(c, 7'd1)
                 : at_q[4] == 3'd1 ? larger(c, full_in + 7'd1)
                                   : larger(c, to_read + writing + 7'd6) + 7'd1;
  // Words in the write channel then, and words that the others have to write.
  assign over    = writing - smaller(writing, fed_in);
  assign behind  = over + pending + 7'(over == 7'd0 && pending != 7'd0);
  always_comb begin
    case (at_q[4])
      3'd3:    extra_left = larger(c, writing + {2'd0, n_ready, 2'b00}
                                      + 7'(!wvalid && n_ready != 3'd0)) + 7'd5;
      3'd4:    extra_left = writing + 7'(!wvalid) + 7'd5;
      3'd5:    extra_left = (\u_mover.w_place_q [4] ? writing : 7'd0) + 7'd1;
      default: extra_left = fed_in + larger(7'(latency), behind) + 7'd5;
    endcase
  end
  assign left = in_turn ? turn_left : extra_left;

`endif

  // The extra place's block is read last.
  logic [4:0] r_newest;
  logic       extra_ok;
  assign r_newest = \u_mover.u_read_order.valid_q & ~(\u_mover.u_read_order.valid_q >> 1);
  assign extra_ok = (at_q[4] != 3'd1 || |(r_newest & \u_mover.u_read_order.data_q ))
                 && (at_q[4] < 3'd2 || count(at_q, 3'd1) == 3'd0);

  // ---- properties ------------------------------------------------------------------------------

  logic sound, bounded;
`ifdef REGISTERED
  assign sound   = places_ok && turns_ok && reading_ok && cipher_ok && writing_ok && blocks_ok
                && touch_ok && window_ok && extra_ok && pick_ok;
  assign bounded = 1'b1;

  // State of the touched block: 0 not begun, then as at_q.
  logic [2:0] stage;
  logic [4:0] dwell_q;
  always_comb begin
    stage = 3'd0;
    for (int p = 0; p < 5; p++) begin
      if (\u_mover.busy [p] && \u_mover.block [p] == touched) stage = at_q[p];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n || !waits || !near || stage != 3'd`STAGE) dwell_q <= 5'd0;
    else if (dwell_q != 5'd31)                           dwell_q <= dwell_q + 5'd1;
  end
`else
  assign sound   = places_ok && turns_ok && reading_ok && cipher_ok && writing_ok && blocks_ok
                && touch_ok && window_ok && extra_ok && pick_ok
                && \u_mover.touch_valid == (count_q != 6'd0);
  // The longest wait: elapsed plus remaining cycles are at most `bound`.
  assign bounded = !waits || !near
                || (7'(count_q) < bound && (count_q == 6'd0 || 7'(count_q) + left <= bound));
`endif
  always_comb begin
`ifdef STEP
    assume (sound);
    if (first_q) assume (bounded);
    else         assert (bounded);
`elsif DWELL
    if (first_q) assume (sound && dwell_q == 5'd0);
    assert (dwell_q <= `MOST);
`elsif RUN_ONLY
    if (rst_n && waits && near) assert (7'(count_q) < bound);
`else
    if (rst_n) begin
      assert (places_ok);
      assert (turns_ok);
      assert (reading_ok);
      assert (cipher_ok);
      assert (writing_ok);
      assert (blocks_ok);
      assert (touch_ok);
      assert (window_ok);
      assert (extra_ok);
      assert (pick_ok);
    end
`endif
  end
endmodule
