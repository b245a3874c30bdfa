// SPDX-License-Identifier: Apache-2.0
// The engine with a register port: registers of aes_engine.rdl, two channels, one key.
//
// The port is that of rtl/bus/*_slave.sv, with reads and writes in parallel. An access waits while
// its ready is low: at most 255 cycles, and only with CTRL.HOLD. With SboxImpl = "bram" every write
// takes two cycles, from registers: it must be stable until wr_ready_o.
//
// Made from aes_engine_core.sv.j2 by `aesforge modules`.
module aes_engine_core #(
  parameter Dir            = "parallel",  // see aes_iter
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Width          = 128,
  parameter Rounds         = 1,
  parameter Interleave     = 1,
  parameter SboxImpl       = "tower",
  parameter Gcm            = 0,           // 1: GCM in the encryption channel
  parameter HashDigit      = 16           // of ghash_serial
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        irq_o,
  output logic        idle_o,  // idle: the clock may stop
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
  localparam logic [1:0] Present = (Dir == "enc") ? 2'b01
                                 : (Dir == "dec") ? 2'b10 : 2'b11;
  localparam logic Parallel = Dir == "parallel";
  localparam logic HasGcm   = Gcm != 0 && Present[0];
  // Shortest name first, as in aes_sbox.
  localparam logic Words = (SboxImpl == "lut") ? 1'b0 : SboxImpl == "bram";
  localparam logic [7:0] HoldLimit = 8'd255;
  localparam logic [7:0] WriteHoldLimit = Words ? HoldLimit - 8'd1 : HoldLimit;

  function automatic logic [31:0] bytes_swapped(input logic [31:0] data, input logic swap);
    bytes_swapped = swap ? {data[7:0], data[15:8], data[23:16], data[31:24]} : data;
  endfunction

  // ---- software-visible state -------------------------------------------------------------------

  logic [1:0]      key_len_q;
  logic            big_endian_q, hold_q;
  logic [1:0][1:0] mode_q;           // modes of encryption and decryption
  logic [7:0]      key_written_q;
  logic [3:0]      intr_q, intr_enable_q, intr_event;
  logic            error_access_q, error_key_q;
  logic [31:0]     owner_q;

  logic            gcm_decrypt_q, gcm_open_q, gcm_text_q, tag_checked_q, tag_equal_q, tag_secret_q;
  logic [3:0]      gcm_bytes_q;

  logic             hash_ready, tag_valid, tag_shown;
  logic [3:0][31:0] tag, tag_given_q;

  logic       wiping, unit_idle, key_busy, key_valid, idle, clear, gcm_mode;
  logic [1:0] in_ready, out_valid, pending, channel_idle, done;
  logic [1:0][31:0] out_word, iv_word;

  // Byte strobes replace the low address bits.
  logic unused_low;
  assign unused_low = ^{wr_addr_i[1:0], rd_addr_i[1:0]};

  assign idle     = unit_idle && (&channel_idle);
  assign gcm_mode = HasGcm && mode_q[0] == 2'd3;
  assign idle_o = idle && !wr_valid_i && !rd_valid_i;

  // ---- write ------------------------------------------------------------------------------------

  logic [11:0] wr_addr;
  logic [7:0]  wr_wait_q;
  logic [31:0] ctrl_old, ctrl_new, word;
  logic        wr_done, whole, ctrl_legal, wr_ok, wr_later;
  logic        at_ctrl, at_trigger, at_error, at_intr, at_enable, at_test, at_key;
  logic        at_gcm, at_hash, at_tag, at_owner;
  logic [1:0]  at_in, at_iv;

  assign wr_addr    = {wr_addr_i[11:2], 2'b00};
  assign at_ctrl    = wr_addr == aes_engine_regs_pkg::ADDR_CTRL;
  assign at_trigger = wr_addr == aes_engine_regs_pkg::ADDR_TRIGGER;
  assign at_error   = wr_addr == aes_engine_regs_pkg::ADDR_ERROR;
  assign at_intr    = wr_addr == aes_engine_regs_pkg::ADDR_INTR_STATE;
  assign at_enable  = wr_addr == aes_engine_regs_pkg::ADDR_INTR_ENABLE;
  assign at_test    = wr_addr == aes_engine_regs_pkg::ADDR_INTR_TEST;
  assign at_owner   = wr_addr == aes_engine_regs_pkg::ADDR_OWNER;
  assign at_key     = wr_addr[11:5] == aes_engine_regs_pkg::ADDR_KEY[11:5];
  assign at_gcm     = HasGcm && wr_addr == aes_engine_regs_pkg::ADDR_GCM;
  assign at_hash    = HasGcm && wr_addr[11:4] == aes_engine_regs_pkg::ADDR_HASH_IN[11:4];
  assign at_tag     = HasGcm && wr_addr[11:4] == aes_engine_regs_pkg::ADDR_TAG[11:4];
  assign at_in      = {wr_addr[11:4] == aes_engine_regs_pkg::ADDR_DEC_DATA_IN[11:4],
                       wr_addr[11:4] == aes_engine_regs_pkg::ADDR_ENC_DATA_IN[11:4]} & Present;
  assign at_iv      = {wr_addr[11:4] == aes_engine_regs_pkg::ADDR_DEC_IV[11:4],
                       wr_addr[11:4] == aes_engine_regs_pkg::ADDR_ENC_IV[11:4]} & Present;

  // Bytes of CTRL without a write strobe keep their value; the resulting setting must be supported.
  logic [1:0] new_len, new_enc_mode, new_dec_mode;
  logic       new_decrypt;
  for (genvar i = 0; i < 4; i++) begin : gen_strobe
    assign ctrl_new[8*i +: 8] = wr_strb_i[i] ? wr_data_i[8*i +: 8] : ctrl_old[8*i +: 8];
  end
  assign new_len      = ctrl_new[aes_engine_regs_pkg::CTRL_KEY_LEN_LSB +: 2];
  assign new_enc_mode = ctrl_new[aes_engine_regs_pkg::CTRL_ENC_MODE_LSB +: 2];
  assign new_dec_mode = ctrl_new[aes_engine_regs_pkg::CTRL_DEC_MODE_LSB +: 2];
  assign new_decrypt  = ctrl_new[aes_engine_regs_pkg::CTRL_GCM_DECRYPT_LSB];
  assign ctrl_legal   = (new_len == 2'd0 || (new_len == 2'd1 && Has192 != 0)
                                         || (new_len == 2'd2 && Has256 != 0))
                     && (new_enc_mode == 2'd0 || (Present[0] && (HasGcm || new_enc_mode != 2'd3)))
                     && (new_dec_mode == 2'd0 || (Present[1] && new_dec_mode == 2'd1))
                     && (HasGcm || !new_decrypt);

  // Requested triggers.
  logic trigger_key, trigger_wipe, trigger_start, trigger_iv_hash, trigger_tag, trigger_ok;
  assign trigger_key  = wr_data_i[aes_engine_regs_pkg::TRIGGER_KEY_LSB] && wr_strb_i[0];
  assign trigger_wipe = wr_data_i[aes_engine_regs_pkg::TRIGGER_WIPE_LSB] && wr_strb_i[0];
  assign trigger_start   = wr_data_i[aes_engine_regs_pkg::TRIGGER_START_LSB] && wr_strb_i[0];
  assign trigger_iv_hash = wr_data_i[aes_engine_regs_pkg::TRIGGER_IV_HASH_LSB];
  assign trigger_tag     = wr_data_i[aes_engine_regs_pkg::TRIGGER_TAG_LSB] && wr_strb_i[0];
  // One trigger at a time; all except a wipe need an idle engine.
  assign trigger_ok = trigger_wipe
                   || (!trigger_key && !trigger_start && !trigger_tag)
                   || (idle && trigger_key && !trigger_start && !trigger_tag)
                   || (idle && trigger_start && !trigger_key && !trigger_tag && gcm_mode
                       && key_valid)
                   || (idle && trigger_tag && !trigger_key && !trigger_start && gcm_open_q);

  // Accept GCM text only while a message is open.
  logic [1:0] in_open;
  assign in_open  = at_in & {1'b1, !gcm_mode || gcm_open_q};
  assign whole    = &wr_strb_i;
  assign wr_ok    = (at_ctrl && idle && key_written_q == 8'h0 && ctrl_legal)
                 || (at_trigger && trigger_ok)
                 || at_error || at_intr || at_enable || at_test || (at_owner && whole)
                 || (at_key && whole && !key_busy && !wiping)
                 || ((|(in_open & in_ready)) && whole && key_valid)
                 || ((|at_iv) && whole && idle)
                 || (at_gcm && idle)
                 || (at_hash && whole && gcm_open_q && hash_ready)
                 || (at_tag && whole && gcm_decrypt_q && idle);
  // With CTRL.HOLD these writes are legal but wait.
  assign wr_later = hold_q && wr_wait_q != WriteHoldLimit
                 && (((|in_open) && whole && (key_valid || key_busy))
                     || (at_hash && whole && gcm_open_q)
                     || (at_gcm && !idle)
                     || (at_trigger && trigger_tag && gcm_open_q && !idle));

  assign wr_done    = wr_valid_i && wr_ready_o;
  assign word       = bytes_swapped(wr_data_i, big_endian_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wr_wait_q <= 8'd0;
    else         wr_wait_q <= wr_valid_i && !wr_ready_o ? wr_wait_q + 8'd1 : 8'd0;
  end

  logic       key_start, key_whole, key_wrong, wipe, start, finish;
  logic [7:0] key_needed;
  assign key_needed = key_len_q == 2'd2 ? 8'hff : key_len_q == 2'd1 ? 8'h3f : 8'h0f;
  assign key_whole  = key_written_q == key_needed;

  // What a write asks for, and what is performed in this cycle.
  localparam Actions = 18;
  logic [Actions-1:0] asked, performed;
  logic [1:0] do_in, do_iv;
  logic       do_ctrl, do_error, do_intr, do_enable, do_test, do_owner, do_key, do_gcm, do_hash;
  logic       do_tag, do_wipe, ask_wipe, ask_other;
  assign ask_wipe  = at_trigger && trigger_wipe;
  assign ask_other = at_trigger && !trigger_wipe;
  assign asked = {at_in, at_iv, at_ctrl, at_error, at_intr, at_enable, at_test, at_owner, at_key,
                  at_gcm, at_hash, at_tag, ask_other && trigger_start, ask_other && trigger_tag,
                  ask_other && trigger_key && key_whole, ask_other && trigger_key && !key_whole};
  assign {do_in, do_iv, do_ctrl, do_error, do_intr, do_enable, do_test, do_owner, do_key,
          do_gcm, do_hash, do_tag, start, finish, key_start, key_wrong} = performed;
  assign wipe = do_wipe || key_wrong;

  if (Words) begin : gen_two_cycles
    // A write is judged in its first cycle, performed in the second. The verdict holds: only writes
    // make the engine refuse more. A wipe is always legal; it is performed in the cycle after its
    // write as well, so that no state delays it.
    logic               ready_q, error_q, wipe_q;
    logic [Actions-1:0] do_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ready_q <= 1'b0;
        error_q <= 1'b0;
        wipe_q  <= 1'b0;
        do_q    <= '0;
      end else begin
        ready_q <= wr_valid_i && !ready_q && (wr_ok || !wr_later);
        error_q <= wr_valid_i && !wr_ok;
        wipe_q  <= wr_valid_i && ask_wipe;
        do_q    <= asked & {Actions{wr_valid_i && !ready_q && wr_ok}};
      end
    end
    assign {wr_ready_o, wr_error_o, do_wipe, performed} = {ready_q, error_q, wipe_q, do_q};
  end else begin : gen_one_cycle
    assign wr_ready_o = wr_ok || !wr_later;
    assign wr_error_o = !wr_ok;
    assign do_wipe    = wr_valid_i && ask_wipe;
    assign performed  = asked & {Actions{wr_valid_i && wr_ok}};
  end

  // Events, and status bits that are cleared or set by writing ones.
  logic       key_busy_q, low_byte;
  logic [3:0] ones;
  logic       access_error, rd_done;
  assign low_byte     = wr_strb_i[0];
  assign ones         = wr_data_i[3:0];
  assign access_error = (wr_done && wr_error_o) || (rd_done && rd_error_o);
  assign intr_event   = {access_error || key_wrong, key_busy_q && !key_busy && key_valid, done}
                      | (ones & {4{low_byte && do_test}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_len_q      <= 2'd0;
      big_endian_q   <= 1'b0;
      hold_q         <= 1'b0;
      mode_q         <= '0;
      gcm_decrypt_q  <= 1'b0;
      gcm_open_q     <= 1'b0;
      gcm_text_q     <= 1'b0;
      gcm_bytes_q    <= 4'd0;
      key_written_q  <= 8'h0;
    end else begin
      if (do_ctrl) begin
        key_len_q    <= new_len;
        big_endian_q <= ctrl_new[aes_engine_regs_pkg::CTRL_BIG_ENDIAN_LSB];
        hold_q       <= ctrl_new[aes_engine_regs_pkg::CTRL_HOLD_LSB];
        mode_q       <= {new_dec_mode, new_enc_mode};
        gcm_decrypt_q <= new_decrypt;
      end
      if (clear || key_start || finish || do_ctrl || do_iv[0]) gcm_open_q <= 1'b0;
      else if (start)                                          gcm_open_q <= 1'b1;
      if (low_byte && do_gcm) begin
        gcm_bytes_q <= wr_data_i[aes_engine_regs_pkg::GCM_BYTES_LSB +: 4];
        gcm_text_q  <= wr_data_i[aes_engine_regs_pkg::GCM_TEXT_LSB];
      end
      if (wipe || wiping || key_start) key_written_q <= 8'h0;
      else if (do_key)                 key_written_q[wr_addr[4:2]] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_busy_q     <= 1'b0;
      intr_q         <= 4'h0;
      intr_enable_q  <= 4'h0;
      error_access_q <= 1'b0;
      error_key_q    <= 1'b0;
      owner_q        <= 32'h0;
    end else begin
      key_busy_q <= key_busy;
      intr_q     <= (intr_q & ~(ones & {4{low_byte && do_intr}})) | intr_event;
      if (low_byte && do_enable) intr_enable_q <= ones;
      error_access_q <= (error_access_q && !(low_byte && do_error && ones[0])) || access_error;
      if (clear || access_error)  owner_q <= 32'h0;
      else if (do_owner)          owner_q <= wr_data_i;
      error_key_q    <= (error_key_q && !(low_byte && do_error && ones[1])) || key_wrong;
    end
  end
  assign irq_o = |(intr_q & intr_enable_q);

  // ---- read -------------------------------------------------------------------------------------

  logic [11:0] rd_addr;
  logic [7:0]  rd_wait_q;
  logic        rd_ok, rd_later;
  logic        at_rd_tag;
  logic [1:0]  at_out, at_rd_iv;
  logic [31:0] caps, status, owner, rd_data;

  assign rd_addr  = {rd_addr_i[11:2], 2'b00};
  assign at_out   = {rd_addr[11:4] == aes_engine_regs_pkg::ADDR_DEC_DATA_OUT[11:4],
                     rd_addr[11:4] == aes_engine_regs_pkg::ADDR_ENC_DATA_OUT[11:4]} & Present;
  assign at_rd_iv = {rd_addr[11:4] == aes_engine_regs_pkg::ADDR_DEC_IV[11:4],
                     rd_addr[11:4] == aes_engine_regs_pkg::ADDR_ENC_IV[11:4]} & Present;

  assign at_rd_tag = HasGcm && rd_addr[11:4] == aes_engine_regs_pkg::ADDR_TAG[11:4];

  assign ctrl_old = (32'(key_len_q) << aes_engine_regs_pkg::CTRL_KEY_LEN_LSB)
                  | (32'(big_endian_q) << aes_engine_regs_pkg::CTRL_BIG_ENDIAN_LSB)
                  | (32'(hold_q) << aes_engine_regs_pkg::CTRL_HOLD_LSB)
                  | (32'(mode_q[0]) << aes_engine_regs_pkg::CTRL_ENC_MODE_LSB)
                  | (32'(mode_q[1]) << aes_engine_regs_pkg::CTRL_DEC_MODE_LSB)
                  | (32'(gcm_decrypt_q) << aes_engine_regs_pkg::CTRL_GCM_DECRYPT_LSB);
  assign caps     = (32'(Has192 != 0) << aes_engine_regs_pkg::CAPS_KEY192_LSB)
                  | (32'(Has256 != 0) << aes_engine_regs_pkg::CAPS_KEY256_LSB)
                  | (32'(Present[0]) << aes_engine_regs_pkg::CAPS_ENC_LSB)
                  | (32'(Present[1]) << aes_engine_regs_pkg::CAPS_DEC_LSB)
                  | (32'(Parallel) << aes_engine_regs_pkg::CAPS_PARALLEL_LSB)
                  | (32'(HasGcm) << aes_engine_regs_pkg::CAPS_GCM_LSB)
                  | (Rounds << aes_engine_regs_pkg::CAPS_ROUNDS_LSB)
                  | ((Width / 32) << aes_engine_regs_pkg::CAPS_WIDTH_LSB);
  assign status   = (32'(idle) << aes_engine_regs_pkg::STATUS_IDLE_LSB)
                  | (32'(key_valid) << aes_engine_regs_pkg::STATUS_KEY_VALID_LSB)
                  | (32'(wiping) << aes_engine_regs_pkg::STATUS_WIPING_LSB)
                  | (32'(error_access_q || error_key_q) << aes_engine_regs_pkg::STATUS_ERROR_LSB)
                  | (32'(in_ready[0] && key_valid && (!gcm_mode || gcm_open_q))
                     << aes_engine_regs_pkg::STATUS_ENC_INPUT_READY_LSB)
                  | (32'(out_valid[0]) << aes_engine_regs_pkg::STATUS_ENC_OUTPUT_VALID_LSB)
                  | (32'(in_ready[1] && key_valid)
                     << aes_engine_regs_pkg::STATUS_DEC_INPUT_READY_LSB)
                  | (32'(out_valid[1]) << aes_engine_regs_pkg::STATUS_DEC_OUTPUT_VALID_LSB)
                  | (32'(gcm_open_q) << aes_engine_regs_pkg::STATUS_GCM_OPEN_LSB)
                  | (32'(gcm_open_q && hash_ready)
                     << aes_engine_regs_pkg::STATUS_HASH_INPUT_READY_LSB)
                  | (32'(tag_checked_q) << aes_engine_regs_pkg::STATUS_TAG_VALID_LSB)
                  | (32'(tag_equal_q) << aes_engine_regs_pkg::STATUS_TAG_EQUAL_LSB);

  assign owner = idle && out_valid == 2'b00 ? owner_q : 32'h0;

  always_comb begin
    rd_data = 32'h0;
    rd_ok   = 1'b1;
    case (rd_addr)
      aes_engine_regs_pkg::ADDR_ID:          rd_data = aes_engine_regs_pkg::ID_RESET;
      aes_engine_regs_pkg::ADDR_CAPS:        rd_data = caps;
      aes_engine_regs_pkg::ADDR_CTRL:        rd_data = ctrl_old;
      aes_engine_regs_pkg::ADDR_STATUS:      rd_data = status;
      aes_engine_regs_pkg::ADDR_ERROR:       rd_data = {30'h0, error_key_q, error_access_q};
      aes_engine_regs_pkg::ADDR_INTR_STATE:  rd_data = {28'h0, intr_q};
      aes_engine_regs_pkg::ADDR_INTR_ENABLE: rd_data = {28'h0, intr_enable_q};
      aes_engine_regs_pkg::ADDR_OWNER:       rd_data = owner;
      default: begin
        rd_ok = (|(at_out & out_valid)) || ((|at_rd_iv) && idle) || (at_rd_tag && tag_shown)
             || (HasGcm && rd_addr == aes_engine_regs_pkg::ADDR_GCM);
        if (at_out[0]) rd_data = bytes_swapped(out_word[0], big_endian_q);
        if (at_out[1]) rd_data = bytes_swapped(out_word[1], big_endian_q);
        if (at_rd_iv[0]) rd_data = bytes_swapped(iv_word[0], big_endian_q);
        if (at_rd_iv[1]) rd_data = bytes_swapped(iv_word[1], big_endian_q);
        if (at_rd_tag)   rd_data = bytes_swapped(tag[rd_addr[3:2]], big_endian_q);
        if (rd_addr == aes_engine_regs_pkg::ADDR_GCM) rd_data = {27'h0, gcm_text_q, gcm_bytes_q};
      end
    endcase
  end
  assign rd_later = hold_q && rd_wait_q != HoldLimit
                 && ((|(at_out & pending)) || (at_rd_tag && !gcm_decrypt_q && !channel_idle[0]));

  assign rd_ready_o = rd_ok || !rd_later;
  assign rd_error_o = !rd_ok;
  assign rd_data_o  = rd_ok ? rd_data : 32'h0;
  assign rd_done    = rd_valid_i && rd_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rd_wait_q <= 8'd0;
    else         rd_wait_q <= rd_valid_i && !rd_ready_o ? rd_wait_q + 8'd1 : 8'd0;
  end

  // ---- tag --------------------------------------------------------------------------------------

  // A decrypted message's tag is compared once, all bytes together, and cannot be read, even if
  // CTRL changes later.
  assign tag_shown = tag_valid && !gcm_decrypt_q && !tag_secret_q;
  if (HasGcm) begin : gen_tag
    logic [127:0] differ;
    logic [15:0]  keep, wrong;
    assign differ = tag_given_q ^ tag;
    assign keep   = ~(16'hffff << {gcm_bytes_q == 4'd0, gcm_bytes_q});
    for (genvar i = 0; i < 16; i++) begin : gen_byte
      assign wrong[i] = (|differ[8*i +: 8]) && keep[i];
    end
    always_ff @(posedge clk_i) begin
      if (clear)                tag_given_q <= '0;
      else if (do_tag)          tag_given_q[wr_addr[3:2]] <= word;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        tag_checked_q <= 1'b0;
        tag_equal_q   <= 1'b0;
        tag_secret_q  <= 1'b0;
      end else if (clear || start || !tag_valid) begin
        tag_checked_q <= 1'b0;
        tag_equal_q   <= 1'b0;
        if (finish) tag_secret_q <= gcm_decrypt_q;
      end else if (!tag_checked_q) begin
        tag_checked_q <= 1'b1;
        tag_equal_q   <= gcm_decrypt_q && wrong == 16'h0;
      end
    end
  end else begin : gen_no_tag
    logic unused;
    assign {tag_checked_q, tag_equal_q, tag_secret_q} = 3'b000;
    assign tag_given_q = '0;
    assign unused = ^{tag_given_q, finish, do_tag};
  end

  // ---- channels and core ------------------------------------------------------------------------

  assign clear = wipe || wiping;
  if (Words) begin : gen_words
    logic [31:0] out_read, iv_read;
    aes_words #(.Has192(Has192), .Has256(Has256), .Gcm(HasGcm ? 1 : 0), .Digit(HashDigit)) u_words (
      .clk_i, .rst_ni, .wipe_i(wipe), .wiping_o(wiping), .idle_o(unit_idle),
      .key_write_i(do_key), .key_word_i(wr_addr[4:2]), .key_start_i(key_start),
      .key_length_i(key_len_q), .key_busy_o(key_busy), .key_valid_o(key_valid), .mode_i(mode_q),
      .data_i(word), .word_i(wr_addr[3:2]), .in_write_i(do_in),
      .iv_write_i(do_iv), .read_dec_i(at_out[1] || at_rd_iv[1]),
      .read_word_i(rd_addr[3:2]), .out_read_i(at_out & out_valid & {2{rd_valid_i}}),
      .in_ready_o(in_ready), .channel_idle_o(channel_idle), .pending_o(pending), .done_o(done),
      .out_valid_o(out_valid), .out_o(out_read), .iv_o(iv_read), .start_i(start),
      .iv_hash_i(trigger_iv_hash), .hash_input_i(gcm_decrypt_q), .hash_write_i(do_hash),
      .hash_ready_o(hash_ready), .bytes_i(gcm_bytes_q), .hash_text_i(gcm_text_q), .tag_i(finish),
      .tag_valid_o(tag_valid), .tag_o(tag)
    );
    assign out_word = {2{out_read}};
    assign iv_word  = {2{iv_read}};
    if (Dir != "shared") begin : gen_unknown
      aesforge_unknown_impl u_unknown ();
    end
  end else begin : gen_units
    logic [1:0]        unit_in_valid, unit_in_ready, unit_out_valid, unit_out_ready;
    logic [1:0][127:0] unit_in, unit_out;

    for (genvar c = 0; c < 2; c++) begin : gen_channel
      if (Present[c]) begin : gen_present
        localparam ThisGcm = (c == 0 && HasGcm) ? 1 : 0;
        logic         channel_hash_ready, channel_tag_valid;
        logic [127:0] channel_tag;
        aes_engine_channel #(
          .Dir(c == 0 ? "enc" : "dec"), .Interleave(Interleave), .Gcm(ThisGcm), .Digit(HashDigit)
        ) u_channel (
          .clk_i, .rst_ni, .clear_i(clear), .mode_i(mode_q[c]), .word_i(wr_addr[3:2]),
          .data_i(word), .in_write_i(do_in[c]), .iv_write_i(do_iv[c]),
          .read_word_i(rd_addr[3:2]), .out_read_i(rd_valid_i && at_out[c] && out_valid[c]),
          .in_ready_o(in_ready[c]), .idle_o(channel_idle[c]), .pending_o(pending[c]),
          .done_o(done[c]), .out_valid_o(out_valid[c]), .out_o(out_word[c]), .iv_o(iv_word[c]),
          .start_i(start), .iv_hash_i(trigger_iv_hash), .hash_input_i(gcm_decrypt_q),
          .hash_write_i(do_hash), .hash_ready_o(channel_hash_ready),
          .bytes_i(gcm_bytes_q), .hash_text_i(gcm_text_q), .tag_i(finish),
          .tag_valid_o(channel_tag_valid), .tag_o(channel_tag),
          .unit_valid_o(unit_in_valid[c]), .unit_ready_i(unit_in_ready[c]),
          .unit_data_o(unit_in[c]), .unit_valid_i(unit_out_valid[c]),
          .unit_ready_o(unit_out_ready[c]), .unit_data_i(unit_out[c])
        );
        if (c == 0) begin : gen_first
          assign {hash_ready, tag_valid, tag}
            = {channel_hash_ready, channel_tag_valid, channel_tag};
        end else begin : gen_second
          logic unused;
          assign unused = ^{channel_hash_ready, channel_tag_valid, channel_tag};
        end
      end else begin : gen_absent
        logic unused;
        assign unused = ^{unit_in_ready[c], unit_out_valid[c], unit_out[c], mode_q[c]};
        assign {in_ready[c], out_valid[c], pending[c], done[c]} = 4'b0000;
        assign {unit_in_valid[c], unit_out_ready[c]} = 2'b00;
        assign channel_idle[c] = 1'b1;
        if (c == 0) begin : gen_first
          assign {hash_ready, tag_valid, tag} = '0;
        end
        assign {out_word[c], iv_word[c], unit_in[c]} = '0;
      end
    end

    aes_iter #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Width(Width),
      .Rounds(Rounds), .Interleave(Interleave), .SboxImpl(SboxImpl)
    ) u_iter (
      .clk_i, .rst_ni, .wipe_i(wipe), .wiping_o(wiping), .idle_o(unit_idle),
      .key_write_i(do_key), .key_word_i(wr_addr[4:2]), .key_data_i(word),
      .key_start_i(key_start), .key_length_i(key_len_q), .key_busy_o(key_busy),
      .key_valid_o(key_valid),
      .enc_valid_i(unit_in_valid[0]), .enc_ready_o(unit_in_ready[0]), .enc_data_i(unit_in[0]),
      .enc_valid_o(unit_out_valid[0]), .enc_ready_i(unit_out_ready[0]), .enc_data_o(unit_out[0]),
      .dec_valid_i(unit_in_valid[1]), .dec_ready_o(unit_in_ready[1]), .dec_data_i(unit_in[1]),
      .dec_valid_o(unit_out_valid[1]), .dec_ready_i(unit_out_ready[1]), .dec_data_o(unit_out[1])
    );
  end
endmodule
