// SPDX-License-Identifier: Apache-2.0
// The four functions of SHA-256 equal their specification for all operands.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, extension Zknh. x rotated right by n is
// the word at bit n of x written twice.

module zknh_spec (
  input  logic [15:0] op_i,
  input  logic [31:0] rs1_i,
  output logic        known_o,  // op is one of the four
  output logic [31:0] rd_o
);
  logic [zknh_ops_pkg::CodeW-1:0] code;
  logic [63:0]                    twice;
  logic [31:0]                    sum0, sum1, sig0, sig1;
  logic                           is_sum0, is_sum1, is_sig0, is_sig1;
  assign code  = op_i[zknh_ops_pkg::CodeW-1:0];
  assign twice = {rs1_i, rs1_i};
  assign sum0  = twice[2+:32] ^ twice[13+:32] ^ twice[22+:32];
  assign sum1  = twice[6+:32] ^ twice[11+:32] ^ twice[25+:32];
  assign sig0  = twice[7+:32] ^ twice[18+:32] ^ (rs1_i >> 3);
  assign sig1  = twice[17+:32] ^ twice[19+:32] ^ (rs1_i >> 10);
  assign is_sum0 = code == zknh_ops_pkg::OP_SHA256SUM0 || code == zknh_ops_pkg::OP_SH_SUM0;
  assign is_sum1 = code == zknh_ops_pkg::OP_SHA256SUM1 || code == zknh_ops_pkg::OP_SH_SUM1;
  assign is_sig0 = code == zknh_ops_pkg::OP_SHA256SIG0 || code == zknh_ops_pkg::OP_SH_SIG0;
  assign is_sig1 = code == zknh_ops_pkg::OP_SHA256SIG1 || code == zknh_ops_pkg::OP_SH_SIG1;
  assign rd_o = is_sum0 ? sum0 : is_sum1 ? sum1 : is_sig0 ? sig0 : sig1;
  assign known_o = is_sum0 || is_sum1 || is_sig0 || is_sig1;
endmodule

module zknh_function_props (
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic        rsp_ready_i
);
  logic        ready, valid, known;
  logic [31:0] rd, wanted;
  zknh u_unit (
    .clk_i(1'b0), .rst_ni(1'b1), .req_valid_i, .req_ready_o(ready), .req_op_i, .req_rs1_i,
    .req_rs2_i(32'b0), .req_rs3_i(32'b0), .rsp_valid_o(valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  zknh_spec u_spec (.op_i(req_op_i), .rs1_i(req_rs1_i), .known_o(known), .rd_o(wanted));
  always_comb begin
    assert (valid == req_valid_i && ready == rsp_ready_i);
    if (known) assert (rd == wanted);
  end
endmodule

// With a register: each request gets its own answer, one cycle later, after any history.
module zknh_registered_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic        rsp_ready_i
);
  logic        ready, valid, known, accepted;
  logic [31:0] rd, wanted;
  zknh #(.PipeRegs(1)) u_unit (
    .clk_i, .rst_ni(1'b1), .req_valid_i, .req_ready_o(ready), .req_op_i, .req_rs1_i,
    .req_rs2_i(32'b0), .req_rs3_i(32'b0), .rsp_valid_o(valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  zknh_spec u_spec (.op_i(req_op_i), .rs1_i(req_rs1_i), .known_o(known), .rd_o(wanted));
  assign accepted = req_valid_i && ready;

  logic        first = 1'b1, told_q = 1'b0;  // told: the proof saw the request of the answer
  logic        owed_q;                       // an answer waits: free at first
  logic [31:0] wanted_q;
  always_ff @(posedge clk_i) begin
    first  <= 1'b0;
    owed_q <= accepted || (owed_q && !rsp_ready_i);
    if (accepted) {told_q, wanted_q} <= {known, wanted};
  end
  always_comb begin
    if (first) assume (valid == owed_q);
    assert (valid == owed_q && ready == (!owed_q || rsp_ready_i));
    if (valid && told_q) assert (rd == wanted_q);
  end
endmodule
