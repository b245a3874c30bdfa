// SPDX-License-Identifier: Apache-2.0
// A peripheral for a fault campaign: a word that is turned by one bit in each of five rounds.
// Write 0x0: the word, and start; read 0x0: the word; read 0x4: {ready, alarm}. With Guarded, the
// word and the number of rounds left have a complement beside them, and a difference is an alarm
// that stays.
module faults_example #(
  parameter Guarded = 0
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
  output logic [1:0]  s_axi_rresp
);
  logic        wr_valid, rd_valid, alarm_q, differs;
  logic [31:0] wr_data, rd_data, word_q, twin_q;
  logic [11:0] wr_addr, rd_addr;
  logic [3:0]  wr_strb;
  logic [2:0]  left_q, spare_q;

  axil_slave u_slave (
    .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr, .s_axi_awprot, .s_axi_wvalid,
    .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid, .s_axi_bready, .s_axi_bresp,
    .s_axi_arvalid, .s_axi_arready, .s_axi_araddr, .s_axi_arprot, .s_axi_rvalid, .s_axi_rready,
    .s_axi_rdata, .s_axi_rresp,
    .wr_valid_o(wr_valid), .wr_ready_i(1'b1), .wr_addr_o(wr_addr), .wr_data_o(wr_data),
    .wr_strb_o(wr_strb), .wr_error_i(1'b0), .rd_valid_o(rd_valid), .rd_ready_i(1'b1),
    .rd_addr_o(rd_addr), .rd_data_i(rd_data), .rd_error_i(1'b0)
  );

  assign rd_data = rd_addr[2] ? {30'b0, left_q == 3'd0, Guarded != 0 && (alarm_q || differs)}
                              : word_q;
  assign differs = twin_q != ~word_q || spare_q != ~left_q;

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      word_q  <= '0;
      left_q  <= '0;
      twin_q  <= '1;
      spare_q <= '1;
      alarm_q <= 1'b0;
    end else begin
      if (differs) alarm_q <= 1'b1;
      if (wr_valid) begin
        word_q  <= wr_data;
        twin_q  <= ~wr_data;
        left_q  <= 3'd5;
        spare_q <= ~3'd5;
      end else if (left_q != 3'd0) begin
        word_q  <= {word_q[30:0], word_q[31]};
        twin_q  <= {twin_q[30:0], twin_q[31]};
        left_q  <= left_q - 3'd1;
        spare_q <= ~(left_q - 3'd1);
      end
    end
  end

  logic unused;
  assign unused = ^{wr_addr, wr_strb, rd_valid, rd_addr};
endmodule
