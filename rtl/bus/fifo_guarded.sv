// SPDX-License-Identifier: Apache-2.0
// fifo with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from fifo_guarded.sv.j2 by `aesforge modules`.
module fifo_guarded #(
  parameter int Width       = 32,
  parameter int Depth       = 2,
  parameter bit FallThrough = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             wrong_o,
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
  (* keep *) logic valid_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_p <= 1'b1;
    else         valid_p <= ~^valid_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_q <= '0;
    else         data_q <= data_d;
  end
  (* keep *) logic data_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_p <= 1'b1;
    else         data_p <= ~^data_d;
  end

  assign wrong_o = |{~^{valid_q, valid_p}, ~^{data_q, data_p}};
endmodule
