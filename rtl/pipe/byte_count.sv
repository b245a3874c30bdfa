// SPDX-License-Identifier: Apache-2.0
// Counts the bytes of a message in parts, so that no long carry chain limits the clock. The low
// StepW bits add directly. The upper digits of DigitW bits choose between their value and its
// increment. The increments, and the digits that pass a carry (all ones), are computed one cycle
// ahead. A carry occurs at most every other addition, so they are always ready.
//
// add_i adds bytes_i, at most 2^(StepW-1). first_i instead starts a new message with bytes_i.
// total_o is valid in every cycle and includes all earlier cycles.
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
