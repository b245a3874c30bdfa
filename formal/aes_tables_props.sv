// SPDX-License-Identifier: Apache-2.0
// The cipher from tables in block RAM, for every state, key and input. FIPS 197, sections 5.1,
// 5.3.5.
//
// Composition. aes_sbox_rom is replaced by formal/aes_sbox_rom_any.sv; a proof `tables` of a unit
// that has the same tables shows that they have the standard's values.
// 1. round: whatever is in the tables' output registers, the key's register and load_q, the next
//    state is the standard's round of the last one, and a result is its last round.
// 2. order: a block goes through these rounds as often as its key's length says, with the keys in
//    the direction's order; load_q and the result are zero when there is no block.
// 3. wipe: from any state, 32 cycles after a pulse of wipe_i or a reset nothing of it is left.
// 4. timing: two copies with other keys and blocks accept, finish and wipe in the same cycles.

// ---- 1: rounds ----------------------------------------------------------------------------------

// One round on a state in the standard's order; `round_o` without its key.
module aes_tables_spec (
  input  logic         inv_i,
  input  logic [127:0] state_i,
  output logic [127:0] round_o,
  output logic [127:0] last_o   // without (Inv)MixColumns
);
  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [31:0] moved;
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign moved[8*r +: 8] = inv_i ? state_i[32*((c + 4 - r) % 4) + 8*r +: 8] ^ 8'h63
                                     : state_i[32*((c + r) % 4) + 8*r +: 8] ^ 8'h52;
    end
    assign last_o[32*c +: 32]  = moved;
    assign round_o[32*c +: 32] = inv_i ? aes_spec_pkg::inv_mix_column(moved)
                                       : aes_spec_pkg::mix_column(moved);
  end
endmodule

