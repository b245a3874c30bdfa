// SPDX-License-Identifier: Apache-2.0
// A small system: core with accelerator (soc_core), ROM with the firmware, RAM, serial line.
//
// Every access is answered in the clock after its request. Addresses: ROM from 0, RAM from
// 0x1000_0000, serial line from 0x2000_0000; each repeats up to the next one. Bits 31 and 30 are
// not looked at: cores give them meanings of their own.

module soc #(
  parameter RomWords = 2048,
  parameter RamWords = 2048,
  parameter Divisor  = 217,            // clocks a bit on the serial line, until software changes it
  parameter ClockKhz = 25000,          // clock in kHz that software reads
  parameter Firmware = "firmware.hex"  // RomWords lines of eight hexadecimal digits
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic rx_i,
  output logic tx_o,
  output logic trap_o
);

  localparam logic [1:0] Rom = 2'd0;
  localparam logic [1:0] Ram = 2'd1;
  localparam logic [1:0] Uart = 2'd2;

  localparam int RomWidth = $clog2(RomWords);
  localparam int RamWidth = $clog2(RamWords);

  logic        req;
  logic [ 3:0] we;
  logic [31:0] addr, wdata, rdata;
  logic [ 1:0] place, place_q;

  soc_core u_core (
    .clk_i,
    .rst_ni,
    .req_o  (req),
    .we_o   (we),
    .addr_o (addr),
    .wdata_o(wdata),
    .rdata_i(rdata),
    .trap_o
  );

  assign place = addr[29:28];

  // ROM: block RAM without a write port.
  logic [31:0] rom [0:RomWords-1];
  logic [31:0] rom_rdata;
  initial $readmemh(Firmware, rom);
  always_ff @(posedge clk_i) begin
    if (req && place == Rom) rom_rdata <= rom[addr[RomWidth+1:2]];
  end

  logic [31:0] ram_rdata;
  soc_ram #(.Words(RamWords)) u_ram (
    .clk_i,
    .req_i  (req && place == Ram),
    .we_i   (we),
    .addr_i (addr[RamWidth+1:2]),
    .wdata_i(wdata),
    .rdata_o(ram_rdata)
  );

  logic [31:0] uart_rdata;
  soc_uart #(
    .Divisor (Divisor),
    .ClockKhz(ClockKhz)
  ) u_uart (
    .clk_i,
    .rst_ni,
    .req_i  (req && place == Uart),
    .write_i(|we),
    .addr_i (addr[3:2]),
    .wdata_i(wdata[15:0]),
    .rdata_o(uart_rdata),
    .rx_i,
    .tx_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)  place_q <= Rom;
    else if (req) place_q <= place;
  end

  always_comb begin
    case (place_q)
      Ram:     rdata = ram_rdata;
      Uart:    rdata = uart_rdata;
      default: rdata = rom_rdata;
    endcase
  end

endmodule
