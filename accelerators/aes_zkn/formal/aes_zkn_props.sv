// SPDX-License-Identifier: Apache-2.0
// Every operation equals its specification, for all operands, in both variants.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.1 to 3.4; the S-box is
// specified by its definition (FIPS 197, section 5.1.1), not by a table: y = S(x) if the inverse
// affine map of y is the multiplicative inverse of x, with 0 for 0.
module aes_zkn_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);

  // Polynomial product, reduced from the top modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section
  // 4.2).
  function automatic logic [7:0] gf_mul(input logic [7:0] a, input logic [7:0] b);
    logic [14:0] product;
    product = 15'b0;
    for (int i = 0; i < 8; i++) product = product ^ (b[i] ? {7'b0, a} << i : 15'b0);
    for (int i = 14; i >= 8; i--) product = product ^ (product[i] ? 15'h11b << (i - 8) : 15'b0);
    gf_mul = product[7:0];
  endfunction

  // The inverse of the affine map (FIPS 197, section 5.3.2).
  function automatic logic [7:0] unaffine(input logic [7:0] y);
    for (int i = 0; i < 8; i++) unaffine[i] = y[(i + 2) % 8] ^ y[(i + 5) % 8] ^ y[(i + 7) % 8];
    unaffine = unaffine ^ 8'h05;
  endfunction

  function automatic logic is_sbox(input logic [7:0] x, input logic [7:0] y);
    is_sbox = (x == 8'b0) ? unaffine(y) == 8'b0 : gf_mul(x, unaffine(y)) == 8'h01;
  endfunction

  // Coefficients of lanes 0 to 3 for bs = 0. In all three cases they add up to 1, so that the sum
  // of the lanes is the substituted byte.
  function automatic logic matches(input logic mix, input logic inverse, input logic [1:0] bs,
                                   input logic [31:0] rs1, input logic [31:0] rs2,
                                   input logic [31:0] rd);
    logic [31:0] added, coefficients;
    logic [7:0]  x, y;
    added = rd ^ rs1;
    x = rs2[8*bs +: 8];
    y = added[7:0] ^ added[15:8] ^ added[23:16] ^ added[31:24];
    coefficients = !mix ? 32'h0000_0001 : inverse ? 32'h0b0d_090e : 32'h0301_0102;
    matches = inverse ? is_sbox(y, x) : is_sbox(x, y);
    for (int lane = 0; lane < 4; lane++) begin
      matches = matches &&
                added[8*((lane + bs) % 4) +: 8] == gf_mul(coefficients[8*lane +: 8], y);
    end
  endfunction

  logic        full_ready, full_valid, enc_ready, enc_valid;
  logic [31:0] full_rd, enc_rd;

  aes_zkn u_full (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(full_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(full_valid), .rsp_ready_i, .rsp_rd_o(full_rd)
  );
  aes_zkn #(.Decrypt(0)) u_enc (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(enc_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(enc_valid), .rsp_ready_i, .rsp_rd_o(enc_rd)
  );

  logic [aes_zkn_ops_pkg::CodeW-1:0] code;
  logic [1:0]                        bs;
  assign code = req_op_i[aes_zkn_ops_pkg::CodeW-1:0];
  assign bs   = req_op_i[aes_zkn_ops_pkg::BS_LSB +: 2];

  always_comb begin
    assert (full_valid == req_valid_i && full_ready == rsp_ready_i);
    assert (enc_valid == req_valid_i && enc_ready == rsp_ready_i);
    if (code == aes_zkn_ops_pkg::OP_AES32ESI) begin
      assert (matches(1'b0, 1'b0, bs, req_rs1_i, req_rs2_i, full_rd));
      assert (enc_rd == full_rd);
    end
    if (code == aes_zkn_ops_pkg::OP_AES32ESMI) begin
      assert (matches(1'b1, 1'b0, bs, req_rs1_i, req_rs2_i, full_rd));
      assert (enc_rd == full_rd);
    end
    if (code == aes_zkn_ops_pkg::OP_AES32DSI)
      assert (matches(1'b0, 1'b1, bs, req_rs1_i, req_rs2_i, full_rd));
    if (code == aes_zkn_ops_pkg::OP_AES32DSMI)
      assert (matches(1'b1, 1'b1, bs, req_rs1_i, req_rs2_i, full_rd));
  end

endmodule
