// SPDX-License-Identifier: Apache-2.0
// A round equals FIPS 197, sections 5.1 and 5.3.5, except its S-boxes: both directions, inner and
// last rounds, without cuts inside, with one after the S-boxes, and with all cuts.
//
// Composition. ShiftRows moves bytes and SubBytes changes each byte alone, so the two commute. This
// proof shows that the S-boxes' inputs are the state with its rows shifted, with the directions
// that the S-boxes' own proof (aes_pipeline_sbox_props.sv) needs. It shows that any S-box outputs
// become the round's result with the matching key, delayed by the registers in between. The S-boxes
// are cut out: their outputs are free. A hierarchical name connects wires here to the round's own.
//
// Columns. MixColumns is compared for all columns. InvMixColumns is its first factor, also compared
// for all columns, followed by MixColumns. Their product is compared with InvMixColumns for columns
// with one nonzero byte: all three are linear, so this suffices.
//
// Registers start with any value and there is no feedback path, so the cycle in which the first
// input leaves represents all later cycles.

// SboxImpl "free" names no S-box: the solver chooses what this module leaves undriven.
module aesforge_unknown_impl;
endmodule

// MixColumns and the first factor of its inverse, in few gates. The last module here compares both
// with the specification's functions.
module aes_pipeline_columns (
  input  logic [127:0] state_i,
  output logic [127:0] mixed_o,
  output logic [127:0] first_o
);
  // Times x.
  logic [127:0] twice;
  for (genvar i = 0; i < 16; i++) begin : gen_byte
    assign twice[8*i +: 8] = {state_i[8*i +: 7], 1'b0} ^ (8'h1b & {8{state_i[8*i + 7]}});
  end
  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [31:0] a, b, across, more;
    assign a       = state_i[32*c +: 32];
    assign b       = twice[32*c +: 32];
    assign mixed_o[32*c +: 32] = b ^ {b[7:0], b[31:8]} ^ {a[7:0], a[31:8]}
                               ^ {a[15:0], a[31:16]} ^ {a[23:0], a[31:24]};
    assign across  = b ^ {b[15:0], b[31:16]};
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign more[8*r +: 8] = {across[8*r +: 7], 1'b0} ^ (8'h1b & {8{across[8*r + 7]}});
    end
    assign first_o[32*c +: 32] = a ^ more;
  end
endmodule

module aes_pipeline_one_round #(
  parameter Dir  = "both",
  parameter Last = 0,
  parameter Skip = 0,
  parameter StillKey = 0,
  parameter logic [7:0] Cuts = 8'b00000000
) (
  input logic             clk_i,
  input logic [7:0]       first_i,   // entry i: the first input was i cycles ago
  input logic [7:0]       inv_i,     // entry i: the input i cycles ago; likewise:
  input logic [7:0]       skip_i,
  input logic [8*128-1:0] states_i,
  input logic [8*128-1:0] keys_i,
  input logic [127:0]     shifted_i, // section 5.1.2
  input logic [127:0]     back_i     // section 5.3.1
);
  localparam PipeRegs = aes_pipe_pkg::count(Cuts) + 1;
  localparam Box   = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::BoxMask);
  localparam Tail  = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::TailMask);
  localparam Mix   = PipeRegs - Box;   // registers after the S-boxes, where the key enters
  localparam Key   = (StillKey != 0) ? 1 : Mix;   // a stable key is not delayed
  logic [127:0] state;
  aes_pipe_round #(
    .SboxImpl("free"), .Dir(Dir), .PipeRegs(PipeRegs), .Last(Last), .Skip(Skip),
    .StillKey(StillKey),
    .Cuts(Cuts)
  ) u_round (
    .clk_i, .en_i(1'b1), .inv_i(inv_i[0]), .skip_i(skip_i[0]), .state_i(states_i[127:0]),
    .key_i(keys_i[127:0]), .state_o(state)
  );
  (* hierconn *) wire [127:0] \u_round.shifted ;
  (* hierconn *) wire         \u_round.inv_tail ;
  (* hierconn *) wire [127:0] \u_round.boxed ;
  (* hierconn *) wire [127:0] \u_round.first ;

  logic         inverse, undone;
  logic [127:0] factor, mixed, unused_mixed, unused_factor, wanted;
  assign inverse = Dir == "inv" || (Dir == "both" && inv_i[0]);
  assign undone  = Last == 0 && (Dir == "inv" || (Dir == "both" && inv_i[Box]));
  aes_pipeline_columns u_boxed (
    .state_i(\u_round.boxed ), .mixed_o(unused_mixed), .first_o(factor)
  );
  aes_pipeline_columns u_first (
    .state_i(\u_round.first ), .mixed_o(mixed), .first_o(unused_factor)
  );

  // Entry i: the columns' output i + 1 cycles ago.
  logic [3*128-1:0] mixed_q;
  assign wanted = mixed_q[128*(Mix-1) +: 128] ^ keys_i[128*Key +: 128];
  always_ff @(posedge clk_i) begin
    mixed_q <= {mixed_q[2*128-1:0], (Last != 0) ? \u_round.first  : mixed};
  end

  always_comb begin
    assert (\u_round.shifted == (inverse ? back_i : shifted_i));
    if (first_i[Tail] && Dir == "both") assert (\u_round.inv_tail == inv_i[Tail]);
    if (first_i[Box]) assert (\u_round.first == (undone ? factor : \u_round.boxed ));
    if (first_i[PipeRegs]) begin
      assert (state == ((Skip != 0 && skip_i[PipeRegs]) ? states_i[128*PipeRegs +: 128] : wanted));
    end
  end
endmodule

// One choice of cuts in each direction: inner and last rounds, and a skippable one.
module aes_pipeline_rounds #(
  parameter StillKey = 0,
  parameter logic [7:0] Forward = 8'b00000000,
  parameter logic [7:0] Inverse = 8'b00000000
) (
  input logic             clk_i,
  input logic [7:0]       first_i,
  input logic [7:0]       inv_i,
  input logic [7:0]       skip_i,
  input logic [8*128-1:0] states_i,
  input logic [8*128-1:0] keys_i,
  input logic [127:0]     shifted_i,
  input logic [127:0]     back_i
);
  for (genvar last = 0; last < 2; last++) begin : gen_last
    aes_pipeline_one_round #(
      .Dir("fwd"), .Last(last), .StillKey(StillKey), .Cuts(Forward)
    ) u_fwd (.*);
    aes_pipeline_one_round #(
      .Dir("inv"), .Last(last), .StillKey(StillKey), .Cuts(Inverse)
    ) u_inv (.*);
    aes_pipeline_one_round #(
      .Dir("both"), .Last(last), .Skip(1 - last), .StillKey(StillKey), .Cuts(Inverse)
    ) u_both (.*);
  end
