// SPDX-License-Identifier: Apache-2.0
// Two S-boxes in one block RAM with two read ports. Latency 2: the read register and the RAM's
// output register. FIPS 197, sections 5.1.1 and 5.3.2.
//
// Dir  "fwd" | "inv": 256 bytes, inv_i is unused; "both": 512, the upper half for decryption
module aes_pipe_rom #(
  parameter Dir = "both"
) (
  input  logic        clk_i,
  input  logic        en_i,
  input  logic        inv_i,
  input  logic [15:0] data_i,
  output logic [15:0] data_o
);
  localparam One      = Dir == "fwd" || Dir == "inv";
  localparam Places   = One ? 256 : 512;
  localparam AddressW = $clog2(Places);

  (* rom_style = "block", ram_style = "block" *) logic [7:0] place [Places];
  initial begin
    for (int i = 0; i < Places; i++) place[i] = aes_pipe_pkg::box(Dir == "inv" || i >= 256, 8'(i));
  end

  logic [8:0]          low, high;
  logic [AddressW-1:0] low_at, high_at;
  logic [15:0]         read_q, data_q;
  assign low     = {inv_i, data_i[7:0]};
  assign high    = {inv_i, data_i[15:8]};
  assign low_at  = low[AddressW-1:0];
  assign high_at = high[AddressW-1:0];
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      read_q[7:0]  <= place[low_at];
      read_q[15:8] <= place[high_at];
      data_q       <= read_q;
    end
  end
  assign data_o = data_q;
  if (One) begin : gen_unused
    logic unused_inv;
    assign unused_inv = inv_i ^ low[8] ^ high[8];
  end
endmodule
