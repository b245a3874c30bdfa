// SPDX-License-Identifier: Apache-2.0
// The conflict rule: what has been done of the region, and which accesses of the CPU must wait.
//
// One done-bit for each block. Blocks behind the frontier are done; of the MaxBlocks blocks from
// the frontier on a bit tells; the others are not done. So START makes all blocks not done at once,
// however long the region is. An access to a block that is not done waits; the block is reported
// (touch_*) to be processed out of turn if the order is free and its bit exists.
//
// Addresses are in words, blocks of four words are counted from the region's first word. In copy
// mode (src_i differs from dst_i) reads of the source pass, writes to it wait like accesses to the
// destination.
module aes_dma_window #(
  parameter MaxBlocks = 256,  // power of two
  parameter BlockW    = 28    // more bits than MaxBlocks counts
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  input  logic                 active_i,
  input  logic                 ordered_i,      // blocks must be processed in order
  input  logic [BlockW+1:0]    src_i,          // these stay while active
  input  logic [BlockW+1:0]    src_last_i,     // last word that belongs to the region
  input  logic [BlockW+1:0]    dst_i,
  input  logic [BlockW+1:0]    dst_last_i,

  input  logic                 cpu_valid_i,
  input  logic                 cpu_write_i,
  input  logic [BlockW+1:0]    cpu_addr_i,
  output logic                 cpu_stall_o,
  output logic [BlockW-1:0]    cpu_block_o,    // of the access that waits

  output logic                 touch_valid_o,  // one cycle later: the access that waited
  output logic [BlockW-1:0]    touch_block_o,

  input  logic [BlockW-1:0]    look_block_i,   // within MaxBlocks of the frontier
  output logic                 look_done_o,
  input  logic [BlockW-1:0]    scan_i,         // the frontier stays at or before this block
  input  logic                 done_valid_i,
  input  logic [BlockW-1:0]    done_block_i,
  output logic [BlockW-1:0]    front_o,
  output logic                 moving_o,       // the frontier advances
  output logic [MaxBlocks-1:0] bits_o          // block b is at place b modulo MaxBlocks
);
  localparam IndexW = $clog2(MaxBlocks);

  logic [MaxBlocks-1:0] bits_q;
  logic [BlockW-1:0]    front_q;
  // First word of the frontier's block; behind the last one it may be the address space's end.
  logic [BlockW+2:0]    front_src_q, front_dst_q;
  logic [BlockW+1:0]    from_start;                // of an access, see below
  logic                 advance;
  logic [IndexW-1:0]    front_index, done_index, look_index;

  assign front_index = front_q[IndexW-1:0];
  assign done_index  = done_block_i[IndexW-1:0];
  assign look_index  = look_block_i[IndexW-1:0];

  logic unused_high;
  assign unused_high = ^{look_block_i[BlockW-1:IndexW], done_block_i[BlockW-1:IndexW],
                         from_start[1:0]};

  // ---- what is done -----------------------------------------------------------------------------

  assign advance = active_i && bits_q[front_index] && front_q != scan_i;
  for (genvar i = 0; i < MaxBlocks; i++) begin : gen_bit
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                          bits_q[i] <= 1'b0;
      else if (start_i)                                     bits_q[i] <= 1'b0;
      else if (done_valid_i && done_index == IndexW'(i))    bits_q[i] <= 1'b1;
      else if (advance && front_index == IndexW'(i))        bits_q[i] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {front_q, front_src_q, front_dst_q} <= '0;
    end else if (start_i) begin
      front_q     <= '0;
      front_src_q <= {1'b0, src_i};
      front_dst_q <= {1'b0, dst_i};
    end else if (advance) begin
      front_q     <= front_q + BlockW'(1);
      front_src_q <= front_src_q + (BlockW+3)'(4);
      front_dst_q <= front_dst_q + (BlockW+3)'(4);
    end
  end
  assign front_o  = front_q;
  assign moving_o = advance;
  assign bits_o   = bits_q;

  assign look_done_o = bits_q[look_index];

  // ---- which access waits -----------------------------------------------------------------------

  logic              copy, in_src, in_dst, near, stall;
  logic [BlockW+2:0] from_front;
  logic [IndexW-1:0] index;

  // Source and destination are the same or apart, so that an access is in one of them at most.
  assign copy       = src_i != dst_i;
  assign in_dst     = {1'b0, cpu_addr_i} >= front_dst_q && cpu_addr_i <= dst_last_i;
  assign in_src     = copy && cpu_write_i && {1'b0, cpu_addr_i} >= front_src_q
                   && cpu_addr_i <= src_last_i;
  assign from_start = cpu_addr_i - (in_src ? src_i : dst_i);
  assign from_front = {1'b0, cpu_addr_i} - (in_src ? front_src_q : front_dst_q);
  assign near       = (from_front >> (IndexW + 2)) == '0;
  assign index      = from_start[IndexW+1:2];
  assign stall      = active_i && cpu_valid_i && (in_src || in_dst) && !(near && bits_q[index]);

  assign cpu_stall_o = stall;
  assign cpu_block_o = from_start[BlockW+1:2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                        touch_valid_o <= 1'b0;
    else                                touch_valid_o <= stall && near && !ordered_i && !start_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    touch_block_o <= '0;
    else if (stall) touch_block_o <= cpu_block_o;
  end

`ifdef FORMAL
  // With this formal/aes_dma_window_props.sv holds by induction.
  always_comb begin
    if (rst_ni && active_i) begin
      assert (front_src_q == {1'b0, src_i} + {1'b0, front_q, 2'b00});
      assert (front_dst_q == {1'b0, dst_i} + {1'b0, front_q, 2'b00});
    end
  end
`endif
endmodule
