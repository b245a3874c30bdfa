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
//
// SboxImpl "bram" has the S-boxes in block RAM, with PipeRegs 1: the memory's read register is the
// pipeline register. All others are logic, see rtl/field/aes_sbox.sv.
module aes_column #(
  parameter SboxImpl = "canright",
  parameter Dir      = "both",      // "fwd": no inverse operations
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

  // ---- handshake --------------------------------------------------------------------------------

  logic take;  // a request enters the register

  assign take = req_valid_i && req_ready_o;

  if (PipeRegs == 0) begin : gen_combinational
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
  end else if (PipeRegs == 1) begin : gen_registered
    logic valid_q;
    assign req_ready_o = !valid_q || rsp_ready_i;
    assign rsp_valid_o = valid_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)          valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end
  end else begin : gen_unknown
    aesforge_unknown_stages u_unknown ();
  end

  // ---- operands of both kinds: sub takes rows 0 and 2 of rs1, rows 1 and 3 of rs2 ---------------

  // The others take rows 0 and 1 of rs1, rows 2 and 3 of rs2, both rotated: a column of the shifted
  // state.
  logic [31:0] picked, joined;

  assign picked = {req_rs2_i[31:24], req_rs1_i[23:16], req_rs2_i[15:8], req_rs1_i[7:0]};
  assign joined = {req_rs2_i[23:8], req_rs1_i[7:0], req_rs1_i[31:24]};

  // ---- the S-boxes and their register -----------------------------------------------------------

  // With S-boxes in block RAM, MixColumns is after the register too, beside the memories.
  localparam Late = (SboxImpl == "bram" && PipeRegs == 1) ? 1 : 0;

  logic [31:0] box, substituted, rotated;
  logic        sub_s, last_s, mix_inverse_s;
  logic [31:0] joined_s, rs3_s;

  if (Late != 0) begin : gen_bram
    for (genvar pair = 0; pair < 2; pair++) begin : gen_pair
      aes_sbox_rom u_rom (
        .clk_i, .read_i(take), .first_i({sub_inverse, picked[16*pair +: 8]}),
        .second_i({sub_inverse, picked[16*pair+8 +: 8]}), .first_o(box[16*pair +: 8]),
        .second_o(box[16*pair+8 +: 8])
      );
    end
    always_ff @(posedge clk_i) begin
      if (take) begin
        sub_s         <= sub;
        last_s        <= last;
        mix_inverse_s <= mix_inverse;
        joined_s      <= joined;
        rs3_s         <= req_rs3_i;
      end
    end
  end else begin : gen_logic
    for (genvar row = 0; row < 4; row++) begin : gen_row
      aes_sbox #(.SboxImpl(SboxImpl), .Dir(Dir)) u_sbox (
        .inv_i(sub_inverse), .data_i(picked[8*row +: 8]), .data_o(box[8*row +: 8])
      );
    end
    assign {sub_s, last_s, mix_inverse_s} = {sub, last, mix_inverse};
    assign {joined_s, rs3_s} = {joined, req_rs3_i};
  end

  assign substituted = box;
  assign rotated = {substituted[7:0], substituted[31:8]};

  // ---- MixColumns -------------------------------------------------------------------------------

  logic [31:0] mixed, column, keyed;

  aes_mixcolumn #(.Dir(Dir)) u_mix (.inv_i(mix_inverse_s), .data_i(joined_s), .data_o(mixed));

  assign column = last_s ? joined_s : mixed;

  if (KeyXor != 0) begin : gen_key
    assign keyed = column ^ rs3_s;
  end else begin : gen_no_key
    assign keyed = column;
  end

  // ---- result -----------------------------------------------------------------------------------

  logic [31:0] result;

  assign result = sub_s ? rotated : keyed;

  if (PipeRegs == 0 || Late != 0) begin : gen_direct
    assign rsp_rd_o = result;
  end else begin : gen_register
    logic [31:0] result_q;
    always_ff @(posedge clk_i) if (take) result_q <= result;
    assign rsp_rd_o = result_q;
  end

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs1_i, req_rs2_i, req_rs3_i, take, rs3_s};

endmodule
