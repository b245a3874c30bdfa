// SPDX-License-Identifier: Apache-2.0
// aes_iter_unit with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_iter_unit_guarded.sv.j2 by `aesforge modules`.
module aes_iter_unit_guarded #(
  parameter SboxImpl       = "tower",
  parameter Dir            = "both",  // "fwd" | "inv" | "both"
  parameter Rounds         = 1,       // 1 | 2; 2 only with Interleave 1
  parameter Interleave     = 1        // 1 to 3, see aes_round_sbox
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         wrong_o,
  input  logic         clear_i,      // empties the ring; a block entering with it is lost
  input  logic         key_valid_i,
  input  logic [3:0]   rounds_i,     // 10, 12 or 14; stable while busy_o
  output logic         busy_o,
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic         in_inv_i,     // "both": 1 decrypts
  input  logic [127:0] in_data_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic         out_inv_o,
  output logic [127:0] out_data_o,
  output logic         key_hold_o,   // to aes_key_store, for the next cycle
  output logic         key_round_o,
  output logic         key_up_o,
  output logic [3:0]   key_index_o,
  input  logic [127:0] load_key_i,   // from aes_key_store
  input  logic [Rounds*128-1:0] key_i,
  input  logic [Rounds*128-1:0] before_i,
  input  logic [Rounds*128-1:0] after_i
);
  localparam Step = Rounds;
  localparam Last = Interleave - 1;

  // ---- places of the ring -----------------------------------------------------------------------

  // Place 0 is the round's input; the last place is where keys are added. round_q is the index of
  // the next key. Signals here_*: the block at the last place, if there is one (here).
  logic [Interleave-1:0]      valid_q, inv_q;
  logic [Interleave-1:0][3:0] round_q;
  logic                   here, here_inv, in_inv, final_pass, load, stall, finish;
  logic [3:0]             here_round, next_round;

  assign here       = valid_q[Last];
  assign here_inv   = (Dir == "inv") || (Dir == "both" && inv_q[Last]);
  assign in_inv     = (Dir == "inv") || (Dir == "both" && in_inv_i);
  assign here_round = round_q[Last];
  assign final_pass = here_inv ? here_round == 4'(Step - 1)
                               : here_round == rounds_i - 4'(Step - 1);
  assign stall      = here && final_pass && out_valid_o && !out_ready_i;
  assign finish     = here && final_pass && !stall;
  assign load       = in_valid_i && in_ready_o;
  assign next_round = !here ? (in_inv ? rounds_i - 4'd1 : 4'd1)
                            : (here_inv ? here_round - 4'(Step) : here_round + 4'(Step));

  // ---- keys of the next cycle -------------------------------------------------------------------

  // coming_*: the block that is at the last place in the next cycle, if there is one (coming).
  logic       ready_q, ready_inv_q, offered_inv, coming, coming_inv;
  logic [3:0] coming_round;

  if (Interleave == 1) begin : gen_coming
    assign coming       = load || (here && !final_pass);
    assign coming_inv   = here ? here_inv : in_inv;
    assign coming_round = next_round;
  end else begin : gen_coming
    assign coming       = valid_q[Last-1];
    assign coming_inv   = (Dir == "inv") || (Dir == "both" && inv_q[Last-1]);
    assign coming_round = round_q[Last-1];
  end
  assign offered_inv = in_valid_i ? in_inv : ready_inv_q;
  assign key_hold_o  = stall;
  assign key_round_o = coming;
  assign key_up_o    = coming ? !coming_inv : !offered_inv;
  assign key_index_o = coming ? coming_round : offered_inv ? rounds_i : 4'd0;

  // ready_q: load_key_i is valid; ready_inv_q: the direction that it is for.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {ready_q, ready_inv_q} <= {1'b0, Dir == "inv"};
    else if (clear_i) {ready_q, ready_inv_q} <= {1'b0, Dir == "inv"};
    else              {ready_q, ready_inv_q} <= {key_valid_i, offered_inv};
  end
  (* keep *) logic ready_p, ready_inv_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {ready_p, ready_inv_p} <= {1'b1, ~^(Dir == "inv")};
    else if (clear_i) {ready_p, ready_inv_p} <= {1'b1, ~^(Dir == "inv")};
    else              {ready_p, ready_inv_p} <= {~^key_valid_i, ~^offered_inv};
  end

  assign in_ready_o = !here && ready_q && ready_inv_q == in_inv;

  // ---- control ----------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      inv_q   <= '0;
      round_q <= '0;
    end else if (clear_i) begin
      valid_q <= '0;
      inv_q   <= '0;
      round_q <= '0;
    end else if (!stall) begin
      for (int i = 1; i < Interleave; i++) begin
        valid_q[i] <= valid_q[i-1];
        inv_q[i]   <= inv_q[i-1];
        round_q[i] <= round_q[i-1];
      end
      valid_q[0] <= load || (here && !final_pass);
      inv_q[0]   <= here ? here_inv : in_inv;
      round_q[0] <= next_round;
    end
  end
  (* keep *) logic [Interleave-1:0] valid_p;
  (* keep *) logic [Interleave-1:0] inv_p;
  (* keep *) logic [Interleave-1:0] round_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_p <= '1;
      inv_p   <= '1;
      round_p <= '1;
    end else if (clear_i) begin
      valid_p <= '1;
      inv_p   <= '1;
      round_p <= '1;
    end else if (!stall) begin
      for (int i = 1; i < Interleave; i++) begin
        valid_p[i] <= ~^(valid_q[i-1]);
        inv_p[i]   <= ~^(inv_q[i-1]);
        round_p[i] <= ~^(round_q[i-1]);
      end
      valid_p[0] <= ~^(load || (here && !final_pass));
      inv_p[0]   <= ~^(here ? here_inv : in_inv);
      round_p[0] <= ~^next_round;
    end
  end

  // ---- data -------------------------------------------------------------------------------------

  logic [127:0] state_q, mixed, last;
  logic [1:0]   occupied;

  if (Interleave == 1) begin : gen_occupied
    assign occupied = 2'b00;
  end else begin : gen_occupied
    assign occupied = {valid_q[Last-1], valid_q[0]};
  end

  if (Rounds == 1 && Interleave == 1) begin : gen_one
    aes_round #(.SboxImpl(SboxImpl), .Dir(Dir), .Stages(Interleave)) u_round (
      .clk_i, .enable_i(!stall), .clear_i, .valid_i(occupied), .inv_i(inv_q[0]),
      .inv_last_i(here_inv), .state_i(state_q), .key_i, .before_i, .after_i, .mixed_o(mixed),
      .last_o(last)
    );
  end else if (Rounds == 2 && Interleave == 1) begin : gen_two
    logic [127:0] half, unused_last;
    aes_round #(.SboxImpl(SboxImpl), .Dir(Dir)) u_round0 (
      .clk_i, .enable_i(1'b1), .clear_i, .valid_i(occupied), .inv_i(here_inv),
      .inv_last_i(here_inv), .state_i(state_q), .key_i(key_i[127:0]),
      .before_i(before_i[127:0]), .after_i(after_i[127:0]), .mixed_o(half), .last_o(unused_last)
    );
    aes_round #(.SboxImpl(SboxImpl), .Dir(Dir)) u_round1 (
      .clk_i, .enable_i(1'b1), .clear_i, .valid_i(occupied), .inv_i(here_inv),
      .inv_last_i(here_inv), .state_i(half), .key_i(key_i[255:128]),
      .before_i(before_i[255:128]), .after_i(after_i[255:128]), .mixed_o(mixed), .last_o(last)
    );
    logic unused;
    assign unused = ^unused_last;
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || (!stall && !load && !(here && !final_pass))) state_q <= '0;
    else if (!stall) state_q <= load ? in_data_i ^ load_key_i : mixed;
  end
  (* keep *) logic state_p;
  always_ff @(posedge clk_i) begin
    if (clear_i || (!stall && !load && !(here && !final_pass))) state_p <= 1'b1;
    else if (!stall) state_p <= ~^(load ? in_data_i ^ load_key_i : mixed);
  end

  // ---- result -----------------------------------------------------------------------------------

  logic         out_valid_q, out_inv_q;
  logic [127:0] out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)          out_valid_q <= 1'b0;
    else if (clear_i)     out_valid_q <= 1'b0;
    else if (finish)      out_valid_q <= 1'b1;
    else if (out_ready_i) out_valid_q <= 1'b0;
  end
  (* keep *) logic out_valid_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)          out_valid_p <= 1'b1;
    else if (clear_i)     out_valid_p <= 1'b1;
    else if (finish)      out_valid_p <= 1'b0;
    else if (out_ready_i) out_valid_p <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || (out_ready_i && !finish)) {out_inv_q, out_q} <= '0;
    else if (finish)                         {out_inv_q, out_q} <= {here_inv, last};
  end
  (* keep *) logic out_inv_p, out_p;
  always_ff @(posedge clk_i) begin
    if (clear_i || (out_ready_i && !finish)) {out_inv_p, out_p} <= '1;
    else if (finish)                         {out_inv_p, out_p} <= {~^here_inv, ~^last};
  end

  assign out_valid_o = out_valid_q;
  assign out_inv_o   = out_inv_q;
  assign out_data_o  = out_q;
  assign busy_o      = |valid_q;

  assign wrong_o = |{~^{ready_q, ready_p}, ~^{ready_inv_q, ready_inv_p},
    ^{valid_q, valid_p, 1'(Interleave-1 + 1)}, ^{inv_q, inv_p, 1'(Interleave-1 + 1)},
    ^{round_q, round_p, 1'(Interleave-1 + 1)}, ~^{state_q, state_p}, ~^{out_valid_q, out_valid_p},
    ~^{out_inv_q, out_inv_p}, ~^{out_q, out_p}};
endmodule
