// SPDX-License-Identifier: Apache-2.0
// AES engine with an APB slave: same registers as aes_engine.
//
// Made from aes_engine_apb.sv.j2 by `aesforge modules`.
module aes_engine_apb #(
  parameter Dir            = "parallel",  // "enc" | "dec" | "shared" | "parallel", see aes_iter
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Width          = 128,         // bits of state a cycle: 128 | 32
  parameter Rounds         = 1,           // 1 | 2
  parameter Interleave     = 1,           // blocks interleaved in a unit: 1 to 3
  parameter SboxImpl       = "tower",     // see aes_sbox; "bram": aes_words
  parameter Gcm            = 0,           // 1: GCM in the encryption channel
  parameter HashDigit      = 16,          // bits of its hash a cycle: a power of two, 1 to 64
  parameter Guarded        = 0            // 1: a flipped bit is an alert; "bram", HashDigit is 8
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

  if (Guarded != 0) begin : gen_guarded
    // The slave has no flip-flop: a written word gets its parity here, and a word that is read is
    // compared with its own in the cycle in which the host takes it.
    logic fault, wr_parity, rd_parity;
    assign wr_parity = ^wr_data;
    assign fault     = rd_valid && rd_ready && rd_parity != (^rd_data);

    aes_engine_core_guarded #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Width(Width),
      .Rounds(Rounds), .SboxImpl(SboxImpl), .Gcm(Gcm)
    ) u_core (
      .clk_i(pclk), .rst_ni(presetn), .irq_o, .idle_o,
      .fault_i(fault), .wr_parity_i(wr_parity), .rd_parity_o(rd_parity),
      .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr), .wr_data_i(wr_data),
      .wr_strb_i(wr_strb), .wr_error_o(wr_error), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
      .rd_addr_i(rd_addr), .rd_data_o(rd_data), .rd_error_o(rd_error)
    );
  end else begin : gen_plain
    aes_engine_core #(
      .Dir(Dir), .Has192(Has192), .Has256(Has256), .Width(Width),
      .Rounds(Rounds), .Interleave(Interleave), .SboxImpl(SboxImpl),
      .Gcm(Gcm), .HashDigit(HashDigit)
    ) u_core (
      .clk_i(pclk), .rst_ni(presetn), .irq_o, .idle_o,
      .wr_valid_i(wr_valid), .wr_ready_o(wr_ready), .wr_addr_i(wr_addr), .wr_data_i(wr_data),
      .wr_strb_i(wr_strb), .wr_error_o(wr_error), .rd_valid_i(rd_valid), .rd_ready_o(rd_ready),
      .rd_addr_i(rd_addr), .rd_data_o(rd_data), .rd_error_o(rd_error)
    );
  end
endmodule
