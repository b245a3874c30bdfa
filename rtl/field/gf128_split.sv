// SPDX-License-Identifier: Apache-2.0
// Karatsuba's operands: each part gives its lower half, its upper half and their sum (Karatsuba and
// Ofman 1962, over GF(2)). Combinational.
module gf128_split #(
  parameter Parts = 1,
  parameter Width = 128
) (
  input  logic [Parts*Width-1:0]     data_i,
  output logic [3*Parts*Width/2-1:0] data_o
);
  localparam Half = Width/2;
  for (genvar i = 0; i < Parts; i++) begin : gen_part
    logic [Half-1:0] low, high;
    assign low  = data_i[Width*i +: Half];
    assign high = data_i[Width*i + Half +: Half];
    assign data_o[3*Half*i +: 3*Half] = {low ^ high, high, low};
  end
endmodule
