// SPDX-License-Identifier: Apache-2.0
// In every state of the engine, reachable or not: keys and inputs cannot be read, and a refused
// read returns no data. A guarded engine may return ones instead: it has an alert.
module aes_engine_secret_props (
  input logic        clk_i,
  input logic        wr_valid_i,
  input logic [11:0] wr_addr_i,
  input logic [31:0] wr_data_i,
  input logic [3:0]  wr_strb_i,
  input logic        rd_valid_i,
  input logic [11:0] rd_addr_i
);
  logic        irq, idle, wr_ready, wr_error, rd_ready, rd_error;
  logic [31:0] rd_data;
`ifdef GUARDED
  logic parity;
  aes_engine_core_guarded #(.Dir("shared"), .SboxImpl("bram")) u_engine (
    .fault_i(1'b0), .wr_parity_i(^wr_data_i), .rd_parity_o(parity),
`else
  aes_engine_core #(
    .Dir("shared"),
`ifdef FPGA
    .SboxImpl("bram"),
`endif
    .Gcm(1)
  ) u_engine (
`endif
    .clk_i, .rst_ni(1'b1), .irq_o(irq), .idle_o(idle), .wr_valid_i, .wr_ready_o(wr_ready),
    .wr_addr_i, .wr_data_i, .wr_strb_i, .wr_error_o(wr_error), .rd_valid_i, .rd_ready_o(rd_ready),
    .rd_addr_i, .rd_data_o(rd_data), .rd_error_o(rd_error)
  );

  logic [7:0] group;
  logic       secret;
  assign group  = rd_addr_i[11:4];
  assign secret = rd_addr_i[11:5] == aes_engine_regs_pkg::ADDR_KEY[11:5]
               || group == aes_engine_regs_pkg::ADDR_ENC_DATA_IN[11:4]
               || group == aes_engine_regs_pkg::ADDR_DEC_DATA_IN[11:4]
               || group == aes_engine_regs_pkg::ADDR_HASH_IN[11:4];

  always_comb begin
    if (rd_error) assert (rd_data == 32'h0);
`ifdef GUARDED
    if (secret) assert (rd_error || rd_data == 32'hffffffff);
    if (secret) assert (!parity);
`else
    if (secret) assert (rd_error);
`endif
  end
endmodule
