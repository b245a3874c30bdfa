// SPDX-License-Identifier: Apache-2.0
// ULX3S: the system on the serial line of the USB connector US1.
// Source of names and pins: github.com/emard/ulx3s, doc/constraints/ulx3s_v20.lpf.

module top #(
  parameter RomWords = 2048,
  parameter RamWords = 2048,
  parameter Divisor  = 217,
  parameter ClockKhz = 25000
) (
  input  logic       clk_25mhz,
  input  logic       ftdi_txd,    // from the USB chip
  output logic       ftdi_rxd,    // to the USB chip
  input  logic       fire1,       // button, pressed high: reset
  output logic [7:0] led,
  output logic       wifi_gpio0   // held high, or the ESP32 takes the board over
);

  logic trap;

  assign led        = {trap, 6'd0, !trap};
  assign wifi_gpio0 = 1'b1;

  soc_board #(
    .RomWords(RomWords),
    .RamWords(RamWords),
    .Divisor (Divisor),
    .ClockKhz(ClockKhz)
  ) u_board (
    .osc_i (clk_25mhz),
    .rst_ni(!fire1),
    .rx_i  (ftdi_txd),
    .tx_o  (ftdi_rxd),
    .trap_o(trap)
  );

endmodule
