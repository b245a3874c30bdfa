// SPDX-License-Identifier: Apache-2.0
// Connects a functional unit to the Pico Co-Processor Interface (PCPI) of PicoRV32.
//
// Source: PicoRV32 README, "Pico Co-Processor Interface", and picorv32.v. pcpi_valid and the
// operands are stable until pcpi_ready. The core also samples pcpi_ready one cycle before
// pcpi_valid rises, so it must be low without pcpi_valid. An instruction traps after 16 cycles
// without pcpi_wait.
//
// Registered = 0: the state is one bit; all else is combinational. So a combinational unit responds
// in the cycle of the request.
//
// Registered = 1: each response of the unit is at least one cycle after its request was first
// presented. The decoder works a cycle ahead: the core shows pcpi_insn one cycle before pcpi_valid
// or earlier (platforms/picorv32/test proves it). Then no path runs through the decoder to the
// unit or to the core's result, and no cycle is lost.
module fu_to_pcpi #(
  parameter Registered = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // PCPI, host side
  input  logic        pcpi_valid_i,
  input  logic [31:0] pcpi_insn_i,
  input  logic [31:0] pcpi_rs1_i,
  input  logic [31:0] pcpi_rs2_i,
  output logic        pcpi_wr_o,
  output logic [31:0] pcpi_rd_o,
  output logic        pcpi_wait_o,
  output logic        pcpi_ready_o,
  // decoder
  output logic [31:0] dec_insn_o,
  input  logic        dec_match_i,
  input  logic        dec_rs2_i,
  input  logic        dec_rs3_i,
  input  logic [15:0] dec_op_i,
  // functional unit
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
  logic known;           // the unit has the instruction of dec_insn_o
  logic ours;            // it has the instruction that the host waits for
  logic active;          // the host waits for an instruction of this unit
  logic sent_d, sent_q;  // the unit has accepted its request

  assign dec_insn_o = pcpi_insn_i;

  // The interface has no third operand: an operation with rs3 matches only if it names x0, since
  // the unit's rs3 is tied to zero. Any other one is not claimed and traps.
  assign known  = dec_match_i && !(dec_rs3_i && pcpi_insn_i[31:27] != 5'd0);
  assign active = pcpi_valid_i && ours;

  assign req_valid_o = active && !sent_q;
  assign req_rs1_o = pcpi_rs1_i;
  assign req_rs2_o = pcpi_rs2_i;
  assign req_rs3_o = '0;

  // The host accepts a result without delay.
  assign rsp_ready_o = 1'b1;

  assign pcpi_wait_o = active;
  if (Registered != 0) begin : gen_registered
    logic        known_q;  // of the instruction of the cycle before
    logic [15:0] op_q;
    logic        shown_q;  // the request was presented in an earlier cycle
    always_ff @(posedge clk_i) begin
      known_q <= known;
      op_q    <= dec_op_i;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) shown_q <= 1'b0;
      else         shown_q <= active && !pcpi_ready_o;
    end
    assign ours         = known_q;
    assign req_op_o     = op_q;
    assign pcpi_ready_o = shown_q && rsp_valid_i;
  end else begin : gen_same_cycle
    assign ours         = known;
    assign req_op_o     = dec_op_i;
    assign pcpi_ready_o = active && rsp_valid_i;
  end
  assign pcpi_wr_o = pcpi_ready_o;
  assign pcpi_rd_o = rsp_rd_i;

  assign sent_d = (sent_q || (req_valid_o && req_ready_i)) && !(rsp_valid_i && rsp_ready_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sent_q <= 1'b0;
    else         sent_q <= sent_d;
  end

  // The host reads both source registers for every unknown instruction.
  logic unused_dec;
  assign unused_dec = dec_rs2_i;
endmodule
