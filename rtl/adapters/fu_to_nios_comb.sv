// SPDX-License-Identifier: Apache-2.0
// Connects a functional unit to the combinational custom-instruction port of Nios II.
//
// Source: Nios II Custom Instruction User Guide, section "Combinational Custom Instructions";
// Foerster 2005, figure 1. The result is a function of dataa, datab and n within one clock cycle.
// The port has neither clock nor handshake, so it suits only stateless units of latency 0. Any
// other unit is an error at elaboration. n is as in fu_to_nios; a number without an operation
// returns zero.
module fu_to_nios_comb #(
  parameter Stateless  = 1,
  parameter Registered = 0
) (
  // custom-instruction port, host side
  input  logic [7:0]  n_i,
  input  logic [31:0] dataa_i,
  input  logic [31:0] datab_i,
  output logic [31:0] result_o,
  // decoder
  output logic [7:0]  dec_n_o,
  input  logic        dec_match_i,
  // functional unit; its clock and reset are unused
  output logic        req_valid_o,
  input  logic        req_ready_i,
  output logic [15:0] req_op_o,
  output logic [31:0] req_rs1_o,
  output logic [31:0] req_rs2_o,
  output logic [31:0] req_rs3_o,
  input  logic        rsp_valid_i,
  output logic        rsp_ready_o,
  input  logic [31:0] rsp_rd_i
);
  if (Stateless == 0 || Registered != 0) begin : gen_refused
    aesforge_unit_is_not_combinational u_refused ();
  end

  assign dec_n_o     = n_i;
  assign req_valid_o = dec_match_i;
  assign req_op_o    = {8'd0, n_i};
  assign req_rs1_o = dataa_i;
  assign req_rs2_o = datab_i;
  assign req_rs3_o   = '0;
  assign rsp_ready_o = 1'b1;
  assign result_o = dec_match_i ? rsp_rd_i : 32'd0;

  logic unused;
  assign unused = ^{req_ready_i, rsp_valid_i};
endmodule
