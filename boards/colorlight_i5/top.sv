// SPDX-License-Identifier: Apache-2.0
// Colorlight i5 on Muse Lab's extension board: the system on the serial line of its DAPLink.
// Source of pins: github.com/wuxx/Colorlight-FPGA-Projects, src/i5/picosoc/top.lpf.

module top #(
  parameter RomWords = 2048,
  parameter RamWords = 2048,
  parameter Divisor  = 217,
  parameter ClockKhz = 25000
) (
  input  logic clk_i,
  input  logic rx_i,
  output logic tx_o,
  output logic led_o
);

  soc_board #(
    .RomWords(RomWords),
    .RamWords(RamWords),
    .Divisor (Divisor),
    .ClockKhz(ClockKhz)
  ) u_board (
    .osc_i (clk_i),
    .rst_ni(1'b1),
    .rx_i,
    .tx_o,
    .trap_o(led_o)
  );

endmodule
