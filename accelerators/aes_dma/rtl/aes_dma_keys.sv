// SPDX-License-Identifier: Apache-2.0
// Key expansion for lanes with tables in block RAM (aes_dma_lane): it writes the round keys of both
// directions into their memories. FIPS 197, sections 5.2 and 5.3.5. A word takes two cycles:
//
// 1. It is made from the ring, which holds the last Nk words, and goes into word_q (make_q).
// 2. It is stored for encryption and looked up for SubWord.
// 3. While the next word is made, it is stored for decryption, through InvMixColumns unless it
//    belongs to the first or last round key.
//
// From key_start_i to key_valid_o: 90, 106, 122 cycles (128, 192, 256 bits). A pulse of wipe_i or a
// reset clears every register that has a clear, and overwrites the ring and the lanes' memories in
// 32 cycles. The S-boxes' output registers then hold the look-up of zero.
module aes_dma_keys #(
  parameter Has192 = 1,
  parameter Has256 = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        wipe_i,
  output logic        wiping_o,
  input  logic        key_write_i,     // not while key_busy_o
  input  logic [2:0]  key_word_i,
  input  logic [31:0] key_data_i,      // first byte in bits 7 to 0
  input  logic        key_start_i,
  input  logic [1:0]  key_length_i,    // 0: 128 bits, 1: 192, 2: 256; read with key_start_i
  output logic        key_busy_o,
  output logic        key_valid_o,
  output logic [3:0]  rounds_o,

  output logic [3:0]  store_write_o,   // by column
  output logic [4:0]  store_index_o,   // {inverse, round}
  output logic [31:0] store_word_o
);
  logic       wiping_q, expanding_q, key_valid_q, clear;
  logic [4:0] wipe_index_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)       {wiping_q, wipe_index_q} <= {1'b1, 5'd0};
    else if (wipe_i)   {wiping_q, wipe_index_q} <= {1'b1, 5'd0};
    else if (wiping_q) {wiping_q, wipe_index_q} <= {wipe_index_q != 5'd31, wipe_index_q + 5'd1};
  end
  assign wiping_o = wiping_q;
  assign clear    = wipe_i || wiping_q;

  // ---- words ------------------------------------------------------------------------------------

  // seed_q: the words are those of the key itself. at_*_q: place of the word in word_q. last: it is
  // the last one. spent: no word is made from the last Nk words, so zero replaces them.
  logic        make_q, seed_q, last, spent, is192, is256, ring_write;
  logic [1:0]  length_q, at_column_q;
  logic [3:0]  rounds, at_round_q, made_round;
  logic [2:0]  place_q, place_next, ring_index;
  logic [7:0]  rcon_q;
  logic [31:0] word_q, word, sub, temp, ring_data;

  assign is192      = (Has192 != 0) && length_q == 2'd1;
  assign is256      = (Has256 != 0) && length_q == 2'd2;
  assign rounds     = {1'b1, length_q, 1'b0} + 4'd2;
  assign last       = at_round_q == rounds && at_column_q == 2'd3;
  assign place_next = place_q == (is256 ? 3'd7 : is192 ? 3'd5 : 3'd3) ? 3'd0 : place_q + 3'd1;
  assign made_round = at_round_q + 4'(at_column_q == 2'd3);
  assign spent      = made_round == rounds || (is256 && made_round == 4'd13)
                   || (is192 && made_round == 4'd11 && at_column_q[1] != at_column_q[0]);

  (* ram_style = "distributed" *) logic [31:0] ring [0:7];
  assign ring_index = wiping_q ? wipe_index_q[2:0] : !expanding_q ? key_word_i
                    : make_q ? place_q : {1'b1, is192 || at_column_q[1], at_column_q[0]};
  assign ring_write = wiping_q || (expanding_q ? (make_q ? !last : !is256) : key_write_i);
  assign ring_data  = wiping_q ? 32'h0 : !expanding_q ? key_data_i
                    : make_q && !spent ? word : 32'h0;
  always_ff @(posedge clk_i) if (ring_write) ring[ring_index] <= ring_data;

  for (genvar p = 0; p < 2; p++) begin : gen_box
    aes_sbox_rom #(.Tables(1), .Bytes(1), .Inverse(0), .Coeffs(1)) u_box (
      .clk_i, .read_i(1'b1), .first_i(word_q[16*p +: 8]), .second_i(word_q[16*p + 8 +: 8]),
      .first_o(sub[16*p +: 8]), .second_o(sub[16*p + 8 +: 8])
    );
  end
  assign temp = seed_q ? 32'h0
              : place_q == 3'd0 ? {sub[7:0], sub[31:16], sub[15:8] ^ rcon_q}
              : is256 && place_q == 3'd4 ? sub : word_q;
  assign word = ring[place_q] ^ temp;

  always_ff @(posedge clk_i) begin
    if (clear || !expanding_q) word_q <= 32'h0;
    else if (make_q)           word_q <= last ? 32'h0 : word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    {expanding_q, key_valid_q, length_q} <= 4'b0000;
    else if (clear) {expanding_q, key_valid_q, length_q} <= 4'b0000;
    else if (key_start_i)
      {expanding_q, key_valid_q, length_q} <= {2'b10, key_length_i};
    else if (expanding_q && make_q && last)
      {expanding_q, key_valid_q} <= 2'b01;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {make_q, seed_q, place_q, rcon_q} <= {5'b11000, 8'h01};
      {at_round_q, at_column_q}         <= '1;  // the word before the first
    end else if (clear || !expanding_q) begin
      {make_q, seed_q, place_q, rcon_q} <= {5'b11000, 8'h01};
      {at_round_q, at_column_q}         <= '1;
    end else begin
      make_q <= !make_q;
      if (make_q) begin
        place_q <= place_next;
        seed_q  <= seed_q && place_next != 3'd0;
        if (place_q == 3'd0 && !seed_q) rcon_q <= {rcon_q[6:0], 1'b0} ^ (8'h1b & {8{rcon_q[7]}});
        {at_round_q, at_column_q} <= {at_round_q, at_column_q} + 6'd1;
      end
    end
  end
  assign key_busy_o  = expanding_q;
  assign key_valid_o = key_valid_q;
  assign rounds_o    = rounds;

  // ---- to the lanes -----------------------------------------------------------------------------

  // Places 0 to 14: encryption. Places 16 to 30: decryption, columns 1 and 3 exchanged. Place 15 is
  // zero; place 31 is unused, and gets a zero when the first word is made.
  logic        plain;
  logic [31:0] unmixed;

  aes_mixcolumn #(.Dir("inv")) u_unmix (.inv_i(1'b1), .data_i(word_q), .data_o(unmixed));
  assign plain         = !make_q || at_round_q == 4'd0 || at_round_q == rounds;
  assign store_word_o  = (plain ? word_q : unmixed) & {32{!wiping_q}};
  assign store_index_o = wiping_q ? wipe_index_q : {make_q, at_round_q};
  always_comb begin
    store_write_o = {4{wiping_q}};
    if (expanding_q) store_write_o[make_q ? 2'd0 - at_column_q : at_column_q] = 1'b1;
  end
endmodule
