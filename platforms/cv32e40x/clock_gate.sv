// SPDX-License-Identifier: Apache-2.0
// The clock gate that CV32E40X asks its integrator for (user manual, "Clock Gating Cell"), as one
// builds it on an FPGA: no gate. It would save power during wfi only, and a second clock costs the
// simulator time.

module cv32e40x_clock_gate #(
  parameter LIB = 0
) (
  input  logic clk_i,
  input  logic en_i,
  input  logic scan_cg_en_i,
  output logic clk_o
);

  assign clk_o = clk_i;

  logic unused;
  assign unused = en_i ^ scan_cg_en_i;

endmodule
