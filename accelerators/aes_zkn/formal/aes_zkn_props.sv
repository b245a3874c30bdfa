// SPDX-License-Identifier: Apache-2.0
// Every operation equals its specification, for all operands, in both variants.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.1 to 3.4; the S-box is
// specified by its definition, see formal/aes_spec_pkg.sv.
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

  // Coefficients of lanes 0 to 3 for bs = 0. In all three cases they add up to 1, so the XOR of the
  // lanes is the substituted byte.
  function automatic logic matches(input logic mix, input logic inverse, input logic [1:0] bs,
                                   input logic [31:0] rs1, input logic [31:0] rs2,
                                   input logic [31:0] rd);
    logic [31:0] added, coefficients;
    logic [7:0]  x, y;
    added = rd ^ rs1;
    x = rs2[8*bs +: 8];
    y = added[7:0] ^ added[15:8] ^ added[23:16] ^ added[31:24];
    coefficients = !mix ? 32'h0000_0001 : inverse ? 32'h0b0d_090e : 32'h0301_0102;
    matches = inverse ? aes_spec_pkg::is_sbox(y, x) : aes_spec_pkg::is_sbox(x, y);
    for (int lane = 0; lane < 4; lane++) begin
      matches = matches &&
                added[8*((lane + bs) % 4) +: 8] ==
                aes_spec_pkg::gf_mul(coefficients[8*lane +: 8], y);
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
