// SPDX-License-Identifier: Apache-2.0
// A store returns the round key last written at an index, for one and for two rounds a cycle. From
// any state a written key is read, and a read key is stable until it is rewritten. before_o and
// after_o hold it on the side where it is added.
module aes_engine_store_props (
  input logic         clk_i,
  input logic         clear_i,
  input logic         write_i,
  input logic [3:0]   write_index_i,
  input logic [127:0] write_key_i,
  input logic         hold_i,
  input logic         round_i,
  input logic         up_i,
  input logic [3:0]   index_i
);
  logic up2;  // a planted bug makes it differ from up_i
  assign up2 = up_i;

  logic [127:0] load1, key1, before1, after1, load2;
  logic [255:0] key2, before2, after2;
  aes_key_store #(.Rounds(1)) u_one (
    .clk_i, .clear_i, .write_i, .write_index_i, .write_key_i, .hold_i, .round_i, .up_i, .index_i,
    .load_key_o(load1), .key_o(key1), .before_o(before1), .after_o(after1)
  );
  aes_key_store #(.Rounds(2)) u_two (
    .clk_i, .clear_i, .write_i, .write_index_i, .write_key_i, .hold_i, .round_i, .up_i(up2),
    .index_i, .load_key_o(load2), .key_o(key2), .before_o(before2), .after_o(after2)
  );

  // One index is watched. With two rounds a cycle, a pass reads an odd key and the even one after
  // it (up_i) or before it.
  (* anyconst *) logic [3:0] watched;
  logic [3:0]   even;
  logic         write, reads1, reads2;
  assign even   = {index_i[3:1] + 3'(index_i[0] && up_i), 1'b0};
  assign write  = write_i && write_index_i == watched;
  assign reads1 = !clear_i && !hold_i && index_i == watched;
  assign reads2 = !clear_i && !hold_i
               && (watched[0] ? index_i[3:1] == watched[3:1] : even == watched);

  logic [2:0]   cycle_q = 3'd0;
  logic [127:0] held_q;              // the key at the index
  logic [127:0] shown1, shown2, before, after;
  logic         known_q, show1_q, show2_q, asked1_q, asked2_q, wrote_q, round_q, up_q;
  logic [127:0] last1_q, last2_q, was_q;
  logic         was_known_q;
  assign shown1 = key1;
  assign shown2 = watched[0] ? key2[127:0] : key2[255:128];
  assign before = watched[0] ? before2[127:0] : before2[255:128];
  assign after  = watched[0] ? after2[127:0] : after2[255:128];
  always_ff @(posedge clk_i) begin
    if (cycle_q != 3'd7) cycle_q <= cycle_q + 3'd1;
    known_q <= write || (known_q && cycle_q != 3'd0);
    if (write) held_q <= write_key_i;
    // The registers show the key that was at the index one cycle earlier.
    {was_known_q, was_q} <= {known_q && cycle_q != 3'd0, held_q};
    {show1_q, show2_q}   <= {reads1, reads2};
    {asked1_q, asked2_q} <= {show1_q, show2_q};
    {last1_q, last2_q}   <= {shown1, shown2};
    wrote_q              <= write;
    if (!hold_i) {round_q, up_q} <= {round_i, up_i};
  end
  logic wrote_before_q;
  always_ff @(posedge clk_i) wrote_before_q <= wrote_q;

  always_comb begin
    if (cycle_q != 3'd0) begin
      if (show1_q && was_known_q) assert (shown1 == was_q);
      if (show2_q && was_known_q) assert (shown2 == was_q);
      if (show1_q) begin
        assert (load1 == shown1);
        assert (before1 == (round_q && !up_q ? shown1 : '0));
        assert (after1 == (round_q && up_q ? shown1 : '0));
      end
      if (show2_q) begin
        assert (before == (round_q && !up_q ? shown2 : '0));
        assert (after == (round_q && up_q ? shown2 : '0));
        if (!watched[0]) assert (load2 == shown2);
      end
    end
    if (cycle_q > 3'd1 && !wrote_before_q) begin
      if (show1_q && asked1_q) assert (shown1 == last1_q);
      if (show2_q && asked2_q) assert (shown2 == last2_q);
    end
  end
endmodule
