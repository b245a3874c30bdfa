// SPDX-License-Identifier: Apache-2.0
// Queue in a small memory: `Places` entries (a power of 2), valid and ready on both sides from
// registers, one transfer a cycle on each side.
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
  logic [PlaceW:0]   fill_q;
  logic              full_q, some_q, push, pop;   // full_q: fill_q is Places; some_q: not 0

  assign in_ready_o  = !full_q;
  assign out_valid_o = some_q;
  assign out_data_o  = entries[head_q];
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      fill_q <= '0;
      full_q <= 1'b0;
      some_q <= 1'b0;
    end else begin
      if (push) tail_q <= tail_q + 1'b1;
      if (pop)  head_q <= head_q + 1'b1;
      if (push && !pop) begin
        fill_q <= fill_q + 1'b1;
        full_q <= fill_q == (PlaceW+1)'(Places - 1);
        some_q <= 1'b1;
      end else if (!push && pop) begin
        fill_q <= fill_q - 1'b1;
        full_q <= 1'b0;
        some_q <= fill_q != (PlaceW+1)'(1);
      end
    end
  end
  always_ff @(posedge clk_i) if (push) entries[tail_q] <= in_data_i;
endmodule
