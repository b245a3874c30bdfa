// SPDX-License-Identifier: Apache-2.0
// The key schedule of all rounds for a key that travels with its block: FIPS 197, section 5.2.
// Stage t has the same registers as round t; aes_pipe_key.sv gives the timing of its key.
module aes_pipe_schedule #(
  parameter SboxImpl = "tower",
  parameter Dir      = "both",
  parameter PipeRegs = 3,
  parameter KeyBits  = 128,
  parameter Words    = aes_pipe_pkg::key_words(KeyBits),
  parameter Rounds   = aes_pipe_pkg::rounds(KeyBits)
) (
  input  logic                     clk_i,
  input  logic                     en_i,
  input  logic [Rounds-1:0]        inv_i,   // direction of the block at each round's input
  input  logic [Rounds-1:0][1:0]   size_i,
  input  logic [32*Words-1:0]      window_i,
  output logic [Rounds-1:0][127:0] keys_o
);
  logic [Rounds:0][32*Words-1:0] window;
  assign window[0] = window_i;
  for (genvar t = 0; t < Rounds; t++) begin : gen_stage
    aes_pipe_key #(
      .SboxImpl(SboxImpl), .Dir(Dir), .PipeRegs(PipeRegs), .KeyBits(KeyBits), .Stage(t + 1)
    ) u_key (
      .clk_i, .en_i, .inv_i(inv_i[t]), .size_i(size_i[t]), .window_i(window[t]),
      .key_o(keys_o[t]), .window_o(window[t+1])
    );
  end
  logic unused_end;
  assign unused_end = ^window[Rounds];
endmodule
