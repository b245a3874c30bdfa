// SPDX-License-Identifier: Apache-2.0
// No text stays in the iterative cipher: after the wipe that follows reset, the register of the
// round is zero while no block is in its place, and the result is zero while there is none. For one
// and two rounds a cycle and for three blocks interleaved, whatever enters, stalls and is cleared.
module aes_iter_rest_props (
  input logic         clk_i,
  input logic         clear_i,
  input logic         key_valid_i,
  input logic         in_valid_i,
  input logic         in_inv_i,
  input logic [127:0] in_data_i,
  input logic         out_ready_i,
  input logic [127:0] load_key_i,
  input logic [255:0] key_i,
  input logic [255:0] before_i,
  input logic [255:0] after_i
);
  (* anyconst *) logic [3:0] rounds;

  logic rst_n   = 1'b0;
  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) {begun_q, rst_n} <= {rst_n, 1'b1};

  logic [2:0]        valid, inv, ready, busy, hold, round, up;
  logic [2:0][127:0] data;
  logic [2:0][3:0]   index;
  aes_iter_unit u_one (
    .clk_i, .rst_ni(rst_n), .clear_i, .key_valid_i, .rounds_i(rounds), .busy_o(busy[0]),
    .in_valid_i, .in_ready_o(ready[0]), .in_inv_i, .in_data_i, .out_valid_o(valid[0]),
    .out_ready_i, .out_inv_o(inv[0]), .out_data_o(data[0]), .key_hold_o(hold[0]),
    .key_round_o(round[0]), .key_up_o(up[0]), .key_index_o(index[0]), .load_key_i,
    .key_i(key_i[127:0]), .before_i(before_i[127:0]), .after_i(after_i[127:0])
  );
  aes_iter_unit #(.Rounds(2)) u_two (
    .clk_i, .rst_ni(rst_n), .clear_i, .key_valid_i, .rounds_i(rounds), .busy_o(busy[1]),
    .in_valid_i, .in_ready_o(ready[1]), .in_inv_i, .in_data_i, .out_valid_o(valid[1]),
    .out_ready_i, .out_inv_o(inv[1]), .out_data_o(data[1]), .key_hold_o(hold[1]),
    .key_round_o(round[1]), .key_up_o(up[1]), .key_index_o(index[1]), .load_key_i, .key_i,
    .before_i, .after_i
  );
  aes_iter_unit #(.Interleave(3)) u_three (
    .clk_i, .rst_ni(rst_n), .clear_i, .key_valid_i, .rounds_i(rounds), .busy_o(busy[2]),
    .in_valid_i, .in_ready_o(ready[2]), .in_inv_i, .in_data_i, .out_valid_o(valid[2]),
    .out_ready_i, .out_inv_o(inv[2]), .out_data_o(data[2]), .key_hold_o(hold[2]),
    .key_round_o(round[2]), .key_up_o(up[2]), .key_index_o(index[2]), .load_key_i,
    .key_i(key_i[127:0]), .before_i(before_i[127:0]), .after_i(after_i[127:0])
  );

  (* hierconn *) wire [127:0] \u_one.state_q ;
  (* hierconn *) wire [127:0] \u_two.state_q ;
  (* hierconn *) wire [127:0] \u_three.state_q ;
  (* hierconn *) wire [2:0]   \u_three.valid_q ;

  always_comb begin
    if (rst_n && !begun_q) assume (clear_i);  // aes_key_control wipes after reset
    if (begun_q) begin
      if (!busy[0]) assert (\u_one.state_q == 128'h0);
      if (!busy[1]) assert (\u_two.state_q == 128'h0);
      if (!\u_three.valid_q [0]) assert (\u_three.state_q == 128'h0);
      for (int i = 0; i < 3; i++) begin
        if (!valid[i]) assert ({inv[i], data[i]} == 129'h0);
      end
    end
  end

  logic unused;
  assign unused = ^{ready, hold, round, up, index};
endmodule
