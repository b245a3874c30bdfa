// SPDX-License-Identifier: Apache-2.0
// Multiplication by x, that is by {02}: FIPS 197, section 4.2.1.
module aes_xtime (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  assign data_o = {data_i[6:0], 1'b0} ^ (data_i[7] ? 8'h1b : 8'h00);
endmodule
