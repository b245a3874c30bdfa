// SPDX-License-Identifier: Apache-2.0
// AES for FPGAs: key, both channels and their modes as one machine. Words of 32 bits enter and
// leave, one a cycle; rounds take two cycles each, from tables in block RAM (aes_table_round).
// FIPS 197, SP 800-38A, sections 6.1, 6.2 and 6.5; with Gcm SP 800-38D, section 7.
//
// Channel 0 encrypts (ECB, CBC, CTR, GCM: mode 0 to 3), channel 1 decrypts (ECB, CBC). A channel
// holds two blocks that wait or are in the rounds, and a result. Ready channels take turns.
//
// Cycles of a block: 9 + 2*rounds: 29, 33, 37. Cycles of a key until key_valid_o: 110, 124 and 152.
// Decryption uses the equivalent inverse cipher (FIPS 197, section 5.3.5), so a key includes its
// round keys after InvMixColumns: the tables make them.
//
// Words are in small memories. A wipe overwrites every memory in 33 cycles and empties every
// register at once, except the tables' output registers: they follow the state and hold constants
// one cycle later. Reset does the same. Timing depends only on handshakes, key length and modes.
//
// Made from aes_words.sv.j2 by `aesforge modules`.
module aes_words #(
  parameter Has192 = 1,
  parameter Has256 = 1,
  parameter Gcm    = 0,
  parameter Digit  = 8  // of ghash_words
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,
  output logic             wiping_o,
  output logic             idle_o,         // neither a block nor a key is being worked on

  // Key: words of it may be written unless key_busy_o, and started only while idle.
  input  logic             key_write_i,
  input  logic [2:0]       key_word_i,
  input  logic             key_start_i,
  input  logic [1:0]       key_length_i,   // 0: 128 bits, 1: 192, 2: 256; read with key_start_i
  output logic             key_busy_o,
  output logic             key_valid_o,

  // Channels; bit 1 of each pair decrypts.
  input  logic [1:0][1:0]  mode_i,
  input  logic [31:0]      data_i,         // of every write, first byte in bits 7 to 0
  input  logic [1:0]       word_i,
  input  logic [1:0]       in_write_i,     // only with in_ready_o
  input  logic [1:0]       iv_write_i,     // only with idle channels
  input  logic             read_dec_i,     // channel that is read
  input  logic [1:0]       read_word_i,
  input  logic [1:0]       out_read_i,     // only with out_valid_o
  output logic [1:0]       in_ready_o,
  output logic [1:0]       channel_idle_o, // no block, not even a partial one, before the result
  output logic [1:0]       pending_o,      // a result is in flight
  output logic [1:0]       done_o,
  output logic [1:0]       out_valid_o,
  output logic [31:0]      out_o,
  output logic [31:0]      iv_o,           // valid with idle channels

  // Only with Gcm; the rules are those of aes_iter_gcm.
  input  logic             start_i,
  input  logic             iv_hash_i,
  input  logic             hash_input_i,
  input  logic             hash_write_i,   // only with hash_ready_o
  output logic             hash_ready_o,
  input  logic [3:0]       bytes_i,
  input  logic             hash_text_i,
  input  logic             tag_i,
  output logic             tag_valid_o,
  output logic [127:0]     tag_o
);
  // Phases of the machine. Look: the state is at the tables' inputs. Round: the state takes their
  // outputs. The others with "words" last four cycles.
  localparam logic [3:0] Idle = 4'd0, Load = 4'd1, Look = 4'd2, Round = 4'd3, Unload = 4'd4,
                         KeyFirst = 4'd5, KeyWord = 4'd6, KeyRead = 4'd7, Copy = 4'd8, Count = 4'd9,
                         Hash = 4'd10, Lengths = 4'd11, TagWait = 4'd12, Tag = 4'd13;
  // Tasks of the rounds: a block, H, the mask of the tag; SubWord, InvMixColumns in two passes.
  localparam logic [2:0] Block = 3'd0, Subkey = 3'd1, Mask = 3'd2, Sub = 3'd3, Boxes = 3'd4,
                         Columns = 3'd5;
  localparam logic [3:0] NoKey = 4'd15;  // a round key that is always zero

  logic [3:0] phase_q, phase_next;
  logic [2:0] task_q;
  logic [1:0] step_q;
  logic [3:0] round_q, rounds;
  logic       dec_q, clear;

  // ---- wiping -----------------------------------------------------------------------------------

  // The state is zero from the second cycle on, so the first place is written twice.
  logic       wiping_q;
  logic [5:0] wipe_index_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wiping_q     <= 1'b1;
      wipe_index_q <= 6'd0;
    end else if (wipe_i) begin
      wiping_q     <= 1'b1;
      wipe_index_q <= 6'd0;
    end else if (wiping_q) begin
      wiping_q     <= !wipe_index_q[5];
      wipe_index_q <= wipe_index_q + 6'd1;
    end
  end
  assign wiping_o = wiping_q;
  assign clear    = wipe_i || wiping_q;

  // ---- blocks that wait, results ----------------------------------------------------------------

  logic [1:0] fill, drain;  // place that is filled, and that is worked on
  logic [1:0] full, empty, want, finish, out_valid;
  logic       last_dec_q, next_dec, done, text_waits;

  for (genvar c = 0; c < 2; c++) begin : gen_channel
    logic [1:0] full_q;  // two places
    logic       fill_q, drain_q, out_valid_q;
    logic [3:0] written_q, read_q, written, read;
    assign written   = written_q | ({3'b000, in_write_i[c]} << word_i);
    assign read      = read_q | ({3'b000, out_read_i[c]} << read_word_i);
    assign finish[c] = done && task_q == Block && dec_q == (c == 1);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        full_q      <= 2'b00;
        fill_q      <= 1'b0;
        drain_q     <= 1'b0;
        out_valid_q <= 1'b0;
        written_q   <= 4'h0;
        read_q      <= 4'h0;
      end else if (clear) begin
        full_q      <= 2'b00;
        fill_q      <= 1'b0;
        drain_q     <= 1'b0;
        out_valid_q <= 1'b0;
        written_q   <= 4'h0;
        read_q      <= 4'h0;
      end else begin
        written_q <= (&written) ? 4'h0 : written;
        read_q    <= (&read) ? 4'h0 : read;
        if (&written) begin
          full_q[fill_q] <= 1'b1;
          fill_q         <= !fill_q;
        end
        if (finish[c]) begin
          full_q[drain_q] <= 1'b0;
          drain_q         <= !drain_q;
          out_valid_q     <= 1'b1;
        end else if (&read) begin
          out_valid_q <= 1'b0;
        end
      end
    end
    assign {fill[c], drain[c], out_valid[c]} = {fill_q, drain_q, out_valid_q};
    assign full[c]       = full_q[drain_q];
    assign in_ready_o[c] = !full_q[fill_q];
    assign pending_o[c]  = full_q != 2'b00;
    assign empty[c]      = full_q == 2'b00 && written_q == 4'h0;
    assign want[c]       = key_valid_o && full[c] && (c == 1 || !text_waits);
  end
  assign out_valid_o = out_valid;
  assign done_o      = finish;
  assign next_dec    = want[1] && (!want[0] || !last_dec_q);

  // ---- round keys -------------------------------------------------------------------------------

  // Places 0 to 14: the round keys of FIPS 197, section 5.2. Places 17 to 29: those of rounds 1 to
  // 13 after InvMixColumns. Place 15 is zero. A write follows its word by a cycle: the state holds
  // it then, in every column.
  logic [1:0]   length_q;
  logic         is192, is256;
  logic [3:0]   store_write_q;
  logic [4:0]   store_index_q, key_index;
  logic [127:0] key, state_q;

  assign is192  = (Has192 != 0) && length_q == 2'd1;
  assign is256  = (Has256 != 0) && length_q == 2'd2;
  assign rounds = {1'b1, length_q, 1'b0} + 4'd2;
  for (genvar c = 0; c < 4; c++) begin : gen_bank
    (* ram_style = "block", no_rw_check *) logic [31:0] bank [0:31];
    logic [31:0] key_q;
    always_ff @(posedge clk_i) begin
      if (wiping_q || store_write_q[c]) begin
        bank[wiping_q ? wipe_index_q[4:0] : store_index_q] <= state_q[32*c +: 32];
      end
      key_q <= bank[key_index];
    end
    assign key[32*c +: 32] = key_q;
  end

  // The key of the next cycle.
  always_comb begin
    case (phase_q)
      Look:             key_index = task_q == Sub || task_q == Boxes || task_q == Columns
                                  ? {1'b0, NoKey} : {dec_q && round_q != 4'd0, round_q};
      KeyFirst:         key_index = {1'b0, NoKey};
      KeyWord:          key_index = phase_next == KeyRead ? 5'd1 : {1'b0, NoKey};
      Round:            key_index = task_q == Columns ? {1'b0, round_q + 4'd1}
                                  : task_q == Sub ? {1'b0, NoKey}
                                  : {dec_q && round_q != 4'd0, round_q};
      KeyRead:          key_index = {1'b0, NoKey};
      Idle:             key_index = next_dec ? {1'b0, rounds} : 5'd0;
      default:          key_index = dec_q ? {1'b0, rounds} : 5'd0;
    endcase
  end

  // ---- key expansion: a word a cycle ------------------------------------------------------------

  // The ring of key words holds the last Nk words. SubWord takes two more cycles. Afterwards the
  // ring is overwritten while the second set of keys is made.
  logic [2:0]  place_q, place_next;     // number of the word modulo Nk
  logic        seed_q, boxed_q, sub_next, last_word, key_busy_q, key_valid_q;
  logic [7:0]  rcon_q;
  logic [31:0] ring_read, ring_data, temp, word, given;
  logic        ring_write;
  logic [2:0]  ring_index;

  assign given      = data_i & {32{!wiping_q}};
  assign ring_index = wiping_q ? wipe_index_q[2:0] : phase_q == KeyRead ? round_q[2:0]
                    : key_busy_q ? place_q : key_word_i;
  assign ring_write = wiping_q || phase_q == KeyRead || phase_q == KeyWord || key_write_i;
  assign ring_data  = phase_q == KeyWord ? word : phase_q == KeyRead ? 32'h0 : given;
  (* ram_style = "distributed" *) logic [31:0] ring [0:7];
  always_ff @(posedge clk_i) if (ring_write) ring[ring_index] <= ring_data;
  assign ring_read = ring[place_q];

  assign temp = seed_q ? 32'h0
              : boxed_q && place_q == 3'd0 ? {state_q[7:0], state_q[31:16], state_q[15:8] ^ rcon_q}
              : state_q[31:0];
  assign word       = ring_read ^ temp;
  assign place_next = place_q == (is256 ? 3'd7 : is192 ? 3'd5 : 3'd3) ? 3'd0 : place_q + 3'd1;
  assign sub_next   = place_next == 3'd0 || (is256 && place_next == 3'd4 && !seed_q);
  assign last_word  = round_q == rounds && step_q == 2'd3;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      length_q      <= 2'd0;
      key_busy_q    <= 1'b0;
      key_valid_q   <= 1'b0;
      place_q       <= 3'd0;
      seed_q        <= 1'b1;
      boxed_q       <= 1'b0;
      rcon_q        <= 8'h01;
      store_write_q <= 4'h0;
      store_index_q <= 5'd0;
    end else if (clear) begin
      length_q      <= 2'd0;
      key_busy_q    <= 1'b0;
      key_valid_q   <= 1'b0;
      place_q       <= 3'd0;
      seed_q        <= 1'b1;
      boxed_q       <= 1'b0;
      rcon_q        <= 8'h01;
      store_write_q <= 4'h0;
      store_index_q <= 5'd0;
    end else begin
      store_write_q <= 4'h0;
      if (key_start_i) begin
        length_q    <= key_length_i;
        key_busy_q  <= 1'b1;
        key_valid_q <= 1'b0;
        place_q     <= 3'd0;
        seed_q      <= 1'b1;
        boxed_q     <= 1'b0;
        rcon_q      <= 8'h01;
      end else if (phase_q == KeyWord) begin
        store_write_q[step_q] <= 1'b1;
        store_index_q         <= {1'b0, round_q};
        place_q               <= place_next;
        boxed_q               <= sub_next;
        if (place_next == 3'd0) seed_q <= 1'b0;
        if (place_q == 3'd0 && !seed_q) begin
          rcon_q <= {rcon_q[6:0], 1'b0} ^ (rcon_q[7] ? 8'h1b : 8'h00);
        end
      end else if (phase_q == Round && task_q == Columns) begin
        store_write_q <= 4'hf;
        store_index_q <= {1'b1, round_q};
        if (phase_next == Idle) begin
          key_busy_q  <= 1'b0;
          key_valid_q <= 1'b1;
        end
      end
    end
  end
  assign key_busy_o  = key_busy_q;
  assign key_valid_o = key_valid_q;

  // ---- steps ------------------------------------------------------------------------------------

  logic last_step, final_round, hash_free, hash_full, gcm;

  assign gcm         = (Gcm != 0) && mode_i[0] == 2'd3 && !dec_q;
  assign last_step   = step_q == 2'd0;
  assign final_round = dec_q ? round_q == 4'd0 : round_q == rounds;
  assign done        = phase_q == Unload && last_step;

  always_comb begin
    phase_next = phase_q;
    case (phase_q)
      Idle:     phase_next = key_start_i ? KeyFirst : start_i ? (iv_hash_i ? Copy : Load)
                           : tag_i ? Lengths : hash_full && hash_free ? Hash
                           : (|want) ? Load : Idle;
      Load:     if (last_step) phase_next = Look;
      Look:     phase_next = Round;
      Round:
        case (task_q)
          Sub:     phase_next = KeyWord;
          Boxes:   phase_next = Look;
          Columns: phase_next = round_q == rounds - 4'd1 ? Idle : KeyRead;
          // A result waits for its place, and a block of GCM for the hash.
          default: phase_next = !final_round ? Look
                              : task_q == Block && (out_valid[dec_q] || (gcm && !hash_free))
                              ? Round : Unload;
        endcase
      Unload:   if (last_step) phase_next = task_q == Subkey ? Load : task_q == Mask ? Count : Idle;
      KeyFirst: phase_next = KeyWord;
      KeyWord:  phase_next = last_word ? KeyRead : sub_next ? Look : KeyWord;
      KeyRead:  phase_next = Look;
      Copy:     if (last_step) phase_next = Load;
      Hash:     if (last_step) phase_next = Idle;
      Lengths:  if (last_step) phase_next = TagWait;
      TagWait:  if (hash_free) phase_next = Tag;
      Tag:      if (last_step) phase_next = Idle;
      default:  phase_next = Idle;  // Count
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q    <= Idle;
      task_q     <= Block;
      step_q     <= 2'd3;
      round_q    <= 4'd0;
      dec_q      <= 1'b0;
      last_dec_q <= 1'b0;
    end else if (clear) begin
      phase_q    <= Idle;
      task_q     <= Block;
      step_q     <= 2'd3;
      round_q    <= 4'd0;
      dec_q      <= 1'b0;
      last_dec_q <= 1'b0;
    end else begin
      phase_q <= phase_next;
      case (phase_q)
        Idle: begin
          dec_q   <= !start_i && next_dec;
          task_q  <= start_i ? Subkey : Block;
          round_q <= 4'd0;
          step_q  <= key_start_i ? 2'd0 : 2'd3;
          if (phase_next == Load && !start_i) last_dec_q <= next_dec;
        end
        Load: begin
          step_q  <= step_q - 2'd1;
          round_q <= dec_q ? rounds - 4'd1 : 4'd1;
        end
        Round: begin
          if (task_q == Columns || (task_q != Sub && task_q != Boxes && !final_round)) begin
            round_q <= dec_q ? round_q - 4'd1 : round_q + 4'd1;
          end
          if (task_q == Boxes) task_q <= Columns;
        end
        Unload: begin
          step_q <= step_q - 2'd1;
          if (last_step && task_q == Subkey) task_q <= Mask;
        end
        KeyWord: begin
          step_q <= step_q + 2'd1;
          task_q  <= Sub;
          if (last_word)           round_q <= 4'd1;
          else if (step_q == 2'd3) round_q <= round_q + 4'd1;
        end
        KeyRead: task_q <= Boxes;
        Copy, Hash, Lengths, Tag: step_q <= step_q - 2'd1;
        default: ;
      endcase
    end
  end

  // ---- words in and out -------------------------------------------------------------------------

  logic        cbc, ctr, use_in, use_iv, held;
  logic [31:0] in_read, iv_read, mixed_in, out_word, keep;

  assign cbc       = mode_i[dec_q] == 2'd1;
  assign ctr       = !dec_q && mode_i[0][1];
  assign held      = phase_q == Round && phase_next == Round;

  (* ram_style = "distributed" *) logic [31:0] in_ram [0:15];
  logic [3:0] in_index;
  assign in_index = wiping_q ? wipe_index_q[3:0]
                  : {in_write_i[1], in_write_i[1] ? fill[1] : fill[0], word_i};
  always_ff @(posedge clk_i) if (wiping_q || (|in_write_i)) in_ram[in_index] <= given;
  assign in_read = in_ram[{dec_q, drain[dec_q], step_q}];

  // A block enters as text, as text after chaining or as a counter, and leaves the same way.
  assign use_in   = task_q == Block && ((phase_q == Load && !ctr) || (phase_q == Unload && ctr));
  assign use_iv   = (phase_q == Load && task_q == Mask)
                 || (phase_q == Load && task_q == Block && (ctr || (cbc && !dec_q)))
                 || (phase_q == Unload && task_q == Block && cbc && dec_q);
  assign mixed_in = (in_read & {32{use_in}}) ^ (iv_read & {32{use_iv}});
  assign out_word = (state_q[{step_q, 5'd0} +: 32] ^ mixed_in) & keep;

  (* ram_style = "distributed" *) logic [31:0] out_ram [0:7];
  logic [2:0] out_index;
  assign out_index = wiping_q ? wipe_index_q[2:0] : {dec_q, step_q};
  always_ff @(posedge clk_i) begin
    if (wiping_q || (phase_q == Unload && task_q == Block)) begin
      out_ram[out_index] <= out_word & {32{!wiping_q}};
    end
  end
  assign out_o = out_ram[{read_dec_i, read_word_i}];

  // ---- chaining values, and the mask of the tag at places 8 to 11 -------------------------------

  // A word's next value is taken in one cycle, and counted up and stored in the next. The bus reads
  // a second copy of the memory.
  (* ram_style = "distributed" *) logic [31:0] iv_ram [0:15];
  logic [31:0] hash_word, iv_take, iv_take_q, iv_data, count;
  logic [3:0]  iv_from, iv_index_q, iv_index;
  logic        iv_count, iv_count_q, iv_first_q, iv_taken, iv_write_q, iv_write;
  logic        carry, carry_q, mask_place;

  assign mask_place = phase_q == Tag || (phase_q == Unload && task_q == Mask);
  assign iv_from    = {mask_place, dec_q, phase_q == Count ? 2'd3 : step_q};
  assign iv_read    = iv_ram[iv_from];
  assign iv_o       = iv_ram[{1'b0, read_dec_i, read_word_i}];

  assign iv_count   = phase_q == Count || (phase_q == Unload && task_q == Block && ctr);
  assign iv_taken   = iv_count || phase_q == Copy || phase_q == Tag
                   || (phase_q == Unload && (task_q == Mask || (task_q == Block && cbc)));
  always_comb begin
    if (!iv_taken || phase_q == Tag)   iv_take = 32'h0;
    else if (iv_count)                 iv_take = iv_read;
    else if (phase_q == Copy)          iv_take = hash_word;
    else if (task_q == Block && dec_q) iv_take = in_read;
    else                               iv_take = out_word;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      iv_write_q <= 1'b0;
      iv_count_q <= 1'b0;
      iv_first_q <= 1'b0;
      iv_index_q <= 4'd0;
      iv_take_q  <= 32'h0;
    end else begin
      iv_write_q <= iv_taken && !clear;
      iv_count_q <= iv_count;
      iv_first_q <= phase_q == Count || step_q == 2'd3;
      iv_index_q <= iv_from;
      iv_take_q  <= iv_take & {32{!clear}};
    end
  end

  // Counters are big-endian numbers of 128 bits, in GCM 96 constant bits and 32 that count.
  assign {carry, count} = {1'b0, iv_take_q[7:0], iv_take_q[15:8], iv_take_q[23:16],
                           iv_take_q[31:24]} + 33'(iv_count_q && (iv_first_q || carry_q));
  always_ff @(posedge clk_i) carry_q <= carry && iv_write_q && !gcm && !clear;

  assign iv_write = wiping_q || iv_write_q || (|iv_write_i);
  assign iv_index = wiping_q ? wipe_index_q[3:0]
                  : iv_write_q ? iv_index_q : {1'b0, iv_write_i[1], word_i};
  assign iv_data  = iv_write_q ? {count[7:0], count[15:8], count[23:16], count[31:24]} : given;
  always_ff @(posedge clk_i) if (iv_write) iv_ram[iv_index] <= iv_data;

  // ---- rounds -----------------------------------------------------------------------------------

  logic         table_inv, table_final;
  logic [127:0] state;
  logic [3:0]   take;

  assign table_inv   = task_q == Columns || (task_q == Block && dec_q);
  assign table_final = task_q == Sub || task_q == Boxes || (task_q != Columns && final_round);
  always_comb begin
    take = 4'h0;
    case (phase_q)
      Load:             take = 4'h1 << step_q;
      Round:            take = {4{!held}};
      KeyWord, KeyRead: take = 4'hf;
      default:          take = 4'h0;
    endcase
  end
  aes_table_round u_round (
    .clk_i, .inv_i(table_inv), .state_i(state_q), .final_i(table_final), .load_i(phase_q != Round),
    .word_i(phase_q == KeyWord ? word : mixed_in), .key_i(key), .next_o(state)
  );
  always_ff @(posedge clk_i) begin
    if (clear || phase_q == Idle) begin
      state_q <= '0;
    end else begin
      for (int c = 0; c < 4; c++) if (take[c]) state_q[32*c +: 32] <= state[32*c +: 32];
    end
  end

  // ---- GCM --------------------------------------------------------------------------------------

  logic gcm_idle;
  if (Gcm != 0) begin : gen_gcm
    logic         hash_done, hash_add, hash_start, hash_key, text, counted, tag_valid_q;
    logic [3:0]   hash_written_q, hash_written, bytes;
    logic [31:0]  hash_read, hash_data, text_hashed, length_word;
    logic [35:0]  aad_q, text_q, length;  // bytes
    logic [127:0] hash_state;

    // Bytes of a block that is not whole count as zero: byte i of word step_q is kept if its number
    // is below bytes_i.
    logic [3:0] keep_byte;
    for (genvar i = 0; i < 4; i++) begin : gen_keep
      assign keep_byte[i] = bytes_i == 4'd0 || {step_q, 2'(i)} < bytes_i;
      assign keep[8*i +: 8] = {8{task_q != Block || !gcm || keep_byte[i]}};
      assign text_hashed[8*i +: 8] = in_read[8*i +: 8] & {8{keep_byte[i]}};
    end

    // A block for the hash alone has priority, because associated data precede text.
    (* ram_style = "distributed" *) logic [31:0] hash_ram [0:3];
    logic [1:0] hash_index;
    assign hash_index   = wiping_q ? wipe_index_q[1:0] : word_i;
    assign hash_written = hash_written_q | ({3'b000, hash_write_i} << word_i);
    always_ff @(posedge clk_i) if (wiping_q || hash_write_i) hash_ram[hash_index] <= given;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                    hash_written_q <= 4'h0;
      else if (clear || hash_done)    hash_written_q <= 4'h0;
      else                            hash_written_q <= hash_written;
    end
    assign hash_full    = &hash_written_q;
    assign hash_ready_o = !hash_full;
    assign hash_done    = phase_q == Hash && last_step;
    assign text_waits   = hash_full;
    for (genvar i = 0; i < 4; i++) begin : gen_hash
      assign hash_read[8*i +: 8] = hash_ram[step_q][8*i +: 8] & {8{keep_byte[i]}};
    end

    // Two big-endian numbers of 64 bits that count bits.
    assign length      = step_q[1] ? text_q : aad_q;
    assign length_word = step_q[0] ? {length[4:0], 3'b000, length[12:5], length[20:13],
                                      length[28:21]}
                                   : {1'b0, length[35:29], 24'h0};

    assign hash_key   = phase_q == Unload && task_q == Subkey;
    assign hash_add   = phase_q == Hash || phase_q == Lengths || phase_q == Tag
                     || (phase_q == Unload && task_q == Block && gcm);
    assign hash_start = hash_add && phase_q != Tag && last_step;
    assign hash_data  = phase_q == Unload
                      ? (hash_input_i && task_q == Block ? text_hashed : out_word)
                      : phase_q == Hash ? hash_read : phase_q == Tag ? iv_read : length_word;
    ghash_words #(.Digit(Digit)) u_hash (
      .clk_i, .rst_ni, .clear_i(clear), .key_write_i(hash_key), .add_i(hash_add),
      .start_i(hash_start), .word_i(step_q), .data_i(hash_data), .ready_o(hash_free),
      .state_o(hash_state)
    );
    assign hash_word = hash_state[{step_q, 5'd0} +: 32];

    assign text    = phase_q == Unload || hash_text_i;
    assign counted = hash_start && phase_q != Lengths;
    assign bytes   = bytes_i;
    always_ff @(posedge clk_i) begin
      if (clear || start_i) begin
        aad_q  <= '0;
        text_q <= '0;
      end else if (counted) begin
        if (text) text_q <= text_q + 36'({bytes == 4'd0, bytes});
        else      aad_q  <= aad_q + 36'({bytes == 4'd0, bytes});
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                          tag_valid_q <= 1'b0;
      else if (clear || start_i)            tag_valid_q <= 1'b0;
      else if (phase_q == Tag && last_step) tag_valid_q <= 1'b1;
    end
    assign tag_valid_o = tag_valid_q;
    assign tag_o       = hash_state;
    assign gcm_idle    = hash_written_q == 4'h0 && hash_free;
  end else begin : gen_no_gcm
    logic unused;
    assign unused = ^{hash_input_i, hash_write_i, bytes_i, hash_text_i};
    assign {hash_full, hash_free, hash_ready_o, text_waits, tag_valid_o, gcm_idle} = 6'b010001;
    assign {keep, hash_word, tag_o} = {32'hffffffff, 160'h0};
  end

  // start_i and tag_i need both channels idle; from then on channel 0 is busy until Idle.
  logic gcm_busy_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)              gcm_busy_q <= 1'b0;
    else if (clear)           gcm_busy_q <= 1'b0;
    else if (phase_q == Idle) gcm_busy_q <= start_i || tag_i;
  end
  for (genvar c = 0; c < 2; c++) begin : gen_idle
    assign channel_idle_o[c] = empty[c]
                            && (c == 1 || (gcm_idle && !gcm_busy_q && phase_q != Hash));
  end
  // Not idle before the last word of a chaining value is stored.
  assign idle_o = phase_q == Idle && !key_busy_q && !wiping_q && !iv_write_q;
endmodule
