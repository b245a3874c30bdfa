// SPDX-License-Identifier: Apache-2.0
// Every operation equals its specification, for all operands, in all variants.
// Source: Nadehara, Ikekawa, Kuroda 2004, tables 5 and 6, and README.md; the S-box is specified
// by its definition, see formal/aes_spec_pkg.sv.

// ---- the specification --------------------------------------------------------------------------

module aes_bytelane_spec (
  input  logic [15:0] op_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rd_i,
  output logic        encrypt_o,  // aesenc or aesenc_last
  output logic        correct_o   // rd is the operation's result, or there is no such operation
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

  logic [aes_bytelane_ops_pkg::CodeW-1:0] code;
  logic [1:0]                             row;
  assign code = op_i[aes_bytelane_ops_pkg::CodeW-1:0];
  assign row  = op_i[aes_bytelane_ops_pkg::ROW_LSB +: 2];

  always_comb begin
    encrypt_o = code == aes_bytelane_ops_pkg::OP_AESENC ||
                code == aes_bytelane_ops_pkg::OP_AESENC_LAST;
    correct_o = 1'b1;
    case (code)
      aes_bytelane_ops_pkg::OP_AESENC_LAST: correct_o = matches(1'b0, 1'b0, row, rs1_i, rd_i);
      aes_bytelane_ops_pkg::OP_AESENC:      correct_o = matches(1'b1, 1'b0, row, rs1_i, rd_i);
      aes_bytelane_ops_pkg::OP_AESDEC_LAST: correct_o = matches(1'b0, 1'b1, row, rs1_i, rd_i);
      aes_bytelane_ops_pkg::OP_AESDEC:      correct_o = matches(1'b1, 1'b1, row, rs1_i, rd_i);
      default: ;
    endcase
  end

endmodule

// ---- S-box in logic: combinational --------------------------------------------------------------

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

  logic        full_ready, full_valid, enc_ready, enc_valid, encrypt, correct;
  logic [31:0] full_rd, enc_rd;

  aes_bytelane u_full (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(full_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(full_valid), .rsp_ready_i, .rsp_rd_o(full_rd)
  );
  aes_bytelane #(.Dir("fwd")) u_enc (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(enc_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(enc_valid), .rsp_ready_i, .rsp_rd_o(enc_rd)
  );
  aes_bytelane_spec u_spec (
    .op_i(req_op_i), .rs1_i(req_rs1_i), .rd_i(full_rd), .encrypt_o(encrypt), .correct_o(correct)
  );

  always_comb begin
    assert (full_valid == req_valid_i && full_ready == rsp_ready_i);
    assert (enc_valid == req_valid_i && enc_ready == rsp_ready_i);
    assert (correct);
    if (encrypt) assert (enc_rd == full_rd);
  end

endmodule

// ---- S-box in block RAM: latency 1 --------------------------------------------------------------
//
// The proof begins in any state of the unit, not after a reset. Whatever its registers hold, it
// accepts a request if no response waits, and its next response is that of the request. That covers
// every request after any history.

module aes_bytelane_bram_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);

  logic        req_ready, rsp_valid, accepted;
  logic [31:0] rd;

  aes_bytelane #(.SboxImpl("bram")) u_unit (
    .clk_i, .rst_ni(1'b1), .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i,
    .req_rs2_i, .req_rs3_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  assign accepted = req_valid_i && req_ready;

  logic        seen_q = 1'b0;  // the proof saw the acceptance of the current request
  logic        owed_q;         // a response waits: free at first
  logic [15:0] op_q;
  logic [31:0] rs1_q;
  always_ff @(posedge clk_i) begin
    owed_q <= accepted || (owed_q && !rsp_ready_i);
    if (accepted) begin
      seen_q <= 1'b1;
      op_q   <= req_op_i;
      rs1_q  <= req_rs1_i;
    end
  end

  logic encrypt, correct;
  aes_bytelane_spec u_spec (
    .op_i(op_q), .rs1_i(rs1_q), .rd_i(rd), .encrypt_o(encrypt), .correct_o(correct)
  );

  logic first = 1'b1;
  always_ff @(posedge clk_i) first <= 1'b0;
  always_comb begin
    if (first) assume (rsp_valid == owed_q);
    assert (rsp_valid == owed_q);
    assert (req_ready == (!owed_q || rsp_ready_i));
    if (rsp_valid && seen_q) assert (correct);
  end

endmodule
