// SPDX-License-Identifier: Apache-2.0
// Memory behind an AXI4 bus master (ARM IHI 0022E): 32-bit incrementing bursts, one word a cycle in
// the cycles that the arbiter grants, up to two bursts of each kind waiting. Addresses that are not
// memory are answered with DECERR. Wait states are those of the core's data port.

module sim_axi_memory (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        wants_o,        // an access of memory could be done in this cycle
  input  logic        grant_i,        // it is

  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  input  logic [31:0] s_axi_awaddr,
  input  logic [ 7:0] s_axi_awlen,
  input  logic        s_axi_wvalid,
  output logic        s_axi_wready,
  input  logic [31:0] s_axi_wdata,
  input  logic [ 3:0] s_axi_wstrb,
  input  logic        s_axi_wlast,
  output logic        s_axi_bvalid,
  input  logic        s_axi_bready,
  output logic [ 1:0] s_axi_bresp,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  input  logic [31:0] s_axi_araddr,
  input  logic [ 7:0] s_axi_arlen,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic [31:0] s_axi_rdata,
  output logic [ 1:0] s_axi_rresp,
  output logic        s_axi_rlast
);

  localparam logic [1:0] Okay   = 2'b00;
  localparam logic [1:0] Decerr = 2'b11;

  logic        write_valid, write_next, read_valid, read_next;
  logic [31:0] write_base, read_base, write_addr, read_addr, wait_q;
  logic [ 7:0] read_len, write_beat_q, read_beat_q;
  logic        write_wants, read_wants, ready, write_done, read_done, read_last, decerr_q;
  logic        b_room, unused;

  assign unused = ^s_axi_awlen;  // the last beat says so itself

  skid_buffer #(.Width(32)) u_writes (
    .clk_i, .rst_ni,
    .in_valid_i(s_axi_awvalid), .in_ready_o(s_axi_awready), .in_data_i(s_axi_awaddr),
    .out_valid_o(write_valid), .out_ready_i(write_next), .out_data_o(write_base)
  );
  skid_buffer #(.Width(40)) u_reads (
    .clk_i, .rst_ni,
    .in_valid_i(s_axi_arvalid), .in_ready_o(s_axi_arready), .in_data_i({s_axi_araddr, s_axi_arlen}),
    .out_valid_o(read_valid), .out_ready_i(read_next), .out_data_o({read_base, read_len})
  );

  assign write_addr  = write_base + {22'd0, write_beat_q, 2'b00};
  assign read_addr   = read_base + {22'd0, read_beat_q, 2'b00};
  assign read_last   = read_beat_q == read_len;

  // Writes first: they make room in the master.
  assign b_room      = !s_axi_bvalid || s_axi_bready;
  assign write_wants = write_valid && s_axi_wvalid && (b_room || !s_axi_wlast);
  assign read_wants  = read_valid && (!s_axi_rvalid || s_axi_rready) && !write_wants;
  assign ready       = wait_q == 32'd0;
  assign wants_o     = (write_wants || read_wants) && ready;
  assign write_done  = write_wants && grant_i;
  assign read_done   = read_wants && grant_i;

  assign s_axi_wready = write_done;
  assign write_next   = write_done && s_axi_wlast;
  assign read_next    = read_done && read_last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q       <= 32'd0;
      write_beat_q <= 8'd0;
      read_beat_q  <= 8'd0;
      decerr_q     <= 1'b0;
      s_axi_bvalid <= 1'b0;
      s_axi_bresp  <= Okay;
      s_axi_rvalid <= 1'b0;
      s_axi_rdata  <= 32'd0;
      s_axi_rresp  <= Okay;
      s_axi_rlast  <= 1'b0;
    end else begin
      if (grant_i) wait_q <= sim_pkg::sim_wait(sim_pkg::DataPort);
      else if (!ready) wait_q <= wait_q - 32'd1;

      if (s_axi_bready) s_axi_bvalid <= 1'b0;
      if (write_done) begin
        if (!sim_pkg::outside(write_addr)) begin
          sim_pkg::sim_write(write_addr, s_axi_wdata, {28'd0, s_axi_wstrb});
        end
        write_beat_q <= s_axi_wlast ? 8'd0 : write_beat_q + 8'd1;
        decerr_q     <= !s_axi_wlast && (decerr_q || sim_pkg::outside(write_addr));
        if (s_axi_wlast) begin
          s_axi_bvalid <= 1'b1;
          s_axi_bresp  <= decerr_q || sim_pkg::outside(write_addr) ? Decerr : Okay;
        end
      end

      if (s_axi_rready) s_axi_rvalid <= 1'b0;
      if (read_done) begin
        s_axi_rvalid <= 1'b1;
        s_axi_rresp  <= sim_pkg::outside(read_addr) ? Decerr : Okay;
        s_axi_rdata  <= 32'd0;
        if (!sim_pkg::outside(read_addr)) begin
          s_axi_rdata <= sim_pkg::sim_read(sim_pkg::DataPort, read_addr);
        end
        s_axi_rlast <= read_last;
        read_beat_q <= read_last ? 8'd0 : read_beat_q + 8'd1;
      end
    end
  end

endmodule
