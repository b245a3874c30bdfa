// SPDX-License-Identifier: Apache-2.0
// Connects a functional unit to the Custom Function Unit (CFU) bus of VexRiscv.
//
// Source: VexRiscv, CfuPlugin.scala, and the generated VexRiscv_FullCfu.v:
// - The execute stage sends a command once per instruction. The memory stage accepts its response
//   through a one-entry buffer in the core. Each stage holds one instruction, and the memory stage
//   waits for its response, so at most two commands wait for a response. A queue of two commands
//   never overflows, and cmd_ready can be tied high.
// - It must be high: if cmd_ready is low while the execute stage is stuck after its command, the
//   core sends a spurious command and corrupts a later instruction.
// - A registered response keeps one instruction a cycle; a combinational one halves the rate.
// - The bus has no error response. A command that the unit does not have returns zero, so that the
//   core never hangs.
//
// Registered = 1: each response of the unit is at least one cycle after its request was first
// presented. Such a unit contains the register that the core needs, so its responses go directly to
// the core, and this module registers only the zeros.
module fu_to_cfu #(
  parameter Registered = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // CFU bus, host side
  input  logic        cmd_valid_i,
  output logic        cmd_ready_o,
  input  logic [9:0]  cmd_function_id_i,   // {funct7, funct3}
  input  logic [31:0] cmd_inputs_0_i,
  input  logic [31:0] cmd_inputs_1_i,
  output logic        cfu_rsp_valid_o,
  input  logic        cfu_rsp_ready_i,
  output logic [31:0] cfu_rsp_outputs_0_o,
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
  localparam logic [6:0] Custom0 = 7'h0b;
  localparam int CmdDepth = 2;

  // A command goes directly to the unit if no other command waits.
  logic       head_valid, head_ready, cmd_room;
  logic [9:0] head_id;
  fifo #(.Width(10 + 64), .Depth(CmdDepth), .FallThrough(1'b1)) u_cmd (
    .clk_i, .rst_ni,
    .in_valid_i (cmd_valid_i),
    .in_ready_o (cmd_room),
    .in_data_i  ({cmd_function_id_i, cmd_inputs_1_i, cmd_inputs_0_i}),
    .out_valid_o(head_valid),
    .out_ready_i(head_ready),
    .out_data_o ({head_id, req_rs2_o, req_rs1_o})
  );
  assign cmd_ready_o = 1'b1;

  assign dec_insn_o = {head_id[9:3], 10'd0, head_id[2:0], 5'd0, Custom0};
  // The bus has no third operand: an operation with rs3 must name x0, see fu_to_pcpi.
  logic known;
  assign known = dec_match_i && !(dec_rs3_i && head_id[9:5] != 5'd0);

  // Requests accepted by the unit and not yet answered: at most two, like the commands.
  logic [1:0] flight_d, flight_q;
  logic       req_fire, rsp_fire, zero_valid, zero_fire, out_free;
  assign req_fire = req_valid_o && req_ready_i;
  assign rsp_fire = rsp_valid_i && rsp_ready_o;
  assign flight_d = flight_q + {1'b0, req_fire} - {1'b0, rsp_fire};

  assign req_valid_o = head_valid && known;
  assign req_op_o    = dec_op_i;
  assign req_rs3_o   = '0;

  // The zero for a foreign command waits until all earlier responses are sent.
  assign zero_valid = head_valid && !known && flight_q == 2'd0;
  assign zero_fire  = zero_valid && out_free;
  assign head_ready = known ? req_ready_i : zero_fire;

  // One response register, refilled in the cycle in which it is read.
  logic        out_valid_d, out_valid_q;
  logic [31:0] out_data_d, out_data_q;
  assign out_free = !out_valid_q || cfu_rsp_ready_i;

  if (Registered != 0) begin : gen_straight
    // A zero here is older than any response of the unit.
    assign rsp_ready_o = cfu_rsp_ready_i && !out_valid_q;
    assign cfu_rsp_valid_o = out_valid_q || rsp_valid_i;
    assign cfu_rsp_outputs_0_o = out_valid_q ? out_data_q : rsp_rd_i;
    assign out_valid_d = out_free ? zero_valid : out_valid_q;
    assign out_data_d  = '0;
    assign out_data_q  = '0;
    logic unused_data;
    assign unused_data = ^out_data_d;
  end else begin : gen_register
    assign rsp_ready_o = out_free;
    assign cfu_rsp_valid_o     = out_valid_q;
    assign cfu_rsp_outputs_0_o = out_data_q;
    assign out_valid_d = rsp_ready_o ? (rsp_valid_i || zero_valid) : out_valid_q;
    assign out_data_d  = !rsp_ready_o ? out_data_q : (zero_valid ? 32'd0 : rsp_rd_i);
    always_ff @(posedge clk_i) out_data_q <= out_data_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      flight_q    <= 2'd0;
      out_valid_q <= 1'b0;
    end else begin
      flight_q    <= flight_d;
      out_valid_q <= out_valid_d;
    end
  end

  // The bus always sends both operands. The host's limit of two commands guarantees room (see
  // above).
  logic unused_bits;
  assign unused_bits = ^{dec_rs2_i, cmd_room};
endmodule
