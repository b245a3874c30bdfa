// SPDX-License-Identifier: Apache-2.0
// The output queue never drops, duplicates, reorders or alters an offered entry, and never
// overflows. Proved by induction.
//
// Assumptions on the pipeline: it keeps the order, and each output reserved a place in an earlier
// cycle, however long ago. Entries are numbered modulo 16, the number of places.
module aes_pipeline_credit_props (
  input logic clk_i,
  input logic want_i,
  input logic in_valid_i,
  input logic ready_i
);
  localparam Places  = 16;
  localparam NumberW = 4;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic               take, room, out_valid;
  logic [NumberW-1:0] taken_q, entered_q, given_q, out;
  assign take = want_i && room;
  credit_fifo #(.Width(NumberW), .Places(Places)) u_fifo (
    .clk_i, .rst_ni(rst_n), .take_i(take), .room_o(room), .in_valid_i, .in_data_i(entered_q),
    .out_valid_o(out_valid), .out_ready_i(ready_i), .out_data_o(out)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      taken_q   <= '0;
      entered_q <= '0;
      given_q   <= '0;
    end else begin
      if (take)                 taken_q   <= taken_q + 1'b1;
      if (in_valid_i)           entered_q <= entered_q + 1'b1;
      if (out_valid && ready_i) given_q   <= given_q + 1'b1;
    end
  end
  always_comb assume (!in_valid_i || (rst_n && entered_q != taken_q));

  // hierconn: Yosys connects the wire to the signal of this name inside the unit.
  (* hierconn *) wire                      \u_fifo.take_q ;
  (* hierconn *) wire                      \u_fifo.gone_q ;
  (* hierconn *) wire [3:0]                \u_fifo.used_q ;
  (* hierconn *) wire [3:0]                \u_fifo.head_q ;
  (* hierconn *) wire [3:0]                \u_fifo.next_q ;
  (* hierconn *) wire [3:0]                \u_fifo.tail_q ;
  (* hierconn *) wire                      \u_fifo.some_q ;
  (* hierconn *) wire [Places*NumberW-1:0] \u_fifo.places ;
  (* hierconn *) wire                      \u_fifo.read_valid_q ;
  (* hierconn *) wire                      \u_fifo.data_valid_q ;
  (* hierconn *) wire                      \u_fifo.near_valid_q ;
  (* hierconn *) wire [NumberW-1:0]        \u_fifo.read_q ;
  (* hierconn *) wire [NumberW-1:0]        \u_fifo.data_q ;
  (* hierconn *) wire [NumberW-1:0]        \u_fifo.near_q ;
  (* hierconn *) wire                      \u_fifo.u_out.valid_q ;
  (* hierconn *) wire                      \u_fifo.u_out.spare_valid ;
  (* hierconn *) wire [NumberW-1:0]        \u_fifo.u_out.data_q ;
  (* hierconn *) wire [NumberW-1:0]        \u_fifo.u_out.spare_q ;

  aes_pipeline_queue_numbers #(.Places(Places)) u_numbers (
    .on_i(rst_n), .in_valid_i, .taken_i(taken_q), .entered_i(entered_q), .given_i(given_q),
    .room_i(room), .take_q_i(\u_fifo.take_q ), .gone_q_i(\u_fifo.gone_q ),
    .used_i(\u_fifo.used_q ), .head_i(\u_fifo.head_q ), .next_i(\u_fifo.next_q ),
    .tail_i(\u_fifo.tail_q ), .some_i(\u_fifo.some_q ), .places_i(\u_fifo.places ),
    .held_i({\u_fifo.read_valid_q , \u_fifo.data_valid_q , \u_fifo.near_valid_q ,
             \u_fifo.u_out.spare_valid , \u_fifo.u_out.valid_q }),
    .numbers_i({\u_fifo.read_q , \u_fifo.data_q , \u_fifo.near_q , \u_fifo.u_out.spare_q ,
                \u_fifo.u_out.data_q })
  );

  logic               offered_q;
  logic [NumberW-1:0] out_q;
  always_ff @(posedge clk_i) begin
    offered_q <= rst_n && out_valid && !ready_i;
    out_q     <= out;
  end
  always_comb begin
    if (rst_n) begin
      // The output has the next number.
      if (out_valid) assert (out == given_q);
      if (offered_q) assert (out_valid && out == out_q);
    end
  end
endmodule
