// SPDX-License-Identifier: Apache-2.0
// The masked peripheral with a register port: registers of aes_masked.rdl, between a bus slave and
// masked_cipher. FIPS 197; SP 800-38A, sections 6.1, 6.2, 6.5.
//
// The register port is that of rtl/bus/*_slave.sv, with reads and writes in parallel. Names end in
// the number of the share. Words of text get a mask of their own on their way in; shares are added
// in `result` only, which is what the bus reads.
//
// Sideload: while sideload_valid_i is high, sideload0_i and sideload1_i are the shares of word
// sideload_word_o of a key. TRIGGER.SIDELOAD takes one word a cycle with sideload_take_o. Drive
// them from registers, and keep sideload_valid_i high until the last word is taken.
module aes_masked_core #(
  parameter Sideload = 0  // 1: the port is there
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        irq_o,
  output logic        idle_o,
  input  logic        sideload_valid_i,
  output logic        sideload_take_o,
  output logic [2:0]  sideload_word_o,
  input  logic [31:0] sideload0_i,
  input  logic [31:0] sideload1_i,
  input  logic        wr_valid_i,
  output logic        wr_ready_o,
  input  logic [11:0] wr_addr_i,
  input  logic [31:0] wr_data_i,
  input  logic [3:0]  wr_strb_i,
  output logic        wr_error_o,
  input  logic        rd_valid_i,
  output logic        rd_ready_o,
  input  logic [11:0] rd_addr_i,
  output logic [31:0] rd_data_o,
  output logic        rd_error_o
);
  localparam logic [1:0] Cbc = 2'd1;
  localparam logic [1:0] Ctr = 2'd2;

  function automatic logic [31:0] swapped(input logic [31:0] data);
    swapped = {data[7:0], data[15:8], data[23:16], data[31:24]};
  endfunction

  // A number of words, one more with `step`; written out, because carry chains take more logic.
  function automatic logic [4:0] counted(input logic [4:0] words, input logic step);
    counted = words ^ {step && (&words[3:0]), step && (&words[2:0]), step && (&words[1:0]),
                       step && words[0], step};
  endfunction

  function automatic logic [2:0] after(input logic [2:0] words, input logic step);
    after = words ^ {step && (&words[1:0]), step && words[0], step};
  endfunction

  // ---- state ------------------------------------------------------------------------------------

  logic [1:0]   key_len_q, mode_q, intr_enable_q, iv_words_q;
  logic         pair_q;
  logic [2:0]   error_q;
  // Seed.
  logic [159:0] seed_q;
  logic [2:0]   seed_words_q;
  logic         seed_due_q;    // it waits for the end of a wipe
  logic         seed_gone_q;   // the generator reads it
  // Key: words of the share that is under way, which for share 1 is the second part of a key.
  logic [2:0]   key_count_q, key_last_word;
  logic         begun_q, second_share_q, side_q, keyed_q;
  logic         key_word_q;    // data0_q and data1_q hold a word for the cipher
  // Blocks, in words: written, fed to the cipher, out of it, readable, read. At most four blocks
  // are between the first and the last.
  logic [4:0]   written_q, fed_q, left_q, readable_q, read_q;
  logic         full_q;        // data0_q and data1_q hold a word for the cipher
  logic         second_q;      // a block was taken: the next one may share its rounds
  logic         result_q;      // result0_q and result1_q hold a word
  logic [3:0]   wipe_at_q;
  logic [127:0] iv_q;          // public; the word that is due is the lowest
  logic [31:0]  mask_q;        // of the next word of text
  logic [2:0]   mask_bytes_q;  // bytes of it that are new
  logic [31:0]  data0_q, data1_q, result0_q, result1_q;

  logic         wipe, wiping, clear, ready, free, cipher_idle, random_valid;
  logic [127:0] random;
  logic [31:0]  fresh, text0, text1, result, stored;
  logic         cipher_take, cipher_out, ctr, cbc;
  logic [1:0]   cipher_word, out_word;
  logic [31:0]  cipher0, cipher1;

  assign ctr       = mode_q == Ctr;
  assign cbc       = mode_q == Cbc;
  assign key_last_word = {|key_len_q, key_len_q != 2'd1, 1'b1};
  assign clear     = wipe || wiping || !random_valid;
  assign ready     = random_valid && !wiping && !seed_due_q;
  assign free      = written_q == read_q && !begun_q;
  assign idle_o    = ready && free && cipher_idle && !wr_valid_i && !rd_valid_i;

  // ---- write ------------------------------------------------------------------------------------

  logic [11:0] wr_addr;
  logic        some, four;  // blocks are inside, those not yet read included; four of them
  logic        wr_page, whole, at_ctrl, at_trigger, at_error, at_enable, at_seed, at_key0, at_key1,
               at_in;
  logic        at_iv, key_due, key0_due, key1_due, in_due, ctrl_ok, trigger_ok, seed_ok, iv_ok;
  logic        key0_wait, mask_ready, wr_ok, wr_later, wr_do, key_wrong;
  logic        trigger_wipe, trigger_side;

  assign wr_addr    = {wr_addr_i[11:2], 2'b00};
  assign whole      = &wr_strb_i;
  assign wr_page    = wr_addr[11:8] == 4'd0;
  assign at_ctrl    = wr_page && wr_addr[7:0] == aes_masked_regs_pkg::ADDR_CTRL[7:0];
  assign at_trigger = wr_page && wr_addr[7:0] == aes_masked_regs_pkg::ADDR_TRIGGER[7:0];
  assign at_error   = wr_page && wr_addr[7:0] == aes_masked_regs_pkg::ADDR_ERROR[7:0];
  assign at_enable  = wr_page && wr_addr[7:0] == aes_masked_regs_pkg::ADDR_INTR_ENABLE[7:0];
  assign at_seed    = wr_page && wr_addr[7:5] == aes_masked_regs_pkg::ADDR_SEED[7:5] &&
                      wr_addr[4:2] <= 3'd4;
  assign at_key0    = wr_page && wr_addr[7:5] == aes_masked_regs_pkg::ADDR_KEY0[7:5];
  assign at_key1    = wr_page && wr_addr[7:5] == aes_masked_regs_pkg::ADDR_KEY1[7:5];
  assign at_in      = wr_page && wr_addr[7:4] == aes_masked_regs_pkg::ADDR_DATA_IN[7:4];
  assign at_iv      = wr_page && wr_addr[7:4] == aes_masked_regs_pkg::ADDR_IV[7:4];

  assign trigger_wipe = wr_data_i[aes_masked_regs_pkg::TRIGGER_WIPE_LSB];
  assign trigger_side = wr_data_i[aes_masked_regs_pkg::TRIGGER_SIDELOAD_LSB];

  assign some       = written_q[4:2] != read_q[4:2];
  assign four       = written_q[4] != read_q[4] && written_q[3:2] == read_q[3:2];
  assign mask_ready = mask_bytes_q == 3'd4;

  // In order, and allowed now. The first word of a key waits until the cipher has finished with the
  // key before; each word of text or of share 0 waits for its mask: at most four cycles.
  assign key_due    = ready && wr_addr[4:2] == key_count_q && !side_q;
  assign key0_due   = key_due && !second_share_q && (begun_q || free);
  assign key0_wait  = !mask_ready || !cipher_idle;
  assign key1_due   = key_due && second_share_q;
  assign in_due     = ready && keyed_q && !four && wr_addr[3:2] == written_q[1:0] &&
                      iv_words_q == 2'd0;
  assign ctrl_ok    = free && iv_words_q == 2'd0 &&
                      wr_data_i[aes_masked_regs_pkg::CTRL_KEY_LEN_LSB +: 2] != 2'd3 &&
                      wr_data_i[aes_masked_regs_pkg::CTRL_MODE_LSB +: 2] != 2'd3;
  assign trigger_ok = trigger_wipe || !trigger_side ||
                      (Sideload != 0 && sideload_valid_i && ready && free && cipher_idle);
  assign seed_ok    = !seed_due_q && (wr_addr[4:2] == 3'd0 || wr_addr[4:2] == seed_words_q);
  assign iv_ok      = ready && free && (wr_addr[3:2] == 2'd0 || wr_addr[3:2] == iv_words_q);

  assign wr_ok    = whole && ((at_ctrl && ctrl_ok) || (at_trigger && trigger_ok) || at_error ||
                              at_enable || (at_seed && seed_ok) || (at_iv && iv_ok) ||
                              (at_key0 && key0_due && !key0_wait) || (at_key1 && key1_due) ||
                              (at_in && in_due && mask_ready));
  assign wr_later = whole && ((at_key0 && key0_due && key0_wait) ||
                              (at_in && in_due && !mask_ready));
  assign wr_ready_o = !wr_later;
  assign wr_error_o = !wr_ok;
  assign wr_do      = wr_valid_i && wr_ok;
  assign key_wrong  = (wr_valid_i && whole && ready && begun_q && !side_q &&
                       ((at_key0 && !key0_due) || (at_key1 && !key1_due))) ||
                      (side_q && !sideload_valid_i);

  // ---- read -------------------------------------------------------------------------------------

  logic [11:0] rd_addr;
  logic        at_out, out_due, out_there, rd_ok, rd_later, rd_do, out_valid, known;
  logic [31:0] control, status, rd_data;

  assign rd_addr   = {rd_addr_i[11:2], 2'b00};
  assign at_out    = rd_addr[11:4] == aes_masked_regs_pkg::ADDR_DATA_OUT[11:4];
  assign out_due   = at_out && !clear && rd_addr[3:2] == read_q[1:0] && some;
  assign out_there = readable_q != read_q;
  assign out_valid = readable_q[4:2] != read_q[4:2];

  assign control = (32'(key_len_q) << aes_masked_regs_pkg::CTRL_KEY_LEN_LSB)
                 | (32'(mode_q) << aes_masked_regs_pkg::CTRL_MODE_LSB)
                 | (32'(pair_q) << aes_masked_regs_pkg::CTRL_PAIR_LSB);
  assign status  = (32'(ready && free && cipher_idle) << aes_masked_regs_pkg::STATUS_IDLE_LSB)
                 | (32'(random_valid && !seed_due_q) << aes_masked_regs_pkg::STATUS_SEEDED_LSB)
                 | (32'(wiping) << aes_masked_regs_pkg::STATUS_WIPING_LSB)
                 | (32'(keyed_q) << aes_masked_regs_pkg::STATUS_KEY_VALID_LSB)
                 | (32'(keyed_q && ready && !four)
                    << aes_masked_regs_pkg::STATUS_INPUT_READY_LSB)
                 | (32'(out_valid) << aes_masked_regs_pkg::STATUS_OUTPUT_VALID_LSB)
                 | (32'(|error_q) << aes_masked_regs_pkg::STATUS_ERROR_LSB);

  always_comb begin
    known   = 1'b1;
    rd_data = 32'h0;
    case (rd_addr)
      aes_masked_regs_pkg::ADDR_ID:     rd_data = aes_masked_regs_pkg::ID_RESET;
      aes_masked_regs_pkg::ADDR_CAPS:   rd_data = 32'(Sideload != 0)
                                                << aes_masked_regs_pkg::CAPS_SIDELOAD_LSB;
      aes_masked_regs_pkg::ADDR_CTRL:   rd_data = control;
      aes_masked_regs_pkg::ADDR_STATUS: rd_data = status;
      aes_masked_regs_pkg::ADDR_ERROR:  rd_data = 32'(error_q);
      aes_masked_regs_pkg::ADDR_INTR_ENABLE: rd_data = 32'(intr_enable_q);
      default: known = 1'b0;
    endcase
  end

  assign rd_ok      = known || (out_due && out_there);
  assign rd_later   = out_due && !out_there;
  assign rd_ready_o = !rd_later;
  assign rd_error_o = !rd_ok;
  assign rd_data_o  = known ? rd_data : (out_due && out_there) ? stored : 32'h0;
  assign rd_do      = rd_valid_i && out_due && out_there;
  assign irq_o      = (out_valid && intr_enable_q[aes_masked_regs_pkg::INTR_ENABLE_OUTPUT_LSB]) ||
                      ((|error_q) && intr_enable_q[aes_masked_regs_pkg::INTR_ENABLE_ERROR_LSB]);

  // ---- control: nothing here depends on a share -------------------------------------------------

  logic push, key_pop, key_last, key_start, side_start, seed_end, seed_start;
  logic feed, whole_block, chain_free, pair, offer, iv_shift;

  assign push       = wr_do && (at_key0 || at_in);
  assign key_pop    = wr_do && at_key1;
  assign side_start = wr_do && at_trigger && trigger_side && !trigger_wipe;
  assign key_start  = side_start || (wr_do && at_key0 && key_count_q == key_last_word);
  assign key_last   = (key_pop || sideload_take_o) && key_count_q == key_last_word;
  assign seed_end   = wr_do && at_seed && wr_addr[4:2] == 3'd4;
  assign seed_start = seed_due_q && !seed_gone_q && !(random_valid && wiping);
  assign wipe       = (wr_do && at_trigger && trigger_wipe) || key_wrong || seed_end;

  assign sideload_take_o = side_q && sideload_valid_i && !wipe;
  assign sideload_word_o = key_count_q;

  // The word that the cipher takes next is in a register. In CBC the first word of a block waits
  // for the last result.
  assign whole_block = written_q[4:2] != fed_q[4:2];
  assign chain_free  = fed_q == readable_q && !full_q;
  assign feed        = keyed_q && ready && (!full_q || cipher_take) &&
                       (fed_q[1:0] != 2'd0 || (whole_block && (!cbc || chain_free)));
  assign pair        = whole_block && written_q[4:2] != after(fed_q[4:2], 1'b1);
  assign offer       = full_q && fed_q[1:0] == 2'd1 &&
                       (pair || !pair_q || cbc || second_q || (rd_valid_i && rd_later));
  assign iv_shift    = (wr_do && at_iv) || (feed && (cbc || ctr)) || (result_q && cbc);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {key_len_q, mode_q, pair_q, intr_enable_q} <= '0;
      error_q      <= '0;
      seed_words_q <= 3'd0;
      seed_due_q   <= 1'b0;
      seed_gone_q  <= 1'b1;
    end else begin
      if (wr_do && at_ctrl) begin
        key_len_q <= wr_data_i[aes_masked_regs_pkg::CTRL_KEY_LEN_LSB +: 2];
        mode_q    <= wr_data_i[aes_masked_regs_pkg::CTRL_MODE_LSB +: 2];
        pair_q    <= wr_data_i[aes_masked_regs_pkg::CTRL_PAIR_LSB];
      end
      if (wr_do && at_enable) intr_enable_q <= wr_data_i[1:0];
      error_q <= (error_q & ~(wr_data_i[2:0] & {3{wr_do && at_error}})) | {
        wr_valid_i && wr_ready_o && !wr_ok && !(random_valid && !seed_due_q) &&
          (at_key0 || at_key1 || at_in || (at_trigger && trigger_side)),
        key_wrong,
        (wr_valid_i && wr_ready_o && !wr_ok) || (rd_valid_i && rd_ready_o && !rd_ok)
      };
      if (wr_do && at_seed) begin
        seed_words_q <= (wr_addr[4:2] == 3'd4) ? 3'd0 : after(wr_addr[4:2], 1'b1);
      end
      seed_due_q  <= seed_end || (seed_due_q && !seed_gone_q);
      seed_gone_q <= seed_start;
    end
  end

  // Without fresh bits, as after reset, `clear` is set.
  logic key_step;
  assign key_step = (push && at_key0) || key_pop || sideload_take_o;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      {key_count_q, begun_q, second_share_q, side_q, keyed_q, key_word_q} <= '0;
      {written_q, fed_q, left_q, readable_q, read_q}         <= '0;
      {full_q, second_q, result_q, iv_words_q, mask_bytes_q} <= '0;
    end else begin
      mask_bytes_q <= push ? 3'd1 : after(mask_bytes_q, !mask_ready);
      key_word_q   <= key_pop || sideload_take_o;
      if (key_step) begin
        key_count_q    <= (key_count_q == key_last_word) ? 3'd0 : after(key_count_q, 1'b1);
        second_share_q <= (second_share_q || key_start) && !key_last;
      end
      begun_q <= (begun_q || key_step || side_start) && !key_last;
      side_q  <= (side_q || side_start) && !key_last;
      keyed_q <= key_last || (keyed_q && !key_step && !side_start);
      if (key_last) begin
        {written_q, fed_q, left_q, readable_q, read_q} <= '0;
      end else begin
        written_q  <= counted(written_q, push);
        fed_q      <= counted(fed_q, feed || key_pop);
        left_q     <= counted(left_q, cipher_out);
        readable_q <= counted(readable_q, result_q);
        read_q     <= counted(read_q, rd_do);
      end
      full_q   <= feed || (full_q && !cipher_take);
      second_q <= cipher_take && cipher_word == 2'd3;
      result_q <= cipher_out;
      if (wr_do && at_iv) iv_words_q <= {wr_addr[3] ^ wr_addr[2], !wr_addr[2]};
    end
  end

  // ---- fresh bits -------------------------------------------------------------------------------

  // The cipher takes 120 bits a cycle. The other eight make the masks of text and keys and serve
  // nothing else. What gives each word for the cipher another sharing, and what a wipe writes into
  // other registers, are bits that the S-boxes take in their first stage.
  for (genvar row = 0; row < 4; row++) begin : gen_row
    assign fresh[8*row +: 8] = random[30*row +: 8];
  end

  trivium u_fresh (
    .clk_i, .rst_ni, .clear_i(1'b0), .seed_i(seed_start), .key_i(seed_q[79:0]),
    .iv_i(seed_q[159:80]), .valid_o(random_valid), .random_o(random)
  );

  always_ff @(posedge clk_i) begin
    if (wr_do && at_seed) seed_q <= {wr_data_i, seed_q[159:32]};
    else if (seed_gone_q) seed_q <= '0;
    mask_q <= {mask_q[23:0], random[127:120]};
  end

  // ---- the two shares ---------------------------------------------------------------------------

  // A word of text or of share 0 of a key is in the memories as its sum with a mask, and the mask.
  // When share 1 of the key arrives, and in a wipe, both memories get a new mask instead.
  logic [3:0]  place, text_at;
  logic [31:0] in0, in1, iv, fed0, fed1;
  logic        keep, from_text, from_iv, load;

  assign keep    = wiping || key_pop || push;
  assign place   = wiping ? wipe_at_q : key_pop ? fed_q[3:0] : written_q[3:0];
  assign in0     = (wr_data_i & {32{push}}) ^ mask_q;
  assign in1     = mask_q;
  assign text_at = (ctr && keyed_q) ? left_q[3:0] : fed_q[3:0];

  aes_masked_words u_text0 (
    .clk_i, .write_i(keep), .write_at_i(place), .data_i(in0), .read_at_i(text_at), .data_o(text0)
  );
  aes_masked_words u_text1 (
    .clk_i, .write_i(keep), .write_at_i(place), .data_i(in1), .read_at_i(text_at), .data_o(text1)
  );

  // What the cipher takes next: text, text and chaining value, counter, or a word of the key.
  // Public words and share 1 of a key are added to the second share; fresh bits to both.
  assign iv        = iv_q[31:0];
  assign load      = feed || key_pop || sideload_take_o || clear;
  assign from_text = (key_pop || (feed && !ctr)) && !clear;
  assign from_iv   = feed && (ctr || cbc) && !clear;
  assign fed0      = ({32{from_text}} & text0) ^ fresh ^
                     ({32{sideload_take_o && Sideload != 0}} & sideload0_i);
  assign fed1      = ({32{from_text}} & text1) ^ fresh ^ ({32{from_iv}} & iv) ^
                     ({32{key_pop}} & wr_data_i) ^
                     ({32{sideload_take_o && Sideload != 0}} & sideload1_i);

  always_ff @(posedge clk_i) begin
    if (load) begin
      data0_q <= fed0;
      data1_q <= fed1;
    end
  end

  logic unused_ready, unused;
  masked_cipher u_cipher (
    .clk_i, .rst_ni, .wipe_i(wipe), .wiping_o(wiping), .idle_o(cipher_idle),
    .random_valid_i(random_valid), .random_i(random[119:0]),
    .key_start_i(key_start), .key_length_i(key_len_q), .key_valid_i(key_word_q),
    .key_ready_o(unused_ready), .key0_i(data0_q), .key1_i(data1_q),
    .block_valid_i(offer), .block_take_o(cipher_take), .block_word_o(cipher_word),
    .data0_i(data0_q), .data1_i(data1_q),
    .out_valid_o(cipher_out), .out_word_o(out_word), .out0_o(cipher0), .out1_o(cipher1)
  );
  assign unused = ^{unused_ready, out_word, wr_addr_i[1:0], rd_addr_i[1:0]};

  // In CTR each share of the key stream meets its share of the text before the shares are added.
  always_ff @(posedge clk_i) begin
    result0_q <= cipher0 ^ (text0 & {32{cipher_out && ctr}});
    result1_q <= cipher1 ^ (text1 & {32{cipher_out && ctr}});
  end
  // A wipe overwrites the results with fresh bits.
  assign result = result0_q ^ result1_q ^ (fresh & {32{wiping}});

  aes_masked_words u_results (
    .clk_i, .write_i(wiping || result_q), .write_at_i(wiping ? wipe_at_q : readable_q[3:0]),
    .data_i(result), .read_at_i(read_q[3:0]), .data_o(stored)
  );

  // The chaining value: its words in turn. CTR: the last one is a big-endian counter.
  logic [31:0] iv_next, count;
  assign count   = swapped(swapped(iv) + {31'd0, ctr && fed_q[1:0] == 2'd3});
  assign iv_next = (wr_do && at_iv) ? wr_data_i : (result_q && cbc) ? result : count;

  always_ff @(posedge clk_i) begin
    if (iv_shift) iv_q <= {iv_next, iv_q[127:32]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wipe_at_q <= 4'd0;
    else         wipe_at_q <= 4'(counted({1'b0, wipe_at_q}, wiping));
  end
endmodule
