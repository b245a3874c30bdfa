// SPDX-License-Identifier: Apache-2.0
// The conflict rule for regions of any length, whatever the master does. CPU accesses to a watched
// block wait exactly until it is done, no other access waits, and the window's outputs to the
// master are correct. Proved by induction, with a window of eight blocks in regions of up to 63.
module aes_dma_window_props (
  input logic       clk_i,
  input logic       start_i,
  input logic       end_i,
  input logic       cpu_valid_i,
  input logic       cpu_write_i,
  input logic [7:0] cpu_addr_i,
  input logic [5:0] look_block_i,
  input logic [5:0] scan_i,
  input logic       done_valid_i,
  input logic [5:0] done_block_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [7:0] src, dst;
  (* anyconst *) logic [5:0] blocks, watched;
  (* anyconst *) logic [1:0] last_words;
  (* anyconst *) logic       ordered;
  logic [8:0] src_last, dst_last;
  assign src_last = {1'b0, src} + {1'b0, blocks - 6'd1, last_words};
  assign dst_last = {1'b0, dst} + {1'b0, blocks - 6'd1, last_words};

  logic       active_q, start, stall, touch_valid, look_done, moving;
  logic [5:0] cpu_block, touch_block, front;
  logic [7:0] bits;
  assign start = start_i && !active_q && rst_n;
  aes_dma_window #(.MaxBlocks(8), .BlockW(6)) u_window (
    .clk_i, .rst_ni(rst_n), .start_i(start), .active_i(active_q), .ordered_i(ordered),
    .src_i(src), .src_last_i(src_last[7:0]), .dst_i(dst), .dst_last_i(dst_last[7:0]),
    .cpu_valid_i, .cpu_write_i, .cpu_addr_i, .cpu_stall_o(stall), .cpu_block_o(cpu_block),
    .touch_valid_o(touch_valid), .touch_block_o(touch_block), .look_block_i,
    .look_done_o(look_done), .scan_i, .done_valid_i, .done_block_i, .front_o(front),
    .moving_o(moving), .bits_o(bits)
  );

  // done_q: the watched block is done. Blocks become done within the window and once, see
  // aes_dma_mover_props.
  logic done_q, waited_q, waited_watched_q;
  logic [6:0] limit;
  assign limit = {1'b0, front} + 7'd8;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      active_q <= 1'b0;
      done_q   <= 1'b0;
      waited_q <= 1'b0;
    end else begin
      active_q <= start || (active_q && !end_i);
      done_q   <= !start && (done_q || (done_valid_i && done_block_i == watched));
      waited_q <= stall && !ordered;
    end
    waited_watched_q <= to_watched;
  end

  // Region of an access.
  logic       in_src, in_dst, to_watched;
  logic [7:0] in_src_word, in_dst_word;
  assign in_dst      = cpu_addr_i >= dst && cpu_addr_i <= dst_last[7:0];
  assign in_src      = src != dst && cpu_write_i && cpu_addr_i >= src
                    && cpu_addr_i <= src_last[7:0];
  assign in_src_word = cpu_addr_i - src;
  assign in_dst_word = cpu_addr_i - dst;
  assign to_watched  = (in_dst && in_dst_word[7:2] == watched)
                    || (in_src && in_src_word[7:2] == watched);

  always_comb begin
    assume (blocks >= 6'd1 && watched < blocks);
    assume (!src_last[8] && !dst_last[8]);
    assume (src == dst || src_last[7:0] < dst || dst_last[7:0] < src);
    if (rst_n && active_q) begin
      assume (scan_i >= front && scan_i <= blocks);
      if (done_valid_i) begin
        assume (done_block_i >= front && {1'b0, done_block_i} < limit);
        assume (!bits[done_block_i[2:0]]);
      end
    end
    if (!active_q) assume (!done_valid_i);
  end

  always_comb begin
    if (rst_n) begin
      // State invariants for the induction.
      if (active_q) begin
        assert (front <= blocks);
        if (watched < front)                  assert (done_q);
        else if ({1'b0, watched} < limit)     assert (bits[watched[2:0]] == done_q);
        else                                  assert (!done_q);
      end
      // An access to the watched block waits exactly until the block is done.
      if (active_q && cpu_valid_i && to_watched) assert (stall == !done_q);
      // No other access waits.
      if (stall) assert (active_q && cpu_valid_i && (in_src || in_dst));
      // The outputs to the master: done-bits, and the block that the CPU waited for.
      if (active_q && look_block_i == watched && watched >= front && {1'b0, watched} < limit) begin
        assert (look_done == done_q);
      end
      if (touch_valid) assert (waited_q);
      if (touch_valid && waited_watched_q) assert (touch_block == watched);
    end
  end
endmodule
