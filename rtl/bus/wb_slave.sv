// SPDX-License-Identifier: Apache-2.0
// Wishbone B4 slave that drives the register port of axil_slave. It accepts classic cycles, and
// pipelined masters that wait for each response. OpenCores, "WISHBONE System-on-Chip
// Interconnection Architecture", revision B4, sections 3.1 to 3.2: ACK or ERR ends a cycle, SEL
// selects bytes.
//
// Responses are registered: two clocks an access.
module wb_slave #(
  parameter AddrW = 12
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wb_cyc_i,
  input  logic             wb_stb_i,
  input  logic             wb_we_i,
  input  logic [AddrW-1:0] wb_adr_i,  // byte address
  input  logic [31:0]      wb_dat_i,
  input  logic [3:0]       wb_sel_i,
  output logic             wb_ack_o,
  output logic             wb_err_o,
  output logic [31:0]      wb_dat_o,

  output logic             wr_valid_o,
  input  logic             wr_ready_i,
  output logic [AddrW-1:0] wr_addr_o,
  output logic [31:0]      wr_data_o,
  output logic [3:0]       wr_strb_o,
  input  logic             wr_error_i,
  output logic             rd_valid_o,
  input  logic             rd_ready_i,
  output logic [AddrW-1:0] rd_addr_o,
  input  logic [31:0]      rd_data_i,
  input  logic             rd_error_i
);
  logic        ack_q, err_q, request, done, error;
  logic [31:0] data_q;

  // In the cycle of the response the master still presents the request that it ends.
  assign request = wb_cyc_i && wb_stb_i && !ack_q && !err_q;
  assign wr_valid_o = request && wb_we_i;
  assign wr_addr_o  = wb_adr_i;
  assign wr_data_o  = wb_dat_i;
  assign wr_strb_o  = wb_sel_i;
  assign rd_valid_o = request && !wb_we_i;
  assign rd_addr_o  = wb_adr_i;
  assign done       = request && (wb_we_i ? wr_ready_i : rd_ready_i);
  assign error      = wb_we_i ? wr_error_i : rd_error_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ack_q  <= 1'b0;
      err_q  <= 1'b0;
      data_q <= 32'h0;
    end else begin
      ack_q  <= done && !error;
      err_q  <= done && error;
      data_q <= done && !wb_we_i ? rd_data_i : 32'h0;
    end
  end
  assign wb_ack_o = ack_q;
  assign wb_err_o = err_q;
  assign wb_dat_o = data_q;
endmodule
