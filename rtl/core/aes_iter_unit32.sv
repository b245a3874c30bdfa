// SPDX-License-Identifier: Apache-2.0
// Iterative cipher for small devices: one column a cycle through four S-boxes. Ports and rules are
// those of aes_iter_unit. FIPS 197, sections 5.1 and 5.3.
//
// Latency: 1 + 4*rounds cycles a block. The key expansion borrows the S-boxes while the unit is
// idle (lend_i).
module aes_iter_unit32 #(
  parameter SboxImpl = "tower",
  parameter Dir  = "both"  // "fwd" | "inv" | "both"
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         key_valid_i,
  input  logic [3:0]   rounds_i,
  output logic         busy_o,
  input  logic         lend_i,
  input  logic [31:0]  sub_i,
  output logic [31:0]  sub_o,
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic         in_inv_i,
  input  logic [127:0] in_data_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic         out_inv_o,
  output logic [127:0] out_data_o,
  output logic         key_hold_o,
  output logic         key_round_o,
  output logic         key_up_o,
  output logic [3:0]   key_index_o,
  input  logic [127:0] load_key_i,
  input  logic [127:0] key_i
);
  // The key expansion needs the forward S-box for both directions.
  localparam SboxDir = Dir == "fwd" ? "fwd" : "both";

  // ---- round and column counters ----------------------------------------------------------------

  logic       busy_q, inv_q, inv, in_inv, final_round, load, stall, finish, turn;
  logic [1:0] column_q;
  logic [3:0] round_q;

  assign inv         = (Dir == "inv") || (Dir == "both" && inv_q);
  assign in_inv      = (Dir == "inv") || (Dir == "both" && in_inv_i);
  assign final_round = inv ? round_q == 4'd0 : round_q == rounds_i;
  assign turn        = busy_q && column_q == 2'd3;
  assign stall       = turn && final_round && out_valid_o && !out_ready_i;
  assign finish      = turn && final_round && !stall;
  assign load        = in_valid_i && in_ready_o;

  assign busy_o      = busy_q;

  // ---- key of the next cycle, as in aes_iter_unit -----------------------------------------------

  logic       ready_q, ready_inv_q, offered_inv;
  logic [3:0] next_round;

  assign next_round  = load ? (in_inv ? rounds_i - 4'd1 : 4'd1)
                     : !turn ? round_q : inv ? round_q - 4'd1 : round_q + 4'd1;
  assign offered_inv = in_valid_i ? in_inv : ready_inv_q;
  assign key_hold_o  = stall;
  assign key_round_o = load || (busy_q && !finish);
  assign key_up_o    = key_round_o ? !(busy_q ? inv : in_inv) : !offered_inv;
  assign key_index_o = key_round_o ? next_round : offered_inv ? rounds_i : 4'd0;
  assign in_ready_o  = !busy_q && ready_q && ready_inv_q == in_inv;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {ready_q, ready_inv_q} <= {1'b0, Dir == "inv"};
    else if (clear_i) {ready_q, ready_inv_q} <= {1'b0, Dir == "inv"};
    else              {ready_q, ready_inv_q} <= {key_valid_i, offered_inv};
  end

  // ---- control ----------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      inv_q    <= 1'b0;
      round_q  <= 4'd0;
      column_q <= 2'd0;
    end else if (clear_i || finish) begin
      busy_q   <= 1'b0;
      inv_q    <= 1'b0;
      round_q  <= 4'd0;
      column_q <= 2'd0;
    end else if (load) begin
      busy_q   <= 1'b1;
      inv_q    <= in_inv;
      round_q  <= in_inv ? rounds_i - 4'd1 : 4'd1;
    end else if (busy_q && !stall) begin
      column_q <= column_q + 2'd1;
      if (turn) round_q <= inv ? round_q - 4'd1 : round_q + 4'd1;
    end
  end

  // ---- a column ---------------------------------------------------------------------------------

  logic [127:0] state_q;
  logic [95:0]  done_q;  // finished columns of this round, the newest highest
  logic [31:0]  gathered, boxed, key, last, unmixed, mixed, column;
  logic         box_inv;

  assign box_inv = inv && !lend_i;
  for (genvar r = 0; r < 4; r++) begin : gen_row
    // ShiftRows: row r of the new column is in column c + r, for the inverse in column c - r.
    logic [1:0] from;
    assign from = inv ? column_q - 2'(r) : column_q + 2'(r);
    assign gathered[8*r +: 8] = lend_i ? sub_i[8*r +: 8] : state_q[{from, 5'(8*r)} +: 8];
    aes_sbox #(.SboxImpl(SboxImpl), .Dir(SboxDir)) u_sbox (
      .inv_i(box_inv), .data_i(gathered[8*r +: 8]), .data_o(boxed[8*r +: 8])
    );
  end
  assign sub_o   = boxed;
  assign key     = key_i[{column_q, 5'b00000} +: 32];
  assign last    = boxed ^ key;
  assign unmixed = inv ? last : boxed;
  aes_mixcolumn #(.Dir(Dir)) u_mix (.inv_i(inv), .data_i(unmixed), .data_o(mixed));
  assign column  = final_round ? last : inv ? mixed : mixed ^ key;

  always_ff @(posedge clk_i) begin
    if (clear_i || finish) begin
      state_q <= '0;
      done_q  <= '0;
    end else if (load) begin
      state_q <= in_data_i ^ load_key_i;
    end else if (busy_q && !stall) begin
      done_q <= {column, done_q[95:32]};
      if (turn) state_q <= {column, done_q};
    end
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
    else if (finish)                         {out_inv_q, out_q} <= {inv, column, done_q};
  end

  assign out_valid_o = out_valid_q;
  assign out_inv_o   = out_inv_q;
  assign out_data_o  = out_q;
endmodule
