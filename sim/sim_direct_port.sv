// SPDX-License-Identifier: Apache-2.0
// A memory port that responds in the cycle of the request, or after wait states, as the native bus
// of PicoRV32 and a Wishbone classic cycle need. The access is performed at the falling edge of the
// response cycle, when the request has settled, so it is performed once.

module sim_direct_port #(
  parameter int Port = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,   // valid and payload are stable until ready
  input  logic        write_i,
  input  logic [ 3:0] strobe_i,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  output logic        ready_o,
  output logic [31:0] rdata_o    // valid from the second half of the ready cycle
);

  logic [31:0] wait_q;  // remaining wait states of the next response

  assign ready_o = valid_i && wait_q == 32'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q <= 32'd0;
    end else if (ready_o) begin
      wait_q <= sim_pkg::sim_wait(Port);
    end else if (valid_i) begin
      wait_q <= wait_q - 32'd1;
    end
  end

  always_ff @(negedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rdata_o <= 32'd0;
    end else if (ready_o) begin
      if (write_i) begin
        sim_pkg::sim_write(addr_i, wdata_i, {28'd0, strobe_i});
      end else begin
        rdata_o <= sim_pkg::sim_read(Port, addr_i);
      end
    end
  end

endmodule
