// SPDX-License-Identifier: Apache-2.0
// Quad packing as a functional unit: eight S-boxes and half of two MixColumns form one word of the
// next state from two words of the current one. quad-packing.md derives this new layout; the cipher
// is FIPS 197, sections 5.1 and 5.3.5. No protection against power analysis.
//
// Form    "two"    rd = f(rs1, rs2)
//         "three"  rd = f(rs1, rs2) ^ rs3
//         "keyed"  rd = f(rs1, rs2) ^ key word k, from the unit's key store
// PipeRegs 0: combinational; 1: a pipeline register after the S-boxes, one operation a cycle
//
// SboxImpl "bram" has S-boxes and MixColumns in block RAM, with PipeRegs 1: the memory's read
// register is the pipeline register. All others are logic, see rtl/field/aes_sbox.sv.
//
// Each form has twelve consecutive codes from a multiple of four: four for the rounds, four for
// packing, four for the last round. Bit 0 of a code selects quad A or C (column x or y), bit 1 the
// direction.
module aes_quad #(
  parameter SboxImpl = "canright",
  parameter Form     = "two",
  parameter Dir      = "both",  // "fwd": encryption only
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
  logic                               second, inverse;  // quad C or column y; decryption
  logic                               pack, last;       // packing, last round; neither: a round
  logic                               compute;          // 0: the result is the addend
  logic [31:0]                        added;

  assign code = req_op_i[aes_quad_ops_pkg::CodeW-1:0];
  assign second = code[0];
  assign inverse = (Dir == "both") && code[1];

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
      if (!rst_ni) valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end
  end else begin : gen_unknown_stages
    aesforge_unknown_impl u_unknown ();
  end

  // ---- the result -------------------------------------------------------------------------------

  if (SboxImpl == "bram" && PipeRegs == 1) begin : gen_bram
    aes_quad_bram #(.Dir(Dir)) u_data (
      .clk_i, .take_i(take), .second_i(second), .inverse_i(inverse), .pack_i(pack), .last_i(last),
      .compute_i(compute), .added_i(added), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i),
      .data_o(rsp_rd_o)
    );
  end else begin : gen_logic
    aes_quad_logic #(.SboxImpl(SboxImpl), .Dir(Dir), .PipeRegs(PipeRegs)) u_data (
      .clk_i, .take_i(take), .second_i(second), .inverse_i(inverse), .pack_i(pack), .last_i(last),
      .compute_i(compute), .added_i(added), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i),
      .data_o(rsp_rd_o)
    );
  end

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs3_i, take};

endmodule
