// SPDX-License-Identifier: Apache-2.0
// Several AES cores from block RAM (aes_dma_lane) that take blocks in turn, each a round a cycle.
// Results come in the order of the blocks. All lanes have the round keys of one expansion
// (aes_dma_keys). The key ports are those of aes_tables.
//
// A block is accepted in one cycle, and its data follow in the next. Its result comes 2 + rounds
// cycles after the block is accepted; all lanes together accept Lanes blocks in 1 + rounds cycles.
// Each lane holds one block in its rounds and one result.
module aes_dma_lanes #(
  parameter Has192 = 1,
  parameter Has256 = 1,
  parameter Lanes  = 2  // power of two
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         wipe_i,
  output logic         wiping_o,
  output logic         idle_o,        // no block before its result, no key expansion, no wipe
  input  logic         key_write_i,
  input  logic [2:0]   key_word_i,
  input  logic [31:0]  key_data_i,
  input  logic         key_start_i,   // only while idle_o, without a block at the port
  input  logic [1:0]   key_length_i,
  output logic         key_busy_o,
  output logic         key_valid_o,

  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic         inverse_i,     // stable from a cycle before a block until its result leaves
  input  logic [127:0] in_data_i,     // of the block accepted in the cycle before, otherwise zero
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o
);
  localparam TurnW = $clog2(Lanes);

  logic [TurnW-1:0]        in_turn_q, out_turn_q;
  logic [Lanes-1:0]        enter_q, ready, valid, idle;
  logic [Lanes-1:0][127:0] data;
  logic [127:0]            in_data, out_data;
  logic [3:0]              store_write, rounds;
  logic [4:0]              store_index;
  logic [31:0]             store_word;
  logic                    clear, inverse_q;

  aes_dma_keys #(.Has192(Has192), .Has256(Has256)) u_keys (
    .clk_i, .rst_ni, .wipe_i, .wiping_o, .key_write_i, .key_word_i, .key_data_i, .key_start_i,
    .key_length_i, .key_busy_o, .key_valid_o, .rounds_o(rounds), .store_write_o(store_write),
    .store_index_o(store_index), .store_word_o(store_word)
  );

  assign clear       = wipe_i || wiping_o;
  assign in_ready_o  = ready[in_turn_q];
  assign out_valid_o = valid[out_turn_q];
  assign out_data    = data[out_turn_q];
  assign idle_o      = (&idle) && !key_busy_o && !wiping_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {in_turn_q, out_turn_q, inverse_q} <= '0;
    else if (clear) {in_turn_q, out_turn_q, inverse_q} <= '0;
    else begin
      if (in_valid_i && in_ready_o)   in_turn_q  <= in_turn_q + TurnW'(1);
      if (out_valid_o && out_ready_i) out_turn_q <= out_turn_q + TurnW'(1);
      inverse_q <= inverse_i;
    end
  end

  // Columns 1 and 3 are exchanged for decryption.
  for (genvar c = 0; c < 4; c++) begin : gen_exchange
    assign in_data[32*c +: 32]    = inverse_q ? in_data_i[32*((4 - c) % 4) +: 32]
                                              : in_data_i[32*c +: 32];
    assign out_data_o[32*c +: 32] = inverse_q ? out_data[32*((4 - c) % 4) +: 32]
                                              : out_data[32*c +: 32];
  end

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) enter_q[i] <= 1'b0;
      else         enter_q[i] <= in_valid_i && in_ready_o && in_turn_q == TurnW'(i) && !clear;
    end
    aes_dma_lane u_lane (
      .clk_i, .rst_ni, .clear_i(clear), .idle_o(idle[i]), .store_write_i(store_write),
      .store_index_i(store_index), .store_word_i(store_word), .key_valid_i(key_valid_o),
      .rounds_i(rounds), .inverse_i(inverse_q), .ready_o(ready[i]), .enter_i(enter_q[i]),
      .in_data_i(in_data), .out_valid_o(valid[i]),
      .out_ready_i(out_ready_i && out_turn_q == TurnW'(i)), .out_data_o(data[i])
    );
  end
endmodule
