// SPDX-License-Identifier: Apache-2.0
// AXI4 slave for a memory port with one access a cycle: AMBA AXI and ACE protocol specification
// (ARM IHI 0022E), sections A3.3 and A3.4. It accepts incrementing bursts of whole words.
//
// mem_valid_o requests an access, which happens in a cycle with mem_ready_i. Data and error follow
// one cycle later. Waiting reads and writes alternate. Responses keep their ids and are in order.
module axi_memory #(
  parameter IdW = 1
) (
  input  logic           aclk,
  input  logic           aresetn,
  input  logic [IdW-1:0] s_axi_awid,
  input  logic           s_axi_awvalid,
  output logic           s_axi_awready,
  input  logic [31:0]    s_axi_awaddr,
  input  logic           s_axi_wvalid,
  output logic           s_axi_wready,
  input  logic [31:0]    s_axi_wdata,
  input  logic [3:0]     s_axi_wstrb,
  input  logic           s_axi_wlast,
  output logic [IdW-1:0] s_axi_bid,
  output logic           s_axi_bvalid,
  input  logic           s_axi_bready,
  output logic [1:0]     s_axi_bresp,
  input  logic [IdW-1:0] s_axi_arid,
  input  logic           s_axi_arvalid,
  output logic           s_axi_arready,
  input  logic [31:0]    s_axi_araddr,
  input  logic [7:0]     s_axi_arlen,
  output logic [IdW-1:0] s_axi_rid,
  output logic           s_axi_rvalid,
  input  logic           s_axi_rready,
  output logic [31:0]    s_axi_rdata,
  output logic [1:0]     s_axi_rresp,
  output logic           s_axi_rlast,

  output logic           mem_valid_o,
  input  logic           mem_ready_i,
  output logic           mem_write_o,
  output logic [29:0]    mem_addr_o,    // words
  output logic [31:0]    mem_wdata_o,
  output logic [3:0]     mem_wstrb_o,
  input  logic [31:0]    mem_rdata_i,
  input  logic           mem_error_i
);
  logic want_read, want_write, choose_write, last_write_q, read, write;

  assign choose_write = want_write && (!want_read || !last_write_q);
  assign mem_valid_o  = want_read || want_write;
  assign mem_write_o  = choose_write;
  assign read         = want_read && !choose_write && mem_ready_i;
  assign write        = choose_write && mem_ready_i;

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn)           last_write_q <= 1'b0;
    else if (read || write) last_write_q <= write;
  end

  // ---- read -------------------------------------------------------------------------------------

  logic           ar_valid, ar_last;
  logic [IdW-1:0] ar_id, read_id_q;
  logic [29:0]    ar_addr;
  logic [7:0]     ar_len, read_count_q;
  logic           reading_q, read_last_q, r_room, r_valid;
  logic [1:0]     r_count_q;  // words read and not yet accepted

  fifo #(.Width(IdW + 38), .Depth(2), .FallThrough(1'b1)) u_ar (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(s_axi_arvalid), .in_ready_o(s_axi_arready),
    .in_data_i({s_axi_arid, s_axi_arlen, s_axi_araddr[31:2]}), .out_valid_o(ar_valid),
    .out_ready_i(read && ar_last), .out_data_o({ar_id, ar_len, ar_addr})
  );
  assign ar_last   = read_count_q == ar_len;
  assign want_read = ar_valid && (r_count_q < 2'd2 || r_valid && s_axi_rready);

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      read_count_q <= 8'd0;
      r_count_q    <= 2'd0;
      {reading_q, read_last_q, read_id_q} <= '0;
    end else begin
      if (read) read_count_q <= ar_last ? 8'd0 : read_count_q + 8'd1;
      {reading_q, read_last_q, read_id_q} <= {read, ar_last, ar_id};
      r_count_q <= r_count_q + 2'(read) - 2'(r_valid && s_axi_rready);
    end
  end

  fifo #(.Width(IdW + 34), .Depth(2), .FallThrough(1'b1)) u_r (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(reading_q), .in_ready_o(r_room),
    .in_data_i({read_id_q, read_last_q, mem_error_i, mem_rdata_i}), .out_valid_o(r_valid),
    .out_ready_i(s_axi_rready), .out_data_o({s_axi_rid, s_axi_rlast, s_axi_rresp[1], s_axi_rdata})
  );
  assign s_axi_rvalid   = r_valid;
  assign s_axi_rresp[0] = 1'b0;

  // ---- write ------------------------------------------------------------------------------------

  logic           aw_valid, writing_q, write_last_q, write_error_q, b_room, b_valid;
  logic [IdW-1:0] aw_id, write_id_q;
  logic [29:0]    aw_addr;
  logic [7:0]     write_count_q;
  logic [1:0]     b_count_q;  // written bursts whose response is not yet accepted

  fifo #(.Width(IdW + 30), .Depth(2), .FallThrough(1'b1)) u_aw (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(s_axi_awvalid), .in_ready_o(s_axi_awready),
    .in_data_i({s_axi_awid, s_axi_awaddr[31:2]}), .out_valid_o(aw_valid),
    .out_ready_i(write && s_axi_wlast), .out_data_o({aw_id, aw_addr})
  );
  assign want_write   = aw_valid && s_axi_wvalid && (!s_axi_wlast || b_count_q < 2'd2);
  assign s_axi_wready = write;

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      write_count_q <= 8'd0;
      b_count_q     <= 2'd0;
      {writing_q, write_last_q, write_id_q, write_error_q} <= '0;
    end else begin
      if (write) write_count_q <= s_axi_wlast ? 8'd0 : write_count_q + 8'd1;
      {writing_q, write_last_q, write_id_q} <= {write, s_axi_wlast, aw_id};
      if (writing_q) write_error_q <= !write_last_q && (write_error_q || mem_error_i);
      b_count_q <= b_count_q + 2'(write && s_axi_wlast) - 2'(b_valid && s_axi_bready);
    end
  end

  fifo #(.Width(IdW + 1), .Depth(2), .FallThrough(1'b1)) u_b (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(writing_q && write_last_q), .in_ready_o(b_room),
    .in_data_i({write_id_q, write_error_q || mem_error_i}), .out_valid_o(b_valid),
    .out_ready_i(s_axi_bready), .out_data_o({s_axi_bid, s_axi_bresp[1]})
  );
  assign s_axi_bvalid   = b_valid;
  assign s_axi_bresp[0] = 1'b0;

  // ---- memory port ------------------------------------------------------------------------------

  assign mem_addr_o  = choose_write ? aw_addr + 30'(write_count_q) : ar_addr + 30'(read_count_q);
  assign mem_wdata_o = s_axi_wdata;
  assign mem_wstrb_o = s_axi_wstrb;

  logic unused;
  assign unused = ^{r_room, b_room, s_axi_araddr[1:0], s_axi_awaddr[1:0]};
endmodule
