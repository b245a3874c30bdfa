// SPDX-License-Identifier: Apache-2.0
// Reduction modulo x^128 + x^7 + x^2 + x + 1: SP 800-38D, section 6.3. Bit i is the coefficient of
// x^i. Combinational.
module gf128_reduce (
  input  logic [254:0] data_i,
  output logic [127:0] data_o
);
  // x^128 = x^7 + x^2 + x + 1. The first fold leaves seven coefficients from x^128 on: fold again.
  logic [127:0] high;
  logic [134:0] folded;
  logic [6:0]   over;
  assign high   = {1'b0, data_i[254:128]};
  assign folded = {7'b0, high} ^ {6'b0, high, 1'b0} ^ {5'b0, high, 2'b0} ^ {high, 7'b0};
  assign over   = folded[134:128];
  assign data_o = data_i[127:0] ^ folded[127:0]
                ^ {114'b0, {7'b0, over} ^ {6'b0, over, 1'b0} ^ {5'b0, over, 2'b0} ^ {over, 7'b0}};
endmodule
