// SPDX-License-Identifier: Apache-2.0
// RAM of the system in block RAM with byte write strobes; its initial contents are unknown.

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

  logic [31:0] ram [0:Words-1];

  always_ff @(posedge clk_i) begin
    if (req_i) begin
      if (we_i[0]) ram[addr_i][7:0] <= wdata_i[7:0];
      if (we_i[1]) ram[addr_i][15:8] <= wdata_i[15:8];
      if (we_i[2]) ram[addr_i][23:16] <= wdata_i[23:16];
      if (we_i[3]) ram[addr_i][31:24] <= wdata_i[31:24];
      if (we_i == 4'd0) rdata_o <= ram[addr_i];
    end
  end

endmodule
