// SPDX-License-Identifier: Apache-2.0
// Quad packing as a functional unit: eight S-boxes and half of two MixColumns form one word of the
// next state from two words of the current one. New here: quad-packing.md. The cipher: FIPS
// 197, sections 5.1 and 5.3.5. No protection against power analysis.
//
// Form    "two"    rd = f(rs1, rs2)
//         "three"  rd = f(rs1, rs2) ^ rs3
//         "keyed"  rd = f(rs1, rs2) ^ key word k, from the unit's key store
// PipeRegs 0: combinational; 1: a pipeline register after the S-boxes, one operation a cycle
//
// Each form has twelve consecutive codes from a multiple of four: four for the rounds, four for
// packing, four for the last round. Bit 0 of a code selects quad A or C (column x or y), bit 1 the
// direction.
module aes_quad #(
  parameter SboxImpl = "canright",  // see rtl/field/aes_sbox.sv
  parameter Form     = "two",
  parameter Decrypt  = 1,           // 0: encryption only
  parameter PipeRegs = 0
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

  // ---- the operation and its addend -------------------------------------------------------------

  logic [aes_quad_ops_pkg::CodeW-1:0] code;
  logic                               second, inverse;  // C or y; decryption
  logic                               pack, last;       // packing, last round; neither: a round
  logic                               compute;          // 0: the result is the addend
  logic [31:0]                        added;

  assign code = req_op_i[aes_quad_ops_pkg::CodeW-1:0];
  assign second = code[0];
  assign inverse = (Decrypt != 0) && code[1];

  if (Form == "two") begin : gen_two
    assign pack    = (code >> 2) == (aes_quad_ops_pkg::OP_AESQ_PA >> 2);
    assign last    = (code >> 2) == (aes_quad_ops_pkg::OP_AESQ_EX >> 2);
    assign compute = 1'b1;
    assign added   = 32'b0;
  end else if (Form == "three") begin : gen_three
    assign pack    = (code >> 2) == (aes_quad_ops_pkg::OP_AESQ3_PA >> 2);
    assign last    = (code >> 2) == (aes_quad_ops_pkg::OP_AESQ3_EX >> 2);
    assign compute = 1'b1;
    assign added   = req_rs3_i;
  end else if (Form == "keyed") begin : gen_keyed
    logic        accepted, load, clear;
    logic [31:0] key, tag;

    assign accepted = req_valid_i && req_ready_o;
    assign load     = code == aes_quad_ops_pkg::OP_AESQK_LOAD;
    assign clear    = code == aes_quad_ops_pkg::OP_AESQK_BEGIN;
    assign pack     = (code >> 2) == (aes_quad_ops_pkg::OP_AESQK_PA >> 2);
    assign last     = (code >> 2) == (aes_quad_ops_pkg::OP_AESQK_EX >> 2);
    assign compute  = (code >> 2) != (aes_quad_ops_pkg::OP_AESQK_LOAD >> 2);
    aes_quad_keys u_keys (
      .clk_i, .rst_ni, .load_i(accepted && load), .begin_i(accepted && clear),
      .index_i(req_op_i[aes_quad_ops_pkg::K_LSB +: aes_quad_ops_pkg::K_W]), .data_i(req_rs1_i),
      .key_o(key), .tag_o(tag)
    );
    assign added = compute ? key : (load || clear) ? 32'b0 : tag;
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  // ---- SubBytes and ShiftRows: the two diagonals, or two columns to be packed -------------------

  logic [63:0] boxed;
  logic        box_inverse;

  assign box_inverse = inverse;

  for (genvar i = 0; i < 8; i++) begin : gen_sbox
    logic [7:0] data;
    if (i < 4) begin : gen_rs1
      assign data = req_rs1_i[8*i +: 8];
    end else begin : gen_rs2
      assign data = req_rs2_i[8*(i-4) +: 8];
    end
    aes_sbox #(.SboxImpl(SboxImpl), .Dir((Decrypt != 0) ? "both" : "fwd")) u_sbox (
      .inv_i(box_inverse), .data_i(data), .data_o(boxed[8*i +: 8])
    );
  end

  logic [31:0] sub1, sub2, x, y;

  assign {sub2, sub1} = boxed;

  assign x = pack ? req_rs1_i : {sub2[7:0], sub2[31:24], sub1[23:16], sub1[15:8]};
  assign y = pack ? req_rs2_i : {sub1[31:24], sub2[23:16], sub2[15:8], sub1[7:0]};

  // ---- optional pipeline register: *_s is the value after it ------------------------------------

  logic        mix, second_s, inverse_s, mix_s, last_s, compute_s;
  logic [31:0] added_s, x_s, y_s;

  assign mix = !pack || inverse;

  if (PipeRegs == 0) begin : gen_combinational
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
    assign {second_s, inverse_s, mix_s, last_s, compute_s} = {second, inverse, mix, last, compute};
    assign {added_s, x_s, y_s} = {added, x, y};
  end else if (PipeRegs == 1) begin : gen_registered
    logic       valid_q, take;
    logic [4:0] control_q;
    assign req_ready_o = !valid_q || rsp_ready_i;
    assign take = req_valid_i && req_ready_o;
    assign rsp_valid_o = valid_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end
    always_ff @(posedge clk_i) begin
      if (take) begin
        control_q <= {second, inverse, mix, last, compute};
        x_s       <= x;
        y_s       <= y;
      end
    end
    assign {second_s, inverse_s, mix_s, last_s, compute_s} = control_q;
    always_ff @(posedge clk_i) begin
      if (take) added_s <= added;
    end
  end else begin : gen_unknown_stages
    aesforge_unknown_impl u_unknown ();
  end

  // ---- MixColumns of the selected half ----------------------------------------------------------
  //
  // Of column y the quads hold rows 0, 1 (A) and 3, 2 (C); of column x rows 3, 0 (A) and 2, 1 (C),
  // which are the same rows of the column rotated by one: MixColumns commutes with rotation.

  logic [7:0]  y_first, y_second, x_first, x_second;
  logic [31:0] quad, column, result;

  aes_quad_half_mix #(.Decrypt(Decrypt)) u_mix_y (
    .select_i(second_s), .mix_i(mix_s), .inv_i(inverse_s), .column_i(y_s),
    .first_o(y_first), .second_o(y_second)
  );
  aes_quad_half_mix #(.Decrypt(Decrypt)) u_mix_x (
    .select_i(second_s), .mix_i(mix_s), .inv_i(inverse_s), .column_i({x_s[23:0], x_s[31:24]}),
    .first_o(x_first), .second_o(x_second)
  );

  assign quad = {x_first, y_second, x_second, y_first};
  assign column = second_s ? y_s : x_s;
  assign result = last_s ? column : quad;
  assign rsp_rd_o = (result & {32{compute_s}}) ^ added_s;

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs3_i, last_s};

endmodule
