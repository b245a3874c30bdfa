// SPDX-License-Identifier: Apache-2.0
// In place of sim_master_port for synthesis: words from registers that every output of the bus
// master reaches (see sim_direct_port of this folder).

module sim_master_port (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        grant_i,
  input  logic        write_i,
  input  logic [ 3:0] strobe_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        error_o
);

  logic [31:0] request_q;
  logic [31:0] word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_q <= 32'd0;
      word_q    <= 32'd1;
    end else begin
      request_q <= addr_i ^ wdata_i ^ {25'd0, grant_i, strobe_i, write_i, valid_i};
      word_q    <= {word_q[30:0], word_q[31]} ^ request_q;
    end
  end

  assign ready_o = valid_i && word_q[31];
  assign rdata_o = word_q;
  assign error_o = word_q[0];

endmodule
