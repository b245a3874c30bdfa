// SPDX-License-Identifier: Apache-2.0
// The rules of the functional-unit port (docs/architecture.md, section 2), for any unit: one
// response per request, none without one, valid until accepted, and in time. LATENCY: the largest
// latency in the manifest for the variant's operations. PAYLOAD, a separate proof because only it
// needs the data path: a response is stable until accepted.
module unit_handshake_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic        req_ready, rsp_valid, req_fire, rsp_fire;
  logic [31:0] rd;
  unit_copy u_copy (
    .clk_i, .rst_ni(rst_n), .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i,
    .req_rs2_i, .req_rs3_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  unit_requests u_requests (
    .clk_i, .rst_ni(rst_n), .req_valid_i, .req_ready_i(req_ready), .req_op_i,
    .operands_i({req_rs1_i, req_rs2_i, req_rs3_i})
  );

  // held_q: accepted requests without a response; silent_q: cycles with a ready sink but no
  // response.
  logic [7:0]  held_q, silent_q;
  logic        stalled_q;
  logic [31:0] rd_q;
  assign req_fire = req_valid_i && req_ready;
  assign rsp_fire = rsp_valid && rsp_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      held_q    <= 8'd0;
      silent_q  <= 8'd0;
      stalled_q <= 1'b0;
    end else begin
      held_q    <= held_q + {7'b0, req_fire} - {7'b0, rsp_fire};
      silent_q  <= (rsp_ready_i && !rsp_valid && (held_q != 8'd0 || req_valid_i)) ?
                   silent_q + 8'd1 : 8'd0;
      stalled_q <= rsp_valid && !rsp_ready_i;
    end
    rd_q <= rd;
  end

  always_comb begin
    if (rst_n) begin
`ifdef PAYLOAD
      if (stalled_q) assert (rd == rd_q);
`else
      // A response is offered only for a request, and accepted only for an accepted one.
      if (rsp_valid) assert (held_q != 8'd0 || req_valid_i);
      if (rsp_fire) assert (held_q != 8'd0 || req_fire);
      // It is valid until accepted.
      if (stalled_q) assert (rsp_valid);
      // With a ready sink, it is in time; so none is ever lost.
      assert (silent_q <= 8'd `LATENCY + 8'd1);
`endif
    end
  end
endmodule
