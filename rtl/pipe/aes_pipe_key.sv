// SPDX-License-Identifier: Apache-2.0
// The key schedule of one round for a key that travels with its block, with as many stages as the
// round (aes_pipe_step.sv defines the window).
//
// Stage is the round, 1 .. Rounds. With KeyBits = 0 each block has a size (size_i: 0 = 128, 1 =
// 192, 2 = 256 bits). A shorter key begins two or four stages later; its window passes the earlier
// stages unchanged. key_o is valid after the cuts up to CutBox. Decryption: InvMixColumns of the
// round key (FIPS 197, section 5.3.5), except in the last round.
module aes_pipe_key #(
  parameter SboxImpl = "tower",
  parameter Dir     = "both",
  parameter PipeRegs = 3,
  parameter KeyBits = 128,
  parameter Stage   = 1,
  parameter Words   = aes_pipe_pkg::key_words(KeyBits)
) (
  input  logic                clk_i,
  input  logic                en_i,
  input  logic                inv_i,
  input  logic [1:0]          size_i,
  input  logic [32*Words-1:0] window_i,
  output logic [127:0]        key_o,
  output logic [32*Words-1:0] window_o
);
  /* verilator no_inline_module */
  localparam Plain = (Dir == "fwd") ? 1 : 0;
  localparam logic [7:0] Cuts = (SboxImpl == "lut")  ? aes_pipe_pkg::lut_cuts(PipeRegs)
                              : (SboxImpl == "bram") ? aes_pipe_pkg::bram_cuts(PipeRegs, Plain)
                                                 : aes_pipe_pkg::tower_cuts(PipeRegs);
  localparam BoxCuts  = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::BoxMask);
  localparam MixCuts  = aes_pipe_pkg::count(Cuts & ~(aes_pipe_pkg::BoxMask));
  localparam Rounds   = aes_pipe_pkg::rounds(KeyBits);
  localparam W        = 32*Words;

  logic         inv_tail;
  logic [1:0]   size_tail;
  logic [31:0]  word, boxed;
  logic [127:0] key;
  logic [W-1:0] tail, next, next_q;

  // The schedule uses the forward S-box in both directions.
  aes_pipe_boxes #(.SboxImpl(SboxImpl), .Dir("fwd"), .Bytes(4), .Cuts(Cuts)) u_boxes (
    .clk_i, .en_i, .inv_head_i(1'b0), .inv_tail_i(1'b0), .data_i(word), .data_o(boxed)
  );
  aes_pipe_delay #(.Width(W + 3), .Stages(BoxCuts)) u_tail (
    .clk_i, .en_i, .data_i({inv_i, size_i, window_i}), .data_o({inv_tail, size_tail, tail})
  );

  // One step for each size and direction in this build; index 2*size + direction.
  logic [5:0][31:0]  words;
  logic [5:0][127:0] keys;
  logic [5:0][W-1:0] windows;
  for (genvar s = 0; s < 3; s++) begin : gen_size
    localparam Nk    = 4 + 2*s;
    localparam Round = Stage - (Rounds - (Nk + 6));
    for (genvar d = 0; d < 2; d++) begin : gen_dir
      localparam Sized    = KeyBits == 0 || KeyBits == 32*Nk;
      localparam Directed = (d == 0) ? Dir != "inv" : Dir != "fwd";
      if (Sized && Directed && Round >= 1) begin : gen_step
        aes_pipe_step #(.Nk(Nk), .Round(Round), .Inv(d), .Words(Words)) u_step (
          .head_i(window_i), .tail_i(tail), .boxed_i(boxed),
          .word_o(words[2*s+d]), .key_o(keys[2*s+d]), .window_o(windows[2*s+d])
        );
      end else begin : gen_none
        assign words[2*s+d]   = 32'b0;
        assign keys[2*s+d]    = 128'b0;
        assign windows[2*s+d] = tail;
      end
    end
  end

  localparam logic [1:0] Fixed = (KeyBits == 256) ? 2'd2 : (KeyBits == 192) ? 2'd1 : 2'd0;
  logic [2:0] head_at, tail_at;
  logic       inv_head;
  assign inv_head = Dir == "inv" || (inv_i && Dir != "fwd");
  assign head_at  = {(KeyBits == 0) ? size_i : Fixed, inv_head};
  assign tail_at  = {(KeyBits == 0) ? size_tail : Fixed,
                     Dir == "inv" || (inv_tail && Dir != "fwd")};
  assign word     = words[head_at];
  assign key      = keys[tail_at];
  assign next     = windows[tail_at];

  if (Dir == "fwd" || Stage == Rounds) begin : gen_plain
    assign key_o = key;
  end else begin : gen_mixed
    logic [127:0] mixed;
    for (genvar c = 0; c < 4; c++) begin : gen_column
      aes_mixcolumn #(.Dir("inv")) u_unmix (
        .inv_i(1'b1), .data_i(key[32*c +: 32]), .data_o(mixed[32*c +: 32])
      );
    end
    assign key_o = (Dir == "inv" || inv_tail) ? mixed : key;
  end

  aes_pipe_delay #(.Width(W), .Stages(MixCuts)) u_mix (
    .clk_i, .en_i, .data_i(next), .data_o(next_q)
  );
  aes_pipe_delay #(.Width(W), .Stages(1)) u_end (
    .clk_i, .en_i, .data_i(next_q), .data_o(window_o)
  );
endmodule
