// SPDX-License-Identifier: Apache-2.0
// Several AES cores from block RAM (aes_tables) that take blocks in turn, each a round a cycle.
// Results come in the order of the blocks. Every lane has its own copy of the round keys, made at
// the same time. The key ports are those of aes_tables.
//
// A block's result comes 2 + rounds cycles after the block; all lanes together accept Lanes blocks
// in 1 + rounds cycles. Each lane holds one block in its rounds and one result.
module aes_dma_lanes #(
  parameter Has192 = 1,
  parameter Has256 = 1,
  parameter Lanes  = 2  // power of two
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  output logic         wiping_o,
  output logic         idle_o,        // see aes_tables
  input  logic         key_write_i,
  input  logic [2:0]   key_word_i,
  input  logic [31:0]  key_data_i,
  input  logic         key_start_i,
  input  logic [1:0]   key_length_i,
  output logic         key_busy_o,
  output logic         key_valid_o,

  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic         inverse_i,     // direction of all blocks between two idle cycles
  input  logic [127:0] in_data_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o
);
  localparam TurnW = $clog2(Lanes);

  logic [TurnW-1:0]        in_turn_q, out_turn_q;
  logic [Lanes-1:0]        enc_ready, dec_ready, enc_valid, dec_valid, wiping, idle, busy,
                           key_valid;
  logic [Lanes-1:0][127:0] enc_data, dec_data;

  assign in_ready_o  = inverse_i ? dec_ready[in_turn_q] : enc_ready[in_turn_q];
  assign out_valid_o = enc_valid[out_turn_q] || dec_valid[out_turn_q];
  assign out_data_o  = enc_data[out_turn_q];
  assign wiping_o    = wiping[0];
  assign idle_o      = &idle;
  assign key_busy_o  = busy[0];
  assign key_valid_o = key_valid[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                 {in_turn_q, out_turn_q} <= '0;
    else if (wipe_i || wiping_o) {in_turn_q, out_turn_q} <= '0;
    else begin
      if (in_valid_i && in_ready_o)   in_turn_q  <= in_turn_q + TurnW'(1);
      if (out_valid_o && out_ready_i) out_turn_q <= out_turn_q + TurnW'(1);
    end
  end

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    logic here, take;
    assign here = in_valid_i && in_turn_q == TurnW'(i);
    assign take = out_ready_i && out_turn_q == TurnW'(i);
    aes_tables #(.Has192(Has192), .Has256(Has256)) u_tables (
      .clk_i, .rst_ni, .wipe_i, .wiping_o(wiping[i]), .idle_o(idle[i]), .key_write_i, .key_word_i,
      .key_data_i, .key_start_i, .key_length_i, .key_busy_o(busy[i]), .key_valid_o(key_valid[i]),
      .enc_valid_i(here && !inverse_i), .enc_ready_o(enc_ready[i]), .enc_data_i(in_data_i),
      .enc_valid_o(enc_valid[i]), .enc_ready_i(take), .enc_data_o(enc_data[i]),
      .dec_valid_i(here && inverse_i), .dec_ready_o(dec_ready[i]), .dec_data_i(in_data_i),
      .dec_valid_o(dec_valid[i]), .dec_ready_i(take), .dec_data_o(dec_data[i])
    );
  end

  logic unused;  // equal in all lanes, and either data output is the result
  assign unused = ^{wiping, busy, key_valid, dec_data};
endmodule
