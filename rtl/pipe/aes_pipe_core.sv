// SPDX-License-Identifier: Apache-2.0
// All rounds of AES unrolled: in each enabled cycle Lanes blocks enter and leave, in order. Latency
// = 1 + PipeRegs * rounds enabled cycles. FIPS 197, sections 5.1 and 5.3.5. The lanes of one cycle
// share key, direction and key schedule.
//
// SboxImpl, PipeRegs aes_pipe_pkg.sv        KeyBits   128, 192, 256; 0: size_i of each block
// Dir          "fwd" | "inv" | "both": inv_i of each block
// Schedule     "agile": window_i enters with the block and is expanded in parallel;
//              "static": enc_keys_i and dec_keys_i, stable while a block is in flight
//
// Invalid inputs enter as zeros, so no block or key data remains in the pipeline.
module aes_pipe_core #(
  parameter SboxImpl = "tower",
  parameter Dir      = "both",
  parameter PipeRegs = 3,
  parameter KeyBits  = 128,
  parameter Schedule = "agile",
  parameter Lanes    = 1,
  parameter Words    = aes_pipe_pkg::key_words(KeyBits),
  parameter Rounds   = aes_pipe_pkg::rounds(KeyBits)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   en_i,
  input  logic                   valid_i,
  input  logic                   inv_i,
  input  logic [1:0]             size_i,
  input  logic [128*Lanes-1:0]   data_i,
  input  logic [32*Words-1:0]    window_i,
  input  logic [Rounds:0][127:0] enc_keys_i,
  input  logic [Rounds:0][127:0] dec_keys_i,
  output logic                   valid_o,
  output logic [128*Lanes-1:0]   data_o
);
  localparam Plain = (Dir == "fwd") ? 1 : 0;
  localparam logic [7:0] Cuts = (SboxImpl == "lut")  ? aes_pipe_pkg::lut_cuts(PipeRegs)
                              : (SboxImpl == "bram") ? aes_pipe_pkg::bram_cuts(PipeRegs, Plain)
                                                 : aes_pipe_pkg::tower_cuts(PipeRegs);
  localparam BoxCuts = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::BoxMask);
  localparam Latency = 1 + PipeRegs*Rounds;
  localparam W       = 32*Words;

  logic [Latency-1:0]             valid_q;
  logic [Rounds:0]                inv;
  logic [Rounds:0][1:0]           size;
  logic [Rounds:0][128*Lanes-1:0] state;
  logic [127:0]                   first_key;
  logic [128*Lanes-1:0]           entry_q;

  // Only valid bits have a reset.
  logic [Latency-2:0] valid_kept;
  assign valid_kept = valid_q[Latency-2:0];
  assign valid_o    = valid_q[Latency-1];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)   valid_q <= '0;
    else if (en_i) valid_q <= {valid_kept, valid_i};
  end

  // ---- the first AddRoundKey --------------------------------------------------------------------

  logic         inv_entry_q;
  logic [1:0]   size_entry_q;
  logic [W-1:0] window_entry_q;
  if (Schedule == "agile") begin : gen_agile_entry
    // Decryption starts from the last four words of the window.
    logic [127:0] top;
    if (KeyBits == 0) begin : gen_top
      assign top = size_i[1] ? window_i[255:128] : size_i[0] ? window_i[191:64] : window_i[127:0];
    end else begin : gen_fixed
      assign top = window_i[W-1:W-128];
    end
    assign first_key = (Dir == "inv" || (Dir != "fwd" && inv_i)) ? top : window_i[127:0];
    always_ff @(posedge clk_i) if (en_i) window_entry_q <= valid_i ? window_i : '0;
    logic unused;
    assign unused = ^{enc_keys_i, dec_keys_i};
  end else begin : gen_static_entry
    assign first_key = (Dir == "inv" || (Dir != "fwd" && inv_i)) ? dec_keys_i[0] : enc_keys_i[0];
    assign window_entry_q = '0;
    logic unused;
    assign unused = ^{window_i, enc_keys_i, dec_keys_i};
  end
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      entry_q      <= valid_i ? data_i ^ {Lanes{first_key}} : '0;
      inv_entry_q  <= inv_i;
      size_entry_q <= size_i;
    end
  end
  assign state[0]  = entry_q;
  assign inv[0]    = inv_entry_q;
  assign size[0]   = size_entry_q;

  // Declared out here because Yosys does not find packed arrays inside a generate block.
  logic [Rounds-1:0]        inv_at;
  logic [Rounds-1:0][1:0]   size_at;
  logic [Rounds-1:0][127:0] agile_keys;
  assign inv_at  = inv[Rounds-1:0];
  assign size_at = size[Rounds-1:0];
  if (Schedule == "agile") begin : gen_schedule
    aes_pipe_schedule #(
      .SboxImpl(SboxImpl), .Dir(Dir), .PipeRegs(PipeRegs), .KeyBits(KeyBits)
    ) u_schedule (
      .clk_i, .en_i, .inv_i(inv_at), .size_i(size_at), .window_i(window_entry_q),
      .keys_o(agile_keys)
    );
  end else begin : gen_no_schedule
    assign agile_keys = '0;
    logic unused_window;
    assign unused_window = ^{window_entry_q, agile_keys, inv_at, size_at};
  end

  // ---- rounds -----------------------------------------------------------------------------------

  for (genvar t = 1; t <= Rounds; t++) begin : gen_round
    logic [127:0] key;
    logic         skip;
    // Keys of 128 bits begin with stage 5, of 192 bits with stage 3.
    assign skip = (t <= 2) ? !size[t-1][1] : size[t-1] == 2'd0;

    logic [128*Lanes-1:0] from, into;
    assign from     = state[t-1];
    assign state[t] = into;
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      aes_pipe_round #(
        .SboxImpl(SboxImpl), .Dir(Dir), .PipeRegs(PipeRegs), .Last((t == Rounds) ? 1 : 0),
        .Skip((KeyBits == 0 && t <= 4) ? 1 : 0),
        .StillKey((Schedule == "static" && (Dir == "fwd" || Dir == "inv")) ? 1 : 0)
      ) u_round (
        .clk_i, .en_i, .inv_i(inv[t-1]), .skip_i(skip), .state_i(from[128*l +: 128]), .key_i(key),
        .state_o(into[128*l +: 128])
      );
    end
    aes_pipe_delay #(.Width(3), .Stages(PipeRegs)) u_marks (
      .clk_i, .en_i, .data_i({inv[t-1], size[t-1]}), .data_o({inv[t], size[t]})
    );

    if (Schedule == "agile") begin : gen_agile
      assign key = agile_keys[t-1];
    end else if (Schedule == "static") begin : gen_static
      logic inv_q;
      aes_pipe_delay #(.Width(1), .Stages(BoxCuts)) u_inv (
        .clk_i, .en_i, .data_i(inv[t-1]), .data_o(inv_q)
      );
      assign key = (Dir == "inv" || (Dir != "fwd" && inv_q)) ? dec_keys_i[t] : enc_keys_i[t];
    end else begin : gen_unknown
      aesforge_unknown_impl u_unknown ();
    end
  end

  assign data_o = state[Rounds];
  logic unused_end;
  assign unused_end = ^{inv, size};
endmodule
