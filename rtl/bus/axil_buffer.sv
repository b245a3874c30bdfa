// SPDX-License-Identifier: Apache-2.0
// Two-entry buffer of an AXI4-Lite channel, one transfer a cycle; in_ready is a register. Empty
// entries are zero, so no key word remains in a bus register.
// FallThrough = 1: an entry that finds the buffer empty is offered in the same cycle, and is stored
// only if the consumer does not accept it.
module axil_buffer #(
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
  logic             first_q, second_q, push, pop, to_first;
  logic [Width-1:0] first_data_q, second_data_q;

  logic passes;
  assign passes   = FallThrough != 0 && !first_q && in_valid_i;
  assign push     = in_valid_i && !second_q && !(passes && out_ready_i);
  assign pop      = first_q && out_ready_i;
  assign to_first = push && (!first_q || pop);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q       <= 1'b0;
      second_q      <= 1'b0;
      first_data_q  <= '0;
      second_data_q <= '0;
    end else begin
      if (to_first) begin
        first_q      <= 1'b1;
        first_data_q <= in_data_i;
      end else if (pop) begin
        first_q      <= second_q;
        first_data_q <= second_data_q;
      end
      if (push && !to_first) begin
        second_q      <= 1'b1;
        second_data_q <= in_data_i;
      end else if (pop) begin
        second_q      <= 1'b0;
        second_data_q <= '0;
      end
    end
  end

  assign in_ready_o  = !second_q;
  assign out_valid_o = first_q || passes;
  assign out_data_o  = passes ? in_data_i : first_data_q;
endmodule
