// SPDX-License-Identifier: Apache-2.0
// Every operation equals its specification, for all operands, in every variant. With a pipeline
// register, the response is that of the accepted request. Source: FIPS 197, by
// formal/aes_spec_pkg.sv; the byte positions are written out below.
//
// Composition. The specification, like the unit, puts one S-box of rtl/field/aes_sbox.sv after each
// selected byte, so that the solver finds the same four bytes on both sides.
// formal/aes_sbox_props.sv proves for all 256 bytes that each circuit of aes_sbox is SubBytes, or
// InvSubBytes if inv_i is set.
//
// MixColumns is compared with the product of polynomials for all columns. InvMixColumns has sums
// too long for a solver, so it is compared for columns with one nonzero byte, for all keys. Circuit
// and product of polynomials are both linear, so they agree on all columns if they agree on these.
// The unit bench adds random columns.
//
// The unit with a register is compared with the one without, at the time of acceptance; so is the
// unit with S-boxes in block RAM, whose tables take part.

// ---- one operation of one variant, all operands -------------------------------------------------

module aes_column_operation #(
  parameter Code    = 0,
  parameter Dir     = "both",
  parameter KeyXor  = 0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] rs1_i,
  input logic [31:0] rs2_i,
  input logic [31:0] rs3_i,
  input logic        rsp_ready_i
);

  logic [aes_column_ops_pkg::CodeW-1:0] code;
  logic                                 req_ready, rsp_valid;
  logic [31:0]                          rd;
  assign code = Code;

  aes_column #(.SboxImpl("lut"), .Dir(Dir), .KeyXor(KeyXor)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready),
    .req_op_i({req_op_i[15:aes_column_ops_pkg::CodeW], code}),
    .req_rs1_i(rs1_i), .req_rs2_i(rs2_i), .req_rs3_i(rs3_i),
    .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );

  // Rows 0 and 2 of rs1, rows 1 and 3 of rs2; row r of the result in byte r - 1.
  logic [31:0] picked, boxed, rotated;
  assign picked = {rs2_i[31:24], rs1_i[23:16], rs2_i[15:8], rs1_i[7:0]};
  for (genvar row = 0; row < 4; row++) begin : gen_row
    aes_sbox #(.SboxImpl("lut"), .Dir(Dir)) u_sbox (
      .inv_i(code == aes_column_ops_pkg::OP_AESCOL_ISUB),
      .data_i(picked[8*row +: 8]), .data_o(boxed[8*row +: 8])
    );
  end
  assign rotated = {boxed[7:0], boxed[31:8]};

  // Rows 0 and 1 of rs1, rows 2 and 3 of rs2; row r is in byte r - 1.
  logic [31:0] joined, mixed, unmixed;
  assign joined = {rs2_i[23:16], rs2_i[15:8], rs1_i[7:0], rs1_i[31:24]};

  assign mixed   = aes_spec_pkg::mix_column(joined);
  assign unmixed = aes_spec_pkg::inv_mix_column(joined);

  // The columns for which the response is compared.
  logic inverse_mix, compared;
  assign inverse_mix = code == aes_column_ops_pkg::OP_AESCOL_IMIX ||
                       code == aes_column_ops_pkg::OP_AESCOL_IMIXK;
  assign compared    = !inverse_mix || joined[31:8] == '0 || {joined[31:16], joined[7:0]} == '0 ||
                       {joined[31:24], joined[15:0]} == '0 || joined[23:0] == '0;

  logic [31:0] wanted;
  always_comb begin
    case (code)
      aes_column_ops_pkg::OP_AESCOL_SUB:   wanted = rotated;
      aes_column_ops_pkg::OP_AESCOL_ISUB:  wanted = rotated;
      aes_column_ops_pkg::OP_AESCOL_MIX:   wanted = mixed;
      aes_column_ops_pkg::OP_AESCOL_IMIX:  wanted = unmixed;
      aes_column_ops_pkg::OP_AESCOL_LAST:  wanted = joined;
      aes_column_ops_pkg::OP_AESCOL_MIXK:  wanted = mixed ^ rs3_i;
      aes_column_ops_pkg::OP_AESCOL_IMIXK: wanted = unmixed ^ rs3_i;
      default:                             wanted = joined ^ rs3_i;  // aescol_lastk
    endcase
    assert (rsp_valid == req_valid_i && req_ready == rsp_ready_i);
    if (req_valid_i && compared) assert (rd == wanted);
  end

endmodule

// ---- the operations of the three variants without a register ------------------------------------

