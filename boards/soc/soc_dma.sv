// SPDX-License-Identifier: Apache-2.0
// The system of soc.sv with an accelerator that is a bus master: it shares the RAM with the core
// (soc_master). Addresses are those of soc.sv. ROM and serial line answer in the clock after the
// request. RAM takes a clock more, or as long as the accelerator stalls the access.
//
// Made from soc_dma.sv.j2 by `aesforge modules`.

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

  localparam logic [2:0] Rom = 3'b000;  // bits 31, 29 and 28 of an address
  localparam logic [2:0] Ram = 3'b001;
  localparam logic [2:0] Block = 3'b101;
  localparam logic [2:0] Uart = 3'b110;

  localparam int RomWidth = $clog2(RomWords);
  localparam int RamWidth = $clog2(RamWords);

  logic        req, hold;
  logic [ 3:0] we;
  logic [31:0] addr, wdata, rdata;
  logic [ 2:0] place, place_q;

  soc_core u_core (
    .clk_i,
    .rst_ni,
    .req_o  (req),
    .we_o   (we),
    .addr_o (addr),
    .wdata_o(wdata),
    .rdata_i(rdata),
    .hold_i (hold),
    .trap_o
  );

  assign place = {addr[31], addr[29:28]};

  // ROM: block RAM without a write port.
  logic [31:0] rom [0:RomWords-1];
  logic [31:0] rom_rdata;
  initial $readmemh(Firmware, rom);
  always_ff @(posedge clk_i) begin
    if (req && place == Rom) rom_rdata <= rom[addr[RomWidth+1:2]];
  end

  logic [31:0] ram_rdata, block_rdata;
  soc_master #(.Words(RamWords)) u_master (
    .clk_i,
    .rst_ni,
    .ram_req_i    (req && place == Ram),
    .block_req_i  (req && place == Block),
    .we_i         (we),
    .addr_i       (addr[27:0]),
    .wdata_i      (wdata),
    .hold_o       (hold),
    .ram_rdata_o  (ram_rdata),
    .block_rdata_o(block_rdata)
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
      Block:   rdata = block_rdata;
      Uart:    rdata = uart_rdata;
      default: rdata = rom_rdata;
    endcase
  end

endmodule
