// SPDX-License-Identifier: Apache-2.0
// The inverse affine map: FIPS 197, section 5.3.2, a_i = b_(i+2) + b_(i+5) + b_(i+7) + {05}.
module aes_affine_inv (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  localparam logic [7:0] Constant = 8'h05;
  assign data_o = {data_i[6:0], data_i[7]} ^ {data_i[4:0], data_i[7:5]} ^ {data_i[1:0], data_i[7:2]}
                ^ Constant;
endmodule
