// SPDX-License-Identifier: Apache-2.0
// The masked cipher as a functional unit: key, blocks and generator of fresh bits are inside, in
// two shares that meet in a result only. FIPS 197; SP 800-38A, sections 6.1, 6.2 and 6.5.
//
// An operation carries one word in rs1 and nothing in rs2: a share of a word never meets the other
// one in the core. A word of text gets its mask here. At most four blocks are inside; results leave
// in the order of the texts, and `mb_turn` writes a word while it reads one.
//
// Requests are registered with their operand; what an operand is for is done in the next cycle. So
// no path runs from the core's operands through this unit. Names end in the number of the share.
module aes_masked_block (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic [15:0] req_op_i,
  input  logic [31:0] req_rs1_i,
  input  logic [31:0] req_rs2_i,
  input  logic [31:0] req_rs3_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_rd_o
);
  // Numbers of keys: a shift register of period 2^32 - 1 (P. Alfke, "Efficient Shift Registers,
  // LFSR Counters, and Long Pseudo-Random Sequence Generators", Xilinx XAPP 052). All ones is the
  // last.
  localparam logic [31:0] Taps  = 32'h8020_0003;
  localparam logic [31:0] First = 32'hffff_fffe;

  // Words, one more with `step`; written out, because carry chains take more logic.
  function automatic logic [4:0] counted(input logic [4:0] words, input logic step);
    counted = {words[4] ^ (step && (&words[3:0])), words[3] ^ (step && (&words[2:0])),
               words[2] ^ (step && (&words[1:0])), words[1] ^ (step && words[0]), words[0] ^ step};
  endfunction

  function automatic logic [31:0] turned(input logic [31:0] word);
    turned = {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

  // ---- the request ------------------------------------------------------------------------------

  logic [aes_masked_block_ops_pkg::CodeW-1:0]  code;
  logic [aes_masked_block_ops_pkg::ITEM_W-1:0] item;
  logic is_seed, is_begin, is_key, is_mode, is_iv, is_turn, is_put, is_get, is_look;

  assign code     = req_op_i[aes_masked_block_ops_pkg::CodeW-1:0];
  assign item     = req_op_i[aes_masked_block_ops_pkg::ITEM_LSB +:
                             aes_masked_block_ops_pkg::ITEM_W];
  assign is_seed  = code == aes_masked_block_ops_pkg::OP_MB_SEED;
  assign is_begin = code == aes_masked_block_ops_pkg::OP_MB_BEGIN;
  assign is_key   = code == aes_masked_block_ops_pkg::OP_MB_KEY;
  assign is_mode  = code == aes_masked_block_ops_pkg::OP_MB_MODE;
  assign is_iv    = code == aes_masked_block_ops_pkg::OP_MB_IV;
  assign is_turn  = code == aes_masked_block_ops_pkg::OP_MB_TURN;
  assign is_put   = code == aes_masked_block_ops_pkg::OP_MB_PUT || is_turn;
  assign is_get   = code == aes_masked_block_ops_pkg::OP_MB_GET || is_turn;
  assign is_look  = code == aes_masked_block_ops_pkg::OP_MB_LOOK;

  // ---- state ------------------------------------------------------------------------------------

  logic [31:0]  number_q;          // of the key; keys of the highest number are not told apart
  logic         open_q, keyed_q;   // a key is being written, is complete
  logic [1:0]   length_q, mode_q;
  // Words written, fed to the cipher, out of it, readable, read. At most 16 are between the first
  // and the last. While a key is open: words written of share 0 and of share 1 (read).
  logic [4:0]   written_q, fed_q, left_q, readable_q, read_q;
  logic         full_q;            // data0_q and data1_q hold a word of a block for the cipher
  logic         second_q;          // a block was taken: the next one may share its rounds
  logic         wants_q, hold_q;   // a request waits for a result, for the end of all blocks
  logic         result_q;          // result0_q and result1_q hold a word
  logic [1:0]   gap_q;             // cycles until there is a mask for the next word
  // What the last request has still to do.
  logic         begin_q, seed_word_q, push_q, pop_q, last_q, iv_word_q;
  logic         key_start_q, key_word_q;
  logic [2:0]   seed_count_q;
  logic         seed_due_q, seeding_q;  // a seed waits for the end of a wipe; is being mixed
  logic         seed_gone_q;       // the generator reads it
  logic [3:0]   place_q;           // of the word that is written, or wiped
  logic [31:0]  words_q, mask_q, data0_q, data1_q, result0_q, result1_q;
  logic [127:0] iv_q;              // public; the word that is due is the lowest
  logic [159:0] seed_q;

  logic         taken, wipe, wiping, clear, stop, random_valid, cipher_idle, cipher_take,
                cipher_out;
  logic         cbc, ctr;
  logic [1:0]   cipher_word, out_word;
  logic [127:0] random;
  logic [31:0]  fresh, text0, text1, cipher0, cipher1, result, stored;

  assign cbc   = mode_q == 2'd1;
  assign ctr   = mode_q[1];
  assign clear = wipe || wiping || !random_valid;

  // ---- when a request is accepted ---------------------------------------------------------------

  // Nothing starts in a wipe or before a new seed is mixed. A word of text or of share 0 waits for
  // its mask; a result for the cipher; a new mode for the blocks that the cipher has.
  logic held, shown, room, still, offer, go, valid_q;

  assign stop  = begin_q || seed_due_q || seeding_q || (random_valid && wiping);
  assign held  = keyed_q && written_q[4:2] != read_q[4:2];
  assign shown = readable_q != read_q;
  assign room  = keyed_q && (written_q[3:0] != read_q[3:0] || written_q[4] == read_q[4]);
  assign still = cipher_idle && !offer && !cipher_out && !result_q;

  always_comb begin
    go = !stop;
    if ((is_put || (is_key && !item[0])) && gap_q != 2'd0) go = 1'b0;
    if (is_get && held && !shown)                          go = 1'b0;
    if (is_mode && keyed_q && !still)                      go = 1'b0;
  end
  assign req_ready_o = (!valid_q || rsp_ready_i) && go;
  assign taken       = req_valid_i && req_ready_o;

  // ---- control: nothing here depends on an operand ----------------------------------------------

  logic       seed_take, seed_start, key0_take, key1_take, key0_full, key_last, put, get, restart;
  logic [3:0] key_words, last_word;

  assign seed_take  = taken && is_seed && (item == 3'd0 || item == seed_count_q);
  assign seed_start = seed_due_q && !seed_word_q && !(random_valid && wiping);
  assign wipe       = begin_q || (seed_due_q && seed_word_q);

  assign key_words = {length_q[1], !length_q[1], length_q[0], 1'b0};
  assign last_word = {1'b0, |length_q, length_q != 2'd1, 1'b1};
  assign key0_full = written_q[3:0] == key_words;
  assign key0_take = taken && is_key && open_q && !item[0] && !key0_full;
  assign key1_take = taken && is_key && open_q && item[0] && key0_full;
  assign key_last  = key1_take && read_q[3:0] == last_word;

  assign put     = taken && is_put && (room || (is_turn && held));
  assign get     = taken && is_get && held;
  assign restart = key_last || (taken && is_mode && keyed_q);

  // The word that the cipher takes next is in a register. In CBC the first word of a block waits
  // for the last result. A block waits for another one, so that both share their rounds, unless its
  // result is waited for.
  logic whole, pair, chained, feed;
  assign whole   = written_q[4:2] != fed_q[4:2];
  assign pair    = whole && written_q[4:2] != fed_q[4:2] + 3'd1;
  assign chained = !cbc || (fed_q == readable_q && !full_q);
  assign feed    = keyed_q && !pop_q && (!full_q || cipher_take) &&
                   (fed_q[1:0] != 2'd0 || (whole && chained));
  assign offer   = full_q && fed_q[1:0] == 2'd1 && !hold_q && (pair || cbc || second_q || wants_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q    <= First;
      seed_gone_q <= 1'b1;
      {open_q, length_q, mode_q, gap_q} <= '0;
      {begin_q, seed_word_q, seed_count_q, seed_due_q, seeding_q} <= '0;
      place_q <= 4'd0;
    end else begin
      begin_q     <= taken && is_begin;
      seed_word_q <= seed_take;
      seed_gone_q <= seed_start;
      if (seed_take) seed_count_q <= (item == 3'd4) ? 3'd0 : item + 3'd1;
      seed_due_q  <= (seed_take && item == 3'd4) || (seed_due_q && !seed_start);
      seeding_q   <= seed_start || (seeding_q && !random_valid);
      if (taken && is_begin) begin
        if (number_q != '1) number_q <= {number_q[30:0], ^(number_q & Taps)};
        length_q <= item[1:0] - 2'd1;
      end
      if (taken && is_begin)               open_q <= random_valid && item[1:0] != 2'd0;
      else if (key_last || !random_valid)  open_q <= 1'b0;
      if (taken && is_begin)     mode_q <= 2'd0;
      else if (taken && is_mode) mode_q <= item[1:0];
      gap_q   <= (key0_take || put) ? 2'd3 : gap_q - {1'b0, gap_q != 2'd0};
      place_q <= wiping ? place_q + 4'd1 : key1_take ? read_q[3:0] : written_q[3:0];
    end
  end

  // Without fresh bits, as after reset, `clear` is set.
  always_ff @(posedge clk_i) begin
    if (clear) begin
      {keyed_q, push_q, pop_q, last_q, key_start_q, key_word_q} <= '0;
      {written_q, fed_q, left_q, readable_q, read_q}            <= '0;
      {full_q, second_q, result_q, wants_q, hold_q}             <= '0;
    end else begin
      keyed_q     <= keyed_q || key_last;
      push_q      <= key0_take || put;
      pop_q       <= key1_take;
      last_q      <= key_last;
      key_start_q <= key0_take && written_q[3:0] == last_word;
      key_word_q  <= pop_q;
      wants_q     <= req_valid_i && is_get && held && !shown;
      hold_q      <= req_valid_i && is_mode && !taken;
      if (restart) {written_q, read_q, left_q, readable_q} <= '0;
      else begin
        written_q  <= counted(written_q, key0_take || put);
        read_q     <= counted(read_q, key1_take || get);
        left_q     <= counted(left_q, cipher_out);
        readable_q <= left_q;
      end
      fed_q    <= (last_q || (restart && !key_last)) ? '0 : counted(fed_q, feed || pop_q);
      full_q   <= (feed || (full_q && !cipher_take)) && !restart;
      second_q <= cipher_take && cipher_word == 2'd3;
      result_q <= cipher_out;
    end
  end

  // ---- fresh bits -------------------------------------------------------------------------------

  // The cipher takes 120 bits a cycle. The other eight make the masks of texts and keys and serve
  // nothing else. What gives each word for the cipher another sharing, and what a wipe writes, are
  // bits that the S-boxes take in their first stage.
  for (genvar row = 0; row < 4; row++) begin : gen_row
    assign fresh[8*row +: 8] = random[30*row +: 8];
  end

  trivium u_fresh (
    .clk_i, .rst_ni, .clear_i(1'b0), .seed_i(seed_start), .key_i(seed_q[79:0]),
    .iv_i(seed_q[159:80]), .valid_o(random_valid), .random_o(random)
  );

  always_ff @(posedge clk_i) begin
    if (seed_gone_q)      seed_q <= '0;
    else if (seed_word_q) seed_q <= {words_q, seed_q[159:32]};
    mask_q  <= {mask_q[23:0], random[127:120]};
    words_q <= (req_valid_i && !stop) ? req_rs1_i : '0;
  end

  // ---- the two shares ---------------------------------------------------------------------------

  // A word of text or of share 0 of a key is in the memories as its sum with a mask, and the mask.
  // When share 1 of the key arrives, and in a wipe, both memories get a new mask instead.
  logic        keep;
  logic [31:0] in0, in1, fed0, fed1;
  logic [3:0]  text_at;

  assign keep    = wiping || push_q || pop_q;
  assign in0     = (words_q & {32{push_q && !wiping}}) ^ mask_q;
  assign in1     = mask_q;
  assign text_at = (ctr && keyed_q && !pop_q) ? left_q[3:0] : fed_q[3:0];

  aes_masked_block_words u_text0 (
    .clk_i, .write_i(keep), .write_at_i(place_q), .data_i(in0), .read_at_i(text_at), .data_o(text0)
  );
  aes_masked_block_words u_text1 (
    .clk_i, .write_i(keep), .write_at_i(place_q), .data_i(in1), .read_at_i(text_at), .data_o(text1)
  );

  // What the cipher takes next: text, text and chaining value, counter, or a word of the key.
  // Public words and share 1 of a key are added to the second share; fresh bits to both.
  logic from_text, from_iv;
  assign from_text = (pop_q || (feed && !ctr)) && !clear;
  assign from_iv   = feed && (ctr || cbc) && !clear;
  assign fed0      = ({32{from_text}} & text0) ^ fresh;
  assign fed1      = ({32{from_text}} & text1) ^ fresh ^ ({32{from_iv}} & iv_q[31:0]) ^
                     ({32{pop_q && !clear}} & words_q);

  always_ff @(posedge clk_i) begin
    if (feed || pop_q || clear) begin
      data0_q <= fed0;
      data1_q <= fed1;
    end
  end

  logic unused_ready, unused;
  masked_cipher u_cipher (
    .clk_i, .rst_ni, .wipe_i(wipe), .wiping_o(wiping), .idle_o(cipher_idle),
    .random_valid_i(random_valid), .random_i(random[119:0]),
    .key_start_i(key_start_q), .key_length_i(length_q), .key_valid_i(key_word_q),
    .key_ready_o(unused_ready), .key0_i(data0_q), .key1_i(data1_q),
    .block_valid_i(offer), .block_take_o(cipher_take), .block_word_o(cipher_word),
    .data0_i(data0_q), .data1_i(data1_q),
    .out_valid_o(cipher_out), .out_word_o(out_word), .out0_o(cipher0), .out1_o(cipher1)
  );

  // In CTR each share of the key stream meets its share of the text before the shares are added.
  always_ff @(posedge clk_i) begin
    result0_q <= cipher0 ^ (text0 & {32{cipher_out && ctr}});
    result1_q <= cipher1 ^ (text1 & {32{cipher_out && ctr}});
  end
  // A wipe overwrites the results with fresh bits.
  assign result = result0_q ^ result1_q ^ (fresh & {32{wiping}});

  aes_masked_block_words u_results (
    .clk_i, .write_i(wiping || result_q), .write_at_i(wiping ? place_q : readable_q[3:0]),
    .data_i(result), .read_at_i(read_q[3:0]), .data_o(stored)
  );

  // The chaining value: its words in turn. CTR: the last one is a big-endian counter.
  logic [31:0] iv_next, count;
  assign count   = turned(turned(iv_q[31:0]) + {31'd0, fed_q[1:0] == 2'd3});
  assign iv_next = iv_word_q ? words_q : ctr ? count : result;

  always_ff @(posedge clk_i) begin
    if (clear || (taken && is_mode)) begin
      iv_word_q <= 1'b0;
      iv_q      <= '0;
    end else begin
      iv_word_q <= taken && is_iv && written_q == read_q;
      if (iv_word_q || (feed && (cbc || ctr)) || (result_q && cbc)) iv_q <= {iv_next, iv_q[127:32]};
    end
  end

  // ---- answers ----------------------------------------------------------------------------------

  logic        numbered;
  logic [31:0] answer, answer_q;
  assign numbered = key_last || (is_look && !item[0] && keyed_q);
  assign answer   = (stored & {32{is_get && held}}) | (number_q & {32{numbered}}) |
                    {31'd0, is_look && item[0] && random_valid};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                      valid_q <= 1'b0;
    else if (!valid_q || rsp_ready_i) valid_q <= taken;
  end
  always_ff @(posedge clk_i) begin
    if (taken)                   answer_q <= answer;
    else if (wiping && !valid_q) answer_q <= '0;
  end

  assign rsp_valid_o = valid_q;
  assign rsp_rd_o    = answer_q;

  assign unused = ^{unused_ready, out_word, req_op_i, req_rs2_i, req_rs3_i};
endmodule
