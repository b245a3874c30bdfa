// SPDX-License-Identifier: Apache-2.0
// What is around the pipeline in a fault campaign: registers on AXI4-Lite that offer beats and keep
// those that leave. A beat, key or counter block is written word by word; a last write offers it.
//
//   000  key           100  beat          140  its TKEEP       200  beat that left
//   020  offer a key   148  offer a beat  14c  offer a counter 240  its TKEEP    248  TUSER, TLAST
//   300  tag           310  its TUSER     3fc  status: [0] offered, [1] a beat, [2] a tag is here
//
// A write of 248 or 310 takes what is there. Written: TUSER in bits 7 to 0, TLAST in bit 8.
module faults_player #(
  parameter Words = 8,    // of a key
  parameter KeyW  = 3,    // bits of its TUSER
  parameter Beat  = 128   // bits
) (
  input  logic               aclk,
  input  logic               aresetn,
  input  logic               s_axi_awvalid,
  output logic               s_axi_awready,
  input  logic [11:0]        s_axi_awaddr,
  input  logic [2:0]         s_axi_awprot,
  input  logic               s_axi_wvalid,
  output logic               s_axi_wready,
  input  logic [31:0]        s_axi_wdata,
  input  logic [3:0]         s_axi_wstrb,
  output logic               s_axi_bvalid,
  input  logic               s_axi_bready,
  output logic [1:0]         s_axi_bresp,
  input  logic               s_axi_arvalid,
  output logic               s_axi_arready,
  input  logic [11:0]        s_axi_araddr,
  input  logic [2:0]         s_axi_arprot,
  output logic               s_axi_rvalid,
  input  logic               s_axi_rready,
  output logic [31:0]        s_axi_rdata,
  output logic [1:0]         s_axi_rresp,

  output logic               key_valid_o,
  input  logic               key_ready_i,
  output logic [32*Words-1:0] key_data_o,
  output logic [KeyW-1:0]    key_user_o,
  output logic               iv_valid_o,
  input  logic               iv_ready_i,
  output logic               beat_valid_o,
  input  logic               beat_ready_i,
  output logic [Beat-1:0]    beat_data_o,
  output logic [Beat/8-1:0]  beat_keep_o,
  output logic               beat_last_o,
  output logic [7:0]         beat_user_o,

  input  logic               out_valid_i,
  output logic               out_ready_o,
  input  logic [Beat-1:0]    out_data_i,
  input  logic [Beat/8-1:0]  out_keep_i,
  input  logic               out_last_i,
  input  logic [7:0]         out_user_i,
  input  logic               tag_valid_i,
  output logic               tag_ready_o,
  input  logic [127:0]       tag_data_i,
  input  logic [7:0]         tag_user_i
);
  logic        wr_valid, rd_valid;
  logic [11:0] wr_addr, rd_addr;
  logic [31:0] wr_data, rd_data;
  logic [3:0]  wr_strb;
  logic        unused;
  assign unused = ^{wr_strb, rd_valid, wr_addr[1:0], rd_addr[1:0]};

  axil_slave u_slave (
    .aclk, .aresetn, .s_axi_awvalid, .s_axi_awready, .s_axi_awaddr, .s_axi_awprot, .s_axi_wvalid,
    .s_axi_wready, .s_axi_wdata, .s_axi_wstrb, .s_axi_bvalid, .s_axi_bready, .s_axi_bresp,
    .s_axi_arvalid, .s_axi_arready, .s_axi_araddr, .s_axi_arprot, .s_axi_rvalid, .s_axi_rready,
    .s_axi_rdata, .s_axi_rresp,
    .wr_valid_o(wr_valid), .wr_ready_i(1'b1), .wr_addr_o(wr_addr), .wr_data_o(wr_data),
    .wr_strb_o(wr_strb), .wr_error_i(1'b0), .rd_valid_o(rd_valid), .rd_ready_i(1'b1),
    .rd_addr_o(rd_addr), .rd_data_i(rd_data), .rd_error_i(1'b0)
  );

  // ---- in ---------------------------------------------------------------------------------------

  // Words of the widest beat and key; those beyond the actual width lead nowhere.
  logic [15:0][31:0] beat_q;
  logic [7:0][31:0]  key_q;
  logic [1:0][31:0]  keep_q;
  logic [7:0]        user_q;
  logic              key_valid_q, iv_valid_q, beat_valid_q, last_q;

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      key_valid_q  <= 1'b0;
      iv_valid_q   <= 1'b0;
      beat_valid_q <= 1'b0;
      last_q       <= 1'b0;
      beat_q <= '0;
      key_q  <= '0;
      keep_q <= '0;
      user_q <= '0;
    end else begin
      if (key_ready_i)  key_valid_q  <= 1'b0;
      if (iv_ready_i)   iv_valid_q   <= 1'b0;
      if (beat_ready_i) beat_valid_q <= 1'b0;
      if (wr_valid) begin
        if (wr_addr[11:5] == 7'h00)  key_q[wr_addr[4:2]]  <= wr_data;
        if (wr_addr[11:6] == 6'h04)  beat_q[wr_addr[5:2]] <= wr_data;
        if (wr_addr[11:3] == 9'h028) keep_q[wr_addr[2]]   <= wr_data;
        if (wr_addr == 12'h020) key_valid_q <= 1'b1;
        if (wr_addr == 12'h148) beat_valid_q <= 1'b1;
        if (wr_addr == 12'h14c) iv_valid_q <= 1'b1;
        if (wr_addr == 12'h020 || wr_addr == 12'h148) begin
          last_q <= wr_data[8];
          user_q <= wr_data[7:0];
        end
      end
    end
  end

  assign key_valid_o  = key_valid_q;
  assign key_data_o   = key_q[Words-1:0];
  assign key_user_o   = user_q[KeyW-1:0];
  assign iv_valid_o   = iv_valid_q;
  assign beat_valid_o = beat_valid_q;
  assign beat_data_o  = beat_q[Beat/32-1:0];
  logic [63:0] keep;
  assign keep         = keep_q;
  assign beat_keep_o  = keep[Beat/8-1:0];
  assign beat_last_o  = last_q;
  assign beat_user_o  = user_q;

  // ---- out --------------------------------------------------------------------------------------

  logic              out_there_q, tag_there_q, out_last_q;
  logic [15:0][31:0] out_q;
  logic [1:0][31:0]  out_keep_q;
  logic [3:0][31:0]  tag_q;
  logic [7:0]        out_user_q, tag_user_q;

  assign out_ready_o = !out_there_q;
  assign tag_ready_o = !tag_there_q;

  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      out_there_q <= 1'b0;
      tag_there_q <= 1'b0;
      out_last_q  <= 1'b0;
      out_q      <= '0;
      out_keep_q <= '0;
      tag_q      <= '0;
      out_user_q <= '0;
      tag_user_q <= '0;
    end else begin
      if (wr_valid && wr_addr == 12'h248) out_there_q <= 1'b0;
      if (wr_valid && wr_addr == 12'h310) tag_there_q <= 1'b0;
      if (out_valid_i && out_ready_o) begin
        out_there_q <= 1'b1;
        out_q       <= {{(512 - Beat){1'b0}}, out_data_i};
        out_keep_q  <= {{(64 - Beat/8){1'b0}}, out_keep_i};
        out_last_q  <= out_last_i;
        out_user_q  <= out_user_i;
      end
      if (tag_valid_i && tag_ready_o) begin
        tag_there_q <= 1'b1;
        tag_q       <= tag_data_i;
        tag_user_q  <= tag_user_i;
      end
    end
  end

  always_comb begin
    rd_data = 32'd0;
    if (rd_addr[11:6] == 6'h08)  rd_data = out_q[rd_addr[5:2]];
    if (rd_addr[11:3] == 9'h048) rd_data = out_keep_q[rd_addr[2]];
    if (rd_addr == 12'h248)      rd_data = {23'd0, out_last_q, out_user_q};
    if (rd_addr[11:4] == 8'h30)  rd_data = tag_q[rd_addr[3:2]];
    if (rd_addr == 12'h310)      rd_data = {24'd0, tag_user_q};
    if (rd_addr == 12'h3fc)
      rd_data = {29'd0, tag_there_q, out_there_q, key_valid_q | iv_valid_q | beat_valid_q};
  end
endmodule
