// SPDX-License-Identifier: Apache-2.0
// VexRiscv (FullCfu) on a board, and the accelerator on its CFU bus.
//
// Both Wishbone buses share the one memory port, data before instructions. A store takes a clock, a
// read two; in a burst, which fills a line of a cache, the next word is asked for while one comes.
// A store to something slow ends before it is done, and the next access waits for it.
// Addresses from 0x8000_0000 on are not cached (VexRiscv: bit 31 means input and output).
//
// A fetch with bit 30 of the address is a trap: start.S puts the trap vector there.

module soc_core (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        req_o,     // an access; its data come in the next clock without hold_i
  output logic [ 3:0] we_o,      // bytes to write; none: a read
  output logic [31:0] addr_o,
  output logic [31:0] wdata_o,
  input  logic [31:0] rdata_i,
  input  logic        hold_i,    // the answer is not there
  output logic        trap_o     // stopped on an exception, for good
);

  localparam int         TrapBit = 28;      // of an address in words
  localparam logic [2:0] Burst   = 3'b010;  // CTI: another word follows, at the next address

  logic        fetch_cycle, fetch_strobe, data_cycle, data_strobe, write;
  logic        fetch_q, data_q;  // the answer to a read comes in this clock, without hold_i
  logic        take_fetch, take_data, more_fetch, more_data;
  logic [ 2:0] fetch_cti, data_cti;
  logic [29:0] fetch_word, data_word;
  logic [ 3:0] bytes;
  logic        cfu_cmd_valid, cfu_cmd_ready, cfu_rsp_valid, cfu_rsp_ready;
  logic [ 9:0] cfu_function;
  logic [31:0] cfu_rs1, cfu_rs2, cfu_rd;

  assign more_fetch = fetch_q && fetch_cti == Burst && !hold_i;
  assign more_data  = data_q && data_cti == Burst && !hold_i;
  assign take_data  = data_cycle && data_strobe && !data_q && !more_fetch && !hold_i;
  assign take_fetch = fetch_cycle && fetch_strobe && !fetch_q && !more_data && !take_data
                   && !hold_i;

  assign req_o = more_fetch || more_data || take_data || take_fetch;
  assign we_o  = take_data && write ? bytes : 4'd0;
  always_comb begin
    addr_o = {fetch_word, 2'b00};
    if (take_data)  addr_o = {data_word, 2'b00};
    if (more_data)  addr_o = {data_word + 30'd1, 2'b00};
    if (more_fetch) addr_o = {fetch_word + 30'd1, 2'b00};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {fetch_q, data_q, trap_o} <= '0;
    end else begin
      fetch_q <= more_fetch || take_fetch || (fetch_q && hold_i);
      data_q  <= more_data || (take_data && !write) || (data_q && hold_i);
      trap_o  <= trap_o || (take_fetch && fetch_word[TrapBit]);
    end
  end

  VexRiscv u_core (
    .clk                                   (clk_i),
    .reset                                 (!rst_ni),
    .externalResetVector                   (32'd0),
    .timerInterrupt                        (1'b0),
    .softwareInterrupt                     (1'b0),
    .externalInterruptArray                (32'd0),
    .iBusWishbone_CYC                      (fetch_cycle),
    .iBusWishbone_STB                      (fetch_strobe),
    .iBusWishbone_ACK                      (fetch_q && !hold_i),
    .iBusWishbone_WE                       (),
    .iBusWishbone_ADR                      (fetch_word),
    .iBusWishbone_DAT_MISO                 (rdata_i),
    .iBusWishbone_DAT_MOSI                 (),
    .iBusWishbone_SEL                      (),
    .iBusWishbone_ERR                      (1'b0),
    .iBusWishbone_CTI                      (fetch_cti),
    .iBusWishbone_BTE                      (),
    .dBusWishbone_CYC                      (data_cycle),
    .dBusWishbone_STB                      (data_strobe),
    .dBusWishbone_ACK                      (take_data ? write : data_q && !hold_i),
    .dBusWishbone_WE                       (write),
    .dBusWishbone_ADR                      (data_word),
    .dBusWishbone_DAT_MISO                 (rdata_i),
    .dBusWishbone_DAT_MOSI                 (wdata_o),
    .dBusWishbone_SEL                      (bytes),
    .dBusWishbone_ERR                      (1'b0),
    .dBusWishbone_CTI                      (data_cti),
    .dBusWishbone_BTE                      (),
    .CfuPlugin_bus_cmd_valid               (cfu_cmd_valid),
    .CfuPlugin_bus_cmd_ready               (cfu_cmd_ready),
    .CfuPlugin_bus_cmd_payload_function_id (cfu_function),
    .CfuPlugin_bus_cmd_payload_inputs_0    (cfu_rs1),
    .CfuPlugin_bus_cmd_payload_inputs_1    (cfu_rs2),
    .CfuPlugin_bus_rsp_valid               (cfu_rsp_valid),
    .CfuPlugin_bus_rsp_ready               (cfu_rsp_ready),
    .CfuPlugin_bus_rsp_payload_outputs_0   (cfu_rd)
  );

  accel_cfu u_accel (
    .clk_i,
    .rst_ni,
    .cmd_valid_i        (cfu_cmd_valid),
    .cmd_ready_o        (cfu_cmd_ready),
    .cmd_function_id_i  (cfu_function),
    .cmd_inputs_0_i     (cfu_rs1),
    .cmd_inputs_1_i     (cfu_rs2),
    .cfu_rsp_valid_o    (cfu_rsp_valid),
    .cfu_rsp_ready_i    (cfu_rsp_ready),
    .cfu_rsp_outputs_0_o(cfu_rd)
  );

endmodule
