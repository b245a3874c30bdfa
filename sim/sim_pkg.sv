// SPDX-License-Identifier: Apache-2.0
// Functions of the test bench (sim/harness.cpp) for simulated systems.

package sim_pkg;

  localparam int FetchPort = 0;
  localparam int DataPort = 1;

  // Addresses of a peripheral's registers, if there is one: from 0x9000_0000 on. Two bits decide,
  // since what is decoded here delays the core's ready.
  /* verilator lint_off UNUSEDSIGNAL */ // the other bits
  function automatic logic in_block(input logic [31:0] address);
    in_block = accel_block_pkg::Present && address[31] && address[28];
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Address range without memory: the device or nothing.
  function automatic logic outside(input logic [31:0] address);
    outside = address >= 32'h8000_0000;
  endfunction

  // A word; the port says whether it is an instruction fetch.
  import "DPI-C" function int sim_read(input int port, input int address);

  // Writes the bytes of `data` that `strobe` selects.
  import "DPI-C" function void sim_write(input int address, input int data, input int strobe);

  // Wait states of the next access through the port.
  import "DPI-C" function int sim_wait(input int port);

  // The same for a bus with two phases: {before the grant [31:16], after it [15:0]}.
  import "DPI-C" function int sim_wait_phases(input int port);

endpackage
