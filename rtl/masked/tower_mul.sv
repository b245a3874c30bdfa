// SPDX-License-Identifier: Apache-2.0
// Product in GF(4) (Width 2) or GF(16) (Width 4), in the normal bases of aes_inv_canright.
//
// Combinational. Made from tower_mul.sv.j2 by `aesforge modules`.
module tower_mul #(
  parameter Width = 4
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] product_o
);
  function automatic logic [1:0] mul4(input logic [1:0] a, input logic [1:0] b);
    logic both;
    both = (a[1] ^ a[0]) & (b[1] ^ b[0]);
    mul4 = {a[1] & b[1], a[0] & b[0]} ^ {2{both}};
  endfunction

  // Multiplication by N = W^2.
  function automatic logic [1:0] scale_n(input logic [1:0] a);
    scale_n = {a[0], a[1] ^ a[0]};
  endfunction

  function automatic logic [3:0] mul16(input logic [3:0] a, input logic [3:0] b);
    logic [1:0] both;
    both  = scale_n(mul4(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]));
    mul16 = {mul4(a[3:2], b[3:2]) ^ both, mul4(a[1:0], b[1:0]) ^ both};
  endfunction

  if (Width == 2) begin : gen_four
    assign product_o = mul4(a_i, b_i);
  end else begin : gen_sixteen
    assign product_o = mul16(a_i, b_i);
  end
endmodule
