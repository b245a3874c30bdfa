// SPDX-License-Identifier: Apache-2.0
// Every response is correct for its request and arrives on time, for all operands. Source: Foerster
// 2005, section 4; FIPS 197 as in formal/aes_spec_pkg.sv, the S-box as a relation. Row 0 of a
// column is the lowest byte of a word.
//
// The proof begins in any state of the unit, not after a reset. Whatever its registers hold, an
// idle unit accepts a request and gives the correct response; so does a pipelined unit whose
// response is leaving. That covers every request after any history. The port's rules cover the
// stability of a stalled response.
`ifdef PAPER
`define VARIANT .Latency(5), .KeyTable("rom")
`elsif ENCRYPT_ONLY
`define VARIANT .Dir("fwd")
`else
`define VARIANT .Latency(1)
`endif
module aes_ttable_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
`ifdef PAPER
  localparam logic [2:0] Latency = 3'd5;
`else
  localparam logic [2:0] Latency = 3'd1;
`endif

  logic        req_ready, rsp_valid;
  logic [31:0] rsp_rd;
  aes_ttable #(`VARIANT) u_dut (
    .clk_i, .rst_ni(1'b1), .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i,
    .req_rs2_i, .req_rs3_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rsp_rd)
  );

  // ---- the request in flight: one at most -------------------------------------------------------

  logic        accept, done;
  logic        held_q;          // free at first
  logic        seen_q = 1'b0;   // the proof saw the acceptance of the current request
  logic [2:0]  age_q;   // cycles since acceptance, up to the latency
  logic [15:0] op_q;
  logic [31:0] rs1_q, rs2_q;

  assign accept = req_valid_i && req_ready;
  assign done   = rsp_valid && rsp_ready_i;
  always_ff @(posedge clk_i) begin
    held_q <= accept || (held_q && !done);
    if (accept) begin
      seen_q <= 1'b1;
      op_q  <= req_op_i;
      rs1_q <= req_rs1_i;
      rs2_q <= req_rs2_i;
      age_q <= 3'd1;
    end else if (age_q != Latency) begin
      age_q <= age_q + 3'd1;
    end
  end

  // ---- its expected response --------------------------------------------------------------------

  // The response, rotated back: a column of coefficients times `factor`. The coefficients of each
  // kind of column add up to 1, so the XOR of the bytes is the factor.
  logic [aes_ttable_ops_pkg::CodeW-1:0] code;
  logic [1:0]                           bs, lane;
  logic [7:0]                           x, factor;
  logic [31:0]                          column;

  assign code   = op_q[aes_ttable_ops_pkg::CodeW-1:0];
  assign bs     = op_q[aes_ttable_ops_pkg::BS_LSB +: 2];
  assign lane   = bs - {1'b0, code == aes_ttable_ops_pkg::OP_TT_FSBR};
  assign x      = rs1_q[{bs, 3'b000} +: 8];
  assign column = aes_spec_pkg::rotate(rsp_rd ^ rs2_q, -lane);
  assign factor = column[7:0] ^ column[15:8] ^ column[23:16] ^ column[31:24];

  // The pipelined unit is idle or responding. The other one is idle, and its request is in this
  // cycle, which spares the solver a choice.
  logic first = 1'b1;
  always_ff @(posedge clk_i) first <= 1'b0;
  always_comb begin
    if (first) assume (Latency == 3'd1 ? rsp_valid == held_q : !held_q && !rsp_valid && accept);
  end

  always_comb begin
    // One response per request, on time; none without one, none lost.
    assert (rsp_valid == (held_q && (!seen_q || age_q == Latency)));
    assert (!accept || !held_q || done);
    // An idle unit accepts; so does a pipelined one that is responding.
    assert (held_q || req_ready);
    assert (Latency != 3'd1 || !done || req_ready);
    if (rsp_valid && seen_q) begin
      case (code)
        aes_ttable_ops_pkg::OP_TT_FT: begin
          assert (column == aes_spec_pkg::mix_column({24'b0, factor}));
          assert (aes_spec_pkg::is_sbox(x, factor));
        end
        aes_ttable_ops_pkg::OP_TT_FSB, aes_ttable_ops_pkg::OP_TT_FSBR: begin
          assert (column == {24'b0, factor});
          assert (aes_spec_pkg::is_sbox(x, factor));
        end
`ifndef ENCRYPT_ONLY
        aes_ttable_ops_pkg::OP_TT_RT: begin
          assert (column == aes_spec_pkg::inv_mix_column({24'b0, factor}));
          assert (aes_spec_pkg::is_sbox(factor, x));
        end
        aes_ttable_ops_pkg::OP_TT_RSB: begin
          assert (column == {24'b0, factor});
          assert (aes_spec_pkg::is_sbox(factor, x));
        end
        aes_ttable_ops_pkg::OP_TT_KT: begin
          assert (column == aes_spec_pkg::inv_mix_column({24'b0, x}));
        end
`endif
        default: ;
      endcase
    end
  end

endmodule
