// SPDX-License-Identifier: Apache-2.0
// Iterative AES core for FPGAs: rounds from tables in block RAM, round keys in block RAM, both
// directions, one block at a time. FIPS 197, sections 5.1, 5.2, 5.3 and 5.3.5; the tables are those
// of Daemen and Rijmen, "The Design of Rijndael", section 4.2.
//
// PipeRegs  0  a round a cycle: the tables' outputs reach their inputs in one cycle
//           1  a round in two cycles: a register before the tables' inputs
//
// The ports are those of aes_iter with Dir "shared". Cycles:
//
//                                     PipeRegs 0    PipeRegs 1
//   from a block to its result        2 + rounds    2 + 2*rounds
//   from a block to the next          1 + rounds    1 + 2*rounds
//   from key_start_i to key_valid_o   90, 106, 122  112, 122, 150  (128, 192, 256 bits)
//
// An unaccepted result stalls the next block in its last round, for at least one cycle. A block of
// the other direction enters one cycle later, unless it waits at its port already. Timing depends
// only on handshakes, key length and directions. Ready and valid outputs are functions of registers
// alone.
//
// A pulse of wipe_i clears every register that has a clear, and overwrites the memories in 32
// cycles; reset does the same. The output registers of block RAM have no clear, so they read what
// was wiped: at the end the register of round keys is zero, those of the tables hold the look-up of
// zero. Between blocks they hold the first round key and its look-up, with PipeRegs 1 the first
// round key and the look-up of zero.
//
// Decryption is the equivalent inverse cipher on a state whose columns 1 and 3 are exchanged. In
// that order InvShiftRows is ShiftRows, so both directions use the same wires.
module aes_tables #(
  parameter Has192   = 1,
  parameter Has256   = 1,
  parameter PipeRegs = 0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  output logic         wiping_o,
  output logic         idle_o,        // no block before its result, no key expansion, no wipe

  input  logic         key_write_i,   // not while key_busy_o
  input  logic [2:0]   key_word_i,
  input  logic [31:0]  key_data_i,    // first byte in bits 7 to 0, as in blocks
  input  logic         key_start_i,   // only while idle_o, without a block at a port
  input  logic [1:0]   key_length_i,  // 0: 128 bits, 1: 192, 2: 256; read with key_start_i
  output logic         key_busy_o,
  output logic         key_valid_o,

  input  logic         enc_valid_i,
  output logic         enc_ready_o,
  input  logic [127:0] enc_data_i,
  output logic         enc_valid_o,
  input  logic         enc_ready_i,
  output logic [127:0] enc_data_o,

  input  logic         dec_valid_i,
  output logic         dec_ready_o,
  input  logic [127:0] dec_data_i,
  output logic         dec_valid_o,
  input  logic         dec_ready_i,
  output logic [127:0] dec_data_o
);
  localparam logic [3:0] NoKey = 4'd15;  // a round key that is always zero

  // ---- wiping -----------------------------------------------------------------------------------

  logic       wiping_q, clear;
  logic [4:0] wipe_index_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wiping_q     <= 1'b1;
      wipe_index_q <= 5'd0;
    end else if (wipe_i) begin
      wiping_q     <= 1'b1;
      wipe_index_q <= 5'd0;
    end else if (wiping_q) begin
      wiping_q     <= wipe_index_q != 5'd31;
      wipe_index_q <= wipe_index_q + 5'd1;
    end
  end
  assign wiping_o = wiping_q;
  assign clear    = wipe_i || wiping_q;

  // ---- blocks -----------------------------------------------------------------------------------

  // dir_q     direction of the next block, 1 decrypts; with blocks at both ports they take turns
  // enter_q   the block is in load_q
  // look_q    it is in state_q (PipeRegs 1 only)
  // active_q  it is in the output registers of the tables
  // last_q    these hold its last round: the result is due
  // coming    these hold the block in the next cycle, together with the round key coming_round
  // inv_q     direction of the block that is inside
  // round_q   number of the round key at the output of its memory; while look_q, of the next one
  logic       expanding_q, key_valid_q;
  logic       dir_q, last_dec_q, enter_q, look_q, active_q, last_q, inv_q;
  logic       out_valid_q, out_inv_q;
  logic       enc_in, dec_in, choose_dec, ready, load, passes, coming, stall, finish, out_ready;
  logic [1:0] length_q;
  logic [3:0] round_q, rounds, first_round, next_round, coming_round;

  assign rounds = {1'b1, length_q, 1'b0} + 4'd2;
  assign enc_in = enc_valid_i && key_valid_q;
  assign dec_in = dec_valid_i && key_valid_q;
  assign stall  = last_q && out_valid_q;
  assign finish = last_q && !out_valid_q;
  assign ready  = key_valid_q && !enter_q && !look_q && (!active_q || finish);
  assign load   = ready && (dir_q ? dec_valid_i : enc_valid_i);
  assign enc_ready_o = ready && !dir_q;
  assign dec_ready_o = ready && dir_q;
  assign idle_o      = !enter_q && !look_q && !active_q && !expanding_q && !wiping_q;

  assign choose_dec  = dec_in && (!enc_in || !last_dec_q);
  assign first_round = dir_q ? rounds : 4'd0;
  assign next_round  = inv_q ? round_q - 4'd1 : round_q + 4'd1;
  assign passes      = (enter_q || active_q) && !last_q;
  if (PipeRegs == 0) begin : gen_coming
    assign coming       = passes;
    assign coming_round = next_round;
    assign look_q       = 1'b0;
  end else if (PipeRegs == 1) begin : gen_coming
    assign coming       = look_q;
    assign coming_round = round_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)    look_q <= 1'b0;
      else if (clear) look_q <= 1'b0;
      else            look_q <= passes;
    end
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {dir_q, last_dec_q, enter_q, active_q, last_q, inv_q} <= '0;
      round_q <= 4'd0;
    end else if (clear) begin
      {dir_q, last_dec_q, enter_q, active_q, last_q, inv_q} <= '0;
      round_q <= 4'd0;
    end else begin
      if (load)             last_dec_q <= dir_q;
      if (enc_in || dec_in) dir_q <= choose_dec;
      enter_q  <= load;
      active_q <= stall || coming;
      last_q   <= stall || (coming && coming_round == (inv_q ? 4'd0 : rounds));
      if (load) begin
        inv_q   <= dir_q;
        round_q <= first_round;
      end else if (finish) begin
        inv_q <= 1'b0;
      end else if (passes) begin
        round_q <= next_round;
      end
    end
  end

  // ---- key expansion: a word in two cycles, or four ---------------------------------------------

  // The ring holds the last Nk words (key words: 4, 6 or 8). A word takes these steps:
  // 1. It is made from the ring and goes into load_q (make_q).
  // 2. It is stored for encryption and looked up for SubWord. With PipeRegs 1 that takes two more
  //    cycles if the next word needs SubWord (again, wait_q).
  // 3. While the next word is made, it is stored for decryption, through InvMixColumns unless it
  //    belongs to the first or last round key.
  // seed_q: the words are those of the key itself. store_*_q: place of the word in load_q. drain:
  // it is the last word. At the end the ring holds zeros.
  logic        make_q, again, seed_q, drain, spent, ring_write;
  logic [1:0]  wait_q;
  logic        is192, is256;
  logic [2:0]  place_q, place_next, ring_index;
  logic [3:0]  store_round_q;
  logic [1:0]  store_column_q;
  logic [7:0]  rcon_q;
  logic [31:0] ring_read, ring_data, sub, temp, word;
  logic [127:0] load_q;

  assign is192      = (Has192 != 0) && length_q == 2'd1;
  assign is256      = (Has256 != 0) && length_q == 2'd2;
  assign place_next = place_q == (is256 ? 3'd7 : is192 ? 3'd5 : 3'd3) ? 3'd0 : place_q + 3'd1;
  assign drain      = store_round_q == rounds && store_column_q == 2'd3;

  // The next word needs SubWord of the one in load_q, whose look-up has not begun.
  assign again = (PipeRegs != 0) && expanding_q && !make_q && wait_q == 2'b00
              && (place_q == 3'd0 || (is256 && place_q == 3'd4 && !seed_q));

  // No word is made from the last Nk words: zero replaces them.
  logic [3:0] made_round;
  assign made_round = store_round_q + 4'(store_column_q == 2'd3);
  assign spent = made_round == rounds || (is256 && made_round == 4'd13)
              || (is192 && made_round == 4'd11 && store_column_q[1] != store_column_q[0]);

  (* ram_style = "distributed" *) logic [31:0] ring [0:7];
  assign ring_index = wiping_q ? wipe_index_q[2:0] : !expanding_q ? key_word_i
                    : make_q ? place_q : {1'b1, is192 || store_column_q[1], store_column_q[0]};
  assign ring_write = wiping_q || (expanding_q ? (make_q ? !drain : !is256) : key_write_i);
  assign ring_data  = wiping_q ? 32'h0 : !expanding_q ? key_data_i
                    : make_q && !spent ? word : 32'h0;
  always_ff @(posedge clk_i) if (ring_write) ring[ring_index] <= ring_data;
  assign ring_read = ring[place_q];

  assign temp = seed_q ? 32'h0
              : place_q == 3'd0 ? {sub[7:0], sub[31:16], sub[15:8] ^ rcon_q}
              : is256 && place_q == 3'd4 ? sub : load_q[31:0];
  assign word = ring_read ^ temp;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      length_q    <= 2'd0;
      expanding_q <= 1'b0;
      key_valid_q <= 1'b0;
    end else if (clear) begin
      length_q    <= 2'd0;
      expanding_q <= 1'b0;
      key_valid_q <= 1'b0;
    end else if (key_start_i) begin
      length_q    <= key_length_i;
      expanding_q <= 1'b1;
      key_valid_q <= 1'b0;
    end else if (expanding_q && make_q && drain) begin
      expanding_q <= 1'b0;
      key_valid_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {make_q, wait_q, seed_q} <= 4'b1001;
      place_q          <= 3'd0;
      rcon_q           <= 8'h01;
      {store_round_q, store_column_q} <= '1;  // the word before the first
    end else if (clear || !expanding_q) begin
      {make_q, wait_q, seed_q} <= 4'b1001;
      place_q          <= 3'd0;
      rcon_q           <= 8'h01;
      {store_round_q, store_column_q} <= '1;
    end else begin
      make_q <= !make_q && !again && !wait_q[0];
      wait_q <= {wait_q[0], again};
      if (make_q) begin
        place_q <= place_next;
        seed_q  <= seed_q && place_next != 3'd0;
        if (place_q == 3'd0 && !seed_q) begin
          rcon_q <= {rcon_q[6:0], 1'b0} ^ (rcon_q[7] ? 8'h1b : 8'h00);
        end
        {store_round_q, store_column_q} <= {store_round_q, store_column_q} + 6'd1;
      end
    end
  end
  assign key_busy_o  = expanding_q;
  assign key_valid_o = key_valid_q;

  // ---- round keys -------------------------------------------------------------------------------

  // Places 0 to 14: encryption. Places 16 to 30: decryption, columns 1 and 3 exchanged. Place 15 is
  // zero; place 31 is unused, and gets a zero when the first word is made.
  logic         plain;
  logic [31:0]  unmixed, stored;
  logic [3:0]   store_write;
  logic [4:0]   store_index, key_index;
  logic [127:0] key;

  aes_mixcolumn #(.Dir("inv")) u_unmix (
    .inv_i(1'b1), .data_i(load_q[31:0]), .data_o(unmixed)
  );
  assign plain       = !make_q || store_round_q == 4'd0 || store_round_q == rounds;
  assign stored      = (plain ? load_q[31:0] : unmixed) & {32{!wiping_q}};
  assign store_index = wiping_q ? wipe_index_q : {make_q, store_round_q};
  always_comb begin
    store_write = 4'h0;
    if (expanding_q) begin
      store_write[make_q ? 2'd0 - store_column_q : store_column_q] = 1'b1;
    end
    if (wiping_q) store_write = 4'hf;
  end

  // The key of the next cycle.
  always_comb begin
    if (!key_valid_q) key_index = {1'b0, NoKey};
    else if (stall)   key_index = {inv_q, round_q};
    else if (coming)  key_index = {inv_q, coming_round};
    else              key_index = {dir_q, first_round};
  end

  for (genvar c = 0; c < 4; c++) begin : gen_bank
    (* ram_style = "block", no_rw_check *) logic [31:0] bank [0:31];
    logic [31:0] key_q;
    always_ff @(posedge clk_i) begin
      if (store_write[c]) bank[store_index] <= stored;
      key_q <= bank[key_index];
    end
    assign key[32*c +: 32] = key_q;
  end

  // ---- rounds -----------------------------------------------------------------------------------

  // A column that enters: exchanged for decryption.
  for (genvar c = 0; c < 4; c++) begin : gen_load
    logic [31:0] column;
    assign column = dir_q ? dec_data_i[32*((4 - c) % 4) +: 32] : enc_data_i[32*c +: 32];
    always_ff @(posedge clk_i) begin
      if (clear)                           load_q[32*c +: 32] <= '0;
      else if (load)                       load_q[32*c +: 32] <= column;
      else if (c != 0 || !expanding_q)     load_q[32*c +: 32] <= '0;
      else if (make_q)                     load_q[32*c +: 32] <= drain ? 32'h0 : word;
    end
  end

  // A table has, for a byte, its column of (Inv)MixColumns after the S-box. The coefficients of a
  // column of either matrix add up to 1, so the sum of a table's four bytes is the S-box alone.
  logic [127:0] mixed, boxed, state, address;
  assign state = (mixed & {128{active_q}}) ^ key ^ load_q;
  if (PipeRegs == 0) begin : gen_state
    assign address = state;
  end else begin : gen_state
    logic [127:0] state_q;
    always_ff @(posedge clk_i) begin
      if (clear || !(passes || again)) state_q <= '0;
      else                             state_q <= state;
    end
    assign address = state_q;
  end

  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [127:0] part;   // what row r adds to the column, from bit 32*r on
    logic [31:0]  moved;  // ShiftRows: row r of column c is taken from column c + r
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign moved[8*r +: 8] = address[32*((c + r) % 4) + 8*r +: 8];
      assign boxed[32*c + 8*r +: 8] = part[32*r +: 8] ^ part[32*r + 8 +: 8]
                                    ^ part[32*r + 16 +: 8] ^ part[32*r + 24 +: 8];
      // Row r of the sum takes the coefficient of row r - s from table s.
      assign mixed[32*c + 8*r +: 8] = part[8*r +: 8] ^ part[32 + 8*((r + 3) % 4) +: 8]
                                    ^ part[64 + 8*((r + 2) % 4) +: 8]
                                    ^ part[96 + 8*((r + 1) % 4) +: 8];
    end
    for (genvar p = 0; p < 2; p++) begin : gen_pair
      // Columns (02 01 01 03) and (0e 09 0d 0b), first row in bits 7 to 0.
      aes_sbox_rom #(.Tables(2), .Bytes(4), .Inverse(2), .Coeffs(32'hbd9e3112)) u_table (
        .clk_i, .read_i(!stall), .first_i({inv_q, moved[16*p +: 8]}),
        .second_i({inv_q, moved[16*p + 8 +: 8]}), .first_o(part[64*p +: 32]),
        .second_o(part[64*p + 32 +: 32])
      );
    end
  end

  // SubWord: byte r of column 0 was looked up in column -r.
  logic [31:0] looked_up;
  for (genvar r = 0; r < 4; r++) begin : gen_looked
    assign looked_up[8*r +: 8] = boxed[32*((4 - r) % 4) + 8*r +: 8];
  end
  if (PipeRegs == 0) begin : gen_sub
    assign sub = looked_up;
  end else begin : gen_sub
    logic [31:0] sub_q;
    always_ff @(posedge clk_i) sub_q <= looked_up & {32{wait_q[1] && !clear}};
    assign sub = sub_q;
  end

  // ---- result -----------------------------------------------------------------------------------

  logic [127:0] out_q;

  assign out_ready = out_inv_q ? dec_ready_i : enc_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)        {out_valid_q, out_inv_q} <= 2'b00;
    else if (clear)     {out_valid_q, out_inv_q} <= 2'b00;
    else if (finish)    {out_valid_q, out_inv_q} <= {1'b1, inv_q};
    else if (out_ready) {out_valid_q, out_inv_q} <= 2'b00;
  end
  for (genvar c = 0; c < 4; c++) begin : gen_out
    logic [31:0] own, other;
    assign own   = boxed[32*c +: 32] ^ key[32*c +: 32];
    assign other = boxed[32*((4 - c) % 4) +: 32] ^ key[32*((4 - c) % 4) +: 32];
    always_ff @(posedge clk_i) begin
      if (clear || (out_ready && !finish)) out_q[32*c +: 32] <= '0;
      else if (finish)                     out_q[32*c +: 32] <= inv_q ? other : own;
    end
  end
  assign enc_valid_o = out_valid_q && !out_inv_q;
  assign dec_valid_o = out_valid_q && out_inv_q;
  assign enc_data_o  = out_q;
  assign dec_data_o  = out_q;
endmodule
