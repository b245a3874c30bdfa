// SPDX-License-Identifier: Apache-2.0
// Masked AES with an APB slave: same registers as aes_masked.
module aes_masked_apb #(
  parameter Sideload = 0  // 1: keys of a key manager too
) (
  input  logic        pclk,
  input  logic        presetn,
  input  logic        psel,
  input  logic        penable,
  input  logic        pwrite,
  input  logic [11:0] paddr,
  input  logic [31:0] pwdata,
  input  logic [3:0]  pstrb,
  input  logic [2:0]  pprot,
  output logic        pready,
  output logic [31:0] prdata,
  output logic        pslverr,
  // A key manager's port: see aes_masked_core.
  input  logic        sideload_valid_i,
  output logic        sideload_take_o,
  output logic [2:0]  sideload_word_o,
  input  logic [31:0] sideload0_i,
  input  logic [31:0] sideload1_i,
  output logic        irq_o,
  output logic        idle_o
);
  logic        wr_valid, wr_ready, wr_error, rd_valid, rd_ready, rd_error;
  logic [11:0] wr_addr, rd_addr;
  logic [31:0] wr_data, rd_data;
  logic [3:0]  wr_strb;

  apb_slave u_slave (
    .pclk, .presetn, .psel, .penable, .pwrite, .paddr, .pwdata, .pstrb, .pprot, .pready, .prdata,
    .pslverr,
    .wr_valid_o(wr_valid), .wr_ready_i(wr_ready), .wr_addr_o(wr_addr), .wr_data_o(wr_data),
    .wr_strb_o(wr_strb), .wr_error_i(wr_error), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready),
    .rd_addr_o(rd_addr), .rd_data_i(rd_data), .rd_error_i(rd_error)
  );

  aes_masked_core #(.Sideload(Sideload)) u_core (
    .clk_i(pclk), .rst_ni(presetn), .irq_o, .idle_o, .sideload_valid_i, .sideload_take_o,
    .sideload_word_o, .sideload0_i, .sideload1_i,
    .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr), .wr_data_i(wr_data),
    .wr_strb_i(wr_strb), .wr_error_o(wr_error), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
    .rd_addr_i(rd_addr), .rd_data_o(rd_data), .rd_error_o(rd_error)
  );
endmodule
