// SPDX-License-Identifier: Apache-2.0
// Any function in place of a digit's step: the solver chooses the output. A proof with two of these
// assumes that equal operands give equal outputs.
module ghash_step #(
  parameter Digit = 4
) (
  input  logic [127:0]       sum_i,
  input  logic [127:0]       key_i,
  input  logic [Digit-1:0]   digit_i,
  output logic [127:0]       sum_o
);
  (* anyseq *) logic [127:0] any;
  assign sum_o = any;

  logic unused;
  assign unused = ^{sum_i, key_i, digit_i};
endmodule
