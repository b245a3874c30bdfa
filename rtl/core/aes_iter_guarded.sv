// SPDX-License-Identifier: Apache-2.0
// aes_iter with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_iter_guarded.sv.j2 by `aesforge modules`.
module aes_iter_guarded #(
  parameter Dir            = "parallel",
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Width          = 128,
  parameter Rounds         = 1,
  parameter Interleave     = 1,
  parameter SboxImpl       = "tower"
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         wrong_o,
  input  logic         wipe_i,
  output logic         wiping_o,
  output logic         idle_o,

  input  logic         key_write_i,
  input  logic [2:0]   key_word_i,
  input  logic [31:0]  key_data_i,
  input  logic         key_start_i,
  input  logic [1:0]   key_length_i,  // 0: 128 bits, 1: 192, 2: 256; read with key_start_i
  output logic         key_busy_o,
  output logic         key_valid_o,

  input  logic         enc_valid_i,
  output logic         enc_ready_o,
  input  logic [127:0] enc_data_i,
  output logic         enc_valid_o,
  input  logic         enc_ready_i,
  output logic [127:0] enc_data_o,

  input  logic         dec_valid_i,
  output logic         dec_ready_o,
  input  logic [127:0] dec_data_i,
  output logic         dec_valid_o,
  input  logic         dec_ready_i,
  output logic [127:0] dec_data_o
);
  // ---- key --------------------------------------------------------------------------------------

  logic         clear, expanding, key_valid, store_write;
  logic [3:0]   store_index, rounds;
  logic [127:0] store_key;
  logic [31:0]  sub_in, sub_out;

  logic part_1;
  aes_key_control_guarded #(.Has192(Has192), .Has256(Has256)) u_key (
    .wrong_o(part_1),
    .clk_i, .rst_ni, .wipe_i, .wiping_o, .clear_o(clear), .write_i(key_write_i),
    .word_i(key_word_i), .data_i(key_data_i), .start_i(key_start_i), .length_i(key_length_i),
    .busy_o(expanding), .valid_o(key_valid), .rounds_o(rounds), .store_write_o(store_write),
    .store_index_o(store_index), .store_key_o(store_key), .sub_o(sub_in), .sub_i(sub_out)
  );
  assign key_busy_o  = expanding;
  assign key_valid_o = key_valid;

  // ---- ports and units --------------------------------------------------------------------------

  logic enc_in, enc_take, enc_busy, dec_in, dec_take, dec_busy;

  assign enc_in      = enc_valid_i && key_valid;
  assign dec_in      = dec_valid_i && key_valid;
  assign enc_ready_o = enc_take && key_valid;
  assign dec_ready_o = dec_take && key_valid;
  assign idle_o      = !enc_busy && !dec_busy && !expanding && !wiping_o;

  logic part_7;
  if (Dir == "enc") begin : gen_enc
    logic unused, inv;
    logic part_2;
    aes_iter_lane_guarded #(
      .Dir("fwd"), .Width(Width), .Rounds(Rounds), .Interleave(Interleave), .SboxImpl(SboxImpl)
    ) u_lane (
      .wrong_o(part_2),
      .clk_i, .rst_ni, .clear_i(clear), .key_valid_i(key_valid), .rounds_i(rounds),
      .busy_o(enc_busy), .store_write_i(store_write), .store_index_i(store_index),
      .store_key_i(store_key),
      .lend_i(expanding), .sub_i(sub_in), .sub_o(sub_out),
      .in_valid_i(enc_in), .in_ready_o(enc_take), .in_inv_i(1'b0), .in_data_i(enc_data_i),
      .out_valid_o(enc_valid_o), .out_ready_i(enc_ready_i), .out_inv_o(inv), .out_data_o(enc_data_o)
    );
    assign {dec_take, dec_busy, dec_valid_o} = 3'b000;
    assign dec_data_o = '0;
    assign unused     = ^{inv, dec_in, dec_data_i, dec_ready_i};

    assign part_7 = part_2;
  end else if (Dir == "dec") begin : gen_dec
    logic unused, inv;
    logic part_3;
    aes_iter_lane_guarded #(
      .Dir("inv"), .Width(Width), .Rounds(Rounds), .Interleave(Interleave), .SboxImpl(SboxImpl)
    ) u_lane (
      .wrong_o(part_3),
      .clk_i, .rst_ni, .clear_i(clear), .key_valid_i(key_valid), .rounds_i(rounds),
      .busy_o(dec_busy), .store_write_i(store_write), .store_index_i(store_index),
      .store_key_i(store_key),
      .lend_i(expanding), .sub_i(sub_in), .sub_o(sub_out),
      .in_valid_i(dec_in), .in_ready_o(dec_take), .in_inv_i(1'b1), .in_data_i(dec_data_i),
      .out_valid_o(dec_valid_o), .out_ready_i(dec_ready_i), .out_inv_o(inv), .out_data_o(dec_data_o)
    );
    assign {enc_take, enc_busy, enc_valid_o} = 3'b000;
    assign enc_data_o = '0;
    assign unused     = ^{inv, enc_in, enc_data_i, enc_ready_i};

    assign part_7 = part_3;
  end else if (Dir == "shared") begin : gen_shared
    // Round-robin: if both ports have a block, serve the port that was not served last.
    logic         last_dec_q, choose_dec, valid, ready, out_valid, out_ready, out_inv;
    logic [127:0] data, result;

    assign choose_dec = dec_in && (!enc_in || !last_dec_q);
    assign valid      = enc_in || dec_in;
    assign data       = choose_dec ? dec_data_i : enc_data_i;
    assign enc_take   = ready && !choose_dec;
    assign dec_take   = ready && (choose_dec || !enc_in);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)             last_dec_q <= 1'b0;
      else if (clear)          last_dec_q <= 1'b0;
      else if (valid && ready) last_dec_q <= choose_dec;
    end
    (* keep *) logic last_dec_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)             last_dec_p <= 1'b1;
      else if (clear)          last_dec_p <= 1'b1;
      else if (valid && ready) last_dec_p <= ~^choose_dec;
    end

    logic part_4;
    aes_iter_lane_guarded #(
      .Dir("both"), .Width(Width), .Rounds(Rounds), .Interleave(Interleave), .SboxImpl(SboxImpl)
    ) u_lane (
      .wrong_o(part_4),
      .clk_i, .rst_ni, .clear_i(clear), .key_valid_i(key_valid), .rounds_i(rounds),
      .busy_o(enc_busy), .store_write_i(store_write), .store_index_i(store_index),
      .store_key_i(store_key),
      .lend_i(expanding), .sub_i(sub_in), .sub_o(sub_out),
      .in_valid_i(valid), .in_ready_o(ready), .in_inv_i(choose_dec), .in_data_i(data),
      .out_valid_o(out_valid), .out_ready_i(out_ready), .out_inv_o(out_inv), .out_data_o(result)
    );
    assign dec_busy    = enc_busy;
    assign enc_valid_o = out_valid && !out_inv;
    assign dec_valid_o = out_valid && out_inv;
    assign out_ready   = out_inv ? dec_ready_i : enc_ready_i;
    assign enc_data_o  = result;
    assign dec_data_o  = result;

    assign part_7 = |{~^{last_dec_q, last_dec_p}, part_4};
  end else if (Dir == "parallel") begin : gen_parallel
    logic        unused, enc_inv, dec_inv;
    logic [31:0] dec_sub;
    logic part_5;
    aes_iter_lane_guarded #(
      .Dir("fwd"), .Width(Width), .Rounds(Rounds), .Interleave(Interleave), .SboxImpl(SboxImpl)
    ) u_enc (
      .wrong_o(part_5),
      .clk_i, .rst_ni, .clear_i(clear), .key_valid_i(key_valid), .rounds_i(rounds),
      .busy_o(enc_busy), .store_write_i(store_write), .store_index_i(store_index),
      .store_key_i(store_key),
      .lend_i(expanding), .sub_i(sub_in), .sub_o(sub_out),
      .in_valid_i(enc_in), .in_ready_o(enc_take), .in_inv_i(1'b0), .in_data_i(enc_data_i),
      .out_valid_o(enc_valid_o), .out_ready_i(enc_ready_i), .out_inv_o(enc_inv),
      .out_data_o(enc_data_o)
    );
    logic part_6;
    aes_iter_lane_guarded #(
      .Dir("inv"), .Width(Width), .Rounds(Rounds), .Interleave(Interleave), .SboxImpl(SboxImpl),
      .Lends(0)
    ) u_dec (
      .wrong_o(part_6),
      .clk_i, .rst_ni, .clear_i(clear), .key_valid_i(key_valid), .rounds_i(rounds),
      .busy_o(dec_busy), .store_write_i(store_write), .store_index_i(store_index),
      .store_key_i(store_key),
      .lend_i(1'b0), .sub_i(32'h0), .sub_o(dec_sub),
      .in_valid_i(dec_in), .in_ready_o(dec_take), .in_inv_i(1'b1), .in_data_i(dec_data_i),
      .out_valid_o(dec_valid_o), .out_ready_i(dec_ready_i), .out_inv_o(dec_inv),
      .out_data_o(dec_data_o)
    );
    assign unused = ^{enc_inv, dec_inv, dec_sub};
    assign part_7 = |{part_5, part_6};
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
    assign part_7 = 1'b0;
  end

  assign wrong_o = |{part_1, part_7};
endmodule
