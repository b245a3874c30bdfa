// SPDX-License-Identifier: Apache-2.0
// Bytes of a message, counted in parts so that no long sum bounds the clock: the low StepW bits at
// once, the others, in digits, by choosing between a digit's value and the next one. Next values,
// and which digits are all ones so that a carry goes through, are made a cycle beforehand. That is
// in time, since a carry comes every other addition at most.
//
// add_i adds bytes_i, at most 2^(StepW-1); first_i, instead of it, begins a new message with these.
// total_o is the sum of the cycles before, at any time.
module byte_count #(
  parameter Width  = 61,
  parameter StepW  = 5,
  parameter DigitW = 14
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             add_i,
  input  logic             first_i,
  input  logic [StepW-1:0] bytes_i,
  output logic [Width-1:0] total_o
);
  localparam HighW  = Width - StepW;
  localparam Digits = (HighW + DigitW - 1)/DigitW;
  logic              carry_q;
  logic [StepW-1:0]  low_q;
  logic [HighW-1:0]  high_q, next_q, high;
  logic [Digits-1:0] ones_q;

  for (genvar d = 0; d < Digits; d++) begin : gen_digit
    localparam Low  = d*DigitW;
    localparam OwnW = (HighW - Low < DigitW) ? HighW - Low : DigitW;
    logic carry;
    assign carry = carry_q && &(ones_q | {Digits{1'b1}} << d);
    assign high[Low +: OwnW] = carry ? next_q[Low +: OwnW] : high_q[Low +: OwnW];
    always_ff @(posedge clk_i) begin
      next_q[Low +: OwnW] <= high_q[Low +: OwnW] + 1'b1;
      ones_q[d]           <= &high_q[Low +: OwnW];
    end
  end

  assign total_o = {high, low_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {carry_q, low_q, high_q} <= '0;
    end else if (first_i) begin
      {carry_q, low_q} <= {1'b0, bytes_i};
      high_q           <= '0;
    end else begin
      carry_q <= 1'b0;
      if (add_i) {carry_q, low_q} <= {1'b0, low_q} + {1'b0, bytes_i};
      high_q <= high;
    end
  end
endmodule
