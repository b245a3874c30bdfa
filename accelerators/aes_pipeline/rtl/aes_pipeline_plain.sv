// SPDX-License-Identifier: Apache-2.0
// Decryption with AES-128 in the shape of Gielata 2008: ten rounds of the plain inverse cipher with
// one register each, round keys as FIPS 197 has them, and a combinational key chain. A block a
// clock, 11 clocks from input to output. The ports are those of aes_pipeline_blocks.sv in ECB mode.
//
// Key. The register of the key feeds the chain, and the chain feeds the rounds. A new key is taken
// when no block is in flight, and blocks wait for KeyWait clocks afterwards: the chain has so long
// to settle (the paper: 46 ns, six clocks of its 130 MHz). To a timing tool, paths from
// u_chain.key_q are paths of KeyWait clocks.
module aes_pipeline_plain #(
  parameter KeyWait  = 6,
  parameter IdW      = 8,
  parameter UserW    = 8,
  parameter SideImpl = "ram"
) (
  input  logic             aclk,
  input  logic             aresetn,

  input  logic             s_axis_key_tvalid,
  output logic             s_axis_key_tready,
  input  logic [127:0]     s_axis_key_tdata,
  input  logic [2:0]       s_axis_key_tuser,

  input  logic             s_axis_iv_tvalid,
  output logic             s_axis_iv_tready,
  input  logic [127:0]     s_axis_iv_tdata,

  input  logic             s_axis_tvalid,
  output logic             s_axis_tready,
  input  logic [127:0]     s_axis_tdata,
  input  logic [15:0]      s_axis_tkeep,
  input  logic             s_axis_tlast,
  input  logic [IdW-1:0]   s_axis_tid,
  input  logic [UserW-1:0] s_axis_tuser,

  output logic             m_axis_tvalid,
  input  logic             m_axis_tready,
  output logic [127:0]     m_axis_tdata,
  output logic [15:0]      m_axis_tkeep,
  output logic             m_axis_tlast,
  output logic [IdW-1:0]   m_axis_tid,
  output logic [UserW-1:0] m_axis_tuser
);
  localparam Rounds = 10;
  localparam SideW  = 17 + IdW + UserW;
  localparam WaitW  = $clog2(KeyWait + 1);

  logic en, go, leave;  // en: the output buffer has room, so the rounds move
  assign go = s_axis_tvalid && s_axis_tready;

  // ---- key --------------------------------------------------------------------------------------

  logic [Rounds:0][127:0] keys;
  logic [WaitW-1:0]       wait_q;
  logic [3:0]             count_q;  // blocks in flight
  logic                   have_q, hold_q, ready_q, key_fire, settled;

  aes_pipeline_key_chain u_chain (
    .clk_i(aclk), .rst_ni(aresetn), .load_i(key_fire), .key_i(s_axis_key_tdata), .keys_o(keys)
  );

  // hold_q keeps blocks out from the cycle after a key is offered. So a count of zero that ready_q
  // was made of is still true when the key is taken.
  assign s_axis_key_tready = ready_q;
  assign key_fire          = s_axis_key_tvalid && ready_q;
  assign settled           = have_q && wait_q == '0;
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      have_q  <= 1'b0;
      hold_q  <= 1'b0;
      ready_q <= 1'b0;
      wait_q  <= '0;
    end else begin
      hold_q  <= s_axis_key_tvalid && !key_fire;
      ready_q <= s_axis_key_tvalid && hold_q && !ready_q && count_q == '0;
      if (key_fire) begin
        have_q <= 1'b1;
        wait_q <= WaitW'(KeyWait);
      end else if (wait_q != '0) begin
        wait_q <= wait_q - 1'b1;
      end
    end
  end

  // ---- rounds -----------------------------------------------------------------------------------

  logic [Rounds:0][127:0] state;
  logic [Rounds-1:0]      valid_q;
  logic [Rounds-2:0]      valid_kept;
  logic [SideW-1:0]       out_side;

  assign s_axis_tready = en && settled && !hold_q;
  assign valid_kept    = valid_q[Rounds-2:0];
  assign leave         = valid_q[Rounds-1] && en;
  always_ff @(posedge aclk or negedge aresetn) begin
    if (!aresetn) begin
      valid_q <= '0;
      count_q <= '0;
    end else begin
      if (en) valid_q <= {valid_kept, go};
      if (go && !leave)      count_q <= count_q + 1'b1;
      else if (!go && leave) count_q <= count_q - 1'b1;
    end
  end

  // Round i uses round key Rounds - i; the last key is added before the output register.
  assign state[0] = go ? s_axis_tdata : '0;
  for (genvar i = 0; i < Rounds; i++) begin : gen_round
    aes_pipeline_plain_round #(.First((i == 0) ? 1 : 0)) u_round (
      .clk_i(aclk), .en_i(en), .state_i(state[i]), .key_i(keys[Rounds-i]), .state_o(state[i+1])
    );
  end

  axis_delay #(.Width(SideW), .Stages(Rounds), .SideImpl(SideImpl)) u_side (
    .clk_i(aclk), .rst_ni(aresetn), .en_i(en),
    .data_i({s_axis_tkeep, s_axis_tlast, s_axis_tid, s_axis_tuser}), .data_o(out_side)
  );
  skid_buffer #(.Width(128 + SideW)) u_out (
    .clk_i(aclk), .rst_ni(aresetn), .in_valid_i(valid_q[Rounds-1]), .in_ready_o(en),
    .in_data_i({state[Rounds] ^ keys[0], out_side}), .out_valid_o(m_axis_tvalid),
    .out_ready_i(m_axis_tready),
    .out_data_o({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tuser})
  );

  assign s_axis_iv_tready = 1'b0;
  logic unused;
  assign unused = ^{s_axis_key_tuser, s_axis_iv_tvalid, s_axis_iv_tdata};
endmodule
