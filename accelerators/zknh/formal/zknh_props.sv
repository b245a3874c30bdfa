// SPDX-License-Identifier: Apache-2.0
// The four functions of SHA-256 equal their specification for all operands.
// Source: RISC-V Cryptography Extensions Volume I, 1.0.1, extension Zknh. x rotated right by n is
// the word at bit n of x written twice.

module zknh_spec (
  input  logic [15:0] op_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rd_i,
  output logic        correct_o  // rd is the function of rs1 that op names
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
  assign correct_o = !(is_sum0 && rd_i != sum0) && !(is_sum1 && rd_i != sum1) &&
                     !(is_sig0 && rd_i != sig0) && !(is_sig1 && rd_i != sig1);
endmodule

module zknh_function_props (
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic        rsp_ready_i
);
  logic        ready, valid, correct;
  logic [31:0] rd;
  zknh u_unit (
    .clk_i(1'b0), .rst_ni(1'b1), .req_valid_i, .req_ready_o(ready), .req_op_i, .req_rs1_i,
    .req_rs2_i(32'b0), .req_rs3_i(32'b0), .rsp_valid_o(valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  zknh_spec u_spec (.op_i(req_op_i), .rs1_i(req_rs1_i), .rd_i(rd), .correct_o(correct));
  always_comb begin
    assert (valid == req_valid_i && ready == rsp_ready_i);
    assert (correct);
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
  logic        req_ready, rsp_valid, accepted, correct;
  logic [31:0] rd;
  zknh #(.PipeRegs(1)) u_unit (
    .clk_i, .rst_ni(1'b1), .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i,
    .req_rs2_i(32'b0), .req_rs3_i(32'b0), .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  assign accepted = req_valid_i && req_ready;

  logic        seen_q = 1'b0;  // the proof saw the acceptance of the current request
  logic        owed_q;         // a response waits: free at first
  logic [15:0] op_q;
  logic [31:0] rs1_q;
  always_ff @(posedge clk_i) begin
    owed_q <= accepted || (owed_q && !rsp_ready_i);
    if (accepted) begin
      seen_q <= 1'b1;
      op_q   <= req_op_i;
      rs1_q  <= req_rs1_i;
    end
  end
  zknh_spec u_spec (.op_i(op_q), .rs1_i(rs1_q), .rd_i(rd), .correct_o(correct));

  logic first = 1'b1;
  always_ff @(posedge clk_i) first <= 1'b0;
  always_comb begin
    if (first) assume (rsp_valid == owed_q);
    assert (rsp_valid == owed_q);
    assert (req_ready == (!owed_q || rsp_ready_i));
    if (rsp_valid && seen_q) assert (correct);
  end
endmodule
