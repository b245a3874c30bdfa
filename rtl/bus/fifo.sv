// SPDX-License-Identifier: Apache-2.0
// FIFO as a shift register, for a handful of entries; valid/ready on both sides.
//
// in_ready_o is a register, so no path runs from the consumer to the producer. FallThrough = 1: an
// entry that finds the queue empty is offered to the consumer in the same cycle, and is stored only
// if the consumer does not take it.
module fifo #(
  parameter int Width       = 32,
  parameter int Depth       = 2,
  parameter bit FallThrough = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  // Thermometer code: entry i is occupied when valid_q[i]; entry 0 is the oldest.
  logic [Depth-1:0]            valid_d, valid_q;
  logic [Depth-1:0][Width-1:0] data_d, data_q;
  logic                        push, pop;

  assign in_ready_o = !valid_q[Depth-1];

  if (FallThrough) begin : gen_fall_through
    assign out_valid_o = valid_q[0] || in_valid_i;
    assign out_data_o  = valid_q[0] ? data_q[0] : in_data_i;
    // An entry that passes straight through is never stored.
    assign push = in_valid_i && in_ready_o && (valid_q[0] || !out_ready_i);
  end else begin : gen_registered
    assign out_valid_o = valid_q[0];
    assign out_data_o  = data_q[0];
    assign push = in_valid_i && in_ready_o;
  end
  assign pop = valid_q[0] && out_ready_i;

  always_comb begin
    valid_d = valid_q;
    data_d  = data_q;
    if (pop) begin
      for (int i = 0; i < Depth; i++) begin
        valid_d[i] = (i + 1 < Depth) && valid_q[(i+1)%Depth];
        data_d[i]  = data_q[(i+1)%Depth];
      end
    end
    // Write to the first free place after the shift.
    for (int i = Depth - 1; i >= 0; i--) begin
      if (push && !valid_d[i] && (i == 0 || valid_d[(i+Depth-1)%Depth])) begin
        valid_d[i] = 1'b1;
        data_d[i]  = in_data_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= valid_d;
  end

  // Data needs no reset: it is read only where valid_q says so.
  always_ff @(posedge clk_i) data_q <= data_d;
endmodule
