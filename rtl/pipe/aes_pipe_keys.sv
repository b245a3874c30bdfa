// SPDX-License-Identifier: Apache-2.0
// Key input of a pipeline: accepts keys, stores them, and prepares the rounds' key inputs. FIPS
// 197, section 5.2, one word at a time.
//
// Schedule  "agile"   Slots keys. Each block names its slot and takes a window of the schedule with
//                     it (aes_pipe_step.sv): the first words of the key to encrypt, the last words
//                     of the expanded key to decrypt. A slot can encrypt in the next cycle, and
//                     decrypt after one run through the schedule.
//           "static"  one key, all round keys in registers. While a key waits or is expanded,
//                     hold_o keeps blocks out; the key is accepted when the pipeline is empty.
//
// Latency of a key: 1 cycle to encrypt (agile). Otherwise 4*(Nr + 1) words at one a cycle (agile:
// Nk fewer), plus the S-box registers for each word that uses SubWord. Static adds Rounds + 6: one
// cycle for each stage that the last word passes.
//
// size: 0 = 128, 1 = 192, 2 and 3 = 256 bits; only with KeyBits = 0.
module aes_pipe_keys #(
  parameter SboxImpl = "tower",
  parameter Dir      = "both",
  parameter PipeRegs = 3,
  parameter KeyBits  = 128,
  parameter Schedule = "agile",
  parameter Slots    = 2,
  parameter Words    = aes_pipe_pkg::key_words(KeyBits),
  parameter Rounds   = aes_pipe_pkg::rounds(KeyBits),
  parameter SlotW    = (Slots > 1) ? $clog2(Slots) : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            key_valid_i,
  output logic                            key_ready_o,
  input  logic [32*Words-1:0]             key_i,
  input  logic [1:0]                      key_size_i,
  input  logic [SlotW-1:0]                key_slot_i,
  input  logic                            empty_i,     // no block in flight
  output logic                            hold_o,      // no block may enter
  input  logic                            inv_i,       // direction of the offered block
  input  logic [SlotW-1:0]                slot_i,
  output logic                            ok_o,        // the offered block's key is ready
  output logic [1:0]                      size_o,
  output logic [32*Words-1:0]             window_o,    // agile
  output logic [Rounds:0][127:0]          enc_keys_o,  // static: first addition, then the rounds
  output logic [Rounds:0][127:0]          dec_keys_o
);
  localparam Plain = (Dir == "fwd") ? 1 : 0;
  localparam logic [7:0] Cuts = (SboxImpl == "lut")  ? aes_pipe_pkg::lut_cuts(PipeRegs)
                              : (SboxImpl == "bram") ? aes_pipe_pkg::bram_cuts(PipeRegs, Plain)
                                                 : aes_pipe_pkg::tower_cuts(PipeRegs);
  localparam BoxCuts = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::BoxMask);
  localparam W       = 32*Words;
  localparam logic [1:0] Fixed = (KeyBits == 256) ? 2'd2 : (KeyBits == 192) ? 2'd1 : 2'd0;

  // ---- the schedule, word by word ---------------------------------------------------------------

  // Newest word on top: w[i-1] in word Words - 1, w[i-Nk] in word Words - Nk.
  logic [Words-1:0][31:0] window_q, loaded;
  logic [W-1:0]           placed;
  logic [31:0]            previous, back, boxed, turned, fresh;
  logic [1:0]             size, size_q;
  logic [5:0]             index_q;    // i
  logic [5:0]             last;
  logic [3:0]             phase_q;    // i mod Nk
  logic [3:0]             nk;
  logic [2:0]             wait_q;
  logic [7:0]             rcon_q;
  logic                   busy_q, copying_q, copying, turn_q, box_q, waited_q, step, finish;
  logic                   key_fire, load;

  assign size     = (KeyBits != 0) ? Fixed : key_size_i[1] ? 2'd2 : key_size_i;
  assign nk       = size_q[1] ? 4'd8 : size_q[0] ? 4'd6 : 4'd4;
  assign last     = size_q[1] ? 6'd59 : size_q[0] ? 6'd51 : 6'd43;
  assign key_fire = key_valid_i && key_ready_o;
  // Static: key_ready_o is high for one cycle and loads any input, which keeps the path short.
  // busy_q is set only with key_valid_i.
  assign load     = (Schedule == "static") ? key_ready_o : key_fire;

  if (KeyBits == 0) begin : gen_placed
    assign placed = size[1] ? key_i : size[0] ? {key_i[191:0], 64'b0} : {key_i[127:0], 128'b0};
    assign back   = size_q[1] ? window_q[0] : size_q[0] ? window_q[2] : window_q[4];
  end else begin : gen_whole
    assign placed = key_i;
    assign back   = window_q[0];
  end
  assign loaded   = placed;
  assign previous = window_q[Words-1];
  aes_pipe_boxes #(.SboxImpl(SboxImpl), .Dir("fwd"), .Bytes(4), .Cuts(Cuts)) u_boxes (
    .clk_i, .en_i(1'b1), .inv_head_i(1'b0), .inv_tail_i(1'b0), .data_i(previous), .data_o(boxed)
  );
  // RotWord and Rcon, or SubWord alone in the middle of a 256-bit key.
  assign turned = turn_q ? {boxed[7:0], boxed[31:8]} ^ {24'b0, rcon_q} : boxed;
  // Static: the key's own words rotate once, so that they are output in order.
  assign fresh  = back ^ (copying_q ? 32'b0 : box_q ? turned : previous);
  assign step   = busy_q && (!box_q || waited_q);
  assign finish = step && index_q == last;

  logic [3:0] phase_next;
  assign phase_next = (phase_q == nk - 4'd1) ? 4'd0 : phase_q + 4'd1;
  logic [7:0] rcon_next;
  aes_xtime u_rcon (.data_i(rcon_q), .data_o(rcon_next));
  logic [Words-2:0][31:0] window_kept;
  assign window_kept = window_q[Words-1:1];

  // turn_q, box_q and waited_q are computed one cycle ahead, so they are registers.
  localparam Copy = Schedule == "static";
  assign copying  = copying_q && phase_next != 4'd0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      window_q  <= '0;
      size_q    <= 2'd0;
      index_q   <= 6'd0;
      phase_q   <= 4'd0;
      wait_q    <= 3'd0;
      rcon_q    <= 8'h01;
      busy_q    <= 1'b0;
      copying_q <= 1'b0;
      turn_q    <= 1'b0;
      box_q     <= 1'b0;
      waited_q  <= 1'b0;
    end else if (load) begin
      window_q  <= loaded;
      size_q    <= size;
      index_q   <= Copy ? 6'd0 : size[1] ? 6'd8 : size[0] ? 6'd6 : 6'd4;
      phase_q   <= 4'd0;
      wait_q    <= 3'd0;
      rcon_q    <= 8'h01;
      busy_q    <= key_valid_i && (Schedule == "static" || Dir != "fwd");
      copying_q <= Copy;
      turn_q    <= !Copy;
      box_q     <= !Copy;
      waited_q  <= BoxCuts == 0;
    end else if (step) begin
      window_q  <= {fresh, window_kept};
      index_q   <= index_q + 6'd1;
      phase_q   <= phase_next;
      wait_q    <= 3'd0;
      if (turn_q) rcon_q <= rcon_next;
      busy_q    <= !finish;
      copying_q <= copying;
      turn_q    <= phase_next == 4'd0;
      box_q     <= !copying && (phase_next == 4'd0 || (size_q[1] && phase_next == 4'd4));
      waited_q  <= BoxCuts == 0;
    end else if (busy_q) begin
      wait_q   <= wait_q + 3'd1;
      waited_q <= wait_q == 3'(BoxCuts - 1);
    end
  end

  // ---- agile: slots -----------------------------------------------------------------------------

  // Declared out here because Yosys does not find packed arrays inside a generate block.
  localparam Places = 4*(Rounds + 1);
  logic [Slots-1:0][W-1:0] slot_enc, slot_dec;
  logic [Slots-1:0][1:0]   slot_sizes;
  logic [Slots-1:0]        slot_enc_ok, slot_dec_ok;
  logic [Places-1:0][31:0] enc_words, dec_words;
  localparam BusW = 76;
  logic [Rounds+1:0][BusW-1:0] bus;

  if (Schedule == "agile") begin : gen_agile
    logic [SlotW-1:0]        slot_q;
    logic                    done_q;      // the window holds the last words
    logic [W-1:0]            lowered;     // aligned to word 0

    if (KeyBits == 0) begin : gen_lowered
      logic [W-1:0] window;
      assign window  = window_q;
      assign lowered = size_q[1] ? window : size_q[0] ? {64'b0, window[255:64]}
                                                      : {128'b0, window[255:128]};
    end else begin : gen_level
      assign lowered = window_q;
    end

    // done_q delays the next key until the window is stored.
    assign key_ready_o = !busy_q && !done_q;
    assign hold_o      = 1'b0;
    for (genvar s = 0; s < Slots; s++) begin : gen_slot
      logic [W-1:0] enc_q, dec_q;
      logic [1:0]   slot_size_q;
      logic         enc_ok_q, dec_ok_q;
      assign slot_enc[s]    = enc_q;
      assign slot_dec[s]    = dec_q;
      assign slot_sizes[s]  = slot_size_q;
      assign slot_enc_ok[s] = enc_ok_q;
      assign slot_dec_ok[s] = dec_ok_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          enc_q       <= '0;
          dec_q       <= '0;
          slot_size_q <= 2'd0;
          enc_ok_q    <= 1'b0;
          dec_ok_q    <= 1'b0;
        end else begin
          if (key_fire && key_slot_i == SlotW'(s)) begin
            enc_q       <= key_i;
            slot_size_q <= size;
            enc_ok_q    <= 1'b1;
            dec_ok_q    <= 1'b0;
          end
          if (done_q && slot_q == SlotW'(s)) begin
            dec_q    <= lowered;
            dec_ok_q <= 1'b1;
          end
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        done_q <= 1'b0;
        slot_q <= '0;
      end else begin
        done_q <= finish;
        if (key_fire) slot_q <= key_slot_i;
      end
    end

    logic use_dec;
    assign use_dec    = Dir == "inv" || (inv_i && Dir != "fwd");
    assign ok_o       = use_dec ? slot_dec_ok[slot_i] : slot_enc_ok[slot_i];
    assign window_o   = use_dec ? slot_dec[slot_i] : slot_enc[slot_i];
    assign size_o     = (KeyBits == 0) ? slot_sizes[slot_i] : Fixed;
    assign enc_words  = '0;
    assign dec_words  = '0;
    assign enc_keys_o = '0;
    assign dec_keys_o = '0;
    assign bus        = '0;

    logic unused;
    assign unused = ^{empty_i, enc_words, dec_words, bus};

  // ---- static: all round keys -------------------------------------------------------------------

  end else if (Schedule == "static") begin : gen_static
    logic        write_q, first_valid_q, first_last_q, mixed_q, loading_q, ready_q, ok_q, hold_q;
    logic        head_valid_q, head_last_q;
    logic [5:0]  index_word_q;               // index of the newest word in the window
    logic [31:0] word, word_q, factor_q, unmixed, enc_q, dec_q;
    logic [3:0]  round, top_round, enc_at_q, dec_at_q, head_enc_q, head_dec_q;
    logic [1:0]  column_q, head_column_q;

    // Each round key is stored at its round; the last round is the last stage for every key size.
    // Decryption uses the round keys in reverse. It needs InvMixColumns of all except the first and
    // the last (section 5.3.5), here in two steps.
    assign word      = window_q[Words-1];
    assign round     = index_word_q[5:2];
    assign top_round = nk + 4'd6;
    aes_mixcolumn #(.Dir("fwd")) u_mix (.inv_i(1'b0), .data_i(factor_q), .data_o(unmixed));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {write_q, first_valid_q, first_last_q, mixed_q, head_valid_q, head_last_q} <= '0;
        {index_word_q, enc_at_q, dec_at_q, head_enc_q, head_dec_q}                 <= '0;
        {column_q, head_column_q, word_q, factor_q, enc_q, dec_q}                  <= '0;
      end else begin
        write_q       <= step;
        index_word_q  <= index_q;
        first_valid_q <= write_q;
        first_last_q  <= index_word_q == last;
        enc_at_q      <= (round == 4'd0) ? 4'd0 : round + (4'(Rounds) - top_round);
        dec_at_q      <= (round == top_round) ? 4'd0 : 4'(Rounds) - round;
        mixed_q       <= round != top_round && round != 4'd0;
        column_q      <= index_word_q[1:0];
        word_q        <= word;
        factor_q      <= aes_pipe_pkg::unmix(word);
        head_valid_q  <= first_valid_q;
        head_last_q   <= first_valid_q && first_last_q;
        head_enc_q    <= enc_at_q;
        head_dec_q    <= dec_at_q;
        head_column_q <= column_q;
        enc_q         <= (Dir == "inv") ? 32'b0 : word_q;
        dec_q         <= (Dir == "fwd") ? 32'b0 : mixed_q ? unmixed : word_q;
      end
    end
    assign bus[0] = {head_valid_q, head_last_q, head_enc_q, head_dec_q, head_column_q, enc_q,
                     dec_q};

    // Words shift through the stages, one stage a cycle, so that no wire spans all rounds. Each
    // stage stores the words addressed to it.
    for (genvar t = 0; t <= Rounds; t++) begin : gen_stage
      logic [BusW-1:0] from, bus_q;
      logic [3:0]      enc_hit_q, dec_hit_q;  // one for each word: the enable needs no logic
      assign from     = bus[t];
      assign bus[t+1] = bus_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          bus_q     <= '0;
          enc_hit_q <= '0;
          dec_hit_q <= '0;
        end else begin
          bus_q <= from;
          for (int c = 0; c < 4; c++) begin
            enc_hit_q[c] <= from[75] && from[73:70] == 4'(t) && from[65:64] == 2'(c);
            dec_hit_q[c] <= from[75] && from[69:66] == 4'(t) && from[65:64] == 2'(c);
          end
        end
      end
      if (Dir == "fwd" || Dir == "inv") begin : gen_one
        logic unused_hit;
        assign unused_hit = ^{enc_hit_q, dec_hit_q};
      end
      for (genvar c = 0; c < 4; c++) begin : gen_word
        if (Dir == "inv") begin : gen_no_enc
          assign enc_words[4*t+c] = 32'b0;
        end else begin : gen_enc
          logic [31:0] enc_word_q;
          logic        hit;
          assign enc_words[4*t+c] = enc_word_q;
          assign hit = enc_hit_q[c];
          always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) enc_word_q <= 32'b0;
            else if (hit) enc_word_q <= bus_q[63:32];
          end
        end
        if (Dir == "fwd") begin : gen_no_dec
          assign dec_words[4*t+c] = 32'b0;
        end else begin : gen_dec
          logic [31:0] dec_word_q;
          logic        hit;
          assign dec_words[4*t+c] = dec_word_q;
          assign hit = dec_hit_q[c];
          always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) dec_word_q <= 32'b0;
            else if (hit) dec_word_q <= bus_q[31:0];
          end
        end
      end
    end

    // hold_q blocks new input from the cycle after the key's arrival. So an `empty_i` seen one
    // cycle before the key is accepted is still true then.
    assign key_ready_o = ready_q;
    assign hold_o      = hold_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        ready_q   <= 1'b0;
        loading_q <= 1'b0;
        ok_q      <= 1'b0;
        hold_q    <= 1'b0;
      end else begin
        hold_q  <= key_valid_i || loading_q;
        ready_q <= key_valid_i && hold_q && !ready_q && !loading_q && empty_i;
        if (key_fire) begin
          loading_q <= 1'b1;
          ok_q      <= 1'b0;
        end else if (bus[Rounds+1][74]) begin
          loading_q <= 1'b0;
          ok_q      <= 1'b1;
        end
      end
    end
    assign ok_o       = ok_q;
    assign size_o     = (KeyBits == 0) ? size_q : Fixed;
    assign window_o   = '0;
    assign enc_keys_o = enc_words;
    assign dec_keys_o = dec_words;

    assign slot_enc    = '0;
    assign slot_dec    = '0;
    assign slot_sizes  = '0;
    assign slot_enc_ok = '0;
    assign slot_dec_ok = '0;
    logic unused;
    assign unused = ^{inv_i, slot_i, key_slot_i, slot_enc, slot_dec, slot_sizes, slot_enc_ok,
                      slot_dec_ok};
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  if (KeyBits != 0) begin : gen_fixed
    logic unused_size;
    assign unused_size = ^key_size_i;
  end
endmodule
