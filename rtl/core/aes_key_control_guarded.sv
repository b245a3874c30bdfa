// SPDX-License-Identifier: Apache-2.0
// aes_key_control with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_key_control_guarded.sv.j2 by `aesforge modules`.
module aes_key_control_guarded #(
  parameter Has192 = 1,
  parameter Has256 = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         wrong_o,
  input  logic         wipe_i,
  output logic         wiping_o,
  output logic         clear_o,
  input  logic         write_i,
  input  logic [2:0]   word_i,
  input  logic [31:0]  data_i,
  input  logic         start_i,
  input  logic [1:0]   length_i,      // 0: 128 bits, 1: 192, 2: 256; read with start_i
  output logic         busy_o,
  output logic         valid_o,
  output logic [3:0]   rounds_o,
  output logic         store_write_o,
  output logic [3:0]   store_index_o,
  output logic [127:0] store_key_o,
  output logic [31:0]  sub_o,         // see aes_key_expand
  input  logic [31:0]  sub_i
);
  // ---- wiping -----------------------------------------------------------------------------------

  logic       wiping_q;
  logic [3:0] wipe_index_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wiping_q     <= 1'b1;
      wipe_index_q <= 4'd0;
    end else if (wipe_i) begin
      wiping_q     <= 1'b1;
      wipe_index_q <= 4'd0;
    end else if (wiping_q) begin
      wiping_q     <= wipe_index_q != 4'd15;
      wipe_index_q <= wipe_index_q + 4'd1;
    end
  end
  (* keep *) logic wiping_p, wipe_index_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wiping_p     <= 1'b0;
      wipe_index_p <= 1'b1;
    end else if (wipe_i) begin
      wiping_p     <= 1'b0;
      wipe_index_p <= 1'b1;
    end else if (wiping_q) begin
      wiping_p     <= ~^(wipe_index_q != 4'd15);
      wipe_index_p <= ~^(wipe_index_q + 4'd1);
    end
  end
  assign wiping_o = wiping_q;
  assign clear_o  = wipe_i || wiping_q;

  // ---- expansion --------------------------------------------------------------------------------

  logic         done, expand_valid, valid_q;
  logic [1:0]   length_q;
  logic [3:0]   expand_index;
  logic [127:0] expand_key;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      length_q <= 2'd0;
    end else if (clear_o) begin
      valid_q  <= 1'b0;
      length_q <= 2'd0;
    end else if (start_i) begin
      valid_q  <= 1'b0;
      length_q <= length_i;
    end else if (done) begin
      valid_q  <= 1'b1;
    end
  end
  (* keep *) logic valid_p, length_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_p  <= 1'b1;
      length_p <= 1'b1;
    end else if (clear_o) begin
      valid_p  <= 1'b1;
      length_p <= 1'b1;
    end else if (start_i) begin
      valid_p  <= 1'b1;
      length_p <= ~^length_i;
    end else if (done) begin
      valid_p  <= 1'b0;
    end
  end

  logic part_1;
  aes_key_expand_guarded #(.Has192(Has192), .Has256(Has256)) u_expand (
    .wrong_o(part_1),
    .clk_i, .rst_ni, .clear_i(clear_o), .write_i, .word_i, .data_i, .start_i, .length_i(length_q),
    .busy_o, .done_o(done), .key_valid_o(expand_valid), .key_index_o(expand_index),
    .key_o(expand_key), .sub_o, .sub_i
  );

  assign valid_o       = valid_q;
  assign rounds_o      = {1'b1, length_q, 1'b0} + 4'd2;
  assign store_write_o = wiping_q || expand_valid;
  assign store_index_o = wiping_q ? wipe_index_q : expand_index;
  assign store_key_o   = expand_key & {128{!wiping_q}};

  assign wrong_o = |{~^{wiping_q, wiping_p}, ~^{wipe_index_q, wipe_index_p}, ~^{valid_q, valid_p},
    ~^{length_q, length_p}, part_1};
endmodule
