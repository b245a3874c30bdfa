// SPDX-License-Identifier: Apache-2.0
// One functional-unit port for several units. A request goes to the unit that it names, and answers
// come in the order of requests (docs/architecture.md, section 2).
//
// A unit may take requests while one answer of the unit before is missing, and keeps its own
// answers until that one is taken. So a change of units costs no cycle, and no path leads from a
// unit's answer to another unit's request. A unit may also work on after its answer.
//
// Operation and operands are wired to all units; only the valid bit of a request is gated here.
module fu_join #(
  parameter Units      = 2,  // at least 2
  parameter Registered = 0  // 1: no unit answers in the cycle in which a request appears
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // host side
  input  logic                     req_valid_i,
  output logic                     req_ready_o,
  input  logic [$clog2(Units)-1:0] req_unit_i,
  output logic                     rsp_valid_o,
  input  logic                     rsp_ready_i,
  output logic [31:0]              rsp_rd_o,
  // units
  output logic [Units-1:0]         unit_req_valid_o,
  input  logic [Units-1:0]         unit_req_ready_i,
  input  logic [Units-1:0]         unit_rsp_valid_i,
  output logic [Units-1:0]         unit_rsp_ready_o,
  input  logic [32*Units-1:0]      unit_rsp_rd_i
);
  localparam logic [1:0] MostOpen = 2'd3;

  // Units are one-hot.
  logic [Units-1:0] asked, allowed, from;
  logic [Units-1:0] owner_q;   // the unit of the newest request
  logic [Units-1:0] before_q;  // the unit that owes one older answer; none: zero
  logic [1:0]       open_q;    // requests in owner_q without an answer
  logic             none, one, old, req_fire, rsp_fire;
  assign none = open_q == 2'd0;
  assign one  = open_q == 2'd1;
  assign old  = |before_q;

  for (genvar i = 0; i < Units; i++) begin : gen_unit
    assign asked[i]   = req_unit_i == $clog2(Units)'(i);
    assign allowed[i] = none || (owner_q[i] ? open_q != MostOpen : one && !old);
  end

  // With nothing open, an answer is that of the unit asked. Registered answers come a cycle later,
  // and owner_q is that unit by then: no path leads from the request to the answer.
  assign from = old ? before_q : (none && Registered == 0) ? asked : owner_q;

  assign unit_req_valid_o = asked & allowed & {Units{req_valid_i}};
  assign req_ready_o      = |(asked & allowed & unit_req_ready_i);
  assign unit_rsp_ready_o = from & {Units{rsp_ready_i}};
  assign rsp_valid_o      = |(from & unit_rsp_valid_i);

  always_comb begin
    rsp_rd_o = '0;
    for (int i = 0; i < Units; i++) rsp_rd_o |= unit_rsp_rd_i[32*i +: 32] & {32{from[i]}};
  end

  logic changes, more, less;
  assign req_fire = req_valid_i && req_ready_o;
  assign rsp_fire = rsp_valid_o && rsp_ready_i;
  assign changes  = req_fire && one && !(|(asked & owner_q));
  assign more     = req_fire && !changes;
  assign less     = rsp_fire && !old && !changes;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q   <= 2'd0;
      owner_q  <= '0;
      before_q <= '0;
    end else begin
      open_q <= open_q + {1'b0, more} - {1'b0, less};
      if (req_valid_i && (none || changes)) owner_q <= asked;
      if (changes && !rsp_fire) before_q <= owner_q;
      else if (rsp_fire)        before_q <= '0;
    end
  end
endmodule
