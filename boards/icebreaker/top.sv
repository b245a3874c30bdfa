// SPDX-License-Identifier: Apache-2.0
// iCEBreaker: the system on the serial line of the USB connector, with its RAM in SPRAM. Source of
// names and pins: github.com/icebreaker-fpga/icebreaker-verilog-examples, icebreaker.pcf.

module top #(
  parameter RomWords = 2048,
  parameter RamWords = 2048,
  parameter Divisor  = 104,
  parameter ClockKhz = 12000
) (
  input  logic CLK,
  input  logic RX,
  output logic TX,
  input  logic BTN_N,   // reset
  output logic LEDR_N,  // lit: the core has stopped
  output logic LEDG_N   // lit: the core runs
);

  logic trap;

  assign LEDR_N = !trap;
  assign LEDG_N = trap;

  soc_board #(
    .RomWords(RomWords),
    .RamWords(RamWords),
    .Divisor (Divisor),
    .ClockKhz(ClockKhz)
  ) u_board (
    .osc_i (CLK),
    .rst_ni(BTN_N),
    .rx_i  (RX),
    .tx_o  (TX),
    .trap_o(trap)
  );

endmodule
