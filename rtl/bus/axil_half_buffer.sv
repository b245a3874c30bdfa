// SPDX-License-Identifier: Apache-2.0
// One-entry buffer of an AXI4-Lite channel, one transfer every other cycle; in_ready is a register.
// Half the flip-flops of axil_buffer, and no multiplexer in front of them. While it is empty it is
// zero, so no key word remains in a bus register.
// FallThrough = 1: an entry that finds the buffer empty is offered in the same cycle, and is stored
// only if the consumer does not accept it.
module axil_half_buffer #(
  parameter Width       = 32,
  parameter FallThrough = 0
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
  logic             full_q, passes;
  logic [Width-1:0] data_q;

  assign passes = FallThrough != 0 && !full_q && in_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= 1'b0;
    else         full_q <= full_q ? !out_ready_i : in_valid_i && !(passes && out_ready_i);
  end

  // Cleared by the flip-flops' own synchronous reset; what passes by is kept for no more than a
  // cycle.
  always_ff @(posedge clk_i) begin
    if (full_q ? out_ready_i : !in_valid_i) data_q <= '0;
    else if (!full_q) data_q <= in_data_i;
  end

  assign in_ready_o  = !full_q;
  assign out_valid_o = full_q || passes;
  assign out_data_o  = passes ? in_data_i : data_q;
endmodule
