// SPDX-License-Identifier: Apache-2.0
// Number of ones in a unary word (all ones in the lowest bits). Each output bit depends on few
// input bits. For other words the output is meaningless.
module unary_count #(
  parameter Width  = 16,
  parameter CountW = $clog2(Width + 1)
) (
  input  logic [Width-1:0]  unary_i,
  output logic [CountW-1:0] count_o
);
  // Bit b is 1 for m*2^b ones and more, up to the next multiple, for every odd m.
  for (genvar b = 0; b < CountW; b++) begin : gen_bit
    localparam Step = 2**b;
    localparam Odds = (Width/Step + 1)/2;
    logic [Odds-1:0] between;
    for (genvar i = 0; i < Odds; i++) begin : gen_odd
      localparam First = (2*i + 1)*Step, Next = First + Step;
      if (Next > Width) begin : gen_top
        assign between[i] = unary_i[First-1];
      end else begin : gen_below
        assign between[i] = unary_i[First-1] && !unary_i[Next-1];
      end
    end
    assign count_o[b] = |between;
  end
endmodule
