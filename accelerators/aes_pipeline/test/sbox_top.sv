// SPDX-License-Identifier: Apache-2.0
// The S-box with its registers, each SboxImpl, Dir and PipeRegs: byte 3*k of the output is "fwd",
// the next "inv", then "both"; k = PipeRegs - 1 for "tower", 5 + PipeRegs - 1 for "lut". inv_i goes
// with data_i.
module sbox_top (
  input  logic             clk_i,
  input  logic             inv_i,
  input  logic [7:0]       data_i,
  output logic [9*3*8-1:0] data_o
);
  for (genvar k = 0; k < 9; k++) begin : gen_kind
    localparam IsLut = k >= 5;
    localparam PipeRegs = IsLut ? k - 4 : k + 1;
    localparam logic [7:0] Cuts = IsLut ? aes_pipe_pkg::lut_cuts(PipeRegs)
                                        : aes_pipe_pkg::tower_cuts(PipeRegs);
    localparam Tail = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::TailMask);
    logic inv_tail;
    aes_pipe_delay #(.Width(1), .Stages(Tail)) u_tail (
      .clk_i, .en_i(1'b1), .data_i(inv_i), .data_o(inv_tail)
    );
    for (genvar d = 0; d < 3; d++) begin : gen_dir
      if (IsLut) begin : gen_lut
        aes_pipe_sbox #(
          .SboxImpl("lut"), .Dir((d == 0) ? "fwd" : (d == 1) ? "inv" : "both"), .Cuts(Cuts)
        ) u_sbox (
          .clk_i, .en_i(1'b1), .inv_head_i(inv_i), .inv_tail_i(inv_tail), .data_i,
          .data_o(data_o[8*(3*k+d) +: 8])
        );
      end else begin : gen_tower
        aes_pipe_sbox #(
          .SboxImpl("tower"), .Dir((d == 0) ? "fwd" : (d == 1) ? "inv" : "both"), .Cuts(Cuts)
        ) u_sbox (
          .clk_i, .en_i(1'b1), .inv_head_i(inv_i), .inv_tail_i(inv_tail), .data_i,
          .data_o(data_o[8*(3*k+d) +: 8])
        );
      end
    end
  end
endmodule
