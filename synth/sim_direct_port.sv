// SPDX-License-Identifier: Apache-2.0
// In place of sim_direct_port for synthesis: a port that answers in the cycle of the request, whose
// words come from registers that every output of the core reaches. It is no memory: it keeps the
// core from being simplified, and puts no path of its own beside the core's.

module sim_direct_port #(
  parameter Port = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic        write_i,
  input  logic [ 3:0] strobe_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        ready_o,
  output logic [31:0] rdata_o
);

  (* keep *) logic [31:0] request_q;
  (* keep *) logic [31:0] word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_q <= 32'd0;
      word_q    <= 32'(Port);
    end else begin
      request_q <= addr_i ^ wdata_i ^ {26'd0, strobe_i, write_i, valid_i};
      word_q    <= {word_q[30:0], word_q[31]} ^ request_q;
    end
  end

  assign ready_o = valid_i && word_q[31];
  assign rdata_o = word_q;

endmodule
