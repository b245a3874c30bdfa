// SPDX-License-Identifier: Apache-2.0
// Invariants of rtl/bus/credit_fifo.sv when entries are numbered in the order of their
// reservations. For proofs that access its registers.
//
// Numbers are modulo Places, and fewer than Places entries exist, so an entry's number is its place
// in the memory. From output to memory, each register that holds an entry holds the next number.
// `given` entries left, `entered` were written, `taken` have reserved a place.
module aes_pipeline_queue_numbers #(
  parameter Places = 16,
  parameter PlaceW = $clog2(Places)
) (
  input logic                     on_i,
  input logic                     in_valid_i,
  input logic [PlaceW-1:0]        taken_i,
  input logic [PlaceW-1:0]        entered_i,
  input logic [PlaceW-1:0]        given_i,
  input logic                     room_i,
  input logic                     take_q_i,
  input logic                     gone_q_i,
  input logic [PlaceW-1:0]        used_i,
  input logic [PlaceW-1:0]        head_i,
  input logic [PlaceW-1:0]        next_i,
  input logic [PlaceW-1:0]        tail_i,
  input logic                     some_i,
  input logic [Places*PlaceW-1:0] places_i,
  input logic [4:0]               held_i,     // valid bits of the five registers, output lowest
  input logic [5*PlaceW-1:0]      numbers_i
);
  // Expected number of each register's entry, then of the memory's oldest entry.
  logic [6*PlaceW-1:0] due;
  logic [PlaceW-1:0]   fill, inside;
  assign due[PlaceW-1:0] = given_i;
  for (genvar i = 0; i < 5; i++) begin : gen_due
    assign due[PlaceW*(i+1) +: PlaceW]
         = due[PlaceW*i +: PlaceW] + {{(PlaceW-1){1'b0}}, held_i[i]};
  end
  assign fill   = tail_i - head_i;
  assign inside = taken_i - given_i;

  for (genvar i = 0; i < Places; i++) begin : gen_place
    logic [PlaceW-1:0] distance;
    assign distance = PlaceW'(i) - head_i;
    always_comb begin
      if (on_i && distance < fill) assert (places_i[PlaceW*i +: PlaceW] == PlaceW'(i));
    end
  end

  always_comb begin
    if (on_i) begin
      for (int i = 0; i < 5; i++) begin
        if (held_i[i]) assert (numbers_i[PlaceW*i +: PlaceW] == due[PlaceW*i +: PlaceW]);
      end
      assert (held_i[0] || !held_i[1]);
      assert (head_i == due[5*PlaceW +: PlaceW]);
      assert (next_i == head_i + 1'b1);
      assert (tail_i == entered_i);
      assert (some_i == (fill != 0));
      // Every written entry had reserved a place, and there are enough places.
      assert (head_i - given_i <= entered_i - given_i);
      assert (entered_i - given_i <= inside);
      assert (inside <= PlaceW'(Places - 2));
      assert (!room_i || inside <= PlaceW'(Places - 3));
      assert (used_i <= PlaceW'(Places - 2));
      assert (inside == used_i + {{(PlaceW-1){1'b0}}, take_q_i} - {{(PlaceW-1){1'b0}}, gone_q_i});
      // No overflow: the place that is written is free.
      assert (!in_valid_i || fill != {PlaceW{1'b1}});
    end
  end
endmodule