`ifdef PIPED
`define PIPE_REGS 1
`else
`define PIPE_REGS 0
`endif

module aes_tables_round_props (
  input logic         clk_i,
  input logic         wipe_i,
  input logic         key_write_i,
  input logic [2:0]   key_word_i,
  input logic [31:0]  key_data_i,
  input logic         key_start_i,
  input logic [1:0]   key_length_i,
  input logic [1:0]   valid_i,
  input logic [127:0] enc_data_i,
  input logic [127:0] dec_data_i,
  input logic [1:0]   ready_i
);
  logic [5:0]   unused_flags;
  logic [1:0]   taken, valid;
  logic [127:0] enc_data, dec_data;
  aes_tables #(.PipeRegs(`PIPE_REGS)) u_unit (
    .clk_i, .rst_ni(1'b1), .wipe_i, .wiping_o(unused_flags[0]), .idle_o(unused_flags[1]),
    .key_write_i, .key_word_i, .key_data_i, .key_start_i, .key_length_i,
    .key_busy_o(unused_flags[2]), .key_valid_o(unused_flags[3]),
    .enc_valid_i(valid_i[0]), .enc_ready_o(taken[0]), .enc_data_i, .enc_valid_o(valid[0]),
    .enc_ready_i(ready_i[0]), .enc_data_o(enc_data),
    .dec_valid_i(valid_i[1]), .dec_ready_o(taken[1]), .dec_data_i, .dec_valid_o(valid[1]),
    .dec_ready_i(ready_i[1]), .dec_data_o(dec_data)
  );

  (* hierconn *) wire [127:0] \u_unit.state ;
  (* hierconn *) wire [127:0] \u_unit.address ;
  (* hierconn *) wire [127:0] \u_unit.key ;
  (* hierconn *) wire [127:0] \u_unit.load_q ;
  (* hierconn *) wire \u_unit.active_q , \u_unit.inv_q , \u_unit.stall , \u_unit.finish ;
  (* hierconn *) wire \u_unit.load , \u_unit.dir_q , \u_unit.clear , \u_unit.passes ;

  // Columns in the standard's order.
  function automatic logic [127:0] ordered(input logic inv, input logic [127:0] x);
    ordered = inv ? {x[63:32], x[95:64], x[127:96], x[31:0]} : x;
  endfunction

  // What was looked up, and how; the state before.
  logic [127:0] looked_q, key_q, in_q, round, last;
  logic         inv_q, known_q, finish_q, inv_last_q, load_q, dir_q, held_q, begun_q,
                begun_twice_q;
  logic [127:0] last_q, state_q;
  logic         passed_q;
  initial {begun_q, begun_twice_q} = 2'b00;
  aes_tables_spec u_spec (
    .inv_i(inv_q), .state_i(ordered(inv_q, looked_q)), .round_o(round), .last_o(last)
  );
  always_ff @(posedge clk_i) begin
    {begun_twice_q, begun_q} <= {begun_q, 1'b1};
    held_q  <= \u_unit.stall ;
    known_q <= !\u_unit.stall || (begun_q && known_q);
    if (!\u_unit.stall ) {inv_q, looked_q} <= {\u_unit.inv_q , \u_unit.address };
    {passed_q, state_q} <= {\u_unit.passes && !\u_unit.clear , \u_unit.state };
    finish_q   <= begun_q && known_q && \u_unit.finish && !\u_unit.clear ;
    inv_last_q <= \u_unit.inv_q ;
    last_q     <= last ^ ordered(inv_q, \u_unit.key );
    load_q     <= \u_unit.load && !\u_unit.clear ;
    dir_q      <= \u_unit.dir_q ;
    in_q       <= \u_unit.dir_q ? dec_data_i : enc_data_i;
  end

  // A block keeps its direction: see `order`.
  always_comb if (begun_q && known_q && \u_unit.active_q ) assume (inv_q == \u_unit.inv_q );

  // The first cycle has any state, so the next one is enough, and one more for what was held.
  always_comb begin
    if (begun_q && (!begun_twice_q || held_q)) begin
      if (known_q && \u_unit.active_q ) begin
        assert (ordered(inv_q, \u_unit.state )
                == (round ^ ordered(inv_q, \u_unit.key ^ \u_unit.load_q )));
      end
      if (!\u_unit.active_q ) assert (\u_unit.state == (\u_unit.key ^ \u_unit.load_q ));
      if (`PIPE_REGS == 0) assert (\u_unit.address == \u_unit.state );
      else if (passed_q)   assert (\u_unit.address == state_q);
      if (load_q) assert (ordered(dir_q, \u_unit.load_q ) == in_q);
    end
    if (begun_twice_q && finish_q) begin
      assert (valid == (inv_last_q ? 2'b10 : 2'b01));
      assert ((inv_last_q ? dec_data : enc_data) == last_q);
    end
  end

  logic unused;
  assign unused = ^{unused_flags, taken};
endmodule

// ---- 2: their order -----------------------------------------------------------------------------

module aes_tables_order_props (
  input logic         clk_i,
  input logic         wipe_i,
  input logic         key_write_i,
  input logic [2:0]   key_word_i,
  input logic [31:0]  key_data_i,
  input logic         key_start_i,
  input logic [1:0]   key_length_i,
  input logic [1:0]   valid_i,
  input logic [127:0] enc_data_i,
  input logic [127:0] dec_data_i,
  input logic [1:0]   ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic         wiping, idle, busy, key_valid;
  logic [1:0]   taken, valid;
  logic [127:0] enc_data, dec_data;
  aes_tables #(.PipeRegs(`PIPE_REGS)) u_unit (
    .clk_i, .rst_ni(rst_n), .wipe_i, .wiping_o(wiping), .idle_o(idle), .key_write_i, .key_word_i,
    .key_data_i, .key_start_i, .key_length_i, .key_busy_o(busy), .key_valid_o(key_valid),
    .enc_valid_i(valid_i[0]), .enc_ready_o(taken[0]), .enc_data_i, .enc_valid_o(valid[0]),
    .enc_ready_i(ready_i[0]), .enc_data_o(enc_data),
    .dec_valid_i(valid_i[1]), .dec_ready_o(taken[1]), .dec_data_i, .dec_valid_o(valid[1]),
    .dec_ready_i(ready_i[1]), .dec_data_o(dec_data)
  );
  always_comb if (key_start_i) assume (idle && valid_i == 2'b00 && key_length_i != 2'd3);

  (* hierconn *) wire [127:0] \u_unit.load_q ;
  (* hierconn *) wire [127:0] \u_unit.out_q ;
  (* hierconn *) wire [4:0]   \u_unit.key_index ;
  (* hierconn *) wire [3:0]   \u_unit.round_q ;
  (* hierconn *) wire [1:0]   \u_unit.length_q ;
  (* hierconn *) wire \u_unit.enter_q , \u_unit.active_q , \u_unit.last_q , \u_unit.inv_q ;
  (* hierconn *) wire \u_unit.finish , \u_unit.stall , \u_unit.load , \u_unit.look_q ;
  (* hierconn *) wire \u_unit.out_valid_q , \u_unit.out_inv_q , \u_unit.clear ;
  (* hierconn *) wire \u_unit.wiping_q , \u_unit.expanding_q ;

  // Keys that a block has had, the one in this cycle included; 0: there is no block. With PipeRegs
  // a cycle without a key precedes each but the first (between_q). index_q: the place whose key is
  // at the memory's output.
  logic [3:0] had_q, rounds;
  logic [4:0] index_q;
  logic       inverse_q, between_q, begun_q;
  initial {begun_q, had_q, inverse_q, between_q} = '0;
  assign rounds = \u_unit.length_q == 2'd2 ? 4'd14 : \u_unit.length_q == 2'd1 ? 4'd12 : 4'd10;
  always_ff @(posedge clk_i) begin
    begun_q <= rst_n;
    index_q <= \u_unit.key_index ;
    if (!rst_n || \u_unit.clear ) begin
      {had_q, inverse_q, between_q} <= '0;
    end else if (|(valid_i & taken)) begin
      {had_q, inverse_q} <= {4'd1, valid_i[1] && taken[1]};
    end else if (\u_unit.finish ) begin
      {had_q, inverse_q} <= '0;
    end else if (between_q) begin
      between_q <= 1'b0;
    end else if (had_q != 4'd0 && !\u_unit.stall ) begin
      had_q     <= had_q + 4'd1;
      between_q <= `PIPE_REGS == 1;
    end
  end

  logic has;
  logic [3:0] number;
  assign has    = had_q != 4'd0;
  assign number = had_q - 4'd1;
  always_comb begin
    if (rst_n) begin
      // One block at a time, never from both ports, and only with a key.
      assert (taken != 2'b11);
      assert (\u_unit.load == |(valid_i & taken));
      if (\u_unit.load ) assert (key_valid && (!has || \u_unit.finish ));
      assert (\u_unit.enter_q == (had_q == 4'd1));
      assert (\u_unit.look_q == between_q);
      assert (\u_unit.active_q == (had_q > 4'd1 && !between_q));
      assert (!between_q || had_q > 4'd1);
      assert (idle == !(has || busy || wiping));
      // Key `number` in the direction's order, among those of the direction.
      if (has) begin
        assert (key_valid && had_q <= rounds + 4'd1 && \u_unit.inv_q == inverse_q);
        assert (\u_unit.round_q == (inverse_q ? rounds - number : number));
        if (!between_q) assert (index_q == {inverse_q, \u_unit.round_q });
        assert (\u_unit.last_q == (number == rounds && !between_q));
      end else begin
        assert (!\u_unit.last_q && !\u_unit.inv_q );
      end
      if (\u_unit.finish ) assert (has && number == rounds && !between_q && !\u_unit.out_valid_q );
      assert (!(key_valid && busy) && \u_unit.length_q != 2'd3);
      if (wiping) assert (!has && !key_valid && !busy);
      // No text stays.
      if (begun_q) begin
        if (!\u_unit.enter_q && !busy) assert (\u_unit.load_q == 128'h0);
        if (!\u_unit.out_valid_q ) assert (\u_unit.out_q == 128'h0);
        if (!valid[0] && !valid[1]) assert (enc_data == 128'h0 && dec_data == 128'h0);
      end else begin
        assert (wiping);
      end
      assert (valid == {\u_unit.out_valid_q && \u_unit.out_inv_q ,
                        \u_unit.out_valid_q && !\u_unit.out_inv_q });
    end
  end
endmodule

// ---- 3: wipe ------------------------------------------------------------------------------------

module aes_tables_wipe_props (
  input logic         clk_i,
  input logic         key_write_i,
  input logic [2:0]   key_word_i,
  input logic [31:0]  key_data_i,
  input logic         key_start_i,
  input logic [1:0]   key_length_i,
  input logic [1:0]   valid_i,
  input logic [127:0] enc_data_i,
  input logic [127:0] dec_data_i,
  input logic [1:0]   ready_i
);
  // Any state at first; a pulse or a reset in the first cycle.
  (* anyconst *) logic by_reset;
  logic [5:0] cycle_q = 6'd0;
  logic       rst_n, wipe;
  always_ff @(posedge clk_i) if (cycle_q != '1) cycle_q <= cycle_q + 6'd1;
  assign rst_n = !(by_reset && cycle_q == 6'd0);
  assign wipe  = !by_reset && cycle_q == 6'd0;

  logic         wiping, idle, busy, key_valid;
  logic [1:0]   taken, valid;
  logic [127:0] enc_data, dec_data;
  aes_tables #(.PipeRegs(`PIPE_REGS)) u_unit (
    .clk_i, .rst_ni(rst_n), .wipe_i(wipe), .wiping_o(wiping), .idle_o(idle), .key_write_i,
    .key_word_i, .key_data_i, .key_start_i, .key_length_i, .key_busy_o(busy),
    .key_valid_o(key_valid),
    .enc_valid_i(valid_i[0]), .enc_ready_o(taken[0]), .enc_data_i, .enc_valid_o(valid[0]),
    .enc_ready_i(ready_i[0]), .enc_data_o(enc_data),
    .dec_valid_i(valid_i[1]), .dec_ready_o(taken[1]), .dec_data_i, .dec_valid_o(valid[1]),
    .dec_ready_i(ready_i[1]), .dec_data_o(dec_data)
  );

  (* hierconn *) wire [127:0] \u_unit.load_q ;
  (* hierconn *) wire [127:0] \u_unit.out_q ;
  (* hierconn *) wire [127:0] \u_unit.key ;
  (* hierconn *) wire [127:0] \u_unit.boxed ;
  (* hierconn *) wire [127:0] \u_unit.mixed ;
  (* hierconn *) wire [4:0]   \u_unit.store_index ;
  (* hierconn *) wire [3:0]   \u_unit.store_write ;
  (* hierconn *) wire [31:0]  \u_unit.stored ;
  (* hierconn *) wire [2:0]   \u_unit.ring_index ;
  (* hierconn *) wire [31:0]  \u_unit.ring_data ;
  (* hierconn *) wire [7:0]   \u_unit.rcon_q ;
  (* hierconn *) wire [2:0]   \u_unit.place_q ;
  (* hierconn *) wire [3:0]   \u_unit.round_q , \u_unit.store_round_q ;
  (* hierconn *) wire [1:0]   \u_unit.length_q , \u_unit.store_column_q ;
  (* hierconn *) wire [4:0]   \u_unit.wipe_index_q ;
  (* hierconn *) wire \u_unit.ring_write , \u_unit.wiping_q ;
  (* hierconn *) wire \u_unit.enter_q , \u_unit.active_q , \u_unit.last_q , \u_unit.inv_q ;
  (* hierconn *) wire \u_unit.dir_q , \u_unit.last_dec_q , \u_unit.out_valid_q , \u_unit.out_inv_q ;
  (* hierconn *) wire \u_unit.expanding_q , \u_unit.key_valid_q , \u_unit.make_q , \u_unit.seed_q ;
  (* hierconn *) wire \u_unit.look_q ;
  (* hierconn *) wire [1:0]   \u_unit.wait_q ;
  (* hierconn *) wire [31:0]  \u_unit.sub ;
  (* hierconn *) wire [127:0] \u_unit.address ;

  // A place of either memory holds what was last written to it.
  (* anyconst *) logic [4:0] place;
  logic [127:0] bank_q;
  logic [31:0]  ring_q;
  always_ff @(posedge clk_i) begin
    for (int c = 0; c < 4; c++) begin
      if (\u_unit.store_write [c] && \u_unit.store_index == place) begin
        bank_q[32*c +: 32] <= \u_unit.stored ;
      end
    end
    if (\u_unit.ring_write && \u_unit.ring_index == place[2:0]) ring_q <= \u_unit.ring_data ;
  end

  always_comb begin
    if (cycle_q != 6'd0 && cycle_q <= 6'd32) assert (wiping && !busy && !key_valid && !idle);
    if (cycle_q == 6'd33) begin
      assert (!wiping && idle);
      assert ({taken, valid} == 4'b0000);
      assert ({enc_data, dec_data} == 256'h0);
      // Memories.
      assert (bank_q == 128'h0 && ring_q == 32'h0);
      // Output registers of block RAM: place 15, and the look-up of zero (here: 0 + {52}).
      assert (\u_unit.key == 128'h0);
      assert (\u_unit.boxed == {16{8'h52}} && \u_unit.mixed == {16{8'h52}});
      // Registers.
      assert (\u_unit.load_q == 128'h0 && \u_unit.out_q == 128'h0);
      assert ({\u_unit.enter_q , \u_unit.active_q , \u_unit.last_q , \u_unit.inv_q } == 4'b0000);
      assert ({\u_unit.dir_q , \u_unit.last_dec_q , \u_unit.out_valid_q } == 3'b000);
      assert ({\u_unit.out_inv_q , \u_unit.expanding_q , \u_unit.key_valid_q } == 3'b000);
      assert ({\u_unit.make_q , \u_unit.seed_q } == 2'b11 && \u_unit.rcon_q == 8'h01);
      assert ({\u_unit.wait_q , \u_unit.look_q } == 3'b000 && \u_unit.address == 128'h0);
      if (`PIPE_REGS == 1) assert (\u_unit.sub == 32'h0);
      assert (\u_unit.place_q == 3'd0 && \u_unit.round_q == 4'd0 && \u_unit.length_q == 2'd0);
      assert ({\u_unit.store_round_q , \u_unit.store_column_q } == 6'h3f);
      assert (\u_unit.wipe_index_q == 5'd0);
    end
  end
endmodule

// ---- 4: timing ----------------------------------------------------------------------------------

module aes_tables_timing_props (
  input logic              clk_i,
  input logic              wipe_i,
  input logic              key_write_i,
  input logic [2:0]        key_word_i,
  input logic              key_start_i,
  input logic [1:0]        key_length_i,
  input logic [1:0]        valid_i,
  input logic [1:0]        ready_i,
  input logic [1:0][31:0]  key_data_i,
  input logic [1:0][127:0] enc_data_i,
  input logic [1:0][127:0] dec_data_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [1:0][7:0]   flags;
  logic [1:0][127:0] enc_data, dec_data;
  for (genvar i = 0; i < 2; i++) begin : gen_copy
    aes_tables #(.PipeRegs(`PIPE_REGS)) u_unit (
      .clk_i, .rst_ni(rst_n), .wipe_i, .wiping_o(flags[i][0]), .idle_o(flags[i][1]), .key_write_i,
      .key_word_i, .key_data_i(key_data_i[i]), .key_start_i, .key_length_i,
      .key_busy_o(flags[i][2]), .key_valid_o(flags[i][3]),
      .enc_valid_i(valid_i[0]), .enc_ready_o(flags[i][4]), .enc_data_i(enc_data_i[i]),
      .enc_valid_o(flags[i][5]), .enc_ready_i(ready_i[0]), .enc_data_o(enc_data[i]),
      .dec_valid_i(valid_i[1]), .dec_ready_o(flags[i][6]), .dec_data_i(dec_data_i[i]),
      .dec_valid_o(flags[i][7]), .dec_ready_i(ready_i[1]), .dec_data_o(dec_data[i])
    );
  end

  // Every register of the control, of the first copy and of the second.
  (* hierconn *) wire [4:0] \gen_copy[0].u_unit.wipe_index_q , \gen_copy[1].u_unit.wipe_index_q ;
  (* hierconn *) wire [3:0] \gen_copy[0].u_unit.round_q , \gen_copy[1].u_unit.round_q ;
  (* hierconn *) wire [3:0] \gen_copy[0].u_unit.store_round_q ;
  (* hierconn *) wire [3:0] \gen_copy[1].u_unit.store_round_q ;
  (* hierconn *) wire [1:0] \gen_copy[0].u_unit.store_column_q ;
  (* hierconn *) wire [1:0] \gen_copy[1].u_unit.store_column_q ;
  (* hierconn *) wire [1:0] \gen_copy[0].u_unit.length_q , \gen_copy[1].u_unit.length_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.dir_q , \gen_copy[1].u_unit.dir_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.last_dec_q , \gen_copy[1].u_unit.last_dec_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.enter_q , \gen_copy[1].u_unit.enter_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.active_q , \gen_copy[1].u_unit.active_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.last_q , \gen_copy[1].u_unit.last_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.inv_q , \gen_copy[1].u_unit.inv_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.make_q , \gen_copy[1].u_unit.make_q ;
  (* hierconn *) wire [1:0] \gen_copy[0].u_unit.wait_q , \gen_copy[1].u_unit.wait_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.look_q , \gen_copy[1].u_unit.look_q ;
  (* hierconn *) wire \gen_copy[0].u_unit.seed_q , \gen_copy[1].u_unit.seed_q ;
  (* hierconn *) wire [2:0] \gen_copy[0].u_unit.place_q , \gen_copy[1].u_unit.place_q ;

  always_comb begin
    if (rst_n) begin
      assert (flags[0] == flags[1]);
      assert (\gen_copy[0].u_unit.wipe_index_q == \gen_copy[1].u_unit.wipe_index_q );
      assert (\gen_copy[0].u_unit.round_q == \gen_copy[1].u_unit.round_q );
      assert (\gen_copy[0].u_unit.store_round_q == \gen_copy[1].u_unit.store_round_q );
      assert (\gen_copy[0].u_unit.store_column_q == \gen_copy[1].u_unit.store_column_q );
      assert (\gen_copy[0].u_unit.length_q == \gen_copy[1].u_unit.length_q );
      assert (\gen_copy[0].u_unit.dir_q == \gen_copy[1].u_unit.dir_q );
      assert (\gen_copy[0].u_unit.last_dec_q == \gen_copy[1].u_unit.last_dec_q );
      assert (\gen_copy[0].u_unit.enter_q == \gen_copy[1].u_unit.enter_q );
      assert (\gen_copy[0].u_unit.active_q == \gen_copy[1].u_unit.active_q );
      assert (\gen_copy[0].u_unit.last_q == \gen_copy[1].u_unit.last_q );
      assert (\gen_copy[0].u_unit.inv_q == \gen_copy[1].u_unit.inv_q );
      assert (\gen_copy[0].u_unit.make_q == \gen_copy[1].u_unit.make_q );
      assert (\gen_copy[0].u_unit.wait_q == \gen_copy[1].u_unit.wait_q );
      assert (\gen_copy[0].u_unit.look_q == \gen_copy[1].u_unit.look_q );
      assert (\gen_copy[0].u_unit.seed_q == \gen_copy[1].u_unit.seed_q );
      assert (\gen_copy[0].u_unit.place_q == \gen_copy[1].u_unit.place_q );
    end
  end

  logic unused;
  assign unused = ^{enc_data, dec_data};
endmodule
