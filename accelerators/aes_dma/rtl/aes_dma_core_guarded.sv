// SPDX-License-Identifier: Apache-2.0
// aes_dma_core with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_dma_core_guarded.sv.j2 by `aesforge modules`.
module aes_dma_core_guarded #(
  parameter Dir            = "shared",  // see aes_dma
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Rounds         = 2,
  parameter SboxImpl       = "lut",
  parameter MaxBlocks      = 256,
  parameter Gcm            = 0,
  parameter HashDigit      = 32,
  parameter Registered     = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        wrong_o,
  output logic        irq_o,
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
  output logic        rd_error_o,

  input  logic        cpu_valid_i,
  input  logic        cpu_write_i,
  input  logic [29:0] cpu_addr_i,     // words
  output logic        cpu_stall_o,
  input  logic        cpu_done_i,

  output logic        arvalid_o,
  input  logic        arready_i,
  output logic [29:0] araddr_o,       // words
  output logic [2:0]  arlen_o,
  input  logic        rvalid_i,
  output logic        rready_o,
  input  logic [31:0] rdata_i,
  input  logic        rerror_i,
  output logic        awvalid_o,
  input  logic        awready_i,
  output logic [29:0] awaddr_o,
  output logic [1:0]  awlen_o,
  output logic        wvalid_o,
  input  logic        wready_i,
  output logic [31:0] wdata_o,
  output logic [3:0]  wstrb_o,
  output logic        wlast_o,
  input  logic        bvalid_i,
  output logic        bready_o,
  input  logic        berror_i
);
  localparam logic HasEnc = Dir != "dec";
  localparam logic HasDec = Dir != "enc";
  localparam logic HasGcm = Gcm != 0 && HasEnc;
  localparam BlockW = 28;

  function automatic logic mode_legal(input logic [1:0] mode, input logic decrypt);
    mode_legal = mode == 2'd3 ? HasGcm : decrypt && mode != 2'd2 ? HasDec : HasEnc;
  endfunction

  // ---- software-visible state -------------------------------------------------------------------

  logic [1:0]  key_len_q, mode_q;
  logic        decrypt_q;
  logic [7:0]  key_written_q;
  logic [3:0]  intr_q, intr_enable_q, intr_event;
  logic [5:0]  error_q, error_event;
  logic [31:0] src_q, dst_q, length_q, fault_q, waited_q;
  logic [1:0]  part_q;       // GCM: see below
  logic [3:0]  tag_bytes_q;

  logic                 wiping, cipher_idle, key_busy, key_valid, idle, busy_wiping;
  logic                 active, ended, complete, read_fault, write_fault;
  logic                 wipe_wait_q, faulted_q, fault_due_q, ready, wrote_q;
  logic [1:0]           settle_q;  // the checks of a job are not up to date
  logic                 ring_busy, ring_empty, ring_read_fault, ring_write_fault, ring_word_valid;
  logic                 ring_start, ring_told, ring_job;
  logic                 gcm, may_begin, may_start, message_open, message_busy;
  logic [2:0]           ring_word;
  logic [26:0]          ring_base, ring_at;
  logic [127:0]         iv;
  logic [29:0]          fault;
  logic [BlockW-1:0]    front;
  logic [MaxBlocks-1:0] bits;

  // Byte strobes replace the low address bits.
  logic unused_low;
  assign unused_low = ^{wr_addr_i[1:0], rd_addr_i[1:0]};

  assign busy_wiping = wiping || wipe_wait_q;
  assign ready       = !active && cipher_idle && !busy_wiping && !message_busy;
  // Only writes end idleness, and a write waits a cycle after another one: so a register tells it.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {idle, wrote_q} <= 2'b00;
    else         {idle, wrote_q} <= {ready && !ring_busy, wr_valid_i && wr_ready_o};
  end
  (* keep *) logic idle_p, wrote_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {idle_p, wrote_p} <= '1;
    else         {idle_p, wrote_p} <= {~^(ready && !ring_busy), ~^(wr_valid_i && wr_ready_o)};
  end

  // ---- write ------------------------------------------------------------------------------------

  logic [11:0] wr_addr;
  logic [31:0] ctrl_old, ctrl_new;
  logic        wr_do, wr_ok, whole, low_byte, ctrl_legal, trigger_legal;
  logic        at_ctrl, at_trigger, at_error, at_intr, at_enable, at_test, at_key, at_iv;
  logic        at_src, at_dst, at_length, at_ring, at_tag;
  logic [2:0]  wr_word;

  assign wr_addr    = {wr_addr_i[11:2], 2'b00};
  assign wr_word    = wr_addr[4:2];
  assign at_ctrl    = wr_addr == aes_dma_regs_pkg::ADDR_CTRL;
  assign at_trigger = wr_addr == aes_dma_regs_pkg::ADDR_TRIGGER;
  assign at_error   = wr_addr == aes_dma_regs_pkg::ADDR_ERROR;
  assign at_intr    = wr_addr == aes_dma_regs_pkg::ADDR_INTR_STATE;
  assign at_enable  = wr_addr == aes_dma_regs_pkg::ADDR_INTR_ENABLE;
  assign at_test    = wr_addr == aes_dma_regs_pkg::ADDR_INTR_TEST;
  assign at_src     = wr_addr == aes_dma_regs_pkg::ADDR_SRC;
  assign at_dst     = wr_addr == aes_dma_regs_pkg::ADDR_DST;
  assign at_length  = wr_addr == aes_dma_regs_pkg::ADDR_LENGTH;
  assign at_ring    = wr_addr == aes_dma_regs_pkg::ADDR_RING_BASE;
  assign at_key     = wr_addr[11:5] == aes_dma_regs_pkg::ADDR_KEY[11:5];
  assign at_iv      = wr_addr[11:4] == aes_dma_regs_pkg::ADDR_IV[11:4];
  assign at_tag     = HasGcm && wr_addr[11:4] == aes_dma_regs_pkg::ADDR_TAG[11:4];

  // Bytes without a write strobe keep their value; the resulting setting must be supported.
  logic [1:0] new_len, new_mode, new_part;
  logic [3:0] new_tag_bytes;
  logic       new_decrypt;
  for (genvar i = 0; i < 4; i++) begin : gen_strobe
    assign ctrl_new[8*i +: 8] = wr_strb_i[i] ? wr_data_i[8*i +: 8] : ctrl_old[8*i +: 8];
  end
  assign new_len     = ctrl_new[aes_dma_regs_pkg::CTRL_KEY_LEN_LSB +: 2];
  assign new_mode    = ctrl_new[aes_dma_regs_pkg::CTRL_MODE_LSB +: 2];
  assign new_decrypt = ctrl_new[aes_dma_regs_pkg::CTRL_DECRYPT_LSB];
  assign new_part      = ctrl_new[aes_dma_regs_pkg::CTRL_PART_LSB +: 2] & {2{HasGcm}};
  assign new_tag_bytes = ctrl_new[aes_dma_regs_pkg::CTRL_TAG_BYTES_LSB +: 4] & {4{HasGcm}};
  assign ctrl_legal  = (new_len == 2'd0 || (new_len == 2'd1 && Has192 != 0)
                                        || (new_len == 2'd2 && Has256 != 0))
                    && mode_legal(new_mode, new_decrypt) && new_part != 2'd3;

  logic trigger_begin, trigger_iv_hash, trigger_tag;
  assign trigger_begin   = HasGcm && wr_data_i[aes_dma_regs_pkg::TRIGGER_BEGIN_LSB] && wr_strb_i[0];
  assign trigger_iv_hash = wr_data_i[aes_dma_regs_pkg::TRIGGER_IV_HASH_LSB];
  assign trigger_tag     = HasGcm && wr_data_i[aes_dma_regs_pkg::TRIGGER_TAG_LSB] && wr_strb_i[0];

  logic trigger_key, trigger_start, trigger_abort, trigger_wipe, trigger_ring;
  assign trigger_key   = wr_data_i[aes_dma_regs_pkg::TRIGGER_KEY_LSB] && wr_strb_i[0];
  assign trigger_start = wr_data_i[aes_dma_regs_pkg::TRIGGER_START_LSB] && wr_strb_i[0];
  assign trigger_abort = wr_data_i[aes_dma_regs_pkg::TRIGGER_ABORT_LSB] && wr_strb_i[0];
  assign trigger_wipe  = wr_data_i[aes_dma_regs_pkg::TRIGGER_WIPE_LSB] && wr_strb_i[0];
  assign trigger_ring  = wr_data_i[aes_dma_regs_pkg::TRIGGER_RING_LSB] && wr_strb_i[0];
  // A trigger that needs an idle device must be the only one in its write, except the parts of a
  // GCM message.
  assign trigger_legal = (!trigger_key && !trigger_start && !trigger_begin && !trigger_tag)
                      || (idle && !(trigger_key && (trigger_start || trigger_begin || trigger_tag))
                               && !trigger_abort && !trigger_wipe && !trigger_ring
                               && (!trigger_begin || (mode_q == 2'd3 && key_valid && may_begin))
                               && (!trigger_tag || trigger_begin || message_open));

  assign whole    = &wr_strb_i;
  assign low_byte = wr_do && wr_strb_i[0];
  assign wr_ok    = (at_ctrl && idle && key_written_q == 8'h0 && ctrl_legal)
                 || (at_trigger && trigger_legal)
                 || at_error || at_intr || at_enable || at_test
                 || (at_key && whole && !key_busy && !busy_wiping)
                 || ((at_src || at_dst || at_length || at_iv || at_ring) && whole && idle)
                 || (at_tag && whole && idle && decrypt_q);

  assign wr_ready_o = !wrote_q && !(at_trigger && (|settle_q));
  assign wr_error_o = !wr_ok;
  assign wr_do      = wr_valid_i && wr_ready_o && wr_ok;

  // ---- keys and wiping --------------------------------------------------------------------------

  logic       key_try, key_start, key_wrong, wipe, stop, any_fault;
  logic [7:0] key_needed;
  assign key_needed = key_len_q == 2'd2 ? 8'hff : key_len_q == 2'd1 ? 8'h3f : 8'h0f;
  assign key_try    = wr_do && at_trigger && trigger_key;
  assign key_start  = key_try && key_written_q == key_needed;
  assign key_wrong  = key_try && key_written_q != key_needed;
  assign any_fault  = read_fault || write_fault || ring_read_fault || ring_write_fault;
  assign stop       = wr_do && at_trigger && (trigger_abort || trigger_wipe);
  assign wipe       = key_wrong || (wipe_wait_q && !active && !ring_busy);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                    wipe_wait_q <= 1'b0;
    else if (wr_do && at_trigger && trigger_wipe)   wipe_wait_q <= 1'b1;
    else if (any_fault)                             wipe_wait_q <= 1'b1;
    else if (wipe)                                  wipe_wait_q <= 1'b0;
  end
  (* keep *) logic wipe_wait_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                    wipe_wait_p <= 1'b1;
    else if (wr_do && at_trigger && trigger_wipe)   wipe_wait_p <= 1'b0;
    else if (any_fault)                             wipe_wait_p <= 1'b0;
    else if (wipe)                                  wipe_wait_p <= 1'b1;
  end

  // ---- jobs -------------------------------------------------------------------------------------

  // Regions in words. A region must end before the end of the address space. Source and destination
  // must be identical or disjoint. The sums are registers, and so is what compares them: they are
  // true two cycles after the last write (settle_q).
  logic        job_try, start, refuse, legal, apart, fits, fits_q, settling;
  logic [28:0] blocks;
  logic [29:0] src, dst, words_less;
  logic [7:0]  job_write;
  logic [30:0] src_last, dst_last;
  logic [3:0]  last_strb;
  logic [1:0]  length_low;

  assign src         = src_q[31:2];
  assign dst         = dst_q[31:2];
  assign words_less  = length_q[31:2] - 30'(length_q[1:0] == 2'd0);
  assign length_low  = length_q[1:0];
  assign last_strb   = length_low == 2'd0 ? 4'hf : ~(4'hf << length_low);
  assign apart       = src == dst || src_last[29:0] < dst || dst_last[29:0] < src;
  assign fits        = length_q != 32'h0 && !blocks[28] && !src_last[30] && !dst_last[30]
                    && src_q[1:0] == 2'b00 && dst_q[1:0] == 2'b00
                    && apart;
  assign settling    = (wr_do && (at_src || at_dst || at_length)) || (|job_write[3:1]);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {src_last, dst_last, blocks, fits_q, settle_q} <= '0;
    end else begin
      src_last <= {1'b0, src} + {1'b0, words_less};
      dst_last <= {1'b0, dst} + {1'b0, words_less};
      blocks   <= {1'b0, words_less[29:2]} + 29'd1;
      fits_q   <= fits;
      settle_q <= {settle_q[0], settling};
    end
  end
  (* keep *) logic src_last_p, dst_last_p, blocks_p, fits_p, settle_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {src_last_p, dst_last_p, blocks_p, fits_p, settle_p} <= '1;
    end else begin
      src_last_p <= ~^({1'b0, src} + {1'b0, words_less});
      dst_last_p <= ~^({1'b0, dst} + {1'b0, words_less});
      blocks_p   <= ~^({1'b0, words_less[29:2]} + 29'd1);
      fits_p   <= ~^fits;
      settle_p <= ~^({settle_q[0], settling});
    end
  end
  assign legal = key_valid && mode_legal(mode_q, decrypt_q) && fits_q
              && (length_q[3:0] == 4'h0 || mode_q[1])
              && (!gcm || (may_start && (part_q == 2'd0 || src == dst)));
  // Words of a descriptor use the CPU's write path.
  logic [1:0] rdata_mode;
  logic       rdata_decrypt;
  logic [1:0] rdata_part;
  assign job_write     = {7'h0, ring_word_valid} << ring_word;
  assign rdata_mode    = rdata_i[aes_dma_regs_pkg::CTRL_MODE_LSB +: 2];
  assign rdata_decrypt = rdata_i[aes_dma_regs_pkg::CTRL_DECRYPT_LSB];
  assign rdata_part    = rdata_i[aes_dma_regs_pkg::CTRL_PART_LSB +: 2] & {2{HasGcm}};

  assign job_try    = wr_do && at_trigger && trigger_start;
  assign start      = (job_try || ring_start) && legal;
  assign refuse     = (job_try || ring_start) && !legal;

  // ---- GCM messages -----------------------------------------------------------------------------

  logic         quiet, message_clear, message_ask, message_begin, message_finish, modes_tag;
  logic         modes_tag_valid, tag_done, tag_shown, tag_equal;
  logic [127:0] tag;

  assign gcm            = HasGcm && mode_q == 2'd3;
  assign message_ask    = wr_do && at_trigger && trigger_begin;
  assign message_begin  = message_ask && !refuse;
  assign message_finish = wr_do && at_trigger && trigger_tag && !refuse;

  logic part_2;
  if (HasGcm) begin : gen_message
    logic part_1;
    aes_dma_message_guarded u_message (
      .wrong_o(part_1),
      .clk_i, .rst_ni, .wipe_i(wipe || wiping || key_start), .stop_i(stop),
      .iv_write_i(wr_do && at_iv), .iv_word_i(wr_word[1:0]), .iv_other_i(|job_write[7:4]),
      .ask_i(message_ask), .begin_i(message_begin), .iv_hash_i(trigger_iv_hash),
      .finish_i(message_finish),
      .open_o(message_open), .may_begin_o(may_begin), .busy_o(message_busy),
      .decrypt_i(decrypt_q), .part_i(part_q), .may_start_o(may_start), .start_i(start && gcm),
      .cut_i(length_q[3:0] != 4'h0), .lost_i(gcm && ended && !complete), .active_i(active),
      .tag_write_i(wr_do && at_tag), .tag_word_i(wr_word[1:0]), .tag_data_i(wr_data_i),
      .tag_bytes_i(tag_bytes_q), .tag_done_o(tag_done), .tag_shown_o(tag_shown),
      .tag_equal_o(tag_equal), .modes_idle_i(cipher_idle), .modes_tag_valid_i(modes_tag_valid),
      .modes_tag_i(tag), .modes_tag_o(modes_tag), .clear_o(message_clear)
    );
    assign part_2 = part_1;
  end else begin : gen_no_message
    logic unused;
    assign {may_begin, may_start, message_open, message_busy, message_clear, modes_tag} = '0;
    assign {tag_done, tag_shown, tag_equal} = '0;
    assign unused = ^{message_ask, message_finish, trigger_iv_hash, modes_tag_valid, tag};
    assign part_2 = 1'b0;
  end

  // ---- events -----------------------------------------------------------------------------------

  logic key_busy_q, access_error, rd_error, error_told, job_told;
  assign access_error = (wr_valid_i && wr_ready_o && !wr_ok) || (rd_valid_i && rd_error);
  assign error_event  = {ended && !complete && !faulted_q && !read_fault && !write_fault,
                         write_fault || ring_write_fault, read_fault || ring_read_fault, refuse,
                         key_wrong, access_error};
  assign error_told   = access_error || key_wrong || refuse || (ended && !complete)
                     || ring_read_fault || ring_write_fault;
  assign job_told     = ring_told || (ended && complete && !ring_job);
  assign intr_event   = {ring_empty, error_told, key_busy_q && !key_busy && key_valid, job_told}
                      | (wr_data_i[3:0] & {4{low_byte && at_test}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_len_q     <= 2'd0;
      mode_q        <= 2'd0;
      decrypt_q     <= 1'b0;
      part_q        <= 2'd0;
      tag_bytes_q   <= 4'd0;
      key_written_q <= 8'h0;
      key_busy_q    <= 1'b0;
      intr_q        <= 4'h0;
      intr_enable_q <= 4'h0;
      error_q       <= 6'h0;
      src_q         <= 32'h0;
      dst_q         <= 32'h0;
      length_q      <= 32'h0;
      fault_q       <= 32'h0;
      waited_q      <= 32'h0;
      faulted_q     <= 1'b0;
      fault_due_q   <= 1'b0;
    end else begin
      if (wr_do && at_ctrl) {key_len_q, mode_q, decrypt_q} <= {new_len, new_mode, new_decrypt};
      if (wr_do && at_ctrl) {part_q, tag_bytes_q} <= {new_part, new_tag_bytes};
      if (job_write[0])     {mode_q, decrypt_q, part_q} <= {rdata_mode, rdata_decrypt, rdata_part};
      if (wr_do && at_src)    src_q    <= wr_data_i;
      else if (job_write[1])  src_q    <= rdata_i;
      if (wr_do && at_dst)    dst_q    <= wr_data_i;
      else if (job_write[2])  dst_q    <= rdata_i;
      if (wr_do && at_length) length_q <= wr_data_i;
      else if (job_write[3])  length_q <= rdata_i;
      if (wipe || wiping || key_start) key_written_q <= 8'h0;
      else if (wr_do && at_key)        key_written_q <= key_written_q | (8'h1 << wr_word);
      key_busy_q <= key_busy;
      intr_q     <= (intr_q & ~(wr_data_i[3:0] & {4{low_byte && at_intr}})) | intr_event;
      error_q    <= (error_q & ~(wr_data_i[5:0] & {6{low_byte && at_error}})) | error_event;
      if (low_byte && at_enable) intr_enable_q <= wr_data_i[3:0];
      fault_due_q <= read_fault || write_fault;
      if (fault_due_q)                              fault_q <= {fault, 2'b00};
      else if (ring_read_fault || ring_write_fault) fault_q <= {ring_at, 5'h0};
      faulted_q <= (faulted_q || read_fault || write_fault) && !start;
      waited_q  <= start ? 32'h0 : waited_q + 32'(cpu_stall_o && cpu_valid_i);
    end
  end
  (* keep *) logic key_len_p, mode_p, decrypt_p, part_p, tag_bytes_p,
                   key_written_p, key_busy_p, intr_p, intr_enable_p, error_p, src_p, dst_p,
                   length_p, fault_p, waited_p, faulted_p, fault_due_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_len_p     <= 1'b1;
      mode_p        <= 1'b1;
      decrypt_p     <= 1'b1;
      part_p        <= 1'b1;
      tag_bytes_p   <= 1'b1;
      key_written_p <= 1'b1;
      key_busy_p    <= 1'b1;
      intr_p        <= 1'b1;
      intr_enable_p <= 1'b1;
      error_p       <= 1'b1;
      src_p         <= 1'b1;
      dst_p         <= 1'b1;
      length_p      <= 1'b1;
      fault_p       <= 1'b1;
      waited_p      <= 1'b1;
      faulted_p     <= 1'b1;
      fault_due_p   <= 1'b1;
    end else begin
      if (wr_do && at_ctrl) {key_len_p, mode_p, decrypt_p}
          <= {~^new_len, ~^new_mode, ~^new_decrypt};
      if (wr_do && at_ctrl) {part_p, tag_bytes_p} <= {~^new_part, ~^new_tag_bytes};
      if (job_write[0])     {mode_p, decrypt_p, part_p}
          <= {~^rdata_mode, ~^rdata_decrypt, ~^rdata_part};
      if (wr_do && at_src)    src_p    <= ~^wr_data_i;
      else if (job_write[1])  src_p    <= ~^rdata_i;
      if (wr_do && at_dst)    dst_p    <= ~^wr_data_i;
      else if (job_write[2])  dst_p    <= ~^rdata_i;
      if (wr_do && at_length) length_p <= ~^wr_data_i;
      else if (job_write[3])  length_p <= ~^rdata_i;
      if (wipe || wiping || key_start) key_written_p <= 1'b1;
      else if (wr_do && at_key)        key_written_p <= ~^(key_written_q | (8'h1 << wr_word));
      key_busy_p <= ~^key_busy;
      intr_p     <= ~^((intr_q & ~(wr_data_i[3:0] & {4{low_byte && at_intr}})) | intr_event);
      error_p    <= ~^((error_q & ~(wr_data_i[5:0] & {6{low_byte && at_error}})) | error_event);
      if (low_byte && at_enable) intr_enable_p <= ~^(wr_data_i[3:0]);
      fault_due_p <= ~^(read_fault || write_fault);
      if (fault_due_q)                              fault_p <= ~^({fault, 2'b00});
      else if (ring_read_fault || ring_write_fault) fault_p <= ~^({ring_at, 5'h0});
      faulted_p <= ~^((faulted_q || read_fault || write_fault) && !start);
      waited_p  <= ~^(start ? 32'h0 : waited_q + 32'(cpu_stall_o && cpu_valid_i));
    end
  end
  assign irq_o = |(intr_q & intr_enable_q);

  // ---- read -------------------------------------------------------------------------------------

  logic [11:0] rd_addr;
  logic [31:0] caps, status, rd_data;
  logic        rd_ok, at_rd_iv, at_rd_tag, at_done;
  logic [3:0][31:0] iv_words, tag_words;
  logic [63:0][31:0] done_words;
  logic [5:0]  rd_done;
  logic [1:0]  rd_iv;

  assign rd_addr    = {rd_addr_i[11:2], 2'b00};
  assign at_rd_iv   = rd_addr[11:4] == aes_dma_regs_pkg::ADDR_IV[11:4];
  assign at_rd_tag  = rd_addr[11:4] == aes_dma_regs_pkg::ADDR_TAG[11:4];
  assign at_done    = rd_addr[11:8] == aes_dma_regs_pkg::ADDR_DONE[11:8];
  assign rd_done    = rd_addr[7:2];
  assign rd_iv      = rd_addr[3:2];
  assign iv_words   = iv;
  assign tag_words  = tag;
  assign done_words = 2048'(bits);

  assign ctrl_old = (32'(key_len_q) << aes_dma_regs_pkg::CTRL_KEY_LEN_LSB)
                  | (32'(mode_q) << aes_dma_regs_pkg::CTRL_MODE_LSB)
                  | (32'(decrypt_q) << aes_dma_regs_pkg::CTRL_DECRYPT_LSB)
                  | (32'(part_q) << aes_dma_regs_pkg::CTRL_PART_LSB)
                  | (32'(tag_bytes_q) << aes_dma_regs_pkg::CTRL_TAG_BYTES_LSB);
  assign caps     = (32'(Has192 != 0) << aes_dma_regs_pkg::CAPS_KEY192_LSB)
                  | (32'(Has256 != 0) << aes_dma_regs_pkg::CAPS_KEY256_LSB)
                  | (32'(HasEnc) << aes_dma_regs_pkg::CAPS_ENC_LSB)
                  | (32'(HasDec) << aes_dma_regs_pkg::CAPS_DEC_LSB)
                  | (32'(HasGcm) << aes_dma_regs_pkg::CAPS_GCM_LSB)
                  | (Rounds << aes_dma_regs_pkg::CAPS_ROUNDS_LSB)
                  | (MaxBlocks << aes_dma_regs_pkg::CAPS_WINDOW_LSB);
  assign status   = (32'(idle) << aes_dma_regs_pkg::STATUS_IDLE_LSB)
                  | (32'(key_valid) << aes_dma_regs_pkg::STATUS_KEY_VALID_LSB)
                  | (32'(busy_wiping) << aes_dma_regs_pkg::STATUS_WIPING_LSB)
                  | (32'(|error_q) << aes_dma_regs_pkg::STATUS_ERROR_LSB)
                  | (32'(active) << aes_dma_regs_pkg::STATUS_ACTIVE_LSB)
                  | (32'(ring_busy) << aes_dma_regs_pkg::STATUS_RING_LSB)
                  | (32'(message_open) << aes_dma_regs_pkg::STATUS_GCM_OPEN_LSB)
                  | (32'(tag_done) << aes_dma_regs_pkg::STATUS_TAG_VALID_LSB)
                  | (32'(tag_equal) << aes_dma_regs_pkg::STATUS_TAG_EQUAL_LSB);

  always_comb begin
    rd_data = 32'h0;
    rd_ok   = 1'b1;
    case (rd_addr)
      aes_dma_regs_pkg::ADDR_ID:          rd_data = aes_dma_regs_pkg::ID_RESET;
      aes_dma_regs_pkg::ADDR_CAPS:        rd_data = caps;
      aes_dma_regs_pkg::ADDR_CTRL:        rd_data = ctrl_old;
      aes_dma_regs_pkg::ADDR_STATUS:      rd_data = status;
      aes_dma_regs_pkg::ADDR_ERROR:       rd_data = {26'h0, error_q};
      aes_dma_regs_pkg::ADDR_INTR_STATE:  rd_data = {28'h0, intr_q};
      aes_dma_regs_pkg::ADDR_INTR_ENABLE: rd_data = {28'h0, intr_enable_q};
      aes_dma_regs_pkg::ADDR_SRC:         rd_data = src_q;
      aes_dma_regs_pkg::ADDR_DST:         rd_data = dst_q;
      aes_dma_regs_pkg::ADDR_LENGTH:      rd_data = length_q;
      aes_dma_regs_pkg::ADDR_FRONT:       rd_data = {4'h0, front};
      aes_dma_regs_pkg::ADDR_FAULT:       rd_data = fault_q;
      aes_dma_regs_pkg::ADDR_WAITED:      rd_data = waited_q;
      aes_dma_regs_pkg::ADDR_RING_BASE:   rd_data = {ring_base, 5'h0};
      aes_dma_regs_pkg::ADDR_RING_AT:     rd_data = {ring_at, 5'h0};
      default: begin
        rd_ok = at_done || (at_rd_iv && idle) || (at_rd_tag && tag_shown && idle);
        if (at_done)  rd_data = done_words[rd_done];
        if (at_rd_iv) rd_data = iv_words[rd_iv];
        if (at_rd_tag) rd_data = tag_words[rd_iv];
      end
    endcase
  end

  assign rd_error   = !rd_ok;
  assign rd_ready_o = 1'b1;
  assign rd_error_o = rd_error;
  assign rd_data_o  = rd_ok ? rd_data : 32'h0;

  // ---- mover, ring and cipher -------------------------------------------------------------------

  logic         feed_valid, feed_ready, result_valid;
  logic [127:0] feed_data, result_data, result_text;
  logic [BlockW-1:0] feed_block;
  logic [1:0]   last_words, m_arlen, m_awlen;
  logic         m_arvalid, m_rready, m_awvalid, m_wvalid, m_wlast, m_bready;
  logic         r_arvalid, r_rready, r_awvalid, r_wvalid, r_bready;
  logic [29:0]  m_araddr, m_awaddr;
  logic [31:0]  m_wdata, r_wdata;
  logic [3:0]   m_wstrb;
  assign last_words = words_less[1:0];

  // A hash-only job writes nothing to memory: its writes are answered here. CPU reads do not wait
  // for it.
  logic quiet_bvalid;
  assign quiet = gcm && part_q != 2'd0;
  logic part_3;
  if (HasGcm) begin : gen_quiet
    logic [3:0] answers_q;  // responses due
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) answers_q <= 4'd0;
      else         answers_q <= answers_q + 4'(quiet && m_wvalid && m_wlast)
                              - 4'(quiet_bvalid && m_bready);
    end
    (* keep *) logic answers_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) answers_p <= 1'b1;
      else         answers_p <= ~^(answers_q + 4'(quiet && m_wvalid && m_wlast)
                              - 4'(quiet_bvalid && m_bready));
    end
    assign quiet_bvalid = answers_q != 4'd0;
    assign part_3 = ~^{answers_q, answers_p};
  end else begin : gen_loud
    assign quiet_bvalid = 1'b0;
    assign part_3 = 1'b0;
  end

  logic        watch_valid, watch_write, watch_stall;
  logic [29:0] watch_addr;
  logic part_4;
  aes_dma_watch_guarded #(.Registered(Registered)) u_watch (
    .wrong_o(part_4),
    .clk_i, .rst_ni, .start_i(start), .active_i(active), .cpu_valid_i, .cpu_write_i, .cpu_addr_i,
    .cpu_done_i, .cpu_stall_o, .valid_o(watch_valid), .write_o(watch_write), .addr_o(watch_addr),
    .stall_i(watch_stall)
  );

  logic part_5;
  aes_dma_mover_guarded #(
    .MaxBlocks(MaxBlocks), .ReadAhead(Rounds), .BlockW(BlockW), .Registered(Registered),
    .SlotRam(Registered)
  ) u_mover (
    .wrong_o(part_5),
    .clk_i, .rst_ni, .start_i(start), .stop_i(stop), .src_i(src), .src_last_i(src_last[29:0]),
    .dst_i(dst), .dst_last_i(dst_last[29:0]), .blocks_i(blocks[27:0]),
    .last_words_i(last_words), .last_strb_i(last_strb),
    .ordered_i(mode_q == 2'd1 || gcm),
    .active_o(active), .ended_o(ended), .complete_o(complete), .read_fault_o(read_fault),
    .write_fault_o(write_fault), .fault_o(fault), .front_o(front), .bits_o(bits),
    .feed_valid_o(feed_valid), .feed_ready_i(feed_ready), .feed_data_o(feed_data),
    .feed_block_o(feed_block), .result_valid_i(result_valid), .result_data_i(result_data),
    .result_text_o(result_text), .cpu_valid_i(watch_valid && (!quiet || watch_write)),
    .cpu_write_i(watch_write), .cpu_addr_i(watch_addr), .cpu_stall_o(watch_stall),
    .arvalid_o(m_arvalid), .arready_i, .araddr_o(m_araddr), .arlen_o(m_arlen), .rvalid_i,
    .rready_o(m_rready), .rdata_i, .rerror_i, .awvalid_o(m_awvalid),
    .awready_i(awready_i || quiet), .awaddr_o(m_awaddr), .awlen_o(m_awlen), .wvalid_o(m_wvalid),
    .wready_i(wready_i || quiet), .wdata_o(m_wdata), .wstrb_o(m_wstrb), .wlast_o(m_wlast),
    .bvalid_i(quiet ? quiet_bvalid : bvalid_i), .bready_o(m_bready), .berror_i(berror_i && !quiet)
  );

  logic part_6;
  aes_dma_ring_guarded u_ring (
    .wrong_o(part_6),
    .clk_i, .rst_ni, .base_write_i(wr_do && at_ring), .base_i(wr_data_i[31:5]),
    .base_o(ring_base), .at_o(ring_at), .bell_i(wr_do && at_trigger && trigger_ring),
    .stop_i(stop || any_fault), .busy_o(ring_busy), .empty_o(ring_empty),
    .read_fault_o(ring_read_fault), .write_fault_o(ring_write_fault), .ready_i(ready),
    .word_valid_o(ring_word_valid), .word_o(ring_word), .start_o(ring_start), .legal_i(legal),
    .ended_i(ended), .complete_i(complete), .job_o(ring_job),
    .told_o(ring_told), .arvalid_o(r_arvalid), .arready_i, .rvalid_i, .rready_o(r_rready),
    .rdata_i, .rerror_i, .awvalid_o(r_awvalid),
    .awready_i, .wvalid_o(r_wvalid), .wready_i, .wdata_o(r_wdata), .bvalid_i,
    .bready_o(r_bready), .berror_i
  );

  // Only one requester uses the bus at a time: the ring between jobs, the mover during a job.
  assign arvalid_o = m_arvalid || r_arvalid;
  assign araddr_o  = r_arvalid ? {ring_at, 3'h0} : m_araddr;
  assign arlen_o   = r_arvalid ? 3'd7 : {1'b0, m_arlen};
  assign rready_o  = m_rready || r_rready;
  assign awvalid_o = (m_awvalid && !quiet) || r_awvalid;
  assign awaddr_o  = r_awvalid ? {ring_at, 3'h0} : m_awaddr;
  assign awlen_o   = r_awvalid ? 2'd0 : m_awlen;
  assign wvalid_o  = (m_wvalid && !quiet) || r_wvalid;
  assign wdata_o   = r_wvalid ? r_wdata : m_wdata;
  assign wstrb_o   = r_wvalid ? 4'hf : m_wstrb;
  assign wlast_o   = r_wvalid || m_wlast;
  assign bready_o  = (m_bready && !quiet) || r_bready;

  // Bytes of the fed block.
  logic [3:0] feed_bytes;
  assign feed_bytes = feed_block == blocks[27:0] - 28'd1 ? length_q[3:0] : 4'd0;

  logic part_7;
  aes_dma_cipher_guarded #(
    .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds),
    .SboxImpl(SboxImpl), .BlockW(BlockW), .Gcm(HasGcm ? 1 : 0), .HashDigit(HashDigit)
  ) u_cipher (
    .wrong_o(part_7),
    .clk_i, .rst_ni, .wipe_i(wipe), .wiping_o(wiping), .idle_o(cipher_idle), .mode_i(mode_q),
    .decrypt_i(decrypt_q), .key_write_i(wr_do && at_key), .key_word_i(wr_word),
    .key_data_i(wr_data_i), .iv_write_i((wr_do && at_iv) || (|job_write[7:4])),
    .iv_word_i(ring_word_valid ? ring_word[1:0] : wr_word[1:0]),
    .iv_data_i(ring_word_valid ? rdata_i : wr_data_i), .iv_o(iv),
    .key_start_i(key_start), .key_length_i(key_len_q), .key_busy_o(key_busy),
    .key_valid_o(key_valid), .feed_valid_i(feed_valid), .feed_ready_o(feed_ready),
    .feed_data_i(feed_data), .feed_block_i(feed_block), .result_valid_o(result_valid),
    .result_data_o(result_data), .result_text_i(result_text),
    .gcm_clear_i(message_clear || key_start), .gcm_iv_write_i(wr_do && at_iv),
    .gcm_begin_i(message_begin), .gcm_iv_hash_i(trigger_iv_hash), .gcm_tag_i(modes_tag),
    .gcm_part_i(part_q), .gcm_bytes_i(feed_bytes), .gcm_tag_valid_o(modes_tag_valid),
    .gcm_tag_o(tag)
  );

  assign wrong_o = |{~^{idle, idle_p}, ~^{wrote_q, wrote_p}, ~^{wipe_wait_q, wipe_wait_p},
    ~^{src_last, src_last_p}, ~^{dst_last, dst_last_p}, ~^{blocks, blocks_p}, ~^{fits_q, fits_p},
    ~^{settle_q, settle_p}, part_2, ~^{key_len_q, key_len_p}, ~^{mode_q, mode_p},
    ~^{decrypt_q, decrypt_p}, ~^{part_q, part_p}, ~^{tag_bytes_q, tag_bytes_p},
    ~^{key_written_q, key_written_p}, ~^{key_busy_q, key_busy_p}, ~^{intr_q, intr_p},
    ~^{intr_enable_q, intr_enable_p}, ~^{error_q, error_p}, ~^{src_q, src_p}, ~^{dst_q, dst_p},
    ~^{length_q, length_p}, ~^{fault_q, fault_p}, ~^{waited_q, waited_p}, ~^{faulted_q, faulted_p},
    ~^{fault_due_q, fault_due_p}, part_3, part_4, part_5, part_6, part_7};
endmodule
