// SPDX-License-Identifier: Apache-2.0
// The system with a board's clock: soc_clock (generated for the oscillator and the requested
// clock), reset after configuration, the serial line, and a light that shows if the core has
// stopped.

module soc_board #(
  parameter RomWords = 2048,
  parameter RamWords = 2048,
  parameter Divisor  = 217,
  parameter ClockKhz = 25000
) (
  input  logic osc_i,
  input  logic rst_ni,  // the board's button, released high
  input  logic rx_i,
  output logic tx_o,
  output logic trap_o
);

  logic       clk, locked;
  logic [1:0] button_q;
  logic [5:0] start_q;
  logic       rst_n;

  soc_clock u_clock (
    .osc_i,
    .clk_o   (clk),
    .locked_o(locked)
  );

  // Both families start their registers at zero. Block RAM of iCE40 must not be read in the first
  // microseconds after configuration (Lattice, FPGA-TN-02002): 63 clocks cover them.
  initial start_q = 6'd0;
  always_ff @(posedge clk) begin
    button_q <= {button_q[0], rst_ni};
    if (!locked || !button_q[1]) start_q <= 6'd0;
    else if (start_q != '1)      start_q <= start_q + 6'd1;
    rst_n <= start_q == '1;
  end

  soc #(
    .RomWords(RomWords),
    .RamWords(RamWords),
    .Divisor (Divisor),
    .ClockKhz(ClockKhz)
  ) u_soc (
    .clk_i (clk),
    .rst_ni(rst_n),
    .rx_i,
    .tx_o,
    .trap_o
  );

endmodule
