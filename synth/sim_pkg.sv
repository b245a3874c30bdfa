// SPDX-License-Identifier: Apache-2.0
// In place of sim_pkg for synthesis: the names of the ports, without their test bench.

package sim_pkg;

  localparam int FetchPort = 0;
  localparam int DataPort = 1;

  function automatic logic in_block(input logic [31:0] address);
    in_block = accel_block_pkg::Present && address[31] && address[28];
  endfunction

endpackage
