// SPDX-License-Identifier: Apache-2.0
// The carry-less products: both words are the specified ones.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, sections 3.7 and 3.8.
//
// Composition.
// 1. product: one bit of rs2 is set, rs1 is free. The product is linear in rs2: this is every rs2.
// 2. registered: the answers are those of the combinational unit, a clock after their requests,
//    and each stays until it is taken.

module zbkc_product_props (
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [4:0]  place_i,
  input logic        rsp_ready_i
);
  logic        ready, valid;
  logic [31:0] rd;
  zbkc u_unit (
    .clk_i(1'b0), .rst_ni(1'b1), .req_valid_i, .req_ready_o(ready), .req_op_i, .req_rs1_i,
    .req_rs2_i(32'h1 << place_i), .req_rs3_i(32'b0), .rsp_valid_o(valid), .rsp_ready_i,
    .rsp_rd_o(rd)
  );

  logic [63:0]                    product;
  logic [zbkc_ops_pkg::CodeW-1:0] code;
  assign product = {32'b0, req_rs1_i} << place_i;
  assign code    = req_op_i[zbkc_ops_pkg::CodeW-1:0];
  always_comb begin
    assert (valid == req_valid_i && ready == rsp_ready_i);
    if (code == zbkc_ops_pkg::OP_CLMUL) assert (rd == product[31:0]);
    if (code == zbkc_ops_pkg::OP_CLMULH) assert (rd == product[63:32]);
  end
endmodule

module zbkc_registered_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  logic        ready, valid, accepted, any_ready, any_valid, unused;
  logic [31:0] rd, wanted;
  zbkc #(.PipeRegs(1)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i(32'b0), .rsp_valid_o(valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  zbkc u_combinational (
    .clk_i, .rst_ni, .req_valid_i(1'b1), .req_ready_o(any_ready), .req_op_i, .req_rs1_i,
    .req_rs2_i, .req_rs3_i(32'b0), .rsp_valid_o(any_valid), .rsp_ready_i(1'b1), .rsp_rd_o(wanted)
  );
  assign unused   = any_ready ^ any_valid;
  assign accepted = req_valid_i && ready;

  // The proof begins in reset.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  // The three products of both are the same circuit of the same operands: any values will do
  // (gf128_clmul_any.sv).
  (* hierconn *) wire [92:0] \u_unit.products ;
  (* hierconn *) wire [92:0] \u_combinational.products ;

  logic        owed_q;
  logic [31:0] wanted_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owed_q <= 1'b0;
    else if (accepted) owed_q <= 1'b1;
    else if (rsp_ready_i) owed_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (accepted) wanted_q <= wanted;
  end
  always_comb begin
    assume (\u_unit.products == \u_combinational.products );
    assert (valid == owed_q);
    assert (ready == (!owed_q || rsp_ready_i));
    if (valid) assert (rd == wanted_q);
  end
endmodule
