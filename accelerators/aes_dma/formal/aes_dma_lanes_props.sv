// SPDX-License-Identifier: Apache-2.0
// The lanes from block RAM, for every state, key and input, in the four parts of
// formal/aes_tables_props.sv. aes_sbox_rom is replaced by formal/aes_sbox_rom_any.sv.

// ---- 1: rounds ----------------------------------------------------------------------------------

module aes_dma_lane_round_props (
  input logic         clk_i,
  input logic         clear_i,
  input logic [3:0]   store_write_i,
  input logic [4:0]   store_index_i,
  input logic [31:0]  store_word_i,
  input logic         key_valid_i,
  input logic [3:0]   rounds_i,
  input logic         inverse_i,
  input logic         enter_i,
  input logic [127:0] in_data_i,
  input logic         out_ready_i
);
  logic         ready, idle, valid;
  logic [127:0] data;
  aes_dma_lane u_lane (
    .clk_i, .rst_ni(1'b1), .clear_i, .idle_o(idle), .store_write_i, .store_index_i, .store_word_i,
    .key_valid_i, .rounds_i, .inverse_i, .ready_o(ready), .enter_i, .in_data_i,
    .out_valid_o(valid), .out_ready_i, .out_data_o(data)
  );

  (* hierconn *) wire [127:0] \u_lane.state ;
  (* hierconn *) wire [127:0] \u_lane.key ;
  (* hierconn *) wire \u_lane.active_q , \u_lane.stall , \u_lane.finish ;

  // Columns in the standard's order.
  function automatic logic [127:0] ordered(input logic inv, input logic [127:0] x);
    ordered = inv ? {x[63:32], x[95:64], x[127:96], x[31:0]} : x;
  endfunction

  // The look-up whose words the tables hold: its direction and its state. The first cycle has any
  // state, so the words are known after the first look-up.
  logic [127:0] from_q, round, last, result_q;
  logic         inv_q, known_q, due_q;
  initial {known_q, due_q} = 2'b00;
  aes_tables_spec u_spec (
    .inv_i(inv_q), .state_i(ordered(inv_q, from_q)), .round_o(round), .last_o(last)
  );
  always_ff @(posedge clk_i) begin
    if (!\u_lane.stall ) {known_q, inv_q, from_q} <= {1'b1, inverse_i, \u_lane.state };
    due_q    <= known_q && \u_lane.finish && !clear_i;
    result_q <= last ^ ordered(inv_q, \u_lane.key );
  end

  // The direction stays while a block is inside.
  always_comb if (known_q && \u_lane.active_q ) assume (inv_q == inverse_i);

  always_comb begin
    if (known_q && \u_lane.active_q ) begin
      assert (ordered(inv_q, \u_lane.state ) == (round ^ ordered(inv_q, \u_lane.key )));
    end
    if (!\u_lane.active_q ) assert (\u_lane.state == (in_data_i ^ \u_lane.key ));
    if (due_q) assert (valid && ordered(inv_q, data) == result_q);
  end

  logic unused;
  assign unused = ready ^ idle;
endmodule

// ---- 2: their order -----------------------------------------------------------------------------

module aes_dma_lane_order_props (
  input logic         clk_i,
  input logic         clear_i,
  input logic         key_valid_i,
  input logic [3:0]   rounds_i,
  input logic         inverse_i,
  input logic         enter_i,
  input logic [127:0] in_data_i,
  input logic         out_ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic         ready, idle, valid;
  logic [127:0] data;
  aes_dma_lane u_lane (
    .clk_i, .rst_ni(rst_n), .clear_i, .idle_o(idle), .store_write_i(4'h0), .store_index_i(5'd0),
    .store_word_i(32'h0), .key_valid_i, .rounds_i, .inverse_i, .ready_o(ready), .enter_i,
    .in_data_i, .out_valid_o(valid), .out_ready_i, .out_data_o(data)
  );

  (* hierconn *) wire [127:0] \u_lane.out_q ;
  (* hierconn *) wire [4:0]   \u_lane.key_index ;
  (* hierconn *) wire [3:0]   \u_lane.round_q ;
  (* hierconn *) wire \u_lane.active_q , \u_lane.last_q , \u_lane.stall , \u_lane.finish ;

  // had: keys that the block has had, the one in this cycle included; 0: there is no block.
  // index_q: the place whose key is at the memory's output.
  logic [3:0] had, had_q, rounds_q;
  logic [4:0] index_q;
  logic       ready_q, inverse_q, key_valid_q, begun_q;
  initial {begun_q, had_q, ready_q} = '0;
  assign had = enter_i ? 4'd1 : had_q;
  always_ff @(posedge clk_i) begin
    begun_q <= rst_n;
    index_q <= \u_lane.key_index ;
    {ready_q, inverse_q, key_valid_q, rounds_q} <= {rst_n && ready && !clear_i, inverse_i,
                                                    key_valid_i, rounds_i};
    if (!rst_n || clear_i || \u_lane.finish ) had_q <= 4'd0;
    else if (had != 4'd0 && !\u_lane.stall )  had_q <= had + 4'd1;
  end
  always_comb begin
    assume (rounds_i == 4'd10 || rounds_i == 4'd12 || rounds_i == 4'd14);
    if (!rst_n)  assume (clear_i);
    if (enter_i) assume (ready_q);
    // Direction and key stay from the cycle in which the block is accepted.
    if (enter_i || had_q != 4'd0) begin
      assume (inverse_i == inverse_q && rounds_i == rounds_q);
      assume (key_valid_i && key_valid_q);
    end
  end

  logic [3:0] number;
  assign number = had - 4'd1;
  always_comb begin
    if (rst_n) begin
      assert (\u_lane.active_q == (had_q != 4'd0));
      assert (idle == (had == 4'd0));
      if (ready) assert (key_valid_i && !enter_i && (had == 4'd0 || \u_lane.finish ));
      if (ready_q) assert (had_q == 4'd0);
      // Key `number` in the direction's order, among those of the direction.
      if (begun_q && had != 4'd0) begin
        assert (number <= rounds_i);
        assert (\u_lane.round_q == (inverse_i ? rounds_i - number : number));
        assert (index_q == {inverse_i, \u_lane.round_q });
        assert (\u_lane.last_q == (number == rounds_i));
      end else begin
        assert (!\u_lane.last_q );
      end
      if (\u_lane.finish ) assert (had != 4'd0 && number == rounds_i && !valid);
      // What a block that is accepted now will find.
      if (begun_q && ready_q && inverse_i == inverse_q && rounds_i == rounds_q && key_valid_q) begin
        assert (\u_lane.round_q == (inverse_i ? rounds_i : 4'd0));
        assert (index_q == {inverse_i, \u_lane.round_q });
      end
      // No text stays.
      if (begun_q && !valid) assert (\u_lane.out_q == 128'h0 && data == 128'h0);
    end
  end
endmodule

// ---- 3: wipe ------------------------------------------------------------------------------------

module aes_dma_lanes_wipe_props (
  input logic         clk_i,
  input logic         key_write_i,
  input logic [2:0]   key_word_i,
  input logic [31:0]  key_data_i,
  input logic         key_start_i,
  input logic [1:0]   key_length_i,
  input logic         in_valid_i,
  input logic         inverse_i,
  input logic [127:0] in_data_i,
  input logic         out_ready_i
);
  // Any state at first; a pulse or a reset in the first cycle.
  (* anyconst *) logic by_reset;
  logic [5:0] cycle_q = 6'd0;
  always_ff @(posedge clk_i) if (cycle_q != '1) cycle_q <= cycle_q + 6'd1;

  logic         wiping, idle, busy, key_valid, ready, valid;
  logic [127:0] data;
  aes_dma_lanes u_lanes (
    .clk_i, .rst_ni(!(by_reset && cycle_q == 6'd0)), .wipe_i(!by_reset && cycle_q == 6'd0),
    .wiping_o(wiping), .idle_o(idle), .key_write_i, .key_word_i, .key_data_i, .key_start_i,
    .key_length_i, .key_busy_o(busy), .key_valid_o(key_valid), .in_valid_i, .in_ready_o(ready),
    .inverse_i, .in_data_i, .out_valid_o(valid), .out_ready_i, .out_data_o(data)
  );
  // No block is accepted meanwhile.
  always_comb if (cycle_q != 6'd0 && cycle_q <= 6'd33) assume (in_data_i == 128'h0);

  (* hierconn *) wire [4:0]  \u_lanes.store_index ;
  (* hierconn *) wire [3:0]  \u_lanes.store_write ;
  (* hierconn *) wire [31:0] \u_lanes.store_word ;
  (* hierconn *) wire [1:0]  \u_lanes.enter_q ;
  (* hierconn *) wire \u_lanes.in_turn_q , \u_lanes.out_turn_q , \u_lanes.inverse_q ;
  (* hierconn *) wire [2:0]  \u_lanes.u_keys.ring_index , \u_lanes.u_keys.place_q ;
  (* hierconn *) wire [31:0] \u_lanes.u_keys.ring_data , \u_lanes.u_keys.word_q ;
  (* hierconn *) wire [31:0] \u_lanes.u_keys.sub ;
  (* hierconn *) wire [7:0]  \u_lanes.u_keys.rcon_q ;
  (* hierconn *) wire [3:0]  \u_lanes.u_keys.at_round_q ;
  (* hierconn *) wire [1:0]  \u_lanes.u_keys.at_column_q , \u_lanes.u_keys.length_q ;
  (* hierconn *) wire [4:0]  \u_lanes.u_keys.wipe_index_q ;
  (* hierconn *) wire \u_lanes.u_keys.ring_write , \u_lanes.u_keys.make_q , \u_lanes.u_keys.seed_q ;
  (* hierconn *) wire [127:0] \u_lanes.gen_lane[0].u_lane.key , \u_lanes.gen_lane[1].u_lane.key ;
  (* hierconn *) wire [127:0] \u_lanes.gen_lane[0].u_lane.boxed ;
  (* hierconn *) wire [127:0] \u_lanes.gen_lane[1].u_lane.boxed ;
  (* hierconn *) wire [127:0] \u_lanes.gen_lane[0].u_lane.mixed ;
  (* hierconn *) wire [127:0] \u_lanes.gen_lane[1].u_lane.mixed ;
  (* hierconn *) wire [127:0] \u_lanes.gen_lane[0].u_lane.out_q ;
  (* hierconn *) wire [127:0] \u_lanes.gen_lane[1].u_lane.out_q ;
  (* hierconn *) wire [3:0] \u_lanes.gen_lane[0].u_lane.round_q ;
  (* hierconn *) wire [3:0] \u_lanes.gen_lane[1].u_lane.round_q ;
  (* hierconn *) wire \u_lanes.gen_lane[0].u_lane.active_q , \u_lanes.gen_lane[1].u_lane.active_q ;
  (* hierconn *) wire \u_lanes.gen_lane[0].u_lane.last_q , \u_lanes.gen_lane[1].u_lane.last_q ;

  // A place of either memory holds what was last written to it.
  (* anyconst *) logic [4:0] place;
  logic [127:0] bank_q;
  logic [31:0]  ring_q;
  always_ff @(posedge clk_i) begin
    if (\u_lanes.u_keys.ring_write && \u_lanes.u_keys.ring_index == place[2:0]) begin
      ring_q <= \u_lanes.u_keys.ring_data ;
    end
    if (\u_lanes.store_index == place) begin
      for (int c = 0; c < 4; c++) begin
        if (\u_lanes.store_write [c]) bank_q[32*c +: 32] <= \u_lanes.store_word ;
      end
    end
  end

  always_comb begin
    if (cycle_q != 6'd0 && cycle_q <= 6'd32) begin
      assert (wiping && !busy && !key_valid && !idle && !ready);
    end
    if (cycle_q == 6'd33) begin
      assert (idle && {wiping, ready, valid} == 3'b000 && data == 128'h0);
      assert (bank_q == 128'h0 && ring_q == 32'h0);
      // Output registers of block RAM: place 15, and the look-up of zero (here: 0 + {52}).
      assert ({\u_lanes.gen_lane[0].u_lane.key , \u_lanes.gen_lane[1].u_lane.key } == 256'h0);
      assert (\u_lanes.gen_lane[0].u_lane.boxed == {16{8'h52}});
      assert (\u_lanes.gen_lane[1].u_lane.boxed == {16{8'h52}});
      assert (\u_lanes.gen_lane[0].u_lane.mixed == {16{8'h52}});
      assert (\u_lanes.gen_lane[1].u_lane.mixed == {16{8'h52}});
      assert (\u_lanes.u_keys.sub == {4{8'h52}});
      // Registers.
      assert ({\u_lanes.gen_lane[0].u_lane.out_q , \u_lanes.gen_lane[1].u_lane.out_q } == 256'h0);
      assert ({\u_lanes.gen_lane[0].u_lane.active_q , \u_lanes.gen_lane[0].u_lane.last_q } == 2'd0);
      assert ({\u_lanes.gen_lane[1].u_lane.active_q , \u_lanes.gen_lane[1].u_lane.last_q } == 2'd0);
      assert ({\u_lanes.gen_lane[0].u_lane.round_q , \u_lanes.gen_lane[1].u_lane.round_q } == 8'd0);
      assert ({\u_lanes.enter_q , \u_lanes.in_turn_q , \u_lanes.out_turn_q } == 4'd0);
      assert (!\u_lanes.inverse_q && \u_lanes.u_keys.word_q == 32'h0);
      assert ({\u_lanes.u_keys.make_q , \u_lanes.u_keys.seed_q } == 2'b11);
      assert (\u_lanes.u_keys.place_q == 3'd0);
      assert (\u_lanes.u_keys.rcon_q == 8'h01 && \u_lanes.u_keys.length_q == 2'd0);
      assert ({\u_lanes.u_keys.at_round_q , \u_lanes.u_keys.at_column_q } == 6'h3f);
      assert (\u_lanes.u_keys.wipe_index_q == 5'd0);
    end
  end
endmodule

// ---- 4: timing ----------------------------------------------------------------------------------

module aes_dma_lanes_timing_props (
  input logic              clk_i,
  input logic              wipe_i,
  input logic              key_write_i,
  input logic [2:0]        key_word_i,
  input logic              key_start_i,
  input logic [1:0]        key_length_i,
  input logic              in_valid_i,
  input logic              inverse_i,
  input logic              out_ready_i,
  input logic [1:0][31:0]  key_data_i,
  input logic [1:0][127:0] in_data_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [1:0][5:0]   flags;
  logic [1:0][127:0] data;
  for (genvar i = 0; i < 2; i++) begin : gen_copy
    aes_dma_lanes u_lanes (
      .clk_i, .rst_ni(rst_n), .wipe_i, .wiping_o(flags[i][0]), .idle_o(flags[i][1]), .key_write_i,
      .key_word_i, .key_data_i(key_data_i[i]), .key_start_i, .key_length_i,
      .key_busy_o(flags[i][2]), .key_valid_o(flags[i][3]), .in_valid_i, .in_ready_o(flags[i][4]),
      .inverse_i, .in_data_i(in_data_i[i]), .out_valid_o(flags[i][5]), .out_ready_i,
      .out_data_o(data[i])
    );
  end

  // Every register of the control, of the first copy and of the second.
  (* hierconn *) wire [4:0] \gen_copy[0].u_lanes.u_keys.wipe_index_q ;
  (* hierconn *) wire [4:0] \gen_copy[1].u_lanes.u_keys.wipe_index_q ;
  (* hierconn *) wire [1:0] \gen_copy[0].u_lanes.u_keys.length_q ;
  (* hierconn *) wire [1:0] \gen_copy[1].u_lanes.u_keys.length_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.u_keys.make_q , \gen_copy[1].u_lanes.u_keys.make_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.u_keys.seed_q , \gen_copy[1].u_lanes.u_keys.seed_q ;
  (* hierconn *) wire [2:0] \gen_copy[0].u_lanes.u_keys.place_q ;
  (* hierconn *) wire [2:0] \gen_copy[1].u_lanes.u_keys.place_q ;
  (* hierconn *) wire [3:0] \gen_copy[0].u_lanes.u_keys.at_round_q ;
  (* hierconn *) wire [3:0] \gen_copy[1].u_lanes.u_keys.at_round_q ;
  (* hierconn *) wire [1:0] \gen_copy[0].u_lanes.u_keys.at_column_q ;
  (* hierconn *) wire [1:0] \gen_copy[1].u_lanes.u_keys.at_column_q ;
  (* hierconn *) wire [1:0] \gen_copy[0].u_lanes.enter_q , \gen_copy[1].u_lanes.enter_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.in_turn_q , \gen_copy[1].u_lanes.in_turn_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.out_turn_q , \gen_copy[1].u_lanes.out_turn_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.inverse_q , \gen_copy[1].u_lanes.inverse_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.gen_lane[0].u_lane.active_q ;
  (* hierconn *) wire \gen_copy[1].u_lanes.gen_lane[0].u_lane.active_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.gen_lane[0].u_lane.last_q ;
  (* hierconn *) wire \gen_copy[1].u_lanes.gen_lane[0].u_lane.last_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.gen_lane[0].u_lane.out_valid_q ;
  (* hierconn *) wire \gen_copy[1].u_lanes.gen_lane[0].u_lane.out_valid_q ;
  (* hierconn *) wire [3:0] \gen_copy[0].u_lanes.gen_lane[0].u_lane.round_q ;
  (* hierconn *) wire [3:0] \gen_copy[1].u_lanes.gen_lane[0].u_lane.round_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.gen_lane[1].u_lane.active_q ;
  (* hierconn *) wire \gen_copy[1].u_lanes.gen_lane[1].u_lane.active_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.gen_lane[1].u_lane.last_q ;
  (* hierconn *) wire \gen_copy[1].u_lanes.gen_lane[1].u_lane.last_q ;
  (* hierconn *) wire \gen_copy[0].u_lanes.gen_lane[1].u_lane.out_valid_q ;
  (* hierconn *) wire \gen_copy[1].u_lanes.gen_lane[1].u_lane.out_valid_q ;
  (* hierconn *) wire [3:0] \gen_copy[0].u_lanes.gen_lane[1].u_lane.round_q ;
  (* hierconn *) wire [3:0] \gen_copy[1].u_lanes.gen_lane[1].u_lane.round_q ;

  always_comb begin
    if (rst_n) begin
      assert (flags[0] == flags[1]);
      assert (\gen_copy[0].u_lanes.u_keys.wipe_index_q
              == \gen_copy[1].u_lanes.u_keys.wipe_index_q );
      assert (\gen_copy[0].u_lanes.u_keys.length_q == \gen_copy[1].u_lanes.u_keys.length_q );
      assert (\gen_copy[0].u_lanes.u_keys.make_q == \gen_copy[1].u_lanes.u_keys.make_q );
      assert (\gen_copy[0].u_lanes.u_keys.seed_q == \gen_copy[1].u_lanes.u_keys.seed_q );
      assert (\gen_copy[0].u_lanes.u_keys.place_q == \gen_copy[1].u_lanes.u_keys.place_q );
      assert (\gen_copy[0].u_lanes.u_keys.at_round_q == \gen_copy[1].u_lanes.u_keys.at_round_q );
      assert (\gen_copy[0].u_lanes.u_keys.at_column_q == \gen_copy[1].u_lanes.u_keys.at_column_q );
      assert (\gen_copy[0].u_lanes.enter_q == \gen_copy[1].u_lanes.enter_q );
      assert (\gen_copy[0].u_lanes.in_turn_q == \gen_copy[1].u_lanes.in_turn_q );
      assert (\gen_copy[0].u_lanes.out_turn_q == \gen_copy[1].u_lanes.out_turn_q );
      assert (\gen_copy[0].u_lanes.inverse_q == \gen_copy[1].u_lanes.inverse_q );
      assert (\gen_copy[0].u_lanes.gen_lane[0].u_lane.active_q
              == \gen_copy[1].u_lanes.gen_lane[0].u_lane.active_q );
      assert (\gen_copy[0].u_lanes.gen_lane[0].u_lane.last_q
              == \gen_copy[1].u_lanes.gen_lane[0].u_lane.last_q );
      assert (\gen_copy[0].u_lanes.gen_lane[0].u_lane.out_valid_q
              == \gen_copy[1].u_lanes.gen_lane[0].u_lane.out_valid_q );
      assert (\gen_copy[0].u_lanes.gen_lane[0].u_lane.round_q
              == \gen_copy[1].u_lanes.gen_lane[0].u_lane.round_q );
      assert (\gen_copy[0].u_lanes.gen_lane[1].u_lane.active_q
              == \gen_copy[1].u_lanes.gen_lane[1].u_lane.active_q );
      assert (\gen_copy[0].u_lanes.gen_lane[1].u_lane.last_q
              == \gen_copy[1].u_lanes.gen_lane[1].u_lane.last_q );
      assert (\gen_copy[0].u_lanes.gen_lane[1].u_lane.out_valid_q
              == \gen_copy[1].u_lanes.gen_lane[1].u_lane.out_valid_q );
      assert (\gen_copy[0].u_lanes.gen_lane[1].u_lane.round_q
              == \gen_copy[1].u_lanes.gen_lane[1].u_lane.round_q );
    end
  end

  logic unused;
  assign unused = ^data;
endmodule
