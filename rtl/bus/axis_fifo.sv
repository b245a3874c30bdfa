// SPDX-License-Identifier: Apache-2.0
// FIFO in a small memory: `Places` entries (a small power of 2). valid and ready are registers on
// both sides, one transfer a cycle on each.
module axis_fifo #(
  parameter Width  = 32,
  parameter Places = 16
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
  localparam PlaceW = $clog2(Places);
  logic [Width-1:0]  entries [Places];
  logic [PlaceW-1:0] head_q, tail_q;
  logic [Places-1:0] filled_q;       // fill level in unary: as many ones, from bit 0 up, as entries
  logic              push, pop;

  assign in_ready_o  = !filled_q[Places-1];
  assign out_valid_o = filled_q[0];
  assign out_data_o  = entries[head_q];
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q   <= '0;
      tail_q   <= '0;
      filled_q <= '0;
    end else begin
      if (push) tail_q <= tail_q + 1'b1;
      if (pop)  head_q <= head_q + 1'b1;
      if (push != pop) begin
        filled_q <= push ? {filled_q[Places-2:0], 1'b1} : {1'b0, filled_q[Places-1:1]};
      end
    end
  end
  always_ff @(posedge clk_i) if (push) entries[tail_q] <= in_data_i;
endmodule
