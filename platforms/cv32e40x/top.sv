// SPDX-License-Identifier: Apache-2.0
// CV32E40X with memory, the test bench's device, and an accelerator on the eXtension interface.
// Ports of the core: cv32e40x_core.sv and user manual, "Core Integration". cures.toml fixes errors
// of this version's interface.

module top (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic irq_i,
  output logic trap_o
);

  localparam int NumRs     = accel_traits_pkg::NumRs;
  localparam int IdW       = 4;
  localparam int TimerLine = 7;  // mie/mip bit of the machine timer interrupt

  logic        instr_req, instr_gnt, instr_rvalid, data_req, data_gnt, data_rvalid, data_we;
  logic [31:0] instr_addr, instr_rdata, data_addr, data_rdata, data_wdata;
  logic [ 3:0] data_be;
  logic        fencei, block_irq;

  assign trap_o = 1'b0;  // exceptions go through the trap vector

  if_xif #(
    .X_NUM_RS   (NumRs),
    .X_ID_WIDTH (IdW),
    .X_MEM_WIDTH(32),
    .X_RFR_WIDTH(32),
    .X_RFW_WIDTH(32)
  ) xif ();

  cv32e40x_core #(
    .X_EXT          (1'b1),
    .X_NUM_RS       (NumRs),
    .X_ID_WIDTH     (IdW),
    .PMA_NUM_REGIONS(0)
  ) u_core (
    .clk_i,
    .rst_ni,
    .scan_cg_en_i       (1'b0),
    .boot_addr_i        (32'h0000_0000),
    .dm_exception_addr_i(32'h0000_0000),
    .dm_halt_addr_i     (32'h0000_0000),
    .mhartid_i          (32'd0),
    .mimpid_patch_i     (4'd0),
    .mtvec_addr_i       (32'h0000_0000),
    .instr_req_o        (instr_req),
    .instr_gnt_i        (instr_gnt),
    .instr_rvalid_i     (instr_rvalid),
    .instr_addr_o       (instr_addr),
    .instr_memtype_o    (),
    .instr_prot_o       (),
    .instr_dbg_o        (),
    .instr_rdata_i      (instr_rdata),
    .instr_err_i        (1'b0),
    .data_req_o         (data_req),
    .data_gnt_i         (data_gnt),
    .data_rvalid_i      (data_rvalid),
    .data_addr_o        (data_addr),
    .data_be_o          (data_be),
    .data_we_o          (data_we),
    .data_wdata_o       (data_wdata),
    .data_memtype_o     (),
    .data_prot_o        (),
    .data_dbg_o         (),
    .data_atop_o        (),
    .data_rdata_i       (data_rdata),
    .data_err_i         (1'b0),
    .data_exokay_i      (1'b0),
    .mcycle_o           (),
    .xif_compressed_if  (xif.cpu_compressed),
    .xif_issue_if       (xif.cpu_issue),
    .xif_commit_if      (xif.cpu_commit),
    .xif_mem_if         (xif.cpu_mem),
    .xif_mem_result_if  (xif.cpu_mem_result),
    .xif_result_if      (xif.cpu_result),
    .irq_i              (32'(irq_i || block_irq) << TimerLine),
    .wu_wfe_i           (1'b0),
    .clic_irq_i         (1'b0),
    .clic_irq_id_i      (5'd0),
    .clic_irq_level_i   (8'd0),
    .clic_irq_priv_i    (2'd0),
    .clic_irq_shv_i     (1'b0),
    .fencei_flush_req_o (fencei),
    .fencei_flush_ack_i (fencei),
    .debug_req_i        (1'b0),
    .debug_havereset_o  (),
    .debug_running_o    (),
    .debug_halted_o     (),
    .fetch_enable_i     (1'b1),
    .core_sleep_o       ()
  );

  sim_obi_port #(.Port(sim_pkg::FetchPort)) u_fetch (
    .clk_i,
    .rst_ni,
    .req_i   (instr_req),
    .gnt_o   (instr_gnt),
    .we_i    (1'b0),
    .be_i    (4'd0),
    .addr_i  (instr_addr),
    .wdata_i (32'd0),
    .rvalid_o(instr_rvalid),
    .rdata_o (instr_rdata)
  );

  sim_obi_bus u_data (
    .clk_i,
    .rst_ni,
    .req_i   (data_req),
    .gnt_o   (data_gnt),
    .we_i    (data_we),
    .be_i    (data_be),
    .addr_i  (data_addr),
    .wdata_i (data_wdata),
    .rvalid_o(data_rvalid),
    .rdata_o (data_rdata),
    .irq_o   (block_irq)
  );

  logic [31:0] dec_insn;
  logic        dec_match, dec_rs2, dec_rs3;
  logic [15:0] dec_op;
  logic        req_valid, req_ready, rsp_valid, rsp_ready;
  logic [15:0] req_op;
  logic [31:0] req_rs1, req_rs2, req_rs3, rsp_rd;

  logic           issue_accept, issue_writeback, result_we;
  logic [IdW-1:0] result_id;
  logic [31:0]    result_data;
  logic [ 4:0]    result_rd;

  fu_to_cvxif #(
    .IdW        (IdW),
    .Speculative(accel_traits_pkg::Stateless),
    .Registered (accel_traits_pkg::Registered),
    .NumRs      (NumRs)
  ) u_adapter (
    .clk_i,
    .rst_ni,
    .issue_valid_i    (xif.issue_valid),
    .issue_ready_o    (xif.issue_ready),
    .issue_instr_i    (xif.issue_req.instr),
    .issue_id_i       (xif.issue_req.id),
    .issue_rs_i       (96'(xif.issue_req.rs)),
    .issue_rs_valid_i (3'(xif.issue_req.rs_valid)),
    .issue_accept_o   (issue_accept),
    .issue_writeback_o(issue_writeback),
    .commit_valid_i   (xif.commit_valid),
    .commit_id_i      (xif.commit.id),
    .commit_kill_i    (xif.commit.commit_kill),
    .result_valid_o   (xif.result_valid),
    .result_ready_i   (xif.result_ready),
    .result_id_o      (result_id),
    .result_data_o    (result_data),
    .result_rd_o      (result_rd),
    .result_we_o      (result_we),
    .dec_insn_o       (dec_insn),
    .dec_match_i      (dec_match),
    .dec_rs2_i        (dec_rs2),
    .dec_rs3_i        (dec_rs3),
    .dec_op_i         (dec_op),
    .req_valid_o      (req_valid),
    .req_ready_i      (req_ready),
    .req_op_o         (req_op),
    .req_rs1_o        (req_rs1),
    .req_rs2_o        (req_rs2),
    .req_rs3_o        (req_rs3),
    .rsp_valid_i      (rsp_valid),
    .rsp_ready_o      (rsp_ready),
    .rsp_rd_i         (rsp_rd)
  );

  // No memory accesses, no exceptions, no context status, no compressed instructions.
  assign xif.compressed_ready = 1'b1;
  assign xif.compressed_resp  = '0;
  assign xif.mem_valid        = 1'b0;
  assign xif.mem_req          = '0;
  always_comb begin
    xif.issue_resp           = '0;
    xif.issue_resp.accept    = issue_accept;
    xif.issue_resp.writeback = issue_writeback;
    xif.result               = '0;
    xif.result.id            = result_id;
    xif.result.data          = result_data;
    xif.result.rd            = result_rd;
    xif.result.we            = result_we;
  end

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
