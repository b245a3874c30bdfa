// SPDX-License-Identifier: Apache-2.0
// Traits of the tests' unit: no state, combinational unless delayed, three register operands.
package accel_traits_pkg;

  localparam Stateless  = 1'b1;
  localparam Registered = 1'b0;
  localparam NumRs      = 32'd3;

endpackage
