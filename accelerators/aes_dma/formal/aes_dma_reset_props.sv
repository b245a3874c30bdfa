// SPDX-License-Identifier: Apache-2.0
// A reset in the first two cycles, in any state of the bus master; then no access of the registers
// and no answer of the memory. For simulation with unknown values: all inputs that are not driven
// here are unknown.
module aes_dma_reset_props (
  input logic        clk_i,
  input logic [31:0] data_i,
  input logic [11:0] addr_i,
  input logic        cpu_valid_i,
  input logic        cpu_write_i,
  input logic [29:0] cpu_addr_i,
  input logic        cpu_done_i
);
  logic first_q = 1'b1, second_q = 1'b0;
  always_ff @(posedge clk_i) {second_q, first_q} <= {first_q, 1'b0};

  logic        irq, wr_ready, wr_error, rd_ready, rd_error, stall, arvalid, rready, awvalid, wvalid;
  logic        wlast, bready;
  logic [31:0] rd_data, wdata;
  logic [29:0] araddr, awaddr;
  logic [2:0]  arlen;
  logic [1:0]  awlen;
  logic [3:0]  wstrb;
  aes_dma_core #(
`ifdef FPGA
    .SboxImpl("bram"), .HashDigit(16), .Registered(1),
`endif
    .Gcm(1)
  ) u_core (
    .clk_i, .rst_ni(!first_q && !second_q), .irq_o(irq), .wr_valid_i(1'b0), .wr_ready_o(wr_ready),
    .wr_addr_i(addr_i), .wr_data_i(data_i), .wr_strb_i(4'hf), .wr_error_o(wr_error),
    .rd_valid_i(1'b0), .rd_ready_o(rd_ready), .rd_addr_i(addr_i), .rd_data_o(rd_data),
    .rd_error_o(rd_error), .cpu_valid_i, .cpu_write_i, .cpu_addr_i, .cpu_stall_o(stall),
    .cpu_done_i, .arvalid_o(arvalid), .arready_i(1'b0), .araddr_o(araddr), .arlen_o(arlen),
    .rvalid_i(1'b0), .rready_o(rready), .rdata_i(data_i), .rerror_i(1'b0), .awvalid_o(awvalid),
    .awready_i(1'b0), .awaddr_o(awaddr), .awlen_o(awlen), .wvalid_o(wvalid), .wready_i(1'b0),
    .wdata_o(wdata), .wstrb_o(wstrb), .wlast_o(wlast), .bvalid_i(1'b0), .bready_o(bready),
    .berror_i(1'b0)
  );
endmodule
