// SPDX-License-Identifier: Apache-2.0
// Output queue of a pipeline that never stops. Each entry reserves a place before it enters the
// pipeline (take_i, only while room_o), so the queue accepts every output at once. The pipeline
// needs no enable, and every path here is short.
//
// Places is a power of 2. One transfer a cycle needs Places of at least the pipeline's latency plus
// 10. Latency of the queue: at least five cycles.
module credit_fifo #(
  parameter Width  = 32,
  parameter Places = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             take_i,
  output logic             room_o,
  input  logic             in_valid_i,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  localparam PlaceW = $clog2(Places);

  // used_q lags take_i by two cycles, room_q by three. room_q is true up to used_q = Places - 5, so
  // with one entry a cycle at most three more follow: Places - 2 in total.
  logic [PlaceW-1:0] used_q;
  logic              take_q, gone_q, room_q;
  assign room_o = room_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      take_q <= 1'b0;
      gone_q <= 1'b0;
      used_q <= '0;
      room_q <= 1'b0;
    end else begin
      take_q <= take_i;
      gone_q <= out_valid_o && out_ready_i;
      if (take_q && !gone_q)      used_q <= used_q + 1'b1;
      else if (!take_q && gone_q) used_q <= used_q - 1'b1;
      room_q <= !(&used_q[PlaceW-1:2]);
    end
  end

  // Three registers after the memory. The second is the output register of the block RAM. The third
  // is near the output, because a block RAM may be placed far away.
`ifdef FORMAL
  // A proof needs the memory as registers that it can read.
  (* mem2reg *) logic [Width-1:0] place [Places];
  logic [Places*Width-1:0] places;
  for (genvar i = 0; i < Places; i++) begin : gen_place
    assign places[Width*i +: Width] = place[i];
  end
`else
  (* no_rw_check *) logic [Width-1:0] place [Places];
`endif
  logic [PlaceW-1:0] head_q, next_q, tail_q;    // next_q: head_q + 1
  logic [Width-1:0]  read_q, data_q, near_q;
  logic              some_q, move, read_valid_q, data_valid_q, near_valid_q;  // some_q: not empty
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q       <= '0;
      next_q       <= PlaceW'(1);
      tail_q       <= '0;
      some_q       <= 1'b0;
      read_valid_q <= 1'b0;
      data_valid_q <= 1'b0;
      near_valid_q <= 1'b0;
    end else begin
      if (in_valid_i) tail_q <= tail_q + 1'b1;
      some_q <= in_valid_i || (some_q && !(move && next_q == tail_q));
      if (move && some_q) begin
        head_q <= next_q;
        next_q <= next_q + 1'b1;
      end
      if (move) begin
        read_valid_q <= some_q;
        data_valid_q <= read_valid_q;
        near_valid_q <= data_valid_q;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (in_valid_i) place[tail_q] <= in_data_i;
    if (move) begin
      read_q <= place[head_q];
      data_q <= read_q;
      near_q <= data_q;
    end
  end

  skid_buffer #(.Width(Width)) u_out (
    .clk_i, .rst_ni, .in_valid_i(near_valid_q), .in_ready_o(move), .in_data_i(near_q),
    .out_valid_o, .out_ready_i, .out_data_o
  );
endmodule
