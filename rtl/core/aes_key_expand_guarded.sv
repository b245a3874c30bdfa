// SPDX-License-Identifier: Apache-2.0
// aes_key_expand with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_key_expand_guarded.sv.j2 by `aesforge modules`.
module aes_key_expand_guarded #(
  parameter Has192 = 1,
  parameter Has256 = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         wrong_o,
  input  logic         clear_i,
  input  logic         write_i,     // writes one word of the key; not while busy_o
  input  logic [2:0]   word_i,
  input  logic [31:0]  data_i,      // first byte in bits 7 to 0
  input  logic         start_i,     // not while busy_o
  input  logic [1:0]   length_i,    // 0: 128 bits, 1: 192, 2: 256; stable while busy_o
  output logic         busy_o,
  output logic         done_o,      // in the last cycle
  output logic         key_valid_o,
  output logic [3:0]   key_index_o,
  output logic [127:0] key_o,
  output logic [31:0]  sub_o,
  input  logic [31:0]  sub_i
);
  logic             busy_q;
  logic [3:0]       index_q, last;
  logic [1:0]       phase_q;  // for 192 bits: index modulo 3
  logic [7:0]       rcon_q;
  logic [7:0][31:0] window_d, window_q;

  logic is192, is256;
  assign is192 = (Has192 != 0) && length_i == 2'd1;
  assign is256 = (Has256 != 0) && length_i == 2'd2;
  assign last  = is256 ? 4'd14 : is192 ? 4'd12 : 4'd10;

  // ---- four new words ---------------------------------------------------------------------------

  // With 192 bits, SubWord has a period of six words, and each cycle makes four. So SubWord
  // precedes the first new word, the third, or none. For the third, its operand is the second new
  // word, here written as a sum of words in the window.
  logic        third, none, rotate;
  logic [31:0] word0, word1, word2, word3, word5, word7, previous, subword, new0, new1, new2, new3;

  assign {word3, word2, word1, word0} = window_q[3:0];
  assign word5 = window_q[5];
  assign word7 = window_q[7];
  assign third = is192 && phase_q == 2'd1;
  assign none  = is192 && phase_q == 2'd2;

  assign previous = is256 ? word7 : third ? word5 ^ word0 ^ word1 : is192 ? word5 : word3;
  assign rotate = !is256 || !index_q[0];
  assign sub_o  = rotate ? {previous[7:0], previous[31:8]} : previous;
  assign subword = sub_i ^ {24'h0, rcon_q & {8{rotate}}};

  assign new0 = word0 ^ (third || none ? word5 : subword);
  assign new1 = word1 ^ new0;
  assign new2 = word2 ^ (third ? subword : new1);
  assign new3 = word3 ^ new2;

  always_comb begin
    window_d = window_q;
    if (is256)      window_d = {new3, new2, new1, new0, window_q[7:4]};
    else if (is192) window_d = {64'h0, new3, new2, new1, new0, window_q[5:4]};
    else            window_d = {128'h0, new3, new2, new1, new0};
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || done_o) window_q <= '0;
    else if (busy_q)       window_q <= window_d;
    else if (write_i)      window_q[word_i] <= data_i;
  end
  (* keep *) logic [7:0] window_p;
  always_ff @(posedge clk_i) begin
    if (clear_i || done_o) window_p <= '1;
    else if (busy_q)       for (int k = 0; k <= 7; k++) window_p[k] <= ~^window_d[k];
    else if (write_i)      window_p[word_i] <= ~^data_i;
  end

  // ---- steps ------------------------------------------------------------------------------------

  assign done_o      = busy_q && index_q == last;
  assign busy_o      = busy_q;
  assign key_valid_o = busy_q;
  assign key_index_o = index_q;
  assign key_o       = window_q[3:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      index_q <= 4'd0;
      phase_q <= 2'd0;
      rcon_q  <= 8'h01;
    end else if (clear_i || done_o || !busy_q) begin
      busy_q  <= start_i && !clear_i;
      index_q <= 4'd0;
      phase_q <= 2'd0;
      rcon_q  <= 8'h01;
    end else begin
      index_q <= index_q + 4'd1;
      phase_q <= phase_q == 2'd2 ? 2'd0 : phase_q + 2'd1;
      if (rotate && !none) rcon_q <= {rcon_q[6:0], 1'b0} ^ (rcon_q[7] ? 8'h1b : 8'h00);
    end
  end
  (* keep *) logic busy_p, index_p, phase_p, rcon_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_p  <= 1'b1;
      index_p <= 1'b1;
      phase_p <= 1'b1;
      rcon_p  <= 1'b0;
    end else if (clear_i || done_o || !busy_q) begin
      busy_p  <= ~^(start_i && !clear_i);
      index_p <= 1'b1;
      phase_p <= 1'b1;
      rcon_p  <= 1'b0;
    end else begin
      index_p <= ~^(index_q + 4'd1);
      phase_p <= ~^(phase_q == 2'd2 ? 2'd0 : phase_q + 2'd1);
      if (rotate && !none) rcon_p <= ~^({rcon_q[6:0], 1'b0} ^ (rcon_q[7] ? 8'h1b : 8'h00));
    end
  end

  assign wrong_o = |{^{window_q, window_p, 1'(7 + 1)}, ~^{busy_q, busy_p}, ~^{index_q, index_p},
    ~^{phase_q, phase_p}, ~^{rcon_q, rcon_p}};
endmodule
