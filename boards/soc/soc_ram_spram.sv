// SPDX-License-Identifier: Apache-2.0
// RAM of the system in two single-port RAMs of an iCE40 UltraPlus: always 64 KiB, whatever `Words`
// is. Source: Lattice, "iCE40 SPRAM Usage Guide" (FPGA-TN-02022): 16384 x 16, one mask bit per
// four.

module soc_ram #(
  parameter Words = 2048
) (
  input  logic                     clk_i,
  input  logic                     req_i,
  input  logic [              3:0] we_i,     // byte write strobes; none: a read
  input  logic [$clog2(Words)-1:0] addr_i,
  input  logic [             31:0] wdata_i,
  output logic [             31:0] rdata_o   // valid in the next clock; unknown after a write
);

  for (genvar half = 0; half < 2; half++) begin : gen_half
    SB_SPRAM256KA u_ram (
      .CLOCK     (clk_i),
      .CHIPSELECT(req_i),
      .WREN      (we_i != 4'd0),
      .MASKWREN  ({{2{we_i[2*half+1]}}, {2{we_i[2*half]}}}),
      .ADDRESS   (14'(addr_i)),
      .DATAIN    (wdata_i[16*half+:16]),
      .DATAOUT   (rdata_o[16*half+:16]),
      .STANDBY   (1'b0),
      .SLEEP     (1'b0),
      .POWEROFF  (1'b1)
    );
  end

endmodule
