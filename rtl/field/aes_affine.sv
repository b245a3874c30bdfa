// SPDX-License-Identifier: Apache-2.0
// The affine map of the S-box: FIPS 197, section 5.1.1, b_i = a_i + a_(i+4) + ... + a_(i+7) +
// {63}_i.
module aes_affine (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  localparam logic [7:0] Constant = 8'h63;
  assign data_o = data_i ^ {data_i[6:0], data_i[7]} ^ {data_i[5:0], data_i[7:6]}
                ^ {data_i[4:0], data_i[7:5]} ^ {data_i[3:0], data_i[7:4]} ^ Constant;
endmodule
