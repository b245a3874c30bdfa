// SPDX-License-Identifier: Apache-2.0
// Converts between a block in AXI4-Stream order (first byte in bits 7 to 0) and the polynomial of
// SP 800-38D, section 6.3 (the first bit of the first byte is the coefficient of x^0, here bit 0).
// Its own inverse. Combinational.
module gf128_order (
  input  logic [127:0] data_i,
  output logic [127:0] data_o
);
  for (genvar i = 0; i < 128; i++) begin : gen_bit
    assign data_o[i] = data_i[(i & ~7) + 7 - (i & 7)];
  end
endmodule
