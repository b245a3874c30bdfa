// SPDX-License-Identifier: Apache-2.0
// AES encryption on two shares, first-order masked: keys of 128, 192 and 256 bits, two blocks in
// turn, four S-boxes. FIPS 197.
//
// Every value is the sum of its two shares, 0 and 1; data ports are words of 32 bits, row 0 of a
// column in bits 7 to 0. Word 0 of a key or block is first.
//
// Fresh bits: random_i is 120 uniform bits, new in each cycle with random_valid_i (trivium).
// Without random_valid_i the core wipes itself and accepts nothing. Wipe it before random_valid_i
// falls: data in flight are not masked without fresh bits.
//
// Key: pulse key_start_i with key_length_i while idle_o is high, then give 4, 6 or 8 words, one in
// each cycle with key_valid_i and key_ready_o. Words of keys and blocks must come from registers.
//
// Blocks: block_valid_i offers a block. In each of the four cycles with block_take_o data0_i and
// data1_i are its word block_word_o; block_valid_i is read in the first of them only. The results
// leave in the same order, four words in successive cycles with out_valid_o; there is no
// back-pressure. With R rounds (10, 12, 14) the last word of a block is there 9*R + 4 cycles
// after its first was taken: 95 cycles with both for AES-128. A second block that is offered as
// soon as the four words of the first are taken shares its rounds. The next pair follows 9*(R+1)
// cycles after the first. All times are independent of keys, data and shares.
//
// A pulse of wipe_i overwrites all shares with fresh bits in 16 cycles. Reset does the same, when
// fresh bits are valid. The store of the key takes the sums of fresh bits and the key ports: in the
// last eight cycles these ports must not depend on a key or a block.
module masked_cipher (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  output logic         wiping_o,
  output logic         idle_o,        // no block inside, no key on its way in, not wiping
  input  logic         random_valid_i,
  input  logic [119:0] random_i,

  input  logic         key_start_i,
  input  logic [1:0]   key_length_i,  // 0: 128 bits, 1: 192, 2 and 3: 256
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [31:0]  key0_i,
  input  logic [31:0]  key1_i,

  input  logic         block_valid_i,
  output logic         block_take_o,
  output logic [1:0]   block_word_o,
  input  logic [31:0]  data0_i,
  input  logic [31:0]  data1_i,

  output logic         out_valid_o,
  output logic [1:0]   out_word_o,
  output logic [31:0]  out0_o,
  output logic [31:0]  out1_o
);
  // ---- control: nothing here depends on a share -------------------------------------------------

  // A round is nine slots: in slot 0 the S-boxes give SubWord, in slots 1 to 4 the columns of the
  // first block, in slots 5 to 8 those of the second. Round 0 takes the blocks. The core waits for
  // a block in slot 1 of round 0. After a new key it goes through the last round without blocks.
  logic [4:0] wipe_q;                 // cycles of wiping that are left
  logic       wiping, loading_q, keyed_q, prepare_q, first_q, second_q, out_valid_q;
  logic [3:0] words_q, slot_q, round_q, rounds;
  logic [1:0] length_q, third_q, column, out_word_q;
  logic [7:0] constant_q;
  logic       waiting, start, run, last, key_take, key_pad, key_end;
  logic       slot_first, slot_second, take, active;
  logic       sub_used, used_rotated;  // SubWord enters the key; after RotWord, with a constant

  assign wiping      = wipe_q != 5'd0;
  assign rounds      = (length_q == 2'd0) ? 4'd10 : (length_q == 2'd1) ? 4'd12 : 4'd14;
  assign last        = round_q == rounds;
  assign waiting     = slot_q == 4'd1 && round_q == 4'd0;
  assign start       = keyed_q && waiting && block_valid_i && random_valid_i;
  assign run         = keyed_q && (!waiting || start);
  assign slot_first  = slot_q >= 4'd1 && slot_q <= 4'd4;
  assign slot_second = slot_q >= 4'd5;
  assign column      = slot_first ? 2'(slot_q - 4'd1) : 2'(slot_q - 4'd5);

  // Keys: what 4 or 6 words leave of eight places is filled from the ports as well.
  assign key_ready_o = loading_q && !key_pad && random_valid_i;
  assign key_pad     = loading_q && words_q >= {1'b0, length_q, 1'b0} + 4'd4;
  assign key_take    = key_ready_o && key_valid_i;
  assign key_end     = (key_take || key_pad) && words_q == 4'd7;

  // Blocks.
  assign take = round_q == 4'd0 && (start || (slot_first && first_q) ||
                (slot_q == 4'd5 && first_q && block_valid_i) || (slot_second && second_q));
  assign active = take || (slot_first && first_q) || (slot_second && second_q);

  assign block_take_o = take;
  assign block_word_o = column;
  assign wiping_o     = wiping;
  assign idle_o       = !wiping && !loading_q && (!keyed_q || waiting);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wipe_q <= 5'd16;
      {loading_q, keyed_q, prepare_q, first_q, second_q, out_valid_q} <= '0;
      {words_q, length_q, third_q, out_word_q} <= '0;
      slot_q     <= 4'd1;
      round_q    <= 4'd0;
      constant_q <= 8'h01;
    end else if (wipe_i || !random_valid_i || wiping) begin
      wipe_q <= (wipe_i || !random_valid_i) ? 5'd16 : wipe_q - 5'd1;
      {loading_q, keyed_q, prepare_q, first_q, second_q, out_valid_q} <= '0;
      {words_q, length_q, third_q, out_word_q} <= '0;
      slot_q     <= 4'd1;
      round_q    <= 4'd0;
      constant_q <= 8'h01;
    end else begin
      out_valid_q <= active && last;
      out_word_q  <= column;
      if (key_start_i && idle_o && !start) begin
        {loading_q, keyed_q} <= 2'b10;
        words_q  <= 4'd0;
        length_q <= {key_length_i[1], key_length_i[0] && !key_length_i[1]};
      end else if (loading_q) begin
        if (key_take || key_pad) words_q <= words_q + 4'd1;
        if (key_end) begin
          {loading_q, keyed_q, prepare_q} <= 3'b011;
          round_q <= rounds;
        end
      end else if (run) begin
        slot_q <= (slot_q == 4'd8) ? 4'd0 : slot_q + 4'd1;
        if (start) first_q <= 1'b1;
        if (slot_q == 4'd5 && round_q == 4'd0) second_q <= block_valid_i;
        if (slot_q == 4'd0) begin
          if (round_q == 4'd0) constant_q <= 8'h01;
          else if (sub_used && used_rotated) begin
            constant_q <= {constant_q[6:0], 1'b0} ^ ({8{constant_q[7]}} & 8'h1b);
          end
        end
        if (slot_q == 4'd8) begin
          prepare_q <= 1'b0;
          round_q   <= last ? 4'd0 : round_q + 4'd1;
          third_q   <= (last || third_q == 2'd2) ? 2'd0 : third_q + 2'd1;
          if (last) {first_q, second_q} <= 2'b00;
        end
      end
    end
  end

  // ---- key schedule -----------------------------------------------------------------------------

  // Slots 0 to 3 make the four words of the round's key, slots 4 to 7 turn them once for the second
  // block. Slot 4 sends the operand of the next SubWord to the S-boxes. AES-192 has SubWord in two
  // of three rounds: before the first word or before the third one, where its operand is the sum of
  // words that are there already, and its value is added to the word that it will meet.
  // The last round puts words 4 and on of the key into the low words, round 0 words 0 to 3 into the
  // high ones.
  logic       step, middle, rotated, store, write, low, high, low_store, chain;
  logic [3:0] from;
  logic [2:0] sum;
  logic       first_word, high_sub, low_sub;
  logic [7:0] constant;

  assign step       = run && slot_q <= 4'd3;
  assign first_word = slot_q == 4'd0;
  assign middle     = length_q == 2'd1 && third_q == 2'd1;  // SubWord before the third word
  assign rotated    = !length_q[1] || round_q[0];
  assign sub_used   = first_word && round_q != 4'd0 &&
                      !(length_q == 2'd1 && third_q == 2'd2) &&
                      !(length_q[1] && round_q == 4'd1);
  assign high_sub   = step && sub_used && !middle;
  assign low_sub    = step && sub_used && middle;
  assign used_rotated = !length_q[1] || !round_q[0];  // as `rotated` was a round before
  assign constant   = constant_q & {8{used_rotated}};

  always_comb begin
    if (length_q == 2'd1 && third_q == 2'd0) sum = (round_q == 4'd0) ? 3'b010 : 3'b111;
    else sum = 3'b001;
  end

  always_comb begin
    from  = 4'b0001 << length_q;
    chain = 1'b0;
    if (wiping || (step && round_q == 4'd0)) begin
      from = 4'b1000;
    end else if (!step) begin
      from = 4'b0001;
    end else if (length_q != 2'd0 && round_q == 4'd1) begin
      chain = length_q == 2'd1 && slot_q == 4'd3;
    end else if (middle) begin
      chain = slot_q != 4'd2;
    end else begin
      chain = !first_word || (length_q == 2'd1 && third_q == 2'd2);
    end
  end

  assign low_store = run && last && slot_second;
  assign write = wiping || key_take || key_pad;
  assign store = write || (step && round_q == 4'd0) || low_store ||
                 (run && prepare_q && slot_first);
  assign low   = wiping || (step && round_q != 4'd0) ||
                 (low_store && (length_q != 2'd1 || slot_q <= 4'd6));
  assign high  = wiping || (run && slot_q != 4'd8);

  // ---- the two shares ---------------------------------------------------------------------------

  logic [2:0]  far;
  logic        word, load, final_round, mix;
  logic [1:0]  position;  // of the column that goes to the S-boxes next
  logic [31:0] refresh;
  logic [31:0] state0_q, state1_q, state0, state1, sub0, sub1, key0, key1, key_word0, key_word1;

  assign word        = slot_q == 4'd4 && keyed_q;
  assign position    = (slot_q <= 4'd3) ? slot_q[1:0] : 2'(slot_q - 4'd5);
  assign far         = {position != 2'd0, position[1], position == 2'd3};
  assign load        = take && !wiping;
  assign final_round = active && last;
  assign mix         = active && !last && round_q != 4'd0;

  for (genvar row = 0; row < 4; row++) begin : gen_row
    assign refresh[8*row +: 8] = random_i[30*row + 8 +: 8];
  end

  masked_round u_round (
    .clk_i, .random_i, .far_i(far), .word_i(word), .load_i(load), .final_i(final_round),
    .mix_i(mix), .state0_i(state0_q), .state1_i(state1_q), .data0_i, .data1_i,
    .key0_i(key0), .key1_i(key1), .key_word0_i(key_word0), .key_word1_i(key_word1),
    .sub0_o(sub0), .sub1_o(sub1), .state0_o(state0), .state1_o(state1)
  );

  masked_key u_key0 (
    .clk_i, .store_i(store), .write_i(write), .data_i(key0_i), .random_i(refresh),
    .low_i(low), .low_store_i(low_store), .low_sub_i(low_sub), .high_i(high),
    .from_i(from), .chain_i(chain), .high_sub_i(high_sub), .sub_i(sub0), .constant_i(constant),
    .sum_i(sum), .rotate_i(rotated), .key_word_o(key_word0), .key_o(key0)
  );
  masked_key u_key1 (
    .clk_i, .store_i(store), .write_i(write), .data_i(key1_i), .random_i(refresh),
    .low_i(low), .low_store_i(low_store), .low_sub_i(low_sub), .high_i(high),
    .from_i(from), .chain_i(chain), .high_sub_i(high_sub), .sub_i(sub1), .constant_i(8'd0),
    .sum_i(sum), .rotate_i(rotated), .key_word_o(key_word1), .key_o(key1)
  );

  always_ff @(posedge clk_i) begin
    state0_q <= state0;
    state1_q <= state1;
  end

  // Only results leave.
  assign out_valid_o = out_valid_q;
  assign out_word_o  = out_word_q;
  assign out0_o      = state0_q & {32{out_valid_q}};
  assign out1_o      = state1_q & {32{out_valid_q}};
endmodule
