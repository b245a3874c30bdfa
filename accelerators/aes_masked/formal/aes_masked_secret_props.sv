// SPDX-License-Identifier: Apache-2.0
// In every state of the peripheral, reachable or not: seed, keys, inputs and chaining value cannot
// be read, a refused read returns no data, and without fresh bits no word of a key or block is
// taken.
module aes_masked_secret_props (
  input logic        clk_i,
  input logic        wr_valid_i,
  input logic [11:0] wr_addr_i,
  input logic [31:0] wr_data_i,
  input logic [3:0]  wr_strb_i,
  input logic        rd_valid_i,
  input logic [11:0] rd_addr_i,
  input logic        sideload_valid_i,
  input logic [31:0] sideload0_i,
  input logic [31:0] sideload1_i
);
  logic        irq, idle, wr_ready, wr_error, rd_ready, rd_error, take;
  logic [2:0]  word;
  logic [31:0] rd_data;
  aes_masked_core #(.Sideload(1)) u_core (
    .clk_i, .rst_ni(1'b1), .irq_o(irq), .idle_o(idle), .sideload_valid_i,
    .sideload_take_o(take), .sideload_word_o(word), .sideload0_i, .sideload1_i,
    .wr_valid_i, .wr_ready_o(wr_ready), .wr_addr_i, .wr_data_i, .wr_strb_i, .wr_error_o(wr_error),
    .rd_valid_i, .rd_ready_o(rd_ready), .rd_addr_i, .rd_data_o(rd_data), .rd_error_o(rd_error)
  );

  function automatic logic secret(input logic [11:0] address);
    secret = address[11:5] == aes_masked_regs_pkg::ADDR_SEED[11:5] ||
             address[11:5] == aes_masked_regs_pkg::ADDR_KEY0[11:5] ||
             address[11:5] == aes_masked_regs_pkg::ADDR_KEY1[11:5] ||
             address[11:4] == aes_masked_regs_pkg::ADDR_DATA_IN[11:4] ||
             address[11:4] == aes_masked_regs_pkg::ADDR_IV[11:4];
  endfunction

  logic shared, unseeded;
  assign shared = wr_addr_i[11:5] == aes_masked_regs_pkg::ADDR_KEY0[11:5] ||
                  wr_addr_i[11:5] == aes_masked_regs_pkg::ADDR_KEY1[11:5] ||
                  wr_addr_i[11:4] == aes_masked_regs_pkg::ADDR_DATA_IN[11:4];

  assign unseeded = rd_addr_i == aes_masked_regs_pkg::ADDR_STATUS &&
                    !rd_data[aes_masked_regs_pkg::STATUS_SEEDED_LSB];

  always_comb begin
    if (rd_error) assert (rd_data == 32'h0);
    if (secret(rd_addr_i)) assert (rd_error);
    if (shared && unseeded) assert (wr_ready && wr_error);
  end
endmodule
