// SPDX-License-Identifier: Apache-2.0
// `Stages` registers with an enable and no reset; Stages 0 makes wires.
module aes_pipe_delay #(
  parameter Width  = 8,
  parameter Stages = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  if (Stages == 0) begin : gen_wires
    logic unused_clock;
    assign unused_clock = ^{clk_i, en_i};
    assign data_o = data_i;
  end else begin : gen_regs
    // The newest entry is in the lowest bits.
    logic [Stages*Width-1:0]     data_q;
    logic [(Stages+1)*Width-1:0] shifted;
    assign shifted = {data_q, data_i};
    assign data_o  = shifted[Stages*Width +: Width];
    logic [Stages*Width-1:0] kept;
    assign kept = shifted[Stages*Width-1:0];
    always_ff @(posedge clk_i) if (en_i) data_q <= kept;
  end
endmodule
