// SPDX-License-Identifier: Apache-2.0
// wb_slave with every flip-flop guarded: the word that is read carries a parity bit, ACK and ERR
// have a second copy. fault_o rises in the cycle in which a flipped bit is on the bus. Requests
// pass through without a register: a written word gets its parity here.
module wb_slave_guarded #(
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

  output logic             fault_o,      // a register is not what was stored
  output logic             wr_parity_o,  // of wr_data_o
  input  logic             rd_parity_i,  // of rd_data_i
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
  wb_slave #(.AddrW(AddrW)) u_slave (
    .clk_i, .rst_ni, .wb_cyc_i, .wb_stb_i, .wb_we_i, .wb_adr_i, .wb_dat_i, .wb_sel_i, .wb_ack_o,
    .wb_err_o, .wb_dat_o, .wr_valid_o, .wr_ready_i, .wr_addr_o, .wr_data_o, .wr_strb_o,
    .wr_error_i, .rd_valid_o, .rd_ready_i, .rd_addr_o, .rd_data_i, .rd_error_i
  );
  assign wr_parity_o = ^wr_data_o;

  // What u_slave registers, from the register port. The copies are complements (core/guards.j2).
  (* keep *) logic ack_r, err_r;
  logic wr_done, rd_done, done, error, parity_q;
  assign wr_done = wr_valid_o && wr_ready_i;
  assign rd_done = rd_valid_o && rd_ready_i;
  assign done    = wr_done || rd_done;
  assign error   = wr_valid_o ? wr_error_i : rd_error_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ack_r    <= 1'b1;
      err_r    <= 1'b1;
      parity_q <= 1'b0;
    end else begin
      ack_r    <= ~(done && !error);
      err_r    <= ~(done && error);
      parity_q <= rd_done && rd_parity_i;
    end
  end
  assign fault_o = parity_q != (^wb_dat_o) || {wb_ack_o, wb_err_o} != ~{ack_r, err_r};
endmodule
