// SPDX-License-Identifier: Apache-2.0
// A memory port with an address phase and a response phase (OBI 1.2, OpenHW Group), at most one
// access in flight. Without wait states it grants in the same cycle and responds in the next.

module sim_obi_port #(
  parameter int Port = 0
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

  logic        busy_q;         // an access waits for its response
  logic [15:0] answer_wait_q;  // remaining wait states of the response
  logic [31:0] next_wait_q;    // {before the grant, after the grant} of the next access
  logic        free;

  assign rvalid_o = busy_q && answer_wait_q == 16'd0;
  assign free     = !busy_q || rvalid_o;
  assign gnt_o    = req_i && free && next_wait_q[31:16] == 16'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q        <= 1'b0;
      answer_wait_q <= 16'd0;
      next_wait_q   <= 32'd0;
      rdata_o       <= 32'd0;
    end else begin
      if (gnt_o) begin
        busy_q        <= 1'b1;
        answer_wait_q <= next_wait_q[15:0];
        next_wait_q   <= sim_pkg::sim_wait_phases(Port);
        if (we_i) begin
          sim_pkg::sim_write(addr_i, wdata_i, {28'd0, be_i});
        end else begin
          rdata_o <= sim_pkg::sim_read(Port, addr_i);
        end
      end else begin
        if (rvalid_o) busy_q <= 1'b0;
        if (busy_q && !rvalid_o) answer_wait_q <= answer_wait_q - 16'd1;
        if (req_i && free) next_wait_q[31:16] <= next_wait_q[31:16] - 16'd1;
      end
    end
  end

endmodule
