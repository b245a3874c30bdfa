// SPDX-License-Identifier: Apache-2.0
// TRIGGER.WIPE in the first cycle (FPGA: in the first two, which every write takes) or, with RESET,
// a reset in the first two, in any state of the engine; then no access. For simulation with unknown
// values: all inputs that are not driven here are unknown.
module aes_engine_wipe_props (
  input logic        clk_i,
  input logic [31:0] data_i,
  input logic [11:0] rd_addr_i
);
  logic first_q = 1'b1, second_q = 1'b0;
  always_ff @(posedge clk_i) {second_q, first_q} <= {first_q, 1'b0};

  logic rst_n, wipe;
`ifdef RESET
  assign rst_n = !first_q && !second_q;
  assign wipe  = 1'b0;
`else
  assign rst_n = 1'b1;
`ifdef FPGA
  assign wipe  = first_q || second_q;
`else
  assign wipe  = first_q;
`endif
`endif

  logic        irq, idle, wr_ready, wr_error, rd_ready, rd_error;
  logic [31:0] rd_data, wr_data;
  assign wr_data = wipe ? 32'h1 << aes_engine_regs_pkg::TRIGGER_WIPE_LSB : data_i;
`ifdef GUARDED
  logic parity;
  aes_engine_core_guarded #(.Dir("shared"), .SboxImpl("bram"), .Gcm(1)) u_engine (
    .fault_i(1'b0), .wr_parity_i(^wr_data), .rd_parity_o(parity),
`else
  aes_engine_core #(
`ifdef FPGA
    .Dir("shared"), .SboxImpl("bram"), .HashDigit(8),
`endif
    .Gcm(1)
  ) u_engine (
`endif
    .clk_i, .rst_ni(rst_n), .irq_o(irq), .idle_o(idle), .wr_valid_i(wipe), .wr_ready_o(wr_ready),
    .wr_addr_i(aes_engine_regs_pkg::ADDR_TRIGGER), .wr_data_i(wr_data), .wr_strb_i(4'hf),
    .wr_error_o(wr_error), .rd_valid_i(1'b0), .rd_ready_o(rd_ready), .rd_addr_i,
    .rd_data_o(rd_data), .rd_error_o(rd_error)
  );
endmodule
