// SPDX-License-Identifier: Apache-2.0
// AES on pairs of columns as a functional unit: SubBytes with ShiftRows, MixColumns, and both
// inverses. Source: the outlook of Tillich and Grossschaedl 2007 (S-box instruction of four bytes,
// MixColumns in one cycle, AddRoundKey included), and their CHES 2006 instructions sbox4s and
// mixcol4s; FIPS 197, sections 5.1 and 5.3. Latency: PipeRegs. Stateless. No protection against
// power analysis.
//
// A sub operation takes rows 0 and 2 from rs1, rows 1 and 3 from rs2. rs2 is the next column
// (encryption) or the previous one (decryption). Rows 0 and 1 of the result then belong to rs1's
// column of the shifted state, rows 2 and 3 to the column two further on. The second operation
// joins two such halves: rows 0 and 1 from rs1, rows 2 and 3 from rs2. So no operand needs a
// multiplexer, and both directions share all wires.
//
// Between the two operations a word is rotated by one row, which costs only wires. So sub(w, w) is
// SubWord(RotWord(w)) of the key expansion (FIPS 197, section 5.2).
module aes_column #(
  parameter SboxImpl = "canright",  // see rtl/field/aes_sbox.sv
  parameter Decrypt  = 1,           // 0: no inverse operations
  parameter KeyXor   = 0,           // 1: the second operation adds rs3, the round key
  parameter PipeRegs = 0            // registers between request and response: 0 or 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic [15:0] req_op_i,
  input  logic [31:0] req_rs1_i,
  input  logic [31:0] req_rs2_i,
  input  logic [31:0] req_rs3_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_rd_o
);

  localparam Dir = (Decrypt != 0) ? "both" : "fwd";

  logic [aes_column_ops_pkg::CodeW-1:0] code;
  logic                                 sub, last, sub_inverse, mix_inverse;

  // An operation and its form with a key differ only in the decoder: a variant has one of them.
  assign code = req_op_i[aes_column_ops_pkg::CodeW-1:0];
  assign sub  = (code == aes_column_ops_pkg::OP_AESCOL_SUB) ||
                (code == aes_column_ops_pkg::OP_AESCOL_ISUB);
  assign sub_inverse = (code == aes_column_ops_pkg::OP_AESCOL_ISUB);
  assign mix_inverse = (code == aes_column_ops_pkg::OP_AESCOL_IMIX) ||
                       (code == aes_column_ops_pkg::OP_AESCOL_IMIXK);
  assign last = (code == aes_column_ops_pkg::OP_AESCOL_LAST) ||
                (code == aes_column_ops_pkg::OP_AESCOL_LASTK);

  // ---- four S-boxes: rows 0 and 2 of rs1, rows 1 and 3 of rs2 -----------------------------------

  logic [31:0] picked, box, substituted, rotated;

  assign picked = {req_rs2_i[31:24], req_rs1_i[23:16], req_rs2_i[15:8], req_rs1_i[7:0]};

  for (genvar row = 0; row < 4; row++) begin : gen_row
    aes_sbox #(.SboxImpl(SboxImpl), .Dir(Dir)) u_sbox (
      .inv_i(sub_inverse), .data_i(picked[8*row +: 8]), .data_o(box[8*row +: 8])
    );
  end

  assign substituted = box;
  assign rotated = {substituted[7:0], substituted[31:8]};

  // ---- rows 0 and 1 of rs1, rows 2 and 3 of rs2, both rotated: a column of the shifted state ----

  logic [31:0] joined, mixed, column, keyed;

  assign joined = {req_rs2_i[23:8], req_rs1_i[7:0], req_rs1_i[31:24]};

  aes_mixcolumn #(.Dir(Dir)) u_mix (.inv_i(mix_inverse), .data_i(joined), .data_o(mixed));

  assign column = last ? joined : mixed;

  if (KeyXor != 0) begin : gen_key
    assign keyed = column ^ req_rs3_i;
  end else begin : gen_no_key
    assign keyed = column;
  end

  logic [31:0] result;

  assign result = sub ? rotated : keyed;

  // ---- response ---------------------------------------------------------------------------------

  if (PipeRegs == 0) begin : gen_direct
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
    assign rsp_rd_o    = result;
  end else if (PipeRegs == 1) begin : gen_register
    logic        valid_q;
    logic [31:0] result_q;

    assign req_ready_o = !valid_q || rsp_ready_i;
    assign rsp_valid_o = valid_q;
    assign rsp_rd_o    = result_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)          valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end
    always_ff @(posedge clk_i) if (req_valid_i && req_ready_o) result_q <= result;
  end else begin : gen_unknown
    aesforge_unknown_stages u_unknown ();
  end

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs1_i, req_rs2_i, req_rs3_i};

endmodule
