// SPDX-License-Identifier: Apache-2.0
// One AES round as Depth pipeline stages, one block a clock: FIPS 197, sections 5.1 (encryption)
// and 5.3.5 (decryption by the equivalent inverse cipher: the same order of steps).
//
// Byte 4*c + r of the state, in bits 8*(4*c+r) upward, is row r of column c.
// skip_i: the state passes unchanged (shorter keys have fewer rounds). Skip = 0: never.
// key_i goes with the state behind the cuts up to CutBox: key_i is registered here for CutMix.
module aes_pipe_round #(
  parameter Impl  = "tower",
  parameter Dir   = "both",
  parameter Depth = 3,
  parameter Last  = 0,
  parameter Skip  = 0
) (
  input  logic         clk_i,
  input  logic         en_i,
  input  logic         inv_i,
  input  logic         skip_i,
  input  logic [127:0] state_i,
  input  logic [127:0] key_i,
  output logic [127:0] state_o
);
  // Simulated as one function for all rounds: compiles faster by far.
  /* verilator no_inline_module */
  localparam logic [5:0] Cuts = (Impl == "lut") ? aes_pipe_pkg::lut_cuts(Depth)
                                                : aes_pipe_pkg::tower_cuts(Depth);
  localparam BoxCuts  = aes_pipe_pkg::count(Cuts & 6'b011111);
  localparam TailCuts = aes_pipe_pkg::count(Cuts & 6'b001111);
  localparam MixCuts  = aes_pipe_pkg::count(Cuts & 6'b100000);

  logic         inv_tail, inv_mix;
  logic [127:0] boxed, shifted, mixed, mixed_q, key_q, added, next;

  aes_pipe_delay #(.Width(1), .Stages(TailCuts)) u_inv_tail (
    .clk_i, .en_i, .data_i(inv_i), .data_o(inv_tail)
  );
  aes_pipe_delay #(.Width(1), .Stages(BoxCuts - TailCuts)) u_inv_mix (
    .clk_i, .en_i, .data_i(inv_tail), .data_o(inv_mix)
  );

  for (genvar i = 0; i < 16; i++) begin : gen_box
    aes_pipe_sbox #(.Impl(Impl), .Dir(Dir), .Cuts(Cuts)) u_sbox (
      .clk_i, .en_i, .inv_head_i(inv_i), .inv_tail_i(inv_tail),
      .data_i(state_i[8*i +: 8]), .data_o(boxed[8*i +: 8])
    );
  end

  // ShiftRows, section 5.1.2: row r of column c comes from column c + r; its inverse: from c - r.
  for (genvar c = 0; c < 4; c++) begin : gen_column
    for (genvar r = 0; r < 4; r++) begin : gen_row
`ifdef BUG_PIPE_SHIFT
      localparam From = (r == 3) ? 4*((c + 1) % 4) + r : 4*((c + r) % 4) + r;
`else
      localparam From = 4*((c + r) % 4) + r;
`endif
      localparam Back = 4*((c + 4 - r) % 4) + r;
      if (Dir == "fwd") begin : gen_fwd
        assign shifted[8*(4*c+r) +: 8] = boxed[8*From +: 8];
      end else if (Dir == "inv") begin : gen_inv
        assign shifted[8*(4*c+r) +: 8] = boxed[8*Back +: 8];
      end else begin : gen_both
        assign shifted[8*(4*c+r) +: 8] = inv_mix ? boxed[8*Back +: 8] : boxed[8*From +: 8];
      end
    end
    if (Last != 0) begin : gen_last
      assign mixed[32*c +: 32] = shifted[32*c +: 32];
    end else begin : gen_mix
      aes_mixcolumn #(.Dir(Dir)) u_mixcolumn (
        .inv_i(inv_mix), .data_i(shifted[32*c +: 32]), .data_o(mixed[32*c +: 32])
      );
    end
  end

  aes_pipe_delay #(.Width(256), .Stages(MixCuts)) u_mix (
    .clk_i, .en_i, .data_i({key_i, mixed}), .data_o({key_q, mixed_q})
  );
  assign added = mixed_q ^ key_q;

  if (Skip != 0) begin : gen_skip
    logic         skip_q;
    logic [127:0] state_q;
    aes_pipe_delay #(.Width(129), .Stages(Depth - 1)) u_skip (
      .clk_i, .en_i, .data_i({skip_i, state_i}), .data_o({skip_q, state_q})
    );
`ifdef BUG_PIPE_SKIP
    assign next = added;
    logic unused_skip;
    assign unused_skip = ^{skip_q, state_q};
`else
    assign next = skip_q ? state_q : added;
`endif
  end else begin : gen_always
    logic unused_skip;
    assign unused_skip = skip_i;
    assign next = added;
  end

  // Depth beyond what the S-box can be cut into stops every tool here.
  if (BoxCuts + MixCuts != Depth - 1) begin : gen_unknown
    aesforge_unknown_depth u_unknown ();
  end else begin : gen_end
    aes_pipe_delay #(.Width(128), .Stages(1)) u_end (
      .clk_i, .en_i, .data_i(next), .data_o(state_o)
    );
  end
  if (Last != 0 || Dir == "fwd" || Dir == "inv") begin : gen_unused
    logic unused_inv;
    assign unused_inv = inv_mix;
  end
endmodule
