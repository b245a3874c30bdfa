// SPDX-License-Identifier: Apache-2.0
// Replaces aes_sbox in proofs of its surroundings: it changes a byte only in the inverse direction.
module aes_sbox #(
  parameter SboxImpl = "tower",
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
