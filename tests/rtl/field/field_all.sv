// SPDX-License-Identifier: Apache-2.0
// Every module of rtl/field side by side, every S-box in every direction, for exhaustive comparing.
module field_all (
  input  logic        inv_i,
  input  logic [7:0]  a_i,
  input  logic [7:0]  b_i,
  input  logic [31:0] column_i,
  output logic [119:0] sbox_o,    // byte 3*i + d: i of IMPLS in test_field.py; fwd, inv, both
  output logic [23:0] inverse_o,  // lut, tower, canright
  output logic [15:0] affine_o,   // {inverse affine, affine}
  output logic [7:0]  xtime_o,
  output logic [15:0] product_o,  // {coefficient b_i[3:0] times a_i, a_i times b_i}
  output logic [95:0] column_o    // word d: fwd, inv, both
);
  for (genvar d = 0; d < 3; d++) begin : gen_dir
    localparam Dir = d == 0 ? "fwd" : d == 1 ? "inv" : "both";
    aes_sbox #(.SboxImpl("lut"), .Dir(Dir)) u_lut (
      .inv_i, .data_i(a_i), .data_o(sbox_o[8*d +: 8])
    );
    aes_sbox #(.SboxImpl("tower"), .Dir(Dir)) u_tower (
      .inv_i, .data_i(a_i), .data_o(sbox_o[24 + 8*d +: 8])
    );
    aes_sbox #(.SboxImpl("canright"), .Dir(Dir)) u_canright (
      .inv_i, .data_i(a_i), .data_o(sbox_o[48 + 8*d +: 8])
    );
    aes_sbox #(.SboxImpl("boyar_peralta"), .Dir(Dir)) u_boyar_peralta (
      .inv_i, .data_i(a_i), .data_o(sbox_o[72 + 8*d +: 8])
    );
    aes_sbox #(.SboxImpl("small"), .Dir(Dir)) u_small (
      .inv_i, .data_i(a_i), .data_o(sbox_o[96 + 8*d +: 8])
    );
    aes_mixcolumn #(.Dir(Dir)) u_mixcolumn (
      .inv_i, .data_i(column_i), .data_o(column_o[32*d +: 32])
    );
  end

  aes_gf8_inv #(.SboxImpl("lut")) u_inv_lut (.data_i(a_i), .data_o(inverse_o[7:0]));
  aes_gf8_inv #(.SboxImpl("tower")) u_inv_tower (.data_i(a_i), .data_o(inverse_o[15:8]));
  aes_gf8_inv #(.SboxImpl("canright")) u_inv_canright (.data_i(a_i), .data_o(inverse_o[23:16]));

  aes_affine u_affine (.data_i(a_i), .data_o(affine_o[7:0]));
  aes_affine_inv u_affine_inv (.data_i(a_i), .data_o(affine_o[15:8]));
  aes_xtime u_xtime (.data_i(a_i), .data_o(xtime_o));
  gf8_mul u_mul (.a_i, .b_i, .data_o(product_o[7:0]));
  gf8_mulc u_mulc (.coeff_i(b_i[3:0]), .data_i(a_i), .data_o(product_o[15:8]));
endmodule
