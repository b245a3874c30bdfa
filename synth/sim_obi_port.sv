// SPDX-License-Identifier: Apache-2.0
// In place of sim_obi_port for synthesis: answers in the cycle after the request with words from
// registers that every output of the core reaches (see sim_direct_port of this folder).

module sim_obi_port #(
  parameter Port = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,
  output logic        gnt_o,
  input  logic        we_i,
  input  logic [ 3:0] be_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        rvalid_o,
  output logic [31:0] rdata_o
);

  (* keep *) logic [31:0] request_q;
  (* keep *) logic [31:0] word_q;
  logic                   valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_q <= 32'd0;
      word_q    <= 32'(Port);
      valid_q   <= 1'b0;
    end else begin
      request_q <= addr_i ^ wdata_i ^ {26'd0, be_i, we_i, req_i};
      word_q    <= {word_q[30:0], word_q[31]} ^ request_q;
      valid_q   <= gnt_o;
    end
  end

  assign gnt_o    = req_i && word_q[31];
  assign rvalid_o = valid_q;
  assign rdata_o  = word_q;

endmodule
