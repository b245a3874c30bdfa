// SPDX-License-Identifier: Apache-2.0
// Every operation equals its specification, for all operands, in every variant; with a register,
// the response is that of the accepted request.
// Source: FIPS 197, by formal/aes_spec_pkg.sv; which byte goes where is written out below.
//
// How this composes. The specification puts one S-box of rtl/field/aes_sbox.sv behind each byte
// that an operation takes, as the unit does, so that the solver finds the same four bytes on both
// sides. That each circuit of aes_sbox, whichever a variant has, is SubBytes, and InvSubBytes where
// inv_i says so, is proved in formal/aes_sbox_props.sv for all 256 bytes. Which operations are
// inverse is decided here anew.
//
// MixColumns is compared with the product of polynomials; InvMixColumns with MixColumns of the
// column plus {04} times the sum of rows two apart, which keeps the exclusive ors short enough for a
// solver. That this is InvMixColumns is shown beside it for columns with one byte: both sides are
// sums of products with constants, so they agree on all columns if they agree on those.
//
// With a register at most one response is owed. The request that was accepted last is kept here and
// the response compared with it in every cycle in which it is shown; the assertion is its own
// invariant, so induction covers any number of cycles, stalls and resets.

// The parameters of the variant, from the proof's entry in the manifest.
`ifndef DECRYPT
`define DECRYPT 1
`endif
`ifndef KEY_XOR
`define KEY_XOR 0
`endif
`ifndef STAGES
`define STAGES 0
`endif

module aes_column_props #(
  parameter Decrypt = `DECRYPT,
  parameter KeyXor  = `KEY_XOR,
  parameter Stages  = `STAGES
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [7:0]  byte_i,
  input logic [1:0]  row_i
);

  logic        req_ready, rsp_valid;
  logic [31:0] rd;

  aes_column #(
    .SboxImpl("lut"), .Decrypt(Decrypt), .KeyXor(KeyXor), .Stages(Stages)
  ) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );

  // The request whose response is shown.
  logic [15:0] op;
  logic [31:0] rs1, rs2, rs3;

  if (Stages == 0) begin : gen_direct
    assign op  = req_op_i;
    assign rs1 = req_rs1_i;
    assign rs2 = req_rs2_i;
    assign rs3 = req_rs3_i;
    always_comb assert (rsp_valid == req_valid_i && req_ready == rsp_ready_i);
  end else begin : gen_register
    logic        owed_q;
    logic [15:0] op_q;
    logic [31:0] rs1_q, rs2_q, rs3_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) owed_q <= 1'b0;
      else         owed_q <= (req_valid_i && req_ready) || (owed_q && !rsp_ready_i);
    end
    always_ff @(posedge clk_i) begin
      if (req_valid_i && req_ready) begin
        op_q  <= req_op_i;
        rs1_q <= req_rs1_i;
        rs2_q <= req_rs2_i;
        rs3_q <= req_rs3_i;
      end
    end
    assign op  = op_q;
    assign rs1 = rs1_q;
    assign rs2 = rs2_q;
    assign rs3 = rs3_q;

    // The proof begins in reset. One operation a cycle: a response that is taken makes room.
    logic started_q = 1'b0;
    always_ff @(posedge clk_i) started_q <= 1'b1;
    always_comb begin
      assume (started_q || !rst_ni);
      assert (rsp_valid == owed_q);
      assert (req_ready == (!owed_q || rsp_ready_i));
    end
  end

  logic [aes_column_ops_pkg::CodeW-1:0] code;
  assign code = op[aes_column_ops_pkg::CodeW-1:0];

  // Rows 0 and 2 of rs1, rows 1 and 3 of rs2; row r of the result in byte r - 1.
  logic [31:0] picked, boxed, rotated;
  assign picked = {rs2[31:24], rs1[23:16], rs2[15:8], rs1[7:0]};
  for (genvar row = 0; row < 4; row++) begin : gen_row
    aes_sbox #(.Impl("lut"), .Dir((Decrypt != 0) ? "both" : "fwd")) u_sbox (
      .inv_i(code == aes_column_ops_pkg::OP_AESCOL_ISUB),
      .data_i(picked[8*row +: 8]), .data_o(boxed[8*row +: 8])
    );
  end
  assign rotated = {boxed[7:0], boxed[31:8]};

  // Rows 0 and 1 of rs1, rows 2 and 3 of rs2, where row r stands in byte r - 1.
  logic [31:0] joined;
  assign joined = {rs2[23:16], rs2[15:8], rs1[7:0], rs1[31:24]};

  // What InvMixColumns adds before it mixes like MixColumns.
  function automatic logic [31:0] correction(input logic [31:0] column);
    logic [15:0] sum;
    sum = column[15:0] ^ column[31:16];
    for (int r = 0; r < 2; r++) begin
      sum[8*r +: 8] = aes_spec_pkg::xtime(aes_spec_pkg::xtime(sum[8*r +: 8]));
    end
    correction = {sum, sum};
  endfunction

  logic [31:0] one_byte;
  assign one_byte = {24'b0, byte_i} << {row_i, 3'b000};
  always_comb begin
    assert (aes_spec_pkg::mix_column(one_byte ^ correction(one_byte)) ==
            aes_spec_pkg::inv_mix_column(one_byte));
  end

  logic        inverse;
  logic [31:0] mixed;
  assign inverse = code == aes_column_ops_pkg::OP_AESCOL_IMIX ||
                   code == aes_column_ops_pkg::OP_AESCOL_IMIXK;
  assign mixed   = aes_spec_pkg::mix_column(joined ^ (inverse ? correction(joined) : 32'b0));

  // What the response must be, if the operation is one of the variant's.
  logic        ours;
  logic [31:0] wanted;
  always_comb begin
    case (code)
      aes_column_ops_pkg::OP_AESCOL_SUB:   wanted = rotated;
      aes_column_ops_pkg::OP_AESCOL_ISUB:  wanted = rotated;
      aes_column_ops_pkg::OP_AESCOL_MIX:   wanted = mixed;
      aes_column_ops_pkg::OP_AESCOL_IMIX:  wanted = mixed;
      aes_column_ops_pkg::OP_AESCOL_LAST:  wanted = joined;
      aes_column_ops_pkg::OP_AESCOL_LASTK: wanted = joined ^ rs3;
      default:                             wanted = mixed ^ rs3;  // aescol_mixk, aescol_imixk
    endcase
    case (code)
      aes_column_ops_pkg::OP_AESCOL_SUB:   ours = 1'b1;
      aes_column_ops_pkg::OP_AESCOL_ISUB:  ours = Decrypt != 0;
      aes_column_ops_pkg::OP_AESCOL_MIX:   ours = KeyXor == 0;
      aes_column_ops_pkg::OP_AESCOL_IMIX:  ours = KeyXor == 0 && Decrypt != 0;
      aes_column_ops_pkg::OP_AESCOL_LAST:  ours = KeyXor == 0;
      aes_column_ops_pkg::OP_AESCOL_IMIXK: ours = KeyXor != 0 && Decrypt != 0;
      default:                             ours = KeyXor != 0;  // aescol_mixk, aescol_lastk
    endcase
    if (rsp_valid && ours) assert (rd == wanted);
  end

endmodule
