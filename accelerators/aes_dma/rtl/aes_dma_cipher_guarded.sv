// SPDX-License-Identifier: Apache-2.0
// aes_dma_cipher with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_dma_cipher_guarded.sv.j2 by `aesforge modules`.
module aes_dma_cipher_guarded #(
  parameter Dir            = "shared",  // see aes_iter
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Rounds         = 2,
  parameter SboxImpl       = "lut",
  parameter BlockW         = 28,
  parameter Gcm            = 0,         // 1: mode 3; Dir is not "dec"
  parameter HashDigit      = 32         // of ghash_serial
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  output logic              wrong_o,
  input  logic              wipe_i,
  output logic              wiping_o,
  output logic              idle_o,
  input  logic [1:0]        mode_i,         // 0 ECB, 1 CBC, 2 CTR, 3 GCM; stable during a job
  input  logic              decrypt_i,
  input  logic              key_write_i,
  input  logic [2:0]        key_word_i,
  input  logic [31:0]       key_data_i,
  input  logic              iv_write_i,
  input  logic [1:0]        iv_word_i,
  input  logic [31:0]       iv_data_i,
  output logic [127:0]      iv_o,
  input  logic              key_start_i,
  input  logic [1:0]        key_length_i,
  output logic              key_busy_o,
  output logic              key_valid_o,

  input  logic              feed_valid_i,
  output logic              feed_ready_o,
  input  logic [127:0]      feed_data_i,
  input  logic [BlockW-1:0] feed_block_i,
  output logic              result_valid_o,
  output logic [127:0]      result_data_o,
  input  logic [127:0]      result_text_i,  // the fed block that the result is from

  // Only with Gcm (see aes_iter_gcm); otherwise tie to zero. Commands only in mode 3, while idle_o.
  input  logic              gcm_clear_i,
  input  logic              gcm_iv_write_i,
  input  logic              gcm_begin_i,
  input  logic              gcm_iv_hash_i,
  input  logic              gcm_tag_i,
  input  logic [1:0]        gcm_part_i,     // 0 text, 1 associated data, 2 text to be verified
  input  logic [3:0]        gcm_bytes_i,    // bytes of the fed block, 0 for 16
  output logic              gcm_tag_valid_o,
  output logic [127:0]      gcm_tag_o
);
  localparam logic Tables = SboxImpl == "bram";

  logic cbc, ctr, gcm, backward, load, take, unit_idle, unit_ready, unit_valid;
  logic empty, room, may_enter, plain_ready;
  logic gcm_idle, gcm_ready, gcm_valid, gcm_ask, gcm_take;
  logic         chains;  // CBC decryption: `text` is the next chaining value
  logic [32:0]  count;   // low word of the block's counter
  logic [127:0] text, unit_in, unit_out, other, iv_q, iv_next, chain, counter;

  assign cbc      = mode_i == 2'd1;
  assign ctr      = mode_i == 2'd2;
  assign gcm      = (Gcm != 0) && mode_i == 2'd3;
  assign backward = decrypt_i && !ctr && !gcm;

  // ---- blocks inside the unit -------------------------------------------------------------------

  // CBC encryption needs the previous result: a block enters when that leaves, from block RAM one
  // cycle later.
  assign take        = unit_valid && !gcm;
  assign may_enter   = room && (!cbc || backward || empty || (take && !Tables)) && !gcm;
  assign plain_ready = may_enter && unit_ready;
  assign load        = feed_valid_i && plain_ready;
  assign idle_o      = unit_idle && empty && gcm_idle;

  // ---- counter ----------------------------------------------------------------------------------

  // Big-endian. above_q holds the incremented upper words, since the low word's sum carries at most
  // once.
  logic [127:0] first;
  logic [95:0]  above_q;
  logic [32:0]  low;
  logic [127:0] number;

  for (genvar i = 0; i < 16; i++) begin : gen_byte
    assign first[8*i +: 8]   = iv_q[8*(15-i) +: 8];
    assign counter[8*i +: 8] = number[8*(15-i) +: 8];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= '0;
    else         above_q <= first[127:32] + 96'd1;
  end
  (* keep *) logic above_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_p <= 1'b1;
    else         above_p <= ~^(first[127:32] + 96'd1);
  end
  assign low    = {1'b0, first[31:0]} + 33'(feed_block_i);
  assign number = {count[32] ? above_q : first[127:32], count[31:0]};

  // ---- chaining ---------------------------------------------------------------------------------

  assign chain = take && !backward && !Tables ? unit_out : iv_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                      iv_q <= '0;
    else if (wipe_i || wiping_o)      iv_q <= '0;
    else if (chains)                  iv_q <= text;
    else if (cbc && !backward && take) iv_q <= unit_out;
    else if (iv_write_i)              iv_q <= iv_next;
  end
  (* keep *) logic iv_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                      iv_p <= 1'b1;
    else if (wipe_i || wiping_o)      iv_p <= 1'b1;
    else if (chains)                  iv_p <= ~^text;
    else if (cbc && !backward && take) iv_p <= ~^unit_out;
    else if (iv_write_i)              iv_p <= ~^iv_next;
  end

  for (genvar i = 0; i < 4; i++) begin : gen_iv
    assign iv_next[32*i +: 32] = iv_word_i == 2'(i) ? iv_data_i : iv_q[32*i +: 32];
  end
  assign iv_o = iv_q;

  // ---- GCM --------------------------------------------------------------------------------------

  logic [127:0] gcm_result, gcm_unit;

  logic part_2;
  if (Gcm != 0) begin : gen_gcm
    // A hash-only block leaves unchanged one cycle after it is accepted.
    logic         hash_only, text_ready, hash_ready, out_valid, passed_q, done;
    logic [3:0]   iv_write;
    logic [127:0] out_data, gcm_iv;

    assign hash_only = gcm_part_i != 2'd0;
    assign gcm_ready = hash_only ? hash_ready : text_ready;
    assign iv_write  = {3'b000, gcm_iv_write_i} << iv_word_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) passed_q <= 1'b0;
      else         passed_q <= feed_valid_i && gcm && hash_only && hash_ready;
    end
    (* keep *) logic passed_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) passed_p <= 1'b1;
      else         passed_p <= ~^(feed_valid_i && gcm && hash_only && hash_ready);
    end
    assign gcm_valid  = out_valid || passed_q;
    assign gcm_result = passed_q ? result_text_i : out_data;

    logic part_1;
    aes_iter_gcm_guarded #(.Digit(HashDigit)) u_gcm (
      .wrong_o(part_1),
      .clk_i, .rst_ni, .clear_i(wipe_i || wiping_o || gcm_clear_i), .mode_i(2'd3),
      .idle_o(gcm_idle), .done_o(done), .iv_write_i(iv_write), .iv_data_i, .iv_o(gcm_iv),
      .start_i(gcm_begin_i), .iv_hash_i(gcm_iv_hash_i), .hash_input_i(decrypt_i),
      .hash_valid_i(feed_valid_i && gcm && hash_only), .hash_ready_o(hash_ready),
      .hash_data_i(feed_data_i), .hash_bytes_i(gcm_bytes_i), .hash_text_i(gcm_part_i[1]),
      .tag_i(gcm_tag_i), .tag_valid_o(gcm_tag_valid_o), .tag_o(gcm_tag_o),
      .in_valid_i(feed_valid_i && gcm && !hash_only), .in_ready_o(text_ready),
      .in_data_i(feed_data_i), .in_bytes_i(gcm_bytes_i), .out_valid_o(out_valid),
      .out_ready_i(1'b1), .out_data_o(out_data), .unit_valid_o(gcm_ask),
      .unit_ready_i(unit_ready && gcm), .unit_data_o(gcm_unit), .unit_valid_i(unit_valid && gcm),
      .unit_ready_o(gcm_take), .unit_data_i(unit_out)
    );
    logic unused;
    assign unused = ^{done, gcm_iv};
    assign part_2 = |{~^{passed_q, passed_p}, part_1};
  end else begin : gen_no_gcm
    logic unused;
    assign {gcm_idle, gcm_ready, gcm_valid, gcm_ask, gcm_take} = 5'b10001;
    assign {gcm_result, gcm_unit, gcm_tag_o, gcm_tag_valid_o}  = '0;
    assign unused = ^{gcm_clear_i, gcm_iv_write_i, gcm_begin_i, gcm_iv_hash_i, gcm_tag_i,
                      gcm_part_i, gcm_bytes_i, result_text_i};
    assign part_2 = 1'b0;
  end

  // ---- the unit ---------------------------------------------------------------------------------

  logic         ask, accept;

  assign feed_ready_o   = gcm ? gcm_ready : plain_ready;
  assign result_valid_o = gcm ? gcm_valid : take;
  assign result_data_o  = gcm ? gcm_result : unit_out ^ other;
  assign ask            = gcm ? gcm_ask : feed_valid_i && may_enter;
  assign accept         = !gcm || gcm_take;

  // `other`: what a result is combined with, besides the unit's output: the text in CTR, the
  // previous ciphertext block in CBC decryption.
  logic part_4;
  if (Tables) begin : gen_lanes
    aesforge_unknown_impl u_unknown ();
    assign part_4 = 1'b0;
  end else begin : gen_iter
    logic         inside_q, enc_ready, enc_valid, dec_ready, dec_valid;
    logic [127:0] other_q, enc_out, dec_out;

    assign empty = !inside_q;
    assign room  = empty || take;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                 inside_q <= 1'b0;
      else if (wipe_i || wiping_o) inside_q <= 1'b0;
      else                         inside_q <= load || (inside_q && !take);
    end
    (* keep *) logic inside_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                 inside_p <= 1'b1;
      else if (wipe_i || wiping_o) inside_p <= 1'b1;
      else                         inside_p <= ~^(load || (inside_q && !take));
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                 other_q <= '0;
      else if (wipe_i || wiping_o) other_q <= '0;
      else if (load)               other_q <= cbc && backward ? iv_q : '0;
      else if (take)               other_q <= '0;
    end
    (* keep *) logic other_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                 other_p <= 1'b1;
      else if (wipe_i || wiping_o) other_p <= 1'b1;
      else if (load)               other_p <= ~^(cbc && backward ? iv_q : '0);
      else if (take)               other_p <= 1'b1;
    end
    assign {text, count, chains} = {feed_data_i, low, cbc && backward && load};
    assign unit_in    = gcm ? gcm_unit : ctr ? counter
                      : cbc && !backward ? feed_data_i ^ chain : feed_data_i;
    assign other      = ctr ? result_text_i : other_q;
    assign unit_ready = backward ? dec_ready : enc_ready;
    assign unit_valid = backward ? dec_valid : enc_valid;
    assign unit_out   = backward ? dec_out : enc_out;

    logic part_3;
    aes_iter_guarded #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds),
      .SboxImpl(SboxImpl)
    ) u_iter (
      .wrong_o(part_3),
      .clk_i, .rst_ni, .wipe_i, .wiping_o, .idle_o(unit_idle), .key_write_i, .key_word_i,
      .key_data_i, .key_start_i, .key_length_i, .key_busy_o, .key_valid_o,
      .enc_valid_i(ask && !backward), .enc_ready_o(enc_ready), .enc_data_i(unit_in),
      .enc_valid_o(enc_valid), .enc_ready_i(accept), .enc_data_o(enc_out),
      .dec_valid_i(ask && backward), .dec_ready_o(dec_ready), .dec_data_i(unit_in),
      .dec_valid_o(dec_valid), .dec_ready_i(accept), .dec_data_o(dec_out)
    );
    assign part_4 = |{~^{inside_q, inside_p}, ~^{other_q, other_p}, part_3};
  end

  assign wrong_o = |{~^{above_q, above_p}, ~^{iv_q, iv_p}, part_2, part_4};
endmodule
