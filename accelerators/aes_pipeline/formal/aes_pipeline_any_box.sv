// SPDX-License-Identifier: Apache-2.0
// Stand-in for aes_sbox_lut in proofs: any byte at its output.
module aes_sbox_lut #(
  parameter Dir = "both"
) (
  input  logic       inv_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  (* anyseq *) logic [7:0] any;
  assign data_o = any;
  logic unused;
  assign unused = ^{inv_i, data_i};
endmodule
