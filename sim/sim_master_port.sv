// SPDX-License-Identifier: Apache-2.0
// The memory port of a bus master, one access a cycle. An access is performed in the cycle that the
// arbiter grants; its word and error follow one cycle later. Wait states are those of the core's
// data port. An address outside memory is an error.

module sim_master_port (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,  // the access can be performed in this cycle
  input  logic        grant_i,  // the access is performed in this cycle
  input  logic        write_i,
  input  logic [ 3:0] strobe_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        error_o
);

  logic [31:0] wait_q;  // remaining wait states of the next access

  assign ready_o = valid_i && wait_q == 32'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q  <= 32'd0;
      rdata_o <= 32'd0;
      error_o <= 1'b0;
    end else if (grant_i) begin
      wait_q  <= sim_pkg::sim_wait(sim_pkg::DataPort);
      error_o <= sim_pkg::outside(addr_i);
      if (write_i && !sim_pkg::outside(addr_i)) begin
        sim_pkg::sim_write(addr_i, wdata_i, {28'd0, strobe_i});
      end else if (!sim_pkg::outside(addr_i)) begin
        rdata_o <= sim_pkg::sim_read(sim_pkg::DataPort, addr_i);
      end
    end else if (valid_i && wait_q != 32'd0) begin
      wait_q <= wait_q - 32'd1;
    end
  end

endmodule
