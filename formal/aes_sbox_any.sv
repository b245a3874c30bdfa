// SPDX-License-Identifier: Apache-2.0
// In place of aes_sbox, for proofs of what is around it: changes a byte in the inverse direction
// and only there.
module aes_sbox #(
  parameter Impl = "tower",
  parameter Dir  = "both"
) (
  input  logic       inv_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  logic inv;
  assign inv    = (Dir == "inv") || (Dir == "both" && inv_i);
  assign data_o = data_i ^ {8{inv}};
endmodule
