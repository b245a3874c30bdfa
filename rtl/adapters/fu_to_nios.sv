// SPDX-License-Identifier: Apache-2.0
// Connects a functional unit to the multi-cycle custom-instruction port of Nios II, extended form.
//
// Source: Nios II Custom Instruction User Guide, sections "Multicycle Custom Instructions" and
// "Extended Custom Instructions"; Foerster 2005, figure 2. The port samples start, dataa, datab and
// n on a clock edge with clk_en; dataa, datab and n are stable until done. The core samples the
// result on the edge with clk_en on which done is high. Without clk_en, start is ignored, and done
// and the result are stable. The unit has no clk_en: it continues with an accepted request.
//
// n is the operation: {immediates, code}, the lowest bits of req_op. A number without an operation
// returns zero, so that the core never hangs. Latency from start to done: one cycle for a
// combinational unit or one with a register, L cycles for a unit of latency L.
module fu_to_nios (
  input  logic        clk_i,
  input  logic        rst_ni,
  // custom-instruction port, host side
  input  logic        clk_en_i,
  input  logic        start_i,
  input  logic [7:0]  n_i,
  input  logic [31:0] dataa_i,
  input  logic [31:0] datab_i,
  output logic        done_o,
  output logic [31:0] result_o,
  // decoder
  output logic [7:0]  dec_n_o,
  input  logic        dec_match_i,
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
  logic        begins, answered, taken;
  logic        busy_d, busy_q;    // started, no response yet
  logic        sent_d, sent_q;    // the unit has accepted its request
  logic        done_d, done_q;    // the result waits for an enabled clock
  logic [31:0] result_q;

  assign begins = start_i && clk_en_i && !busy_q && !done_q;

  assign dec_n_o = n_i;

  assign req_valid_o = dec_match_i && (begins || (busy_q && !sent_q));
  assign req_op_o = {8'd0, n_i};
  assign req_rs1_o = dataa_i;
  assign req_rs2_o = datab_i;
  assign req_rs3_o = '0;
  // One operation at a time: its result register is always free.
  assign rsp_ready_o = 1'b1;

  assign answered = rsp_valid_i || (begins && !dec_match_i);
  assign done_o = done_q || (busy_q && rsp_valid_i);
  assign result_o = done_q ? result_q : rsp_rd_i;
  assign taken = done_o && clk_en_i;

  assign busy_d = (begins || busy_q) && !answered;
  assign sent_d = (sent_q || (req_valid_o && req_ready_i)) && !answered;
  assign done_d = (answered || done_q) && !taken;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      sent_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      sent_q <= sent_d;
      done_q <= done_d;
    end
  end
  always_ff @(posedge clk_i) if (answered) result_q <= dec_match_i ? rsp_rd_i : 32'd0;
endmodule
