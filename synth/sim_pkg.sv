// SPDX-License-Identifier: Apache-2.0
// In place of sim_pkg for synthesis: the names of the ports, without the test bench behind them.

package sim_pkg;

  localparam int FetchPort = 0;
  localparam int DataPort = 1;

endpackage
