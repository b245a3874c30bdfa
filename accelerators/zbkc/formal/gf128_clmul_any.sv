// SPDX-License-Identifier: Apache-2.0
// Any product in place of gf128_clmul: the solver chooses it. A proof with two units assumes that
// both have the same.
module gf128_clmul #(
  parameter Width = 16,
  parameter Times = 16
) (
  input  logic [Width-1:0]       a_i,
  input  logic [Times-1:0]       b_i,
  output logic [Width+Times-2:0] product_o
);
  (* anyseq *) logic [Width+Times-2:0] any;
  assign product_o = any;

  logic unused;
  assign unused = ^{a_i, b_i};
endmodule
