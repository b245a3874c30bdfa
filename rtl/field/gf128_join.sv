// SPDX-License-Identifier: Apache-2.0
// Inverse step of gf128_split.sv: combines the products of lower halves (l), upper halves (h) and
// sums (m) to l + (m + l + h)*x^(Width/2) + h*x^Width. Combinational.
module gf128_join #(
  parameter Parts = 1,
  parameter Width = 128
) (
  input  logic [3*Parts*(Width-1)-1:0] data_i,
  output logic [Parts*(2*Width-1)-1:0] data_o
);
  localparam Each = Width - 1;
  localparam Full = 2*Width - 1;
  for (genvar i = 0; i < Parts; i++) begin : gen_part
    logic [Each-1:0] low, high, both, middle;
    assign {both, high, low} = data_i[3*Each*i +: 3*Each];
    assign middle = both ^ low ^ high;
    assign data_o[Full*i +: Full] = {{Width{1'b0}}, low} ^ {high, {Width{1'b0}}}
                                  ^ {{(Width/2){1'b0}}, middle, {(Width/2){1'b0}}};
  end
endmodule