module aes_column_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  localparam Mixk = aes_column_ops_pkg::OP_AESCOL_MIXK;  // this and later codes have a key

  for (genvar code = 0; code < 8; code++) begin : gen_code
    if (code < Mixk) begin : gen_two
      aes_column_operation #(.Code(code)) u_two (
        .clk_i, .rst_ni, .req_valid_i, .req_op_i, .rs1_i(req_rs1_i), .rs2_i(req_rs2_i),
        .rs3_i(req_rs3_i), .rsp_ready_i
      );
    end
    if (code >= Mixk || code == aes_column_ops_pkg::OP_AESCOL_SUB ||
        code == aes_column_ops_pkg::OP_AESCOL_ISUB) begin : gen_three
      aes_column_operation #(.Code(code), .KeyXor(1)) u_three (
        .clk_i, .rst_ni, .req_valid_i, .req_op_i, .rs1_i(req_rs1_i), .rs2_i(req_rs2_i),
        .rs3_i(req_rs3_i), .rsp_ready_i
      );
    end
    if (code == aes_column_ops_pkg::OP_AESCOL_SUB || code == aes_column_ops_pkg::OP_AESCOL_MIX ||
        code == aes_column_ops_pkg::OP_AESCOL_LAST) begin : gen_enc_only
      aes_column_operation #(.Code(code), .Dir("fwd")) u_enc_only (
        .clk_i, .rst_ni, .req_valid_i, .req_op_i, .rs1_i(req_rs1_i), .rs2_i(req_rs2_i),
        .rs3_i(req_rs3_i), .rsp_ready_i
      );
    end
  end
endmodule

// ---- the variant with a register ----------------------------------------------------------------

// At most one response is pending. Its expected value is stored when the request is accepted, and
// compared in every cycle in which the response is offered. The assertion is its own invariant, so
// induction covers any number of cycles, stalls and resets.
module aes_column_pipelined_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  logic        req_ready, rsp_valid, direct_ready, direct_valid;
  logic [31:0] rd, wanted;

  aes_column #(.SboxImpl("lut"), .PipeRegs(1)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  aes_column #(.SboxImpl("lut")) u_direct (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(direct_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(direct_valid), .rsp_ready_i(1'b1), .rsp_rd_o(wanted)
  );

  logic        accepted, owed_q;
  logic [31:0] wanted_q;
  assign accepted = req_valid_i && req_ready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owed_q <= 1'b0;
    else         owed_q <= accepted || (owed_q && !rsp_ready_i);
  end
  always_ff @(posedge clk_i) if (accepted) wanted_q <= wanted;

  // The proof begins in reset. One operation a cycle: an accepted response makes room.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb begin
    assume (started_q || !rst_ni);
    assert (direct_ready && direct_valid == req_valid_i);
    assert (rsp_valid == owed_q);
    assert (req_ready == (!owed_q || rsp_ready_i));
    if (rsp_valid) assert (rd == wanted_q);
  end

endmodule

// ---- the variants with S-boxes in block RAM -----------------------------------------------------

// The proof begins in any state of the unit, not after a reset. Whatever its registers hold, it
// accepts a request if no response waits, and its next response is that of the request. That covers
// every request after any history.
module aes_column_bram_props #(
  parameter KeyXor = 0
) (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  logic        req_ready, rsp_valid, direct_ready, direct_valid;
  logic [31:0] rd, wanted;

  aes_column #(.SboxImpl("bram"), .PipeRegs(1), .KeyXor(KeyXor)) u_unit (
    .clk_i, .rst_ni(1'b1), .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i,
    .req_rs2_i, .req_rs3_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );

  logic        accepted;
  logic        seen_q = 1'b0;  // the proof saw the acceptance of the current request
  logic        owed_q;         // a response waits: free at first
  logic [15:0] op_q;
  logic [31:0] rs1_q, rs2_q, rs3_q;
  assign accepted = req_valid_i && req_ready;
  always_ff @(posedge clk_i) begin
    owed_q <= accepted || (owed_q && !rsp_ready_i);
    if (accepted) begin
      seen_q <= 1'b1;
      op_q   <= req_op_i;
      rs1_q  <= req_rs1_i;
      rs2_q  <= req_rs2_i;
      rs3_q  <= req_rs3_i;
    end
  end

  aes_column #(.SboxImpl("lut"), .KeyXor(KeyXor)) u_direct (
    .clk_i, .rst_ni(1'b1), .req_valid_i(1'b1), .req_ready_o(direct_ready), .req_op_i(op_q),
    .req_rs1_i(rs1_q), .req_rs2_i(rs2_q), .req_rs3_i(rs3_q), .rsp_valid_o(direct_valid),
    .rsp_ready_i(1'b1), .rsp_rd_o(wanted)
  );

  logic first = 1'b1;
  always_ff @(posedge clk_i) first <= 1'b0;
  always_comb begin
    if (first) assume (rsp_valid == owed_q);
    assert (direct_ready && direct_valid);
    assert (rsp_valid == owed_q);
    assert (req_ready == (!owed_q || rsp_ready_i));
    if (rsp_valid && seen_q) assert (rd == wanted);
  end

endmodule

module aes_column_two_bram_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  aes_column_bram_props u_props (
    .clk_i, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i
  );
endmodule

module aes_column_three_bram_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  aes_column_bram_props #(.KeyXor(1)) u_props (
    .clk_i, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i
  );
endmodule
