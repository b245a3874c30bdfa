// SPDX-License-Identifier: Apache-2.0
// Small memory of blocks of four words, for an FPGA's distributed RAM: one port to write any of a
// block's words, one to read a block in the same cycle.
module aes_dma_store #(
  parameter Depth  = 8,  // power of two
  parameter WordW  = 32,
  parameter IndexW = $clog2(Depth)
) (
  input  logic                  clk_i,
  input  logic [3:0]            write_i,  // by word
  input  logic [IndexW-1:0]     write_index_i,
  input  logic [3:0][WordW-1:0] write_data_i,
  input  logic [IndexW-1:0]     read_index_i,
  output logic [3:0][WordW-1:0] read_data_o
);
`ifdef FORMAL
  logic [Depth-1:0][4*WordW-1:0] blocks;  // proofs refer to it
`else
  (* ram_style = "distributed" *) logic [4*WordW-1:0] blocks [0:Depth-1];
`endif

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++) begin
      if (write_i[i]) blocks[write_index_i][WordW*i +: WordW] <= write_data_i[i];
    end
  end
  assign read_data_o = blocks[read_index_i];
endmodule
