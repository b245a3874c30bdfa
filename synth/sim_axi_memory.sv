// SPDX-License-Identifier: Apache-2.0
// In place of sim_axi_memory for synthesis: every output of the bus master reaches a register, every
// input comes from one (see sim_direct_port of this folder).

module sim_axi_memory (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        wants_o,
  input  logic        grant_i,
  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  input  logic [31:0] s_axi_awaddr,
  input  logic [ 7:0] s_axi_awlen,
  input  logic        s_axi_wvalid,
  output logic        s_axi_wready,
  input  logic [31:0] s_axi_wdata,
  input  logic [ 3:0] s_axi_wstrb,
  input  logic        s_axi_wlast,
  output logic        s_axi_bvalid,
  input  logic        s_axi_bready,
  output logic [ 1:0] s_axi_bresp,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  input  logic [31:0] s_axi_araddr,
  input  logic [ 7:0] s_axi_arlen,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic [31:0] s_axi_rdata,
  output logic [ 1:0] s_axi_rresp,
  output logic        s_axi_rlast
);

  logic [31:0] request_q;
  logic [31:0] word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_q <= 32'd0;
      word_q    <= 32'd1;
    end else begin
      request_q <= s_axi_awaddr ^ s_axi_wdata ^ s_axi_araddr ^ {s_axi_awlen, s_axi_arlen, 16'd0} ^
                   {23'd0, s_axi_wstrb, s_axi_awvalid, s_axi_wvalid, s_axi_wlast, s_axi_bready,
                    s_axi_arvalid} ^ {30'd0, s_axi_rready, grant_i};
      word_q    <= {word_q[30:0], word_q[31]} ^ request_q;
    end
  end

  assign wants_o       = s_axi_awvalid || s_axi_wvalid || s_axi_arvalid;
  assign s_axi_awready = word_q[0];
  assign s_axi_wready  = word_q[1];
  assign s_axi_bvalid  = word_q[2];
  assign s_axi_bresp   = word_q[4:3];
  assign s_axi_arready = word_q[5];
  assign s_axi_rvalid  = word_q[6];
  assign s_axi_rlast   = word_q[7];
  assign s_axi_rresp   = word_q[9:8];
  assign s_axi_rdata   = word_q;

endmodule
