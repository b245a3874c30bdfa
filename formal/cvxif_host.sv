// SPDX-License-Identifier: Apache-2.0
// Assumptions on the core for the proofs of fu_to_cvxif. Source: OpenHW CV-X-IF specification
// 0.2.0, sections on issue, commit and result; RTL of pythondata-cpu-cv32e40x 0.6.0.post161 with
// the cures that platforms/ applies to it.
module cvxif_host #(
  parameter int IdW   = 4,
  parameter int Depth = 4
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     push_i,          // issue handshake with accept
  input  logic                     issue_valid_i,
  input  logic [IdW-1:0]           issue_id_i,
  input  logic                     commit_valid_i,
  input  logic [IdW-1:0]           commit_id_i,
  output logic                     own_o,           // commit of the oldest accepted instruction
  output logic                     same_o,          // commit in the cycle of the issue
  // Accepted instructions without a commit, oldest at place 0.
  output logic [Depth-1:0]          open_o,
  output logic [Depth-1:0][IdW-1:0] id_o
);
  logic [Depth-1:0]          open_q, open_d;
  logic [Depth-1:0][IdW-1:0] id_q, id_d;
  assign open_o = open_q;
  assign id_o   = id_q;
  assign own_o  = commit_valid_i && open_q[0] && commit_id_i == id_q[0];
  assign same_o = commit_valid_i && push_i && commit_id_i == issue_id_i;

  always_comb begin
    open_d = open_q;
    id_d   = id_q;
    if (own_o) begin
      for (int i = 0; i < Depth; i++) begin
        open_d[i] = (i + 1 < Depth) && open_q[(i+1)%Depth];
        id_d[i]   = id_q[(i+1)%Depth];
      end
    end
    for (int i = Depth - 1; i >= 0; i--) begin
      if (push_i && !same_o && !open_d[i] && (i == 0 || open_d[(i+Depth-1)%Depth])) begin
        open_d[i] = 1'b1;
        id_d[i]   = issue_id_i;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= '0;
    else         open_q <= open_d;
  end
  always_ff @(posedge clk_i) id_q <= id_d;

  always_comb begin
    if (rst_ni) begin
      for (int i = 0; i < Depth; i++) begin
        // Ids in flight differ: if_stage increments them with every offer.
        if (issue_valid_i && open_q[i]) assume (issue_id_i != id_q[i]);
        // Commits are in issue order, one per issue: EX commits once (commit_valid_q), in program
        // order. A commit may also be for a rejected instruction: any other id, at any time.
        if (i != 0 && commit_valid_i && open_q[i]) assume (commit_id_i != id_q[i]);
      end
      // The specification allows a commit in the cycle of the issue. Commits are in order, so no
      // older instruction is open then.
      if (same_o) assume (!open_q[0]);
      // Not assumed: that an offer is stable until it is answered, or that a result is ever
      // accepted.
    end
  end
endmodule
