// SPDX-License-Identifier: Apache-2.0
// The pipeline never drops, duplicates, reorders or alters an offered block, whatever the pauses.
// Proved by induction.
//
// Blocks are numbered at the input (TID) modulo 16; there are 13 places. From output to input, each
// place that holds a block holds the next number, and the last one is the newest. So the output
// always has the expected number.
//
// Written twice (aes_pipeline_flow_credit_props.sv): the same induction for the other output.
// Written twice (aes_pipeline_plain_props.sv): the same, for the paper's decoder.
//
// The cipher is abstracted: the rounds' data, the keys and the time at which a key is ready are
// free.

// SboxImpl and Schedule "free" name no circuit: the solver chooses what this module leaves
// undriven.
module aesforge_unknown_impl;
endmodule

module aes_pipeline_flow_props (
  input logic         clk_i,
  input logic         key_valid_i,
  input logic [127:0] key_i,
  input logic         valid_i,
  input logic [127:0] data_i,
  input logic [15:0]  keep_i,
  input logic         last_i,
  input logic [3:0]   user_i,
  input logic         ready_i
);
  localparam Latency = 11;
  localparam IdW     = 4;           // more numbers than places
  localparam UserW   = 4;
  localparam SideW   = 17 + IdW + UserW;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic             key_ready, iv_ready, in_ready, out_valid, out_last;
  logic [127:0]     out_data;
  logic [15:0]      out_keep;
  logic [IdW-1:0]   taken_q, given_q, out_id;
  logic [UserW-1:0] out_user;

  aes_pipeline_blocks #(
    .SboxImpl("free"), .Schedule("free"), .KeyBits(128), .Dir("fwd"), .PipeRegs(1), .Slots(1),
    .IdW(IdW),
    .UserW(UserW), .SideImpl("regs")
  ) u_dut (
    .aclk(clk_i), .aresetn(rst_n),
    .s_axis_key_tvalid(key_valid_i), .s_axis_key_tready(key_ready), .s_axis_key_tdata(key_i),
    .s_axis_key_tuser(3'b0),
    .s_axis_iv_tvalid(1'b0), .s_axis_iv_tready(iv_ready), .s_axis_iv_tdata(128'b0),
    .s_axis_tvalid(valid_i), .s_axis_tready(in_ready), .s_axis_tdata(data_i),
    .s_axis_tkeep(keep_i), .s_axis_tlast(last_i), .s_axis_tid(taken_q), .s_axis_tuser(user_i),
    .m_axis_tvalid(out_valid), .m_axis_tready(ready_i), .m_axis_tdata(out_data),
    .m_axis_tkeep(out_keep), .m_axis_tlast(out_last), .m_axis_tid(out_id), .m_axis_tuser(out_user)
  );

  // hierconn: Yosys connects the wire to the signal of this name inside the unit. genblk1 is its
  // name for an else branch.
  (* hierconn *) wire [Latency-1:0]       \u_dut.u_core.valid_q ;
  (* hierconn *) wire [Latency*SideW-1:0] \u_dut.u_side.genblk1.gen_regs.u_delay.gen_regs.data_q ;
  (* hierconn *) wire                     \u_dut.gen_stall.u_out.valid_q ;
  (* hierconn *) wire                     \u_dut.gen_stall.u_out.spare_valid ;
  (* hierconn *) wire [127+SideW:0]       \u_dut.gen_stall.u_out.data_q ;
  (* hierconn *) wire [127+SideW:0]       \u_dut.gen_stall.u_out.spare_q ;
  (* hierconn *) wire [3:0]               \u_dut.count_q ;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      taken_q <= '0;
      given_q <= '0;
    end else begin
      if (valid_i && in_ready) taken_q <= taken_q + 1'b1;
      if (out_valid && ready_i) given_q <= given_q + 1'b1;
    end
  end

  // For each place of the rounds, newest first: the number of blocks input before the block there.
  // Each depends only on its neighbour, so a short induction suffices.
  logic [Latency*IdW-1:0]   before_q;
  logic [Latency*SideW-1:0] side;
  logic [Latency-1:0]       held;
  logic [IdW-1:0]           waiting;   // the number that leaves the rounds next
  logic                     offer, spare;
  assign side    = \u_dut.u_side.genblk1.gen_regs.u_delay.gen_regs.data_q ;
  assign held    = \u_dut.u_core.valid_q ;
  assign offer   = \u_dut.gen_stall.u_out.valid_q ;
  assign spare   = \u_dut.gen_stall.u_out.spare_valid ;
  assign waiting = given_q + {{(IdW-1){1'b0}}, offer} + {{(IdW-1){1'b0}}, spare};
  always_ff @(posedge clk_i) begin
    if (!rst_n) before_q <= '0;
    else if (!spare) before_q <= {before_q[(Latency-1)*IdW-1:0], taken_q};
  end

  logic                   offered_q;
  logic [144+IdW+UserW:0] shown, shown_q;
  assign shown = {out_data, out_keep, out_last, out_id, out_user};
  always_ff @(posedge clk_i) begin
    offered_q <= rst_n && out_valid && !ready_i;
    shown_q   <= shown;
  end

  always_comb begin
    if (rst_n) begin
      // Numbers are consecutive from the next input to the oldest place.
      assert (taken_q == before_q[IdW-1:0] + {{(IdW-1){1'b0}}, held[0]});
      for (int i = 0; i < Latency; i++) begin
        if (i > 0) begin
          assert (before_q[IdW*(i-1) +: IdW]
                  == before_q[IdW*i +: IdW] + {{(IdW-1){1'b0}}, held[i]});
        end
        if (held[i]) assert (side[SideW*i + UserW +: IdW] == before_q[IdW*i +: IdW]);
      end
      assert (before_q[(Latency-1)*IdW +: IdW] == waiting);
      if (offer) assert (\u_dut.gen_stall.u_out.data_q [UserW +: IdW] == given_q);
      if (spare) begin
        assert (\u_dut.gen_stall.u_out.spare_q [UserW +: IdW] == given_q + 1'b1);
      end
      // The output buffer fills its first entry first.
      assert (offer || !spare);
      // A key change waits until this count is zero.
      assert (\u_dut.count_q == taken_q - waiting);
      // The output has the next number.
      if (out_valid) assert (out_id == given_q);
      if (offered_q) assert (out_valid && shown == shown_q);
    end
  end
endmodule
