// SPDX-License-Identifier: Apache-2.0
// VexRiscv (FullCfu) with memory, the test bench's device, and an accelerator on the CFU bus. Ports
// of the core: VexRiscv_FullCfu.v of the package. Its bus has Wishbone B4 classic cycles in bursts
// of a cache line; each beat is one access here.

module top (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic irq_i,
  output logic trap_o
);

  logic        ibus_cyc, ibus_stb, ibus_ack, dbus_cyc, dbus_stb, dbus_ack, dbus_we;
  logic [29:0] ibus_adr, dbus_adr;
  logic [31:0] ibus_miso, dbus_miso, dbus_mosi;
  logic [ 3:0] dbus_sel;
  logic        block_irq;

  logic        cmd_valid, cmd_ready, cfu_rsp_valid, cfu_rsp_ready;
  logic [ 9:0] cmd_function_id;
  logic [31:0] cmd_inputs_0, cmd_inputs_1, cfu_rsp_outputs_0;

  assign trap_o = 1'b0;  // exceptions go through the trap vector

  VexRiscv u_core (
    .externalResetVector                   (32'h0000_0000),
    .timerInterrupt                        (irq_i || block_irq),
    .softwareInterrupt                     (1'b0),
    .externalInterruptArray                (32'd0),
    .CfuPlugin_bus_cmd_valid               (cmd_valid),
    .CfuPlugin_bus_cmd_ready               (cmd_ready),
    .CfuPlugin_bus_cmd_payload_function_id (cmd_function_id),
    .CfuPlugin_bus_cmd_payload_inputs_0    (cmd_inputs_0),
    .CfuPlugin_bus_cmd_payload_inputs_1    (cmd_inputs_1),
    .CfuPlugin_bus_rsp_valid               (cfu_rsp_valid),
    .CfuPlugin_bus_rsp_ready               (cfu_rsp_ready),
    .CfuPlugin_bus_rsp_payload_outputs_0   (cfu_rsp_outputs_0),
    .iBusWishbone_CYC                      (ibus_cyc),
    .iBusWishbone_STB                      (ibus_stb),
    .iBusWishbone_ACK                      (ibus_ack),
    .iBusWishbone_WE                       (),
    .iBusWishbone_ADR                      (ibus_adr),
    .iBusWishbone_DAT_MISO                 (ibus_miso),
    .iBusWishbone_DAT_MOSI                 (),
    .iBusWishbone_SEL                      (),
    .iBusWishbone_ERR                      (1'b0),
    .iBusWishbone_CTI                      (),
    .iBusWishbone_BTE                      (),
    .dBusWishbone_CYC                      (dbus_cyc),
    .dBusWishbone_STB                      (dbus_stb),
    .dBusWishbone_ACK                      (dbus_ack),
    .dBusWishbone_WE                       (dbus_we),
    .dBusWishbone_ADR                      (dbus_adr),
    .dBusWishbone_DAT_MISO                 (dbus_miso),
    .dBusWishbone_DAT_MOSI                 (dbus_mosi),
    .dBusWishbone_SEL                      (dbus_sel),
    .dBusWishbone_ERR                      (1'b0),
    .dBusWishbone_CTI                      (),
    .dBusWishbone_BTE                      (),
    .clk                                   (clk_i),
    .reset                                 (!rst_ni)
  );

  sim_direct_port #(.Port(sim_pkg::FetchPort)) u_fetch (
    .clk_i,
    .rst_ni,
    .valid_i (ibus_cyc && ibus_stb),
    .write_i (1'b0),
    .strobe_i(4'd0),
    .addr_i  ({ibus_adr, 2'b00}),
    .wdata_i (32'd0),
    .ready_o (ibus_ack),
    .rdata_o (ibus_miso)
  );

  sim_direct_bus u_data (
    .clk_i,
    .rst_ni,
    .valid_i (dbus_cyc && dbus_stb),
    .write_i (dbus_we),
    .strobe_i(dbus_sel),
    .addr_i  ({dbus_adr, 2'b00}),
    .wdata_i (dbus_mosi),
    .ready_o (dbus_ack),
    .rdata_o (dbus_miso),
    .irq_o   (block_irq)
  );

  logic [31:0] dec_insn;
  logic        dec_match, dec_rs2, dec_rs3;
  logic [15:0] dec_op;
  logic        req_valid, req_ready, rsp_valid, rsp_ready;
  logic [15:0] req_op;
  logic [31:0] req_rs1, req_rs2, req_rs3, rsp_rd;

  fu_to_cfu #(
    .Registered(accel_traits_pkg::Registered)
  ) u_adapter (
    .clk_i,
    .rst_ni,
    .cmd_valid_i        (cmd_valid),
    .cmd_ready_o        (cmd_ready),
    .cmd_function_id_i  (cmd_function_id),
    .cmd_inputs_0_i     (cmd_inputs_0),
    .cmd_inputs_1_i     (cmd_inputs_1),
    .cfu_rsp_valid_o    (cfu_rsp_valid),
    .cfu_rsp_ready_i    (cfu_rsp_ready),
    .cfu_rsp_outputs_0_o(cfu_rsp_outputs_0),
    .dec_insn_o         (dec_insn),
    .dec_match_i        (dec_match),
    .dec_rs2_i          (dec_rs2),
    .dec_rs3_i          (dec_rs3),
    .dec_op_i           (dec_op),
    .req_valid_o        (req_valid),
    .req_ready_i        (req_ready),
    .req_op_o           (req_op),
    .req_rs1_o          (req_rs1),
    .req_rs2_o          (req_rs2),
    .req_rs3_o          (req_rs3),
    .rsp_valid_i        (rsp_valid),
    .rsp_ready_o        (rsp_ready),
    .rsp_rd_i           (rsp_rd)
  );

  accel_decode u_decode (
    .insn_i (dec_insn),
    .match_o(dec_match),
    .rs2_o  (dec_rs2),
    .rs3_o  (dec_rs3),
    .op_o   (dec_op)
  );

  accel_unit u_unit (
    .clk_i,
    .rst_ni,
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_op_i   (req_op),
    .req_rs1_i  (req_rs1),
    .req_rs2_i  (req_rs2),
    .req_rs3_i  (req_rs3),
    .rsp_valid_o(rsp_valid),
    .rsp_ready_i(rsp_ready),
    .rsp_rd_o   (rsp_rd)
  );

endmodule
