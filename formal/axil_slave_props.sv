// SPDX-License-Identifier: Apache-2.0
// The AXI4-Lite slave with any master and any register port: ARM IHI 0022E, sections A3.2.1 (valid
// and payload are stable) and A3.3.1 (a response follows its address and data). Each access gets
// one response, in order, with the error of its register. HALF: the same of axil_slave_half, whose
// master requests nothing during reset.
`ifdef HALF
  `define SLAVE axil_slave_half
`else
  `define SLAVE axil_slave
`endif
module axil_slave_props (
  input logic        clk_i,
  input logic        awvalid_i,
  input logic [3:0]  awaddr_i,
  input logic        wvalid_i,
  input logic [31:0] wdata_i,
  input logic [3:0]  wstrb_i,
  input logic        bready_i,
  input logic        arvalid_i,
  input logic [3:0]  araddr_i,
  input logic        rready_i,
  input logic        wr_ready_i,
  input logic        wr_error_i,
  input logic        rd_ready_i,
  input logic [31:0] rd_data_i,
  input logic        rd_error_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic        awready, wready, bvalid, arready, rvalid, wr_valid, rd_valid;
  logic [1:0]  bresp, rresp;
  logic [31:0] rdata, wr_data;
  logic [3:0]  wr_addr, wr_strb, rd_addr;
  `SLAVE #(.AddrW(4)) u_slave (
    .aclk(clk_i), .aresetn(rst_n), .s_axi_awvalid(awvalid_i), .s_axi_awready(awready),
    .s_axi_awaddr(awaddr_i), .s_axi_awprot(3'b000), .s_axi_wvalid(wvalid_i), .s_axi_wready(wready),
    .s_axi_wdata(wdata_i), .s_axi_wstrb(wstrb_i), .s_axi_bvalid(bvalid), .s_axi_bready(bready_i),
    .s_axi_bresp(bresp), .s_axi_arvalid(arvalid_i), .s_axi_arready(arready),
    .s_axi_araddr(araddr_i), .s_axi_arprot(3'b000), .s_axi_rvalid(rvalid),
    .s_axi_rready(rready_i), .s_axi_rdata(rdata), .s_axi_rresp(rresp), .wr_valid_o(wr_valid),
    .wr_ready_i, .wr_addr_o(wr_addr), .wr_data_o(wr_data), .wr_strb_o(wr_strb), .wr_error_i,
    .rd_valid_o(rd_valid), .rd_ready_i, .rd_addr_o(rd_addr), .rd_data_i, .rd_error_i
  );

  // ---- the accesses in order, as the master sees them -------------------------------------------

  // Accesses are counted; payloads are compared for a freely chosen one of the first four.
  (* anyconst *) logic [2:0] watched;
  logic [2:0]       aw_q, w_q, b_q, ar_q, r_q, wr_q, rd_q;
  logic [3:0]       awaddr_q, wstrb_q, araddr_q;
  logic [31:0]      wdata_q, rdata_q;
  logic             wr_error_q, rd_error_q;
  logic             b_wait_q, r_wait_q;
  logic [1:0]       bresp_q, rresp_q;
  logic [31:0]      rdata_wait_q;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      {aw_q, w_q, b_q, ar_q, r_q, wr_q, rd_q} <= '0;
      {b_wait_q, r_wait_q} <= '0;
    end else begin
      if (awvalid_i && awready) begin
        if (aw_q == watched) awaddr_q <= awaddr_i;
        aw_q <= aw_q + 3'd1;
      end
      if (wvalid_i && wready) begin
        if (w_q == watched) {wdata_q, wstrb_q} <= {wdata_i, wstrb_i};
        w_q <= w_q + 3'd1;
      end
      if (wr_valid && wr_ready_i) begin
        if (wr_q == watched) wr_error_q <= wr_error_i;
        wr_q <= wr_q + 3'd1;
      end
      if (bvalid && bready_i) b_q <= b_q + 3'd1;
      if (arvalid_i && arready) begin
        if (ar_q == watched) araddr_q <= araddr_i;
        ar_q <= ar_q + 3'd1;
      end
      if (rd_valid && rd_ready_i) begin
        if (rd_q == watched) {rdata_q, rd_error_q} <= {rd_data_i, rd_error_i};
        rd_q <= rd_q + 3'd1;
      end
      if (rvalid && rready_i) r_q <= r_q + 3'd1;
      b_wait_q <= bvalid && !bready_i;
      r_wait_q <= rvalid && !rready_i;
    end
    {bresp_q, rresp_q, rdata_wait_q} <= {bresp, rresp, rdata};
  end
  always_comb begin
    if (rst_n) assume (!aw_q[2] && !w_q[2] && !ar_q[2]);
`ifdef HALF
    // Section A3.1.2: a master requests nothing during reset.
    if (!rst_n) assume (!awvalid_i && !wvalid_i && !arvalid_i);
`endif
  end

  always_comb begin
    if (rst_n) begin
      // A response is stable until it is accepted.
      if (b_wait_q) assert (bvalid && bresp == bresp_q);
      if (r_wait_q) assert (rvalid && rresp == rresp_q && rdata == rdata_wait_q);
      // Responses never exceed register accesses, and these never exceed requests.
      assert (b_q + 3'(bvalid) == wr_q);
      assert (r_q + 3'(rvalid) == rd_q);
      assert (wr_q <= aw_q && wr_q <= w_q && rd_q <= ar_q);
      assert (aw_q - wr_q <= 3'd2 && w_q - wr_q <= 3'd2 && ar_q - rd_q <= 3'd2);
      // The register port gets requests in order and complete.
      if (wr_valid) begin
        assert (wr_q < aw_q && wr_q < w_q);
        if (wr_q == watched) assert ({wr_addr, wr_data, wr_strb} == {awaddr_q, wdata_q, wstrb_q});
      end
      // A read may reach the register port in the cycle in which its address is accepted.
      if (rd_valid) begin
        assert (rd_q < ar_q || (rd_q == ar_q && arvalid_i && arready));
        if (rd_q == watched) assert (rd_addr == (rd_q == ar_q ? araddr_i : araddr_q));
      end
      // The master gets the register's responses in order.
      if (bvalid && b_q == watched) assert (bresp == {wr_error_q, 1'b0});
      if (rvalid && r_q == watched) assert ({rresp, rdata} == {rd_error_q, 1'b0, rdata_q});
      // Progress: free places give ready, and waiting requests reach the register port.
      if (aw_q == wr_q) assert (awready);
      if (w_q == wr_q) assert (wready);
      if (ar_q == rd_q) assert (arready);
      if (aw_q != wr_q && w_q != wr_q && (!bvalid || bready_i)) assert (wr_valid);
      if (ar_q != rd_q && (!rvalid || rready_i)) assert (rd_valid);
      // No data word remains in the slave after its access.
      if (w_q == wr_q) assert (wr_data == 32'h0);
      if (!rvalid) assert (rdata == 32'h0);
    end
  end
endmodule
