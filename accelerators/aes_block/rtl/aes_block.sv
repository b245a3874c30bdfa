// SPDX-License-Identifier: Apache-2.0
// Whole blocks of AES as a functional unit: key, chaining value, hash subkey and running hash are
// inside, the cipher does a round a clock and GHASH Digit bits a clock. FIPS 197; SP 800-38A,
// sections 6.1, 6.2 and 6.5; SP 800-38D, sections 6.2 to 6.5. No protection against power analysis.
//
// A block is written as two halves of two words. The second half starts it; until it is complete,
// requests that need it wait. The result stays until the next start, and `ab_turn` returns a word
// of it while it writes the next block: four operations a block.
//
// Mode, 5 bits: [1:0] 0 no cipher, 1 ECB, 2 CBC, 3 CTR with a count of 32 bits; [2] inverse cipher
// (ECB, CBC); [3] hash the block (no cipher, CTR), [4] of its result instead of its text.
module aes_block #(
  parameter SboxImpl = "tower",  // see aes_block_cipher
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
  logic       taken, begins, keys, starts, modes, sets, puts, first, second;
  logic       begun_q;  // a key is being written

  assign code     = req_op_i[aes_block_ops_pkg::CodeW-1:0];
  assign item     = req_op_i[aes_block_ops_pkg::ITEM_LSB +: aes_block_ops_pkg::ITEM_W];
  assign half     = item[0];
  assign is_begin = code == aes_block_ops_pkg::OP_AB_BEGIN;
  assign is_start = code == aes_block_ops_pkg::OP_AB_START;
  assign is_mode  = code == aes_block_ops_pkg::OP_AB_MODE;
  assign is_put   = code == aes_block_ops_pkg::OP_AB_PUT;
  assign is_turn  = code == aes_block_ops_pkg::OP_AB_TURN;
  assign is_get   = code == aes_block_ops_pkg::OP_AB_GET;
  assign is_look  = code == aes_block_ops_pkg::OP_AB_LOOK;
  assign is_set   = code == aes_block_ops_pkg::OP_AB_SET;

  assign begins = taken && is_begin;
  assign starts = taken && is_start && begun_q;
  assign keys   = taken && code == aes_block_ops_pkg::OP_AB_KEY && begun_q;
  assign modes  = taken && is_mode;
  assign sets   = taken && is_set;
  assign puts   = taken && (is_put || is_turn);
  assign first  = puts && !half;
  assign second = puts && half;

  // ---- key and mode -----------------------------------------------------------------------------

  logic [31:0] epoch_q;  // number of the key; keys of the highest number are not told apart
  logic [4:0]  mode_q;
  logic        clear, erase, wiping, key_busy, key_valid;

  assign clear = begins || wiping;                                         // everything
  assign erase = clear || (modes && item[5]);  // all but key, number

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      epoch_q <= 32'd0;
    end else if (begins) begin
      begun_q <= 1'b1;
      epoch_q <= epoch_q + {31'd0, epoch_q != '1};
    end else if (starts) begin
      begun_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    mode_q <= 5'd0;
    else if (clear) mode_q <= 5'd0;
    else if (modes) mode_q <= item[4:0];
  end

  logic ciphers, cbc, ctr, inverse, hashes;
  assign ciphers = mode_q[1:0] != 2'd0;
  assign cbc     = mode_q[1:0] == 2'd2;
  assign ctr     = mode_q[1:0] == 2'd3;
  assign inverse = mode_q[2] && !ctr;
  assign hashes  = mode_q[3] && (ctr || !ciphers);

  // ---- when a request is accepted ---------------------------------------------------------------

  // busy_q: a block is in the cipher, or its result is new; pending_q: it still has to be hashed.
  logic busy_q, pending_q, keyed, offered, accepts, done, hash_ready, hash_take, idle, shown, go;
  logic valid_q;

  assign keyed = key_valid || key_busy;
  assign idle  = !busy_q && !pending_q && hash_ready;
  assign shown = !busy_q || done;
  always_comb begin
    go = 1'b1;
    if (is_look || is_set) go = idle;
    if (is_mode) go = !busy_q && !pending_q;
    if (is_set && item[2:1] == 2'd0) go = !busy_q;
    if (is_get || (is_turn && !half)) go = shown;
    if ((is_put || is_turn) && half) begin
      go = !busy_q && (!pending_q || hash_ready) && (!ciphers || !keyed || accepts);
    end
  end
  assign req_ready_o = (!valid_q || rsp_ready_i) && !wiping && go;
  assign taken       = req_valid_i && req_ready_o;

  // ---- data -------------------------------------------------------------------------------------

  logic         enc_ready, dec_ready, enc_valid, dec_valid, enters;
  logic [127:0] text, entry, out, dec_out, other_q, result, chain_q, chain, hash;
  logic [63:0]  half_q;  // the first half of the next block

  assign text   = {req_rs2_i, req_rs1_i, half_q};
  assign entry  = ctr ? chain_q : text ^ (chain_q & {128{cbc && !inverse}});
  assign result = out ^ other_q;

  // The cipher gets a block while its second half is offered, and accepts it with that.
  assign offered = req_valid_i && (is_put || is_turn) && half && ciphers && keyed && !wiping &&
                   (!valid_q || rsp_ready_i) && !busy_q && (!pending_q || hash_ready);
  assign accepts = inverse ? dec_ready : enc_ready;
  assign enters  = second && ciphers && keyed;
  assign done    = busy_q && (enc_valid || dec_valid);

  aes_block_cipher #(.SboxImpl(SboxImpl)) u_cipher (
    .clk_i, .rst_ni, .wipe_i(begins), .wiping_o(wiping), .key_write_i(keys),
    .key_word_i(item[2:0]), .key_data_i(req_rs1_i), .key_start_i(starts),
    .key_length_i({item[1], item[0] && !item[1]}), .key_busy_o(key_busy), .key_valid_o(key_valid),
    .enc_valid_i(offered && !inverse), .enc_ready_o(enc_ready), .enc_data_i(entry),
    .enc_valid_o(enc_valid), .enc_ready_i(second || erase), .enc_data_o(out),
    .dec_valid_i(offered && inverse), .dec_ready_o(dec_ready), .dec_data_i(entry),
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
    else if (first) half_q <= {req_rs2_i, req_rs1_i};
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
    if (sets && item[2:0] == 3'd0) chain[63:0]   = {req_rs2_i, req_rs1_i};
    if (sets && item[2:0] == 3'd1) chain[127:64] = {req_rs2_i, req_rs1_i};
  end
  always_ff @(posedge clk_i) begin
    if (erase) chain_q <= '0;
    else       chain_q <= chain;
  end

  aes_block_hash #(.Digit(Digit)) u_hash (
    .clk_i, .rst_ni, .clear_i(erase), .set_i(sets && item[2:1] != 2'd0), .item_i(item[2:0]),
    .words_i({req_rs2_i, req_rs1_i}), .valid_i(pending_q),
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
