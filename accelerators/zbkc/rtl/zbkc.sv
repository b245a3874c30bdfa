// SPDX-License-Identifier: Apache-2.0
// RISC-V Zbkc (clmul, clmulh) as a functional unit: the lower and the upper word of the product of
// two polynomials over GF(2). Stateless.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.7 and 3.8. Karatsuba's formula
// once: three products of 16 bits instead of four (rtl/field).
//
// PipeRegs  0: combinational; 1: a register after the three products, one operation a clock
module zbkc #(
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

  logic upper;
  assign upper = req_op_i[zbkc_ops_pkg::CodeW-1:0] == zbkc_ops_pkg::OP_CLMULH;

  // ---- three products ---------------------------------------------------------------------------

  logic [47:0] a, b;
  logic [92:0] products;  // of 31 bits
  gf128_split #(.Parts(1), .Width(32)) u_a (.data_i(req_rs1_i), .data_o(a));
  gf128_split #(.Parts(1), .Width(32)) u_b (.data_i(req_rs2_i), .data_o(b));
  for (genvar i = 0; i < 3; i++) begin : gen_product
    // At most eight terms are added in a row.
    logic [22:0] low, high;
    gf128_clmul #(.Width(16), .Times(8)) u_low (
      .a_i(a[16*i +: 16]), .b_i(b[16*i +: 8]), .product_o(low)
    );
    gf128_clmul #(.Width(16), .Times(8)) u_high (
      .a_i(a[16*i +: 16]), .b_i(b[16*i + 8 +: 8]), .product_o(high)
    );
    assign products[31*i +: 31] = {8'b0, low} ^ {high, 8'b0};
  end

  // ---- optional pipeline register ---------------------------------------------------------------

  logic        upper_s;
  logic [92:0] products_s;

  if (PipeRegs == 0) begin : gen_combinational
    assign rsp_valid_o = req_valid_i;
    assign req_ready_o = rsp_ready_i;
    assign {upper_s, products_s} = {upper, products};
  end else if (PipeRegs == 1) begin : gen_registered
    logic valid_q, take;
    assign req_ready_o = !valid_q || rsp_ready_i;
    assign take = req_valid_i && req_ready_o;
    assign rsp_valid_o = valid_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (req_ready_o) valid_q <= req_valid_i;
    end
    always_ff @(posedge clk_i) begin
      if (take) {upper_s, products_s} <= {upper, products};
    end
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  // ---- the product ------------------------------------------------------------------------------

  logic [62:0] product;
  gf128_join #(.Parts(1), .Width(32)) u_join (.data_i(products_s), .data_o(product));
  assign rsp_rd_o = upper_s ? {1'b0, product[62:32]} : product[31:0];

  logic unused;
  assign unused = ^{clk_i, rst_ni, req_op_i, req_rs3_i};

endmodule
