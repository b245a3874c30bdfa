// SPDX-License-Identifier: Apache-2.0
// Iterative cipher: a ring of Stages places with one round (or two, one after the other) on its
// way. FIPS 197, sections 5.1 and 5.3.
//
// A block enters with the first AddRoundKey and goes round until its last round leaves it in the
// output register: 1 + rounds/RoundsPerCycle cycles from one block to the next and from a block to
// its result. With more stages that many blocks enter every (1 + rounds)*Stages cycles. The next
// block may enter in the cycle in which the result is first offered. A result that is not taken
// holds the ring only when the next one is due. Time depends on the handshakes and the number of
// rounds alone. No data remains where no block is: registers of empty places are zero.
module aes_iter_unit #(
  parameter Impl           = "tower",
  parameter Dir            = "both",  // "fwd" | "inv" | "both"
  parameter RoundsPerCycle = 1,       // 1 | 2; 2 only with one stage
  parameter Stages         = 1        // 1 to 3, see aes_round_sbox
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,      // empties the ring
  input  logic [3:0]   rounds_i,     // 10, 12 or 14; stays while busy_o
  output logic         busy_o,
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic         in_inv_i,     // "both": 1 decrypts
  input  logic [127:0] in_data_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic         out_inv_o,
  output logic [127:0] out_data_o,
  output logic         key_up_o,     // to aes_key_store
  output logic [3:0]   key_index_o,
  input  logic [127:0] load_key_i,
  input  logic [127:0] key0_i,
  input  logic [127:0] key1_i
);
  localparam Step = RoundsPerCycle;
  localparam Last = Stages - 1;

  // ---- places of the ring -----------------------------------------------------------------------

  // Place 0 is in front of the round, the last one where keys are added. round_q is the index of
  // the next key.
  logic [Stages-1:0]      valid_q, inv_q;
  logic [Stages-1:0][3:0] round_q;
  logic                   here, here_inv, in_inv, final_pass, load, stall, finish;
  logic [3:0]             here_round, next_round;

  assign here       = valid_q[Last];
  assign here_inv   = (Dir == "inv") || (Dir == "both" && inv_q[Last]);
  assign in_inv     = (Dir == "inv") || (Dir == "both" && in_inv_i);
  assign here_round = round_q[Last];
`ifdef BUG_ITER_LAST
  assign final_pass = here_inv ? here_round == 4'(Step - 1) : here_round == 4'd10 - 4'(Step - 1);
`else
  assign final_pass = here_inv ? here_round == 4'(Step - 1)
                               : here_round == rounds_i - 4'(Step - 1);
`endif
  assign stall      = here && final_pass && out_valid_o && !out_ready_i;
  assign finish     = here && final_pass && !stall;
  assign load       = in_valid_i && in_ready_o;
  assign next_round = !here ? (in_inv ? rounds_i - 4'd1 : 4'd1)
                            : (here_inv ? here_round - 4'(Step) : here_round + 4'(Step));

`ifdef BUG_ITER_GAP
  assign in_ready_o  = !here && !clear_i && !out_valid_o;
`else
  assign in_ready_o  = !here && !clear_i;
`endif
  assign key_up_o    = here ? !here_inv : !in_inv;
  assign key_index_o = here ? here_round : in_inv ? rounds_i : 4'd0;

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
      for (int i = 1; i < Stages; i++) begin
        valid_q[i] <= valid_q[i-1];
        inv_q[i]   <= inv_q[i-1];
        round_q[i] <= round_q[i-1];
      end
      valid_q[0] <= load || (here && !final_pass);
      inv_q[0]   <= here ? here_inv : in_inv;
      round_q[0] <= next_round;
    end
  end

  // ---- data -------------------------------------------------------------------------------------

  logic [127:0] state_q, mixed, last;
  logic [1:0]   occupied;

  if (Stages == 1) begin : gen_occupied
    assign occupied = 2'b00;
  end else begin : gen_occupied
    assign occupied = {valid_q[Last-1], valid_q[0]};
  end

  if (RoundsPerCycle == 1) begin : gen_one
    logic unused;
    assign unused = ^key1_i;
    aes_round #(.Impl(Impl), .Dir(Dir), .Stages(Stages)) u_round (
      .clk_i, .enable_i(!stall), .clear_i, .valid_i(occupied), .inv_i(inv_q[0]),
      .inv_last_i(here_inv), .state_i(state_q), .key_i(key0_i), .mixed_o(mixed), .last_o(last)
    );
  end else if (RoundsPerCycle == 2 && Stages == 1) begin : gen_two
    logic [127:0] half, unused_last;
    aes_round #(.Impl(Impl), .Dir(Dir)) u_round0 (
      .clk_i, .enable_i(1'b1), .clear_i, .valid_i(occupied), .inv_i(here_inv),
      .inv_last_i(here_inv), .state_i(state_q), .key_i(key0_i), .mixed_o(half),
      .last_o(unused_last)
    );
    aes_round #(.Impl(Impl), .Dir(Dir)) u_round1 (
      .clk_i, .enable_i(1'b1), .clear_i, .valid_i(occupied), .inv_i(here_inv),
      .inv_last_i(here_inv), .state_i(half), .key_i(key1_i), .mixed_o(mixed), .last_o(last)
    );
    logic unused;
    assign unused = ^unused_last;
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  always_ff @(posedge clk_i) begin
    if (clear_i)     state_q <= '0;
    else if (!stall) state_q <= load ? in_data_i ^ load_key_i
                              : here && !final_pass ? mixed : '0;
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

  always_ff @(posedge clk_i) begin
    if (clear_i || (out_ready_i && !finish)) {out_inv_q, out_q} <= '0;
    else if (finish)                         {out_inv_q, out_q} <= {here_inv, last};
  end

  assign out_valid_o = out_valid_q;
  assign out_inv_o   = out_inv_q;
  assign out_data_o  = out_q;
  assign busy_o      = |valid_q;
endmodule