endmodule

module aes_pipeline_round_props (
  input logic         clk_i,
  input logic         direction_i,
  input logic         pass_i,
  input logic [127:0] state_i,
  input logic [127:0] key_i,
  input logic [31:0]  column_i
);
  logic [7:0]       inv_i, skip_i, first_i;
  logic [6:0]       inv_q, skip_q, first_q = 7'b0;
  logic             started_q = 1'b0;
  logic [8*128-1:0] states_i, keys_i;
  logic [7*128-1:0] states_q, keys_q;
  logic [127:0]     shifted_i, back_i;
  assign inv_i    = {inv_q, direction_i};
  assign skip_i   = {skip_q, pass_i};
  assign first_i  = {first_q, !started_q};
  assign states_i = {states_q, state_i};
  assign keys_i   = {keys_q, key_i};
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    inv_q     <= inv_i[6:0];
    skip_q    <= skip_i[6:0];
    first_q   <= first_i[6:0];
    states_q  <= states_i[7*128-1:0];
    keys_q    <= keys_i[7*128-1:0];
  end
  // Row r is taken from r columns further on; inverse: further back.
  for (genvar c = 0; c < 4; c++) begin : gen_column
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign shifted_i[32*c + 8*r +: 8] = state_i[32*((c + r) % 4) + 8*r +: 8];
      assign back_i[32*c + 8*r +: 8]    = state_i[32*((c + 4 - r) % 4) + 8*r +: 8];
    end
  end

  // No cut inside; one after the S-boxes, before or after MixColumns; all cuts, with keys that
  // travel and with stable keys.
  localparam logic [7:0] None  = aes_pipe_pkg::tower_cuts(1);
  localparam logic [7:0] Plain = aes_pipe_pkg::bram_cuts(5, 1);
  localparam logic [7:0] Bram  = aes_pipe_pkg::bram_cuts(5, 0);
  localparam logic [7:0] All   = aes_pipe_pkg::bram_cuts(7, 0);
  aes_pipeline_rounds #(.Forward(None), .Inverse(None)) u_none (.*);
  aes_pipeline_rounds #(.Forward(Plain), .Inverse(Bram)) u_some (.*);
  aes_pipeline_rounds #(.Forward(All), .Inverse(All)) u_all (.*);
  aes_pipeline_rounds #(.StillKey(1), .Forward(All), .Inverse(All)) u_still (.*);

  // Compare the reference columns with sections 5.1.3 and 5.3.3.
  logic         alone;
  logic [127:0] factor, mixed, both_factor, both;
  assign alone = column_i[31:8] == '0 || {column_i[31:16], column_i[7:0]} == '0 ||
                 {column_i[31:24], column_i[15:0]} == '0 || column_i[23:0] == '0;
  aes_pipeline_columns u_one (.state_i({96'b0, column_i}), .mixed_o(mixed), .first_o(factor));
  aes_pipeline_columns u_two (.state_i(factor), .mixed_o(both), .first_o(both_factor));
  always_comb begin
    assert (mixed[31:0] == aes_spec_pkg::mix_column(column_i));
    assert (factor[31:0] == aes_spec_pkg::circulant(32'h0004_0005, column_i));
    if (alone) assert (both[31:0] == aes_spec_pkg::inv_mix_column(column_i));
  end
endmodule
