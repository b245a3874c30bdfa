// SPDX-License-Identifier: Apache-2.0
// Bytes of a message, counted in two parts so that no long sum bounds the clock: the low StepW bits
// at once, the others by choosing between their value and the next one, which is made a cycle
// beforehand. That is in time, since a carry comes every other addition at most.
//
// add_i adds bytes_i, at most 2^(StepW-1); first_i beside it begins a new message. total_o is the
// sum of the cycles before, at any time.
module byte_count #(
  parameter Width = 61,
  parameter StepW = 5
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             add_i,
  input  logic             first_i,
  input  logic [StepW-1:0] bytes_i,
  output logic [Width-1:0] total_o
);
  localparam HighW = Width - StepW;
  logic             carry_q;
  logic [StepW-1:0] low_q;
  logic [HighW-1:0] high_q, next_q, high;

`ifdef BUG_COUNT_CARRY
  assign high = high_q;
`else
  assign high = carry_q ? next_q : high_q;
`endif
  assign total_o = {high, low_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {carry_q, low_q, high_q} <= '0;
      next_q                   <= HighW'(1);
    end else if (add_i && first_i) begin
      {carry_q, low_q} <= {1'b0, bytes_i};
      high_q           <= '0;
      next_q           <= HighW'(1);
    end else begin
      carry_q <= 1'b0;
      if (add_i) {carry_q, low_q} <= {1'b0, low_q} + {1'b0, bytes_i};
      high_q <= high;
      next_q <= high_q + 1'b1;
    end
  end
endmodule
