// SPDX-License-Identifier: Apache-2.0
// S-boxes for an even number of bytes, with the pipeline registers that Cuts selects
// (aes_pipe_pkg.sv).
//
// SboxImpl "lut" | "bram" | "tower"; see aes_pipe_sbox.sv and aes_pipe_rom.sv
module aes_pipe_boxes #(
  parameter SboxImpl = "tower",
  parameter Dir   = "both",
  parameter Bytes = 4,
  parameter logic [7:0] Cuts = 8'b00001010
) (
  input  logic               clk_i,
  input  logic               en_i,
  input  logic               inv_head_i,  // direction of data_i
  input  logic               inv_tail_i,  // the same after CutMul (tower) or CutInv (lut)
  input  logic [8*Bytes-1:0] data_i,
  output logic [8*Bytes-1:0] data_o
);
  if (SboxImpl == "bram") begin : gen_bram
    localparam CutFront = int'(Cuts[aes_pipe_pkg::CutFront]);
    logic [8*Bytes-1:0] front, boxed;
    logic               inv;
    aes_pipe_delay #(.Width(8*Bytes + 1), .Stages(CutFront)) u_front (
      .clk_i, .en_i, .data_i({inv_head_i, data_i}), .data_o({inv, front})
    );
    for (genvar i = 0; i < Bytes / 2; i++) begin : gen_pair
      aes_pipe_rom #(.Dir(Dir)) u_rom (
        .clk_i, .en_i, .inv_i(inv),
        .data_i(front[16*i +: 16]), .data_o(boxed[16*i +: 16])
      );
    end
    localparam CutBox = int'(Cuts[aes_pipe_pkg::CutBox]);
    aes_pipe_delay #(.Width(8*Bytes), .Stages(CutBox)) u_box (
      .clk_i, .en_i, .data_i(boxed), .data_o
    );
    logic unused_tail;
    assign unused_tail = inv_tail_i;
  end else begin : gen_logic
    for (genvar i = 0; i < Bytes; i++) begin : gen_byte
      aes_pipe_sbox #(.SboxImpl(SboxImpl), .Dir(Dir), .Cuts(Cuts)) u_sbox (
        .clk_i, .en_i, .inv_head_i, .inv_tail_i,
        .data_i(data_i[8*i +: 8]), .data_o(data_o[8*i +: 8])
      );
    end
  end
endmodule
