// SPDX-License-Identifier: Apache-2.0
// Every step of the key schedule satisfies the recurrence of FIPS 197, section 5.2: each round, key
// size and direction, for all windows. The S-boxes are cut out: `boxed_i` is free.

module aes_pipeline_one_step #(
  parameter Nk    = 4,
  parameter Round = 1,
  parameter Inv   = 0
) (
  input logic [255:0] window_i,
  input logic [31:0]  boxed_i
);
  logic [31:0]  word;
  logic [127:0] key;
  logic [255:0] window;
  aes_pipe_step #(.Nk(Nk), .Round(Round), .Inv(Inv)) u_step (
    .head_i(window_i), .tail_i(window_i), .boxed_i, .word_o(word), .key_o(key), .window_o(window)
  );

  // Words w[Low] .. w[Low + Nk + 3] of the expanded key: the window and the four new words.
  // Encryption: the window begins with the previous round key, and the new words follow it.
  // Decryption: the window ends with round key Nr - Round + 1, and the new words precede it.
  localparam Low = (Inv != 0) ? 4*(Nk + 6 - Round + 1) - Nk : 4*(Round - 1);
  logic [32*(Nk+4)-1:0] w;
  if (Inv == 0) begin : gen_forward
    assign w = {window[32*Nk-1 -: 128], window_i[32*Nk-1:0]};
    always_comb assert (window[32*Nk-1:0] == w[128 +: 32*Nk]);
    always_comb assert (key == w[128 +: 128]);           // round key Round, w[4*Round] ...
  end else begin : gen_reverse
    assign w = {window_i[32*Nk-1:0], window[127:0]};
    always_comb assert (window[32*Nk-1:0] == w[0 +: 32*Nk]);
    always_comb assert (key == w[32*(Nk-4) +: 128]);     // round key Nr - Round
  end

  // Section 5.2: boxed_i is SUBWORD of word_o. Rotation commutes with SUBWORD.
  for (genvar k = 0; k < 4; k++) begin : gen_word
    localparam I = Low + Nk + k;
    logic [31:0] before, temp;
    assign before = w[32*(Nk + k - 1) +: 32];
    if (I % Nk == 0) begin : gen_turn
      // x^(I/Nk - 1) by repeated doubling.
      logic [8*16-1:0] power;
      assign power[7:0] = 8'h01;
      for (genvar p = 1; p < 16; p++) begin : gen_power
        assign power[8*p +: 8] = aes_spec_pkg::xtime(power[8*(p-1) +: 8]);
      end
      assign temp = aes_spec_pkg::rotate(boxed_i, 2'd3) ^ {24'b0, power[8*(I/Nk-1) +: 8]};
      always_comb assert (word == before);
    end else if (Nk == 8 && I % 8 == 4) begin : gen_sub
      assign temp = boxed_i;
      always_comb assert (word == before);
    end else begin : gen_plain
      assign temp = before;
    end
    // Words outside the expanded key are never used.
    if (I < 4*(Nk + 7) && I >= Nk) begin : gen_used
      always_comb assert (w[32*(Nk + k) +: 32] == (w[32*k +: 32] ^ temp));
    end
  end
endmodule

module aes_pipeline_step_props (
  input logic [255:0] window_i,
  input logic [31:0]  boxed_i
);
  for (genvar s = 0; s < 3; s++) begin : gen_size
    for (genvar r = 1; r <= 10 + 2*s; r++) begin : gen_round
      aes_pipeline_one_step #(.Nk(4 + 2*s), .Round(r), .Inv(0)) u_forward (.window_i, .boxed_i);
      aes_pipeline_one_step #(.Nk(4 + 2*s), .Round(r), .Inv(1)) u_reverse (.window_i, .boxed_i);
    end
  end
endmodule
