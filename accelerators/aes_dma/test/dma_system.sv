// SPDX-License-Identifier: Apache-2.0
// The bus master and a CPU's data port on one memory with one access a cycle; for benches. The two
// take turns; at random (wait_i of 256 cycles) the memory is busy, and so is each channel of the
// master (pause_i of 256). Accesses to words [fault_from_i, fault_to_i) of the kinds in fault_i
// (bit 0 reads, bit 1 writes of the master) get an error response and do nothing.
module dma_system #(
  parameter Dir            = "shared",
  parameter Has192         = 1,
  parameter Has256         = 1,
  parameter Rounds         = 2,
  parameter SboxImpl       = "lut",
  parameter MaxBlocks      = 256,
  parameter Gcm            = 0,
  parameter HashDigit      = 32,
  parameter Registered     = 0,
  parameter Guarded        = 0,        // 1: aes_dma_guarded
  parameter MemW           = 13        // log2 of the memory's words; addresses wrap
) (
  input  logic        aclk,
  input  logic        aresetn,
  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  input  logic [11:0] s_axi_awaddr,
  input  logic [2:0]  s_axi_awprot,
  input  logic        s_axi_wvalid,
  output logic        s_axi_wready,
  input  logic [31:0] s_axi_wdata,
  input  logic [3:0]  s_axi_wstrb,
  output logic        s_axi_bvalid,
  input  logic        s_axi_bready,
  output logic [1:0]  s_axi_bresp,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  input  logic [11:0] s_axi_araddr,
  input  logic [2:0]  s_axi_arprot,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic [31:0] s_axi_rdata,
  output logic [1:0]  s_axi_rresp,
  output logic        irq_o,
  output logic        active_o,
  output logic [27:0] front_o,
  output logic [MaxBlocks-1:0] done_o,

  input  logic        cpu_valid_i,
  input  logic        cpu_write_i,
  input  logic [31:0] cpu_addr_i,
  input  logic [31:0] cpu_wdata_i,
  input  logic [3:0]  cpu_wstrb_i,
  output logic        cpu_stall_o,
  output logic        cpu_done_o,      // performed in this cycle
  output logic [31:0] cpu_rdata_o,     // of an access performed in this cycle

  input  logic [8:0]  wait_i,
  input  logic [8:0]  pause_i,
  input  logic [1:0]  fault_i,
  input  logic [29:0] fault_from_i,
  input  logic [29:0] fault_to_i,
  output logic [31:0] accesses_o,      // of the master
  output logic        bad_o            // sticky: the master left the protocol
);
  // ---- random waiting ---------------------------------------------------------------------------

  // A linear feedback shift register of 63 bits, x^63 + x^62 + 1, eight steps a cycle.
  logic [62:0] random_q;
  logic [5:0]  pause;
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) random_q <= 63'h1234_5678_9abc_def1;
    else          random_q <= {random_q[54:0], random_q[62:55] ^ random_q[61:54]};
  end
  for (genvar i = 0; i < 6; i++) begin : gen_pause
    assign pause[i] = {1'b0, random_q[10*i +: 8]} < (i == 5 ? wait_i : pause_i);
  end

  // ---- the master, its channels with gates ------------------------------------------------------

  logic        m_awid, m_awvalid, m_awready, m_wvalid, m_wready, m_wlast, m_bid, m_bvalid, m_bready;
  logic        m_arid, m_arvalid, m_arready, m_rid, m_rvalid, m_rready, m_rlast;
  logic        n_awready, n_wready, n_bvalid, n_arready, n_rvalid;
  logic [31:0] m_awaddr, m_wdata, m_araddr, m_rdata;
  logic [7:0]  m_awlen, m_arlen;
  logic [2:0]  m_awsize, m_arsize, m_awprot, m_arprot;
  logic [1:0]  m_awburst, m_arburst, m_bresp, m_rresp;
  logic [3:0]  m_awcache, m_arcache, m_wstrb;

  dma_either #(
    .Dir(Dir), .Has192(Has192), .Has256(Has256), .Rounds(Rounds),
    .SboxImpl(SboxImpl), .MaxBlocks(MaxBlocks), .Gcm(Gcm), .HashDigit(HashDigit),
    .Registered(Registered), .Guarded(Guarded)
  ) u_dma (
    .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr, .s_axi_awprot, .s_axi_wvalid,
    .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid, .s_axi_bready, .s_axi_bresp,
    .s_axi_arvalid, .s_axi_arready, .s_axi_araddr, .s_axi_arprot, .s_axi_rvalid, .s_axi_rready,
    .s_axi_rdata, .s_axi_rresp, .irq_o,
    .m_axi_awid(m_awid), .m_axi_awvalid(m_awvalid), .m_axi_awready(m_awready),
    .m_axi_awaddr(m_awaddr), .m_axi_awlen(m_awlen), .m_axi_awsize(m_awsize),
    .m_axi_awburst(m_awburst), .m_axi_awcache(m_awcache), .m_axi_awprot(m_awprot),
    .m_axi_wvalid(m_wvalid), .m_axi_wready(m_wready), .m_axi_wdata(m_wdata),
    .m_axi_wstrb(m_wstrb), .m_axi_wlast(m_wlast), .m_axi_bid(m_bid), .m_axi_bvalid(m_bvalid),
    .m_axi_bready(m_bready), .m_axi_bresp(m_bresp), .m_axi_arid(m_arid),
    .m_axi_arvalid(m_arvalid), .m_axi_arready(m_arready), .m_axi_araddr(m_araddr),
    .m_axi_arlen(m_arlen), .m_axi_arsize(m_arsize), .m_axi_arburst(m_arburst),
    .m_axi_arcache(m_arcache), .m_axi_arprot(m_arprot), .m_axi_rid(m_rid),
    .m_axi_rvalid(m_rvalid), .m_axi_rready(m_rready), .m_axi_rdata(m_rdata),
    .m_axi_rresp(m_rresp), .m_axi_rlast(m_rlast),
    .cpu_valid_i, .cpu_write_i, .cpu_addr_i, .cpu_stall_o, .cpu_done_i(cpu_done_o)
  );
  if (Guarded != 0) begin : gen_parity
    assign active_o = u_dma.gen_guarded.u_dma.u_master.u_core.u_mover.active_o;
    assign front_o  = u_dma.gen_guarded.u_dma.u_master.u_core.u_mover.front_o;
    assign done_o   = u_dma.gen_guarded.u_dma.u_master.u_core.u_mover.bits_o;
  end else begin : gen_only
    assign active_o = u_dma.gen_plain.u_dma.u_core.u_mover.active_o;
    assign front_o  = u_dma.gen_plain.u_dma.u_core.u_mover.front_o;
    assign done_o   = u_dma.gen_plain.u_dma.u_core.u_mover.bits_o;
  end

  assign m_awready = n_awready && !pause[0];
  assign m_wready  = n_wready && !pause[1];
  assign m_bvalid  = n_bvalid && !b_pause;
  assign m_arready = n_arready && !pause[3];
  assign m_rvalid  = n_rvalid && !r_pause;

  // A response that has been offered stays.
  logic b_offered_q, r_offered_q, b_pause, r_pause;
  assign b_pause = pause[2] && !b_offered_q;
  assign r_pause = pause[4] && !r_offered_q;
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) {b_offered_q, r_offered_q} <= 2'b00;
    else {b_offered_q, r_offered_q} <= {m_bvalid && !m_bready, m_rvalid && !m_rready};
  end

  // ---- memory -----------------------------------------------------------------------------------

  logic        mem_valid, mem_ready, mem_write, mem_error_q, in_fault, cpu_want, cpu_last_q;
  logic [29:0] mem_addr;
  logic [31:0] mem_wdata, mem_rdata_q, accesses_q;
  logic [3:0]  mem_wstrb;

  axi_memory u_port (
    .aclk, .aresetn, .s_axi_awid(m_awid), .s_axi_awvalid(m_awvalid && !pause[0]),
    .s_axi_awready(n_awready), .s_axi_awaddr(m_awaddr), .s_axi_wvalid(m_wvalid && !pause[1]),
    .s_axi_wready(n_wready), .s_axi_wdata(m_wdata), .s_axi_wstrb(m_wstrb), .s_axi_wlast(m_wlast),
    .s_axi_bid(m_bid), .s_axi_bvalid(n_bvalid), .s_axi_bready(m_bready && !b_pause),
    .s_axi_bresp(m_bresp), .s_axi_arid(m_arid), .s_axi_arvalid(m_arvalid && !pause[3]),
    .s_axi_arready(n_arready), .s_axi_araddr(m_araddr), .s_axi_arlen(m_arlen), .s_axi_rid(m_rid),
    .s_axi_rvalid(n_rvalid), .s_axi_rready(m_rready && !r_pause), .s_axi_rdata(m_rdata),
    .s_axi_rresp(m_rresp), .s_axi_rlast(m_rlast),
    .mem_valid_o(mem_valid), .mem_ready_i(mem_ready), .mem_write_o(mem_write),
    .mem_addr_o(mem_addr), .mem_wdata_o(mem_wdata), .mem_wstrb_o(mem_wstrb),
    .mem_rdata_i(mem_rdata_q), .mem_error_i(mem_error_q)
  );

  assign cpu_want   = cpu_valid_i && !cpu_stall_o;
  assign cpu_done_o = cpu_want && !pause[5] && !(mem_valid && cpu_last_q);
  assign mem_ready  = !pause[5] && !cpu_done_o;
  assign in_fault   = mem_addr >= fault_from_i && mem_addr < fault_to_i && fault_i[mem_write];

  logic [31:0] memory [0:2**MemW-1];  // the bench reads and writes it
  assign cpu_rdata_o = memory[cpu_addr_i[MemW+1:2]];
  always_ff @(posedge aclk) begin
    for (int i = 0; i < 4; i++) begin
      if (cpu_done_o && cpu_write_i && cpu_wstrb_i[i]) begin
        memory[cpu_addr_i[MemW+1:2]][8*i +: 8] <= cpu_wdata_i[8*i +: 8];
      end
      if (mem_valid && mem_ready && mem_write && mem_wstrb[i] && !in_fault) begin
        memory[mem_addr[MemW-1:0]][8*i +: 8] <= mem_wdata[8*i +: 8];
      end
    end
    mem_rdata_q <= in_fault ? 32'hdead_dead : memory[mem_addr[MemW-1:0]];
    mem_error_q <= in_fault;
  end
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      cpu_last_q <= 1'b0;
      accesses_q <= 32'd0;
    end else begin
      if (cpu_done_o || (mem_valid && mem_ready)) cpu_last_q <= cpu_done_o;
      accesses_q <= accesses_q + 32'(mem_valid && mem_ready);
    end
  end
  assign accesses_o = accesses_q;

  // ---- protocol ---------------------------------------------------------------------------------

  // Valid and payload stay until they are taken; wlast is where awlen says; no burst crosses 4 KiB.
  logic        aw_wait_q, ar_wait_q, w_wait_q, bad_q, aw_cross, ar_cross;
  logic [41:0] aw_q, ar_q;
  logic [36:0] w_q;
  logic [7:0]  beats_q;
  logic [7:0]  lens_q [0:15];
  logic [3:0]  len_in_q, len_out_q;
  assign aw_cross = {1'b0, m_awaddr[11:2]} + {3'b0, m_awlen} > 11'd1023;
  assign ar_cross = {1'b0, m_araddr[11:2]} + {3'b0, m_arlen} > 11'd1023;
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      {aw_wait_q, ar_wait_q, w_wait_q, bad_q, beats_q, len_in_q, len_out_q} <= '0;
    end else begin
      aw_wait_q <= m_awvalid && !m_awready;
      ar_wait_q <= m_arvalid && !m_arready;
      w_wait_q  <= m_wvalid && !m_wready;
      aw_q      <= {m_awaddr, m_awlen, m_awburst};
      ar_q      <= {m_araddr, m_arlen, m_arburst};
      w_q       <= {m_wdata, m_wstrb, m_wlast};
      if (aw_wait_q && !(m_awvalid && aw_q == {m_awaddr, m_awlen, m_awburst})) bad_q <= 1'b1;
      if (ar_wait_q && !(m_arvalid && ar_q == {m_araddr, m_arlen, m_arburst})) bad_q <= 1'b1;
      if (w_wait_q && !(m_wvalid && w_q == {m_wdata, m_wstrb, m_wlast}))       bad_q <= 1'b1;
      if ((m_awvalid && aw_cross) || (m_arvalid && ar_cross))                  bad_q <= 1'b1;
      if (m_awvalid && m_awready) begin
        lens_q[len_in_q] <= m_awlen;
        len_in_q         <= len_in_q + 4'd1;
      end
      if (m_wvalid && m_wready) begin
        beats_q <= m_wlast ? 8'd0 : beats_q + 8'd1;
        if (m_wlast) len_out_q <= len_out_q + 4'd1;
        if (len_out_q != len_in_q && m_wlast != (beats_q == lens_q[len_out_q])) bad_q <= 1'b1;
      end
    end
  end
  assign bad_o = bad_q;

  logic unused;
  assign unused = ^{m_awsize, m_arsize, m_awprot, m_arprot, m_awcache, m_arcache, random_q};
endmodule
