// SPDX-License-Identifier: Apache-2.0
// Whole blocks of AES as a functional unit: key, chaining value, hash subkey and running hash are
// inside, the cipher does a round a clock and GHASH Digit bits a clock. FIPS 197; SP 800-38A,
// sections 6.1, 6.2 and 6.5; SP 800-38D, sections 6.2 to 6.5. No protection against power analysis.
//
// A block is written as two halves of two words. The second half starts it; until it is complete,
// requests that need it wait. The result stays until the next start, and `ab_turn` returns a word
// of it while it writes the next block: four operations a block.
//
// Requests are registered with their operands and done in the next cycle; a second half is done
// when the cipher accepts the block. So no path runs from the core's operands through this unit.
//
// Mode, 5 bits: [1:0] 0 no cipher, 1 ECB, 2 CBC, 3 CTR with a count of 32 bits; [2] inverse cipher
// (ECB, CBC); [3] hash the block (no cipher, CTR), [4] of its result instead of its text.
module aes_block #(
  parameter SboxImpl = "tower",  // see aes_block_cipher
  parameter PipeRegs = 0,
  parameter Digit    = 16        // bits of GHASH a clock: 4, 8, 16 or 32
) (
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
  // ---- the request ------------------------------------------------------------------------------

  logic [aes_block_ops_pkg::CodeW-1:0] code;
  logic [aes_block_ops_pkg::ITEM_W-1:0] item;
  logic       half, is_begin, is_start, is_mode, is_put, is_turn, is_get, is_look, is_set;
  logic       taken, clear, erase, wiping;
  logic       begun_q;  // a key is being written

  assign code     = req_op_i[aes_block_ops_pkg::CodeW-1:0];
  assign item     = req_op_i[aes_block_ops_pkg::ITEM_LSB +: aes_block_ops_pkg::ITEM_W];
  assign half     = item[0];
  assign is_begin = code == aes_block_ops_pkg::OP_AB_BEGIN;
  assign is_start = code == aes_block_ops_pkg::OP_AB_START;
  assign is_mode  = code == aes_block_ops_pkg::OP_AB_MODE;
  assign is_put   = code == aes_block_ops_pkg::OP_AB_PUT || is_turn;
  assign is_turn  = code == aes_block_ops_pkg::OP_AB_TURN;
  assign is_get   = code == aes_block_ops_pkg::OP_AB_GET;
  assign is_look  = code == aes_block_ops_pkg::OP_AB_LOOK;
  assign is_set   = code == aes_block_ops_pkg::OP_AB_SET;

  // ---- registered requests ----------------------------------------------------------------------

  // What the last request has still to do, with its operands. All but a second half is done in one
  // cycle; `second` is when that is done.
  logic [2:0]  item_q;
  logic [63:0] words_q;
  logic        begin_q, erase_q, first_q, second_q, key_q, start_q, set_q, second;

  assign clear = begin_q || wiping;  // everything
  assign erase = clear || erase_q;   // all but key, number and mode

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {begin_q, erase_q, first_q, second_q, key_q, start_q, set_q} <= '0;
    end else if (clear) begin
      {begin_q, erase_q, first_q, second_q, key_q, start_q, set_q} <= '0;
    end else begin
      begin_q  <= taken && is_begin;
      erase_q  <= taken && is_mode && item[5];
      first_q  <= taken && is_put && !half;
      second_q <= (taken && is_put && half) || (second_q && !second);
      key_q    <= taken && code == aes_block_ops_pkg::OP_AB_KEY && begun_q;
      start_q  <= taken && is_start && begun_q;
      set_q    <= taken && is_set;
    end
  end

  // Those of a request that waits are here too.
  always_ff @(posedge clk_i) begin
    if (!second_q || second) begin
      {item_q, words_q} <= req_valid_i ? {item[2:0], req_rs2_i, req_rs1_i} : '0;
    end
  end

  // ---- key and mode -----------------------------------------------------------------------------

  logic [31:0] epoch_q;  // number of the key; keys of the highest number are not told apart
  logic [4:0]  mode_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      epoch_q <= 32'd0;
    end else if (begin_q) begin
      begun_q <= 1'b1;
      epoch_q <= epoch_q + {31'd0, epoch_q != '1};
    end else if (taken && is_start) begin
      begun_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)               mode_q <= 5'd0;
    else if (clear)            mode_q <= 5'd0;
    else if (taken && is_mode) mode_q <= item[4:0];
  end

  logic ciphers, cbc, ctr, inverse, hashes;
  assign ciphers = mode_q[1:0] != 2'd0;
  assign cbc     = mode_q[1:0] == 2'd2;
  assign ctr     = mode_q[1:0] == 2'd3;
  assign inverse = mode_q[2] && !ctr;
  assign hashes  = mode_q[3] && (ctr || !ciphers);

  // ---- when a request is accepted ---------------------------------------------------------------

  // busy_q: a block is in the cipher, or its result is new; pending_q: it still has to be hashed.
  // All but ab_begin wait for a second half; all wait until what is cleared is clear.
  logic busy_q, pending_q, key_busy, key_valid, keyed, offers, accepts, enters, done;
  logic hash_ready, hash_take, idle, shown, free, go, valid_q;

  assign keyed = key_valid || key_busy;
  assign idle  = !busy_q && !pending_q && hash_ready;
  assign shown = !busy_q || done;
  assign free  = !busy_q && (!pending_q || hash_ready);
  always_comb begin
    go = 1'b1;
    if (is_look) go = idle && !first_q && !set_q;
    if (is_set)  go = item[2:1] == 2'd0 ? !busy_q : idle;
    if (is_mode) go = !busy_q && !pending_q;
    if (is_get || (is_turn && !half)) go = shown;
    if (is_put && half) go = free;
    if (second_q) go = is_begin;
    if (begin_q || erase_q) go = 1'b0;
  end
  assign req_ready_o = (!valid_q || rsp_ready_i) && !wiping && go;
  assign taken       = req_valid_i && req_ready_o;

  // ---- data -------------------------------------------------------------------------------------

  logic         enc_ready, dec_ready, enc_valid, dec_valid;
  logic [127:0] text, entry, out, dec_out, other_q, result, chain_q, chain, hash;
  logic [63:0]  half_q;  // the first half of the next block

  assign text   = {words_q, half_q};
  assign entry  = ctr ? chain_q : text ^ (chain_q & {128{cbc && !inverse}});
  assign result = out ^ other_q;

  // Without a cipher, or without a key, a second half is done at once.
  assign offers  = second_q && ciphers && keyed;
  assign accepts = inverse ? dec_ready : enc_ready;
  assign enters  = offers && accepts;
  assign second  = second_q && (!offers || accepts);
  assign done    = busy_q && (enc_valid || dec_valid);

  aes_block_cipher #(.SboxImpl(SboxImpl), .PipeRegs(PipeRegs)) u_cipher (
    .clk_i, .rst_ni, .wipe_i(begin_q), .wiping_o(wiping), .key_write_i(key_q),
    .key_word_i(item_q[2:0]), .key_data_i(words_q[31:0]), .key_start_i(start_q),
    .key_length_i({item_q[1], item_q[0] && !item_q[1]}), .key_busy_o(key_busy),
    .key_valid_o(key_valid),
    .enc_valid_i(offers && !inverse), .enc_ready_o(enc_ready), .enc_data_i(entry),
    .enc_valid_o(enc_valid), .enc_ready_i(second || erase), .enc_data_o(out),
    .dec_valid_i(offers && inverse), .dec_ready_o(dec_ready), .dec_data_i(entry),
    .dec_valid_o(dec_valid), .dec_ready_i(second || erase), .dec_data_o(dec_out)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     {busy_q, pending_q} <= 2'b00;
    else if (clear)  {busy_q, pending_q} <= 2'b00;
    else if (second) {busy_q, pending_q} <= {enters, hashes && !(ciphers && (mode_q[4] || !keyed))};
    else if (done)   {busy_q, pending_q} <= {1'b0, pending_q && !hash_take || hashes && mode_q[4]};
    else if (hash_take) pending_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (erase) half_q <= '0;
    else if (first_q) half_q <= words_q;
  end

  // What is added to the cipher's output: the text in CTR, the ciphertext before in CBC. Without a
  // key the result of a cipher is zero.
  always_ff @(posedge clk_i) begin
    if (erase) begin
      other_q <= '0;
    end else if (second) begin
      if (!ciphers)                                other_q <= text;
      else if (keyed && ctr)                       other_q <= text;
      else if (keyed && cbc && inverse)            other_q <= chain_q;
      else                                         other_q <= '0;
    end
  end

  // The next counter, or the last ciphertext. Counters are big-endian.
  logic [31:0] count;
  assign count = {chain_q[103:96], chain_q[111:104], chain_q[119:112], chain_q[127:120]} + 32'd1;
  always_comb begin
    chain = chain_q;
    if (enters && ctr) begin
      chain[127:96] = {count[7:0], count[15:8], count[23:16], count[31:24]};
    end
    if (enters && cbc && inverse) chain = text;
    if (done && cbc && !inverse)  chain = out;
    if (set_q && item_q[2:0] == 3'd0) chain[63:0]   = words_q;
    if (set_q && item_q[2:0] == 3'd1) chain[127:64] = words_q;
  end
  always_ff @(posedge clk_i) begin
    if (erase) chain_q <= '0;
    else       chain_q <= chain;
  end

  aes_block_hash #(.Digit(Digit)) u_hash (
    .clk_i, .rst_ni, .clear_i(erase), .set_i(set_q && item_q[2:1] != 2'd0), .item_i(item_q[2:0]),
    .words_i(words_q), .valid_i(pending_q),
    .ready_o(hash_ready), .data_i(mode_q[4] ? result : other_q), .state_o(hash)
  );
  assign hash_take = pending_q && hash_ready;

  // ---- answers ----------------------------------------------------------------------------------

  logic [31:0] answer, answer_q;
  always_comb begin
    answer = 32'd0;
    if (is_get)  answer = result[32*item[1:0] +: 32];
    if (is_turn) answer = half ? result[127:96] : result[31:0];
    if (is_start && begun_q) answer = epoch_q;
    if (is_look) begin
      casez (item[3:0])
        4'b00??: answer = chain_q[32*item[1:0] +: 32];
        4'b01??: answer = hash[32*item[1:0] +: 32];
        4'b100?: answer = half_q[32*item[0] +: 32];
        4'b1010: answer = epoch_q;
        4'b1011: answer = {27'd0, mode_q};
        default: answer = 32'd0;
      endcase
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                      valid_q <= 1'b0;
    else if (!valid_q || rsp_ready_i) valid_q <= taken;
  end
  always_ff @(posedge clk_i) begin
    if (taken)       answer_q <= answer;
    else if (wiping && !valid_q) answer_q <= '0;
  end

  assign rsp_valid_o = valid_q;
  assign rsp_rd_o    = answer_q;

  logic unused;
  assign unused = ^{req_op_i, req_rs3_i, dec_out};

endmodule
