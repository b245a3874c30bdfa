// SPDX-License-Identifier: Apache-2.0
// Inversion in the field of FIPS 197 as a table of 256 bytes, computed at elaboration.
// Combinational.
module aes_inv_lut (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  // {03} generates the multiplicative group. Its powers, paired with those of its inverse {f6},
  // give every element and its inverse. Byte a of the result is the inverse of a; 0 gives 0.
  function automatic logic [2047:0] inverses();
    logic [7:0] power, recip;
    inverses = 2048'h0;
    power = 8'h01;
    recip = 8'h01;
    for (int i = 0; i < 255; i++) begin
      inverses[8*power +: 8] = recip;
      power = power ^ {power[6:0], 1'b0} ^ (power[7] ? 8'h1b : 8'h00);
      // Division by x + 1: the running XOR of the bits from the lowest up. A remainder remains if
      // the XOR of all bits is 1. Then m(x) must be added first, which changes the quotient by
      // {09}.
      recip = recip ^ {recip[6:0], 1'b0};
      recip = recip ^ {recip[5:0], 2'b00};
      recip = recip ^ {recip[3:0], 4'b0000};
      recip = recip ^ (recip[7] ? 8'h09 : 8'h00);
    end
  endfunction

  localparam logic [2047:0] Table = inverses();

  assign data_o = Table[{data_i, 3'b000} +: 8];
endmodule
