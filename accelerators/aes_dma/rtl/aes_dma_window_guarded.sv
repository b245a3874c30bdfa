// SPDX-License-Identifier: Apache-2.0
// aes_dma_window with parity, one bit for all done-bits; wrong_o: a bit of a register is wrong in
// this cycle.
//
// Made from aes_dma_window_guarded.sv.j2 by `aesforge modules`.
module aes_dma_window_guarded #(
  parameter MaxBlocks  = 256,  // power of two
  parameter BlockW     = 28,   // more than log2(MaxBlocks)
  parameter Registered = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 wrong_o,
  input  logic                 start_i,
  input  logic                 active_i,
  input  logic                 ordered_i,      // blocks must be processed in order
  input  logic [BlockW+1:0]    src_i,          // this and the next three: stable while active
  input  logic [BlockW+1:0]    src_last_i,     // the region's last word
  input  logic [BlockW+1:0]    dst_i,
  input  logic [BlockW+1:0]    dst_last_i,

  input  logic                 cpu_valid_i,
  input  logic                 cpu_write_i,
  input  logic [BlockW+1:0]    cpu_addr_i,
  output logic                 cpu_stall_o,
  output logic [BlockW-1:0]    cpu_block_o,    // block of the waiting access

  output logic                 touch_valid_o,  // one cycle after a waiting access
  output logic [BlockW-1:0]    touch_block_o,

  input  logic [BlockW-1:0]    look_block_i,   // less than MaxBlocks after the frontier
  output logic                 look_done_o,
  input  logic [BlockW-1:0]    scan_i,         // the frontier does not pass this block
  input  logic                 done_valid_i,
  input  logic [BlockW-1:0]    done_block_i,
  output logic [BlockW-1:0]    front_o,
  output logic                 moving_o,       // the frontier advances
  output logic [MaxBlocks-1:0] bits_o          // done-bit of block b is bit b modulo MaxBlocks
);
  localparam IndexW = $clog2(MaxBlocks);

  logic [MaxBlocks-1:0] bits_q;
  logic [BlockW-1:0]    front_q;
  // First word of the frontier's block. After the last block it may be the end of the address
  // space, hence one more bit.
  logic [BlockW+2:0]    front_src_q, front_dst_q;
  logic                 advance;
  logic [IndexW-1:0]    front_index, done_index, look_index;

  assign front_index = front_q[IndexW-1:0];
  assign done_index  = done_block_i[IndexW-1:0];
  assign look_index  = look_block_i[IndexW-1:0];

  // ---- done-bits and frontier -------------------------------------------------------------------

  assign advance = active_i && bits_q[front_index] && front_q != scan_i;
  for (genvar i = 0; i < MaxBlocks; i++) begin : gen_bit
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                          bits_q[i] <= 1'b0;
      else if (start_i)                                     bits_q[i] <= 1'b0;
      else if (done_valid_i && done_index == IndexW'(i))    bits_q[i] <= 1'b1;
      else if (advance && front_index == IndexW'(i))        bits_q[i] <= 1'b0;
    end
  end

  // The parity of the done-bits changes with each of them.
  (* keep *) logic bits_p;
  logic            sets, clears;
  assign sets   = done_valid_i && !bits_q[done_index];
  assign clears = advance && !(done_valid_i && done_index == front_index);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      bits_p <= 1'b1;
    else if (start_i) bits_p <= 1'b1;
    else              bits_p <= bits_p ^ sets ^ clears;
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
  (* keep *) logic front_p, front_src_p, front_dst_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {front_p, front_src_p, front_dst_p} <= '1;
    end else if (start_i) begin
      front_p     <= 1'b1;
      front_src_p <= ~^({1'b0, src_i});
      front_dst_p <= ~^({1'b0, dst_i});
    end else if (advance) begin
      front_p     <= ~^(front_q + BlockW'(1));
      front_src_p <= ~^(front_src_q + (BlockW+3)'(4));
      front_dst_p <= ~^(front_dst_q + (BlockW+3)'(4));
    end
  end
  assign front_o  = front_q;
  assign moving_o = advance;
  assign bits_o   = bits_q;

  assign look_done_o = bits_q[look_index];

  // ---- waiting accesses -------------------------------------------------------------------------

  // Source and destination are identical or disjoint, so an access is in at most one of them. Both
  // are looked at side by side, since the sums are long. ahead_*: words from the frontier on, with
  // a sign.
  logic              copy, in_src, in_dst, near_src, near_dst, near, wait_src, wait_dst, stall;
  logic [BlockW+3:0] ahead_src, ahead_dst;
  logic [BlockW+1:0] from_src, from_dst;    // offset of an access in its region
  logic [IndexW-1:0] index_src, index_dst;

  assign copy      = src_i != dst_i;
  assign ahead_src = {2'b00, cpu_addr_i} - {1'b0, front_src_q};
  assign ahead_dst = {2'b00, cpu_addr_i} - {1'b0, front_dst_q};
  assign from_src  = cpu_addr_i - src_i;
  assign from_dst  = cpu_addr_i - dst_i;
  assign index_src = from_src[IndexW+1:2];
  assign index_dst = from_dst[IndexW+1:2];
  assign in_src    = copy && cpu_write_i && !ahead_src[BlockW+3] && cpu_addr_i <= src_last_i;
  assign in_dst    = !ahead_dst[BlockW+3] && cpu_addr_i <= dst_last_i;
  assign near_src  = (ahead_src >> (IndexW + 2)) == '0;
  assign near_dst  = (ahead_dst >> (IndexW + 2)) == '0;

  // The same for the look at done-bits.
  logic              at_src, at_dst, close_src, close_dst;
  logic [IndexW-1:0] look_src, look_dst;
  logic part_1;
  if (Registered == 0) begin : gen_direct
    assign {at_src, at_dst, close_src, close_dst} = {in_src, in_dst, near_src, near_dst};
    assign {look_src, look_dst}                   = {index_src, index_dst};
    assign part_1 = 1'b0;
  end else begin : gen_registered
    logic at_src_q, at_dst_q, close_src_q, close_dst_q;
    logic [IndexW-1:0] look_src_q, look_dst_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {at_src_q, at_dst_q, close_src_q, close_dst_q, look_src_q, look_dst_q} <= '0;
      end else begin
        // The block that the frontier passes in this cycle is before it in the next one.
        at_src_q <= in_src && !(advance && near_src && index_src == front_index);
        at_dst_q <= in_dst && !(advance && near_dst && index_dst == front_index);
        {close_src_q, close_dst_q} <= {near_src, near_dst};
        {look_src_q, look_dst_q}   <= {index_src, index_dst};
      end
    end
    (* keep *) logic at_src_p, at_dst_p, close_src_p, close_dst_p, look_src_p,
                     look_dst_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {at_src_p, at_dst_p, close_src_p, close_dst_p, look_src_p, look_dst_p} <= '1;
      end else begin
        // The block that the frontier passes in this cycle is before it in the next one.
        at_src_p <= ~^(in_src && !(advance && near_src && index_src == front_index));
        at_dst_p <= ~^(in_dst && !(advance && near_dst && index_dst == front_index));
        {close_src_p, close_dst_p} <= {~^near_src, ~^near_dst};
        {look_src_p, look_dst_p}   <= {~^index_src, ~^index_dst};
      end
    end
    assign {at_src, at_dst, close_src, close_dst} = {at_src_q, at_dst_q, close_src_q, close_dst_q};
    assign {look_src, look_dst}                   = {look_src_q, look_dst_q};
    assign part_1 = |{~^{at_src_q, at_src_p}, ~^{at_dst_q, at_dst_p}, ~^{close_src_q, close_src_p},
      ~^{close_dst_q, close_dst_p}, ~^{look_src_q, look_src_p}, ~^{look_dst_q, look_dst_p}};
  end

  assign wait_src  = at_src && !(close_src && bits_q[look_src]);
  assign wait_dst  = at_dst && !(close_dst && bits_q[look_dst]);
  assign near      = at_src ? close_src : close_dst;
  assign stall     = active_i && cpu_valid_i && (wait_src || wait_dst);

  assign cpu_stall_o = stall;
  assign cpu_block_o = at_src ? from_src[BlockW+1:2] : from_dst[BlockW+1:2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                        touch_valid_o <= 1'b0;
    else                                touch_valid_o <= stall && near && !ordered_i && !start_i;
  end
  (* keep *) logic touch_valid_o_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                        touch_valid_o_p <= 1'b1;
    else                                touch_valid_o_p
        <= ~^(stall && near && !ordered_i && !start_i);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    touch_block_o <= '0;
    else if (stall) touch_block_o <= cpu_block_o;
  end
  (* keep *) logic touch_block_o_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    touch_block_o_p <= 1'b1;
    else if (stall) touch_block_o_p <= ~^cpu_block_o;
  end

  logic unused_high;
  assign unused_high = ^{look_block_i[BlockW-1:IndexW], done_block_i[BlockW-1:IndexW],
                         from_src[1:0], from_dst[1:0]};


  assign wrong_o = |{~^{front_q, front_p}, ~^{front_src_q, front_src_p},
    ~^{front_dst_q, front_dst_p}, part_1, ~^{touch_valid_o, touch_valid_o_p},
    ~^{touch_block_o, touch_block_o_p}, ~^{bits_q, bits_p}};
endmodule
