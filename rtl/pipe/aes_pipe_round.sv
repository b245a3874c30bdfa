// SPDX-License-Identifier: Apache-2.0
// One AES round as PipeRegs pipeline stages, one block a clock: FIPS 197, sections 5.1 (encryption)
// and 5.3.5 (decryption with the equivalent inverse cipher, which has the same order of steps).
//
// Byte 4*c + r of the state, in bits 8*(4*c+r) upward, is row r of column c.
// skip_i  pass the state unchanged (shorter keys have fewer rounds). Skip = 0: never.
// Cuts    places of the registers; those of SboxImpl and PipeRegs except in proofs.
// key_i   valid with the state after the cuts up to CutBox. Registers here delay it for the later
//         cuts, unless the key is stable while blocks are in flight (StillKey).
module aes_pipe_round #(
  parameter SboxImpl = "tower",
  parameter Dir      = "both",
  parameter PipeRegs = 3,
  parameter Last     = 0,
  parameter Skip     = 0,
  parameter StillKey = 0,
  parameter logic [7:0] Cuts =
      (SboxImpl == "lut")  ? aes_pipe_pkg::lut_cuts(PipeRegs)
    : (SboxImpl == "bram") ? aes_pipe_pkg::bram_cuts(PipeRegs, (Dir == "fwd") ? 1 : 0)
                       : aes_pipe_pkg::tower_cuts(PipeRegs)
) (
  input  logic         clk_i,
  input  logic         en_i,
  input  logic         inv_i,
  input  logic         skip_i,
  input  logic [127:0] state_i,
  input  logic [127:0] key_i,
  output logic [127:0] state_o
);
  // All rounds are then simulated by one function, which compiles much faster.
  /* verilator no_inline_module */
  localparam BoxCuts  = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::BoxMask);
  localparam TailCuts = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::TailMask);
  localparam PreCut   = int'(Cuts[aes_pipe_pkg::CutPre]);
  localparam MixCut   = int'(Cuts[aes_pipe_pkg::CutMix]);

  logic         inv_tail, inv_box;
  logic [127:0] shifted, boxed, first, first_q, mixed, mixed_q, key_q, added, next;

  aes_pipe_delay #(.Width(1), .Stages(TailCuts)) u_inv_tail (
    .clk_i, .en_i, .data_i(inv_i), .data_o(inv_tail)
  );
  aes_pipe_delay #(.Width(1), .Stages(BoxCuts - TailCuts)) u_inv_box (
    .clk_i, .en_i, .data_i(inv_tail), .data_o(inv_box)
  );

  // ShiftRows, section 5.1.2: row r of column c is taken from column c + r; inverse: from c - r. It
  // precedes the S-boxes, so that the choice of direction is before their registers.
  for (genvar c = 0; c < 4; c++) begin : gen_column
    for (genvar r = 0; r < 4; r++) begin : gen_row
      localparam From = 4*((c + r) % 4) + r;
      localparam Back = 4*((c + 4 - r) % 4) + r;
      if (Dir == "fwd") begin : gen_fwd
        assign shifted[8*(4*c+r) +: 8] = state_i[8*From +: 8];
      end else if (Dir == "inv") begin : gen_inv
        assign shifted[8*(4*c+r) +: 8] = state_i[8*Back +: 8];
      end else begin : gen_both
        assign shifted[8*(4*c+r) +: 8] = inv_i ? state_i[8*Back +: 8] : state_i[8*From +: 8];
      end
    end
  end

  aes_pipe_boxes #(.SboxImpl(SboxImpl), .Dir(Dir), .Bytes(16), .Cuts(Cuts)) u_boxes (
    .clk_i, .en_i, .inv_head_i(inv_i), .inv_tail_i(inv_tail), .data_i(shifted), .data_o(boxed)
  );

  // MixColumns, sections 5.1.3 and 5.3.3, except in the last round; the inverse in two factors.
  for (genvar c = 0; c < 4; c++) begin : gen_mix
    if (Last != 0 || Dir == "fwd") begin : gen_none
      assign first[32*c +: 32] = boxed[32*c +: 32];
    end else begin : gen_first
      assign first[32*c +: 32] = (Dir == "inv" || inv_box)
                                 ? aes_pipe_pkg::unmix(boxed[32*c +: 32]) : boxed[32*c +: 32];
    end
    if (Last != 0) begin : gen_last
      assign mixed[32*c +: 32] = first_q[32*c +: 32];
    end else begin : gen_second
      aes_mixcolumn #(.Dir("fwd")) u_mixcolumn (
        .inv_i(1'b0), .data_i(first_q[32*c +: 32]), .data_o(mixed[32*c +: 32])
      );
    end
  end
  aes_pipe_delay #(.Width(128), .Stages(PreCut)) u_pre (
    .clk_i, .en_i, .data_i(first), .data_o(first_q)
  );
  aes_pipe_delay #(.Width(128), .Stages(MixCut)) u_mix (
    .clk_i, .en_i, .data_i(mixed), .data_o(mixed_q)
  );
  localparam KeyCuts = (StillKey != 0) ? 0 : PreCut + MixCut;
  aes_pipe_delay #(.Width(128), .Stages(KeyCuts)) u_key (
    .clk_i, .en_i, .data_i(key_i), .data_o(key_q)
  );
  assign added = mixed_q ^ key_q;

  if (Skip != 0) begin : gen_skip
    logic         skip_q;
    logic [127:0] state_q;
    aes_pipe_delay #(.Width(129), .Stages(PipeRegs - 1)) u_skip (
      .clk_i, .en_i, .data_i({skip_i, state_i}), .data_o({skip_q, state_q})
    );
    assign next = skip_q ? state_q : added;
  end else begin : gen_always
    logic unused_skip;
    assign unused_skip = skip_i;
    assign next = added;
  end

  // An unsupported PipeRegs is an error in every tool.
  if (BoxCuts + PreCut + MixCut != PipeRegs - 1) begin : gen_unknown
    aesforge_unknown_depth u_unknown ();
  end else begin : gen_end
    aes_pipe_delay #(.Width(128), .Stages(1)) u_end (
      .clk_i, .en_i, .data_i(next), .data_o(state_o)
    );
  end
  if (Last != 0 || Dir == "fwd" || Dir == "inv") begin : gen_unused
    logic unused_inv;
    assign unused_inv = inv_box;
  end
endmodule
