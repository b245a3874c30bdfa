// SPDX-License-Identifier: Apache-2.0
// Product of a byte and a coefficient of 4 bits in the field of FIPS 197 (section 4.2): enough for
// every coefficient of MixColumns and InvMixColumns, {01} to {0e} (the multipliers of Nadehara
// 2004, figure 6).
module gf8_mulc (
  input  logic [3:0] coeff_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  logic [7:0] x1, x2, x3;

  aes_xtime u_x1 (.data_i(data_i), .data_o(x1));
  aes_xtime u_x2 (.data_i(x1), .data_o(x2));
  aes_xtime u_x3 (.data_i(x2), .data_o(x3));

  assign data_o = ({8{coeff_i[0]}} & data_i) ^ ({8{coeff_i[1]}} & x1)
                ^ ({8{coeff_i[2]}} & x2) ^ ({8{coeff_i[3]}} & x3);
endmodule
