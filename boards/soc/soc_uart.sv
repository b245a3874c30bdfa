// SPDX-License-Identifier: Apache-2.0
// Serial line with eight data bits, no parity, one stop bit; and the system's clock for software.
//
// Words: 0 data (read: remove and return the oldest received byte; write: a byte to send, only
// while idle), 1 status {lost, received, sending}, 2 clocks a bit (at least 4, read and write), 3
// the clock in kHz. `lost`: a byte arrived while four were waiting; reading the status clears it. A
// byte without its stop bit is dropped.

module soc_uart #(
  parameter Divisor  = 217,
  parameter ClockKhz = 25000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,
  input  logic        write_i,
  input  logic [ 1:0] addr_i,   // word address
  input  logic [15:0] wdata_i,
  output logic [31:0] rdata_o,  // valid in the next clock
  input  logic        rx_i,
  output logic        tx_o
);

  localparam logic [1:0] Data = 2'd0;
  localparam logic [1:0] Status = 2'd1;
  localparam logic [1:0] Bit = 2'd2;

  localparam logic [3:0] FrameBits = 4'd10;  // start, eight of data, stop

  logic [15:0] divisor_q;

  // Sending ---------------------------------------------------------------------------------------

  logic [ 9:0] tx_frame_q;
  logic [ 3:0] tx_left_q;
  logic [15:0] tx_count_q;
  logic        sending, send;
  logic [ 7:0] tx_byte;

  assign sending = tx_left_q != 4'd0;
  assign send    = req_i && write_i && addr_i == Data && !sending;
  assign tx_o    = tx_frame_q[0];
  assign tx_byte = wdata_i[7:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tx_frame_q <= '1;
      tx_left_q  <= 4'd0;
      tx_count_q <= 16'd0;
    end else if (send) begin
      tx_frame_q <= {1'b1, tx_byte, 1'b0};
      tx_left_q  <= FrameBits;
      tx_count_q <= divisor_q - 16'd1;
    end else if (sending) begin
      if (tx_count_q == 16'd0) begin
        tx_frame_q <= {1'b1, tx_frame_q[9:1]};
        tx_left_q  <= tx_left_q - 4'd1;
        tx_count_q <= divisor_q - 16'd1;
      end else begin
        tx_count_q <= tx_count_q - 16'd1;
      end
    end
  end

  // Receiving -------------------------------------------------------------------------------------

  logic [ 1:0] rx_sync_q;
  logic        rx;
  logic [ 7:0] rx_frame_q;  // the eight bits before the current one
  logic [ 3:0] rx_left_q;
  logic [15:0] rx_count_q;
  logic        rx_middle, rx_false, rx_done;
  logic        rx_ready, rx_valid, rx_take, lost_q;
  logic [ 7:0] rx_byte;

  assign rx        = rx_sync_q[1];
  assign rx_middle = rx_left_q != 4'd0 && rx_count_q == 16'd0;
  assign rx_false  = rx_left_q == FrameBits && rx;  // no start bit at its middle
  assign rx_done   = rx_middle && rx_left_q == 4'd1 && rx;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rx_sync_q  <= '1;
      rx_frame_q <= '1;
      rx_left_q  <= 4'd0;
      rx_count_q <= 16'd0;
    end else begin
      rx_sync_q <= {rx_sync_q[0], rx_i};
      if (rx_left_q == 4'd0) begin
        if (!rx) begin
          rx_left_q  <= FrameBits;
          rx_count_q <= {1'b0, divisor_q[15:1]};
        end
      end else if (rx_middle) begin
        rx_frame_q <= {rx, rx_frame_q[7:1]};
        rx_left_q  <= rx_false ? 4'd0 : rx_left_q - 4'd1;
        rx_count_q <= divisor_q - 16'd1;
      end else begin
        rx_count_q <= rx_count_q - 16'd1;
      end
    end
  end

  fifo #(
    .Width(8),
    .Depth(4)
  ) u_received (
    .clk_i,
    .rst_ni,
    .in_valid_i (rx_done),
    .in_ready_o (rx_ready),
    .in_data_i  (rx_frame_q),
    .out_valid_o(rx_valid),
    .out_ready_i(rx_take),
    .out_data_o (rx_byte)
  );

  assign rx_take = req_i && !write_i && addr_i == Data;

  // Software --------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      divisor_q <= 16'(Divisor);
      lost_q    <= 1'b0;
    end else begin
      if (req_i && write_i && addr_i == Bit) divisor_q <= wdata_i;
      if (rx_done && !rx_ready) lost_q <= 1'b1;
      else if (req_i && !write_i && addr_i == Status) lost_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (req_i) begin
      case (addr_i)
        Data:    rdata_o <= {24'd0, rx_byte};
        Status:  rdata_o <= {29'd0, lost_q, rx_valid, sending};
        Bit:     rdata_o <= {16'd0, divisor_q};
        default: rdata_o <= ClockKhz;
      endcase
    end
  end

endmodule
