// SPDX-License-Identifier: Apache-2.0
// Every operation equals its specification, for all operands, in both variants.
// Source: Nadehara, Ikekawa, Kuroda 2004, tables 5 and 6, and README.md; the S-box is specified
// by its definition, see formal/aes_spec_pkg.sv.
module aes_bytelane_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);

  // Coefficients of lanes 0 to 3 for row 0. In all three cases they add up to 1, so the XOR of the
  // lanes is the substituted byte.
  function automatic logic matches(input logic mix, input logic inverse, input logic [1:0] row,
                                   input logic [31:0] rs1, input logic [31:0] rd);
    logic [31:0] coefficients;
    logic [7:0]  x, y;
    x = rs1[8*row +: 8];
    y = rd[7:0] ^ rd[15:8] ^ rd[23:16] ^ rd[31:24];
    coefficients = !mix ? 32'h0000_0001 : inverse ? 32'h0b0d_090e : 32'h0301_0102;
    matches = inverse ? aes_spec_pkg::is_sbox(y, x) : aes_spec_pkg::is_sbox(x, y);
    for (int lane = 0; lane < 4; lane++) begin
      matches = matches &&
                rd[8*((lane + row) % 4) +: 8] ==
                aes_spec_pkg::gf_mul(coefficients[8*lane +: 8], y);
    end
  endfunction

  logic        full_ready, full_valid, enc_ready, enc_valid;
  logic [31:0] full_rd, enc_rd;

  aes_bytelane u_full (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(full_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(full_valid), .rsp_ready_i, .rsp_rd_o(full_rd)
  );
  aes_bytelane #(.Decrypt(0)) u_enc (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(enc_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(enc_valid), .rsp_ready_i, .rsp_rd_o(enc_rd)
  );

  logic [aes_bytelane_ops_pkg::CodeW-1:0] code;
  logic [1:0]                             row;
  assign code = req_op_i[aes_bytelane_ops_pkg::CodeW-1:0];
  assign row  = req_op_i[aes_bytelane_ops_pkg::ROW_LSB +: 2];

  always_comb begin
    assert (full_valid == req_valid_i && full_ready == rsp_ready_i);
    assert (enc_valid == req_valid_i && enc_ready == rsp_ready_i);
    if (code == aes_bytelane_ops_pkg::OP_AESENC_LAST) begin
      assert (matches(1'b0, 1'b0, row, req_rs1_i, full_rd));
      assert (enc_rd == full_rd);
    end
    if (code == aes_bytelane_ops_pkg::OP_AESENC) begin
      assert (matches(1'b1, 1'b0, row, req_rs1_i, full_rd));
      assert (enc_rd == full_rd);
    end
    if (code == aes_bytelane_ops_pkg::OP_AESDEC_LAST)
      assert (matches(1'b0, 1'b1, row, req_rs1_i, full_rd));
    if (code == aes_bytelane_ops_pkg::OP_AESDEC)
      assert (matches(1'b1, 1'b1, row, req_rs1_i, full_rd));
  end

endmodule
