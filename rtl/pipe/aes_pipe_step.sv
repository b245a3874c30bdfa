// SPDX-License-Identifier: Apache-2.0
// Four words of the key schedule, forward or backward: FIPS 197, section 5.2, rearranged. The
// S-boxes are outside: `word_o` is their input, `boxed_i` their output.
//
// The window before round r holds Nk words. Encryption: upward from the first word of round key r -
// 1. Decryption: downward from the last word of round key Nr - r + 1. A step appends the next four
// words, outputs the round's key, and drops four words. No step needs more than one SUBWORD.
//
// Nk     4, 6, 8     Round  1 .. Nk + 6     Inv  0: encryption, 1: decryption
//
// Windows have `Words` words; words from Nk up are 0.
module aes_pipe_step #(
  parameter Nk    = 4,
  parameter Round = 1,
  parameter Inv   = 0,
  parameter Words = 8
) (
  input  logic [32*Words-1:0] head_i,   // the window, for word_o
  input  logic [32*Words-1:0] tail_i,   // the window, valid with boxed_i
  input  logic [31:0]         boxed_i,
  output logic [31:0]         word_o,
  output logic [127:0]        key_o,
  output logic [32*Words-1:0] window_o
);
  // Index i of the first of the four words; each uses w[i] = w[i-Nk] + g(w[i-1]).
  localparam First = (Inv != 0) ? 4*(Nk + 6 - Round + 1) : 4*(Round - 1) + Nk;
  // Index of the word that uses SUBWORD: 0, 2, or none (4).
  localparam Every = (Nk == 8) ? 4 : Nk;
  localparam Boxed = (First % Every == 0) ? 0 : ((First + 2) % Every == 0) ? 2 : 4;
  localparam Turn  = ((First + Boxed) % Nk == 0) ? 1 : 0;
  localparam logic [7:0] Rcon = (Turn != 0) ? aes_pipe_pkg::rcon((First + Boxed) / Nk) : 8'h00;

  // Words by equation index: c[0] is w[First - Nk] in both directions.
  logic [3:0][31:0]    g, fresh;
  logic [31:0]         turned;
  logic [Nk-1:0][31:0] head, tail;
  logic [Nk+3:0][31:0] all;

  assign head = head_i[32*Nk-1:0];
  assign tail = tail_i[32*Nk-1:0];
  assign turned = (Turn != 0) ? {boxed_i[7:0], boxed_i[31:8]} ^ {24'b0, Rcon} : boxed_i;

  if (Inv == 0) begin : gen_forward
    // w[First + k] from tail[k] and the previous word, which is the window's last or a fresh one.
    assign word_o = (Boxed == 2) ? head[1] ^ head[0] ^ head[Nk-1] : head[Nk-1];
    for (genvar k = 0; k < 4; k++) begin : gen_word
      if (k == Boxed) begin : gen_boxed
        assign g[k] = turned;
      end else if (k == 0) begin : gen_first
        assign g[k] = tail[Nk-1];
      end else begin : gen_next
        assign g[k] = fresh[k-1];
      end
      assign fresh[k] = tail[k] ^ g[k];
    end
    assign all      = {fresh, tail};
    assign key_o    = all[7:4];
    assign window_o = {{(32*(Words-Nk)){1'b0}}, all[Nk+3:4]};
  end else begin : gen_reverse
    // w[First - Nk + k], the four words below the window, from the words Nk and Nk - 1 above them.
    assign all = {tail, fresh};
    if (Nk == 4) begin : gen_short
      assign word_o = head[3] ^ head[2];
    end else begin : gen_long
      assign word_o = head[Nk - 5 + ((Boxed == 2) ? 2 : 0)];
    end
    for (genvar k = 0; k < 4; k++) begin : gen_word
      if (k == Boxed) begin : gen_boxed
        assign g[k] = turned;
      end else begin : gen_plain
        assign g[k] = all[Nk+k-1];
      end
      assign fresh[k] = all[Nk+k] ^ g[k];
    end
    assign key_o    = all[Nk-1:Nk-4];
    assign window_o = {{(32*(Words-Nk)){1'b0}}, all[Nk-1:0]};
  end

  logic unused;
  assign unused = ^{head_i, tail_i, head, all, turned};
endmodule
