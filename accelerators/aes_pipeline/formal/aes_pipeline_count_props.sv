// SPDX-License-Identifier: Apache-2.0
// byte_count gives the exact sum, for all additions, pauses and new messages. Checked for the
// widths that GCM uses with one lane and with four, with digits small enough that a search from
// reset reaches all of them.

module aes_pipeline_one_count #(
  parameter Width  = 61,
  parameter StepW  = 5,
  parameter DigitW = 14
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             add_i,
  input logic             first_i,
  input logic [StepW-1:0] bytes_i
);
  localparam HighW = Width - StepW;
  logic [Width-1:0] total, sum_q;
  byte_count #(.Width(Width), .StepW(StepW), .DigitW(DigitW)) u_count (
    .clk_i, .rst_ni, .add_i, .first_i, .bytes_i, .total_o(total)
  );
  always_comb assume (bytes_i <= (StepW)'(1 << (StepW - 1)));
  always_ff @(posedge clk_i) begin
    if (!rst_ni)      sum_q <= '0;
    else if (first_i) sum_q <= Width'(bytes_i);
    else if (add_i)   sum_q <= sum_q + Width'(bytes_i);
  end
  always_comb if (rst_ni) assert (total == sum_q);

  // Induction invariant: a carry never follows a carry directly, and then the stored increments
  // belong to the current digits.
  (* hierconn *) wire             \u_count.carry_q ;
  (* hierconn *) wire [StepW-1:0] \u_count.low_q ;
  (* hierconn *) wire [HighW-1:0] \u_count.high_q ;
  (* hierconn *) wire [HighW-1:0] \u_count.next_q ;
  (* hierconn *) wire [(HighW+DigitW-1)/DigitW-1:0] \u_count.ones_q ;
  logic [HighW-1:0] high, next;
  assign high = \u_count.high_q ;
  assign next = \u_count.next_q ;
  for (genvar d = 0; d*DigitW < HighW; d++) begin : gen_digit
    localparam Low  = d*DigitW;
    localparam OwnW = (HighW - Low < DigitW) ? HighW - Low : DigitW;
    logic [OwnW-1:0] expected;
    assign expected = high[Low +: OwnW] + 1'b1;
    always_comb begin
      if (rst_ni && \u_count.carry_q ) begin
        assert (next[Low +: OwnW] == expected);
        assert (\u_count.ones_q [d] == &high[Low +: OwnW]);
      end
    end
  end
  always_comb if (rst_ni && \u_count.carry_q ) assert (!\u_count.low_q [StepW-1]);
endmodule

module aes_pipeline_count_props (
  input logic       clk_i,
  input logic       add_i,
  input logic       first_i,
  input logic [6:0] bytes_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
  aes_pipeline_one_count u_lane (
    .clk_i, .rst_ni(rst_n), .add_i, .first_i, .bytes_i(bytes_i[4:0])
  );
  aes_pipeline_one_count #(.StepW(7)) u_lanes (.clk_i, .rst_ni(rst_n), .add_i, .first_i, .bytes_i);
  aes_pipeline_one_count #(.Width(8), .StepW(3), .DigitW(2)) u_small (
    .clk_i, .rst_ni(rst_n), .add_i, .first_i, .bytes_i(bytes_i[2:0])
  );
endmodule
