// SPDX-License-Identifier: Apache-2.0
// RISC-V Zkne/Zknd for RV32 (aes32esi, aes32esmi, aes32dsi, aes32dsmi) as a functional unit: one
// byte of rs2 through the S-box, times a MixColumns column, rotated into its lane, XORed with rs1.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.1 to 3.4; coefficients of
// MixColumns and InvMixColumns from FIPS 197, sections 5.1.3 and 5.3.3. Stateless. No protection
// against power analysis.
//
// SboxImpl  "bram"    S-box and MixColumns in block RAM: each lane of the result looks up its
//                     product, so that only the addition of rs1 comes after the memory. Latency 1,
//                     one operation a cycle: the memory's read register is the pipeline register
//           others    logic, see rtl/field/aes_sbox.sv. Latency 0, combinational
module aes_zkn #(
  parameter SboxImpl = "canright",
  parameter Dir      = "both"  // "fwd": aes32esi and aes32esmi only
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

  logic [aes_zkn_ops_pkg::CodeW-1:0] code;
  logic [1:0]                        bs;
  logic                              mix, inverse;
  logic [7:0]                        selected;

  assign code = req_op_i[aes_zkn_ops_pkg::CodeW-1:0];
  assign bs   = req_op_i[aes_zkn_ops_pkg::BS_LSB +: aes_zkn_ops_pkg::BS_W];

  assign mix = (code == aes_zkn_ops_pkg::OP_AES32ESMI) || (code == aes_zkn_ops_pkg::OP_AES32DSMI);
  assign inverse = (Dir == "both") && ((code == aes_zkn_ops_pkg::OP_AES32DSI) ||
                                       (code == aes_zkn_ops_pkg::OP_AES32DSMI));

  assign selected = req_rs2_i[{bs, 3'b000} +: 8];

  if (SboxImpl == "bram") begin : gen_bram
    logic        valid_q, take;
    logic [31:0] product;

    assign req_ready_o = !valid_q || rsp_ready_i;
    assign take = req_valid_i && req_ready_o;
    assign rsp_valid_o = valid_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end

    aes_sbox_products #(.Dir(Dir)) u_products (
      .clk_i, .read_i(take), .mix_i(mix), .inverse_i(inverse), .bs_i(bs), .data_i(selected),
      .data_o(product)
    );

    logic [31:0] added_q;
    always_ff @(posedge clk_i) begin
      if (take) added_q <= req_rs1_i;
    end
    assign rsp_rd_o = added_q ^ product;
  end else begin : gen_logic
    logic [31:0] product;

    aes_zkn_logic #(.SboxImpl(SboxImpl), .Dir(Dir)) u_logic (
      .mix_i(mix), .inverse_i(inverse), .bs_i(bs), .data_i(selected), .data_o(product)
    );
    assign rsp_rd_o = req_rs1_i ^ product;
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
  end

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs1_i, req_rs3_i};

endmodule
