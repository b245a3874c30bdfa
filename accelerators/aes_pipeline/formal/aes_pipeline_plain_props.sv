// SPDX-License-Identifier: Apache-2.0
// The decoder of the paper's shape: its rounds and its key chain equal FIPS 197 except their
// S-boxes, and its handshake never drops, duplicates, reorders or alters a block.
//
// The S-boxes are cut out (aes_pipeline_any_box.sv): their outputs are free. Rounds and chain are
// compared from and to them. That a table is the S-box is a proof of the shared RTL (aes_sbox_lut).

// ---- a round: FIPS 197, sections 5.1.4, 5.3.1 and 5.3.3 ----------------------------------------

// InvMixColumns is compared for columns with one nonzero byte: circuit and specification are
// linear.
module aes_pipeline_plain_round_props (
  input logic         clk_i,
  input logic         en_i,
  input logic [127:0] state_i,
  input logic [127:0] key_i
);
  logic [127:0] first, middle, added, unmixed;
  aes_pipeline_plain_round #(.First(1)) u_first (
    .clk_i, .en_i, .state_i, .key_i, .state_o(first)
  );
  aes_pipeline_plain_round u_middle (.clk_i, .en_i, .state_i, .key_i, .state_o(middle));
  (* hierconn *) wire [127:0] \u_first.shifted ;
  (* hierconn *) wire [127:0] \u_first.boxed ;
  (* hierconn *) wire [127:0] \u_middle.shifted ;
  (* hierconn *) wire [127:0] \u_middle.boxed ;

  assign added = state_i ^ key_i;
  for (genvar c = 0; c < 4; c++) begin : gen_column
    assign unmixed[32*c +: 32] = aes_spec_pkg::inv_mix_column(added[32*c +: 32]);
    logic [31:0] column;
    logic        alone;
    assign column = added[32*c +: 32];
    assign alone  = column[31:8] == '0 || {column[31:16], column[7:0]} == '0 ||
                    {column[31:24], column[15:0]} == '0 || column[23:0] == '0;
    // InvShiftRows moves row r by r columns: to column c + r.
    for (genvar r = 0; r < 4; r++) begin : gen_row
      always_comb begin
        assert (\u_first.shifted [32*((c + r) % 4) + 8*r +: 8] == added[32*c + 8*r +: 8]);
        if (alone) begin
          assert (\u_middle.shifted [32*((c + r) % 4) + 8*r +: 8] == unmixed[32*c + 8*r +: 8]);
        end
      end
    end
  end

  logic         started_q = 1'b0;
  logic [127:0] first_q, middle_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    first_q   <= en_i ? \u_first.boxed : first;
    middle_q  <= en_i ? \u_middle.boxed : middle;
  end
  always_comb if (started_q) assert (first == first_q && middle == middle_q);
endmodule

// ---- the chain: section 5.2 --------------------------------------------------------------------

// Step i from its S-boxes' outputs, four of them for the bytes of the last word of key i - 1.
module aes_pipeline_key_chain_props (
  input logic         clk_i,
  input logic         load_i,
  input logic [127:0] key_i
);
  logic [10:0][127:0] keys;
  aes_pipeline_key_chain u_chain (.clk_i, .rst_ni(1'b1), .load_i, .key_i, .keys_o(keys));
  (* hierconn *) wire [31:0] \u_chain.gen_step[1].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[2].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[3].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[4].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[5].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[6].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[7].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[8].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[9].boxed ;
  (* hierconn *) wire [31:0] \u_chain.gen_step[10].boxed ;
  (* hierconn *) wire [127:0] \u_chain.gen_step[1].last ;
  (* hierconn *) wire [127:0] \u_chain.gen_step[10].last ;

  // Word i of step i is SUBWORD of the key before: rotated, and with x^(i-1) in its first byte.
  logic [10:1][31:0] turned;
  logic [10:0][7:0]  power;
  assign power[0] = 8'h8d;  // x^-1
  assign turned[1]  = aes_spec_pkg::rotate(\u_chain.gen_step[1].boxed , 2'd3);
  assign turned[2]  = aes_spec_pkg::rotate(\u_chain.gen_step[2].boxed , 2'd3);
  assign turned[3]  = aes_spec_pkg::rotate(\u_chain.gen_step[3].boxed , 2'd3);
  assign turned[4]  = aes_spec_pkg::rotate(\u_chain.gen_step[4].boxed , 2'd3);
  assign turned[5]  = aes_spec_pkg::rotate(\u_chain.gen_step[5].boxed , 2'd3);
  assign turned[6]  = aes_spec_pkg::rotate(\u_chain.gen_step[6].boxed , 2'd3);
  assign turned[7]  = aes_spec_pkg::rotate(\u_chain.gen_step[7].boxed , 2'd3);
  assign turned[8]  = aes_spec_pkg::rotate(\u_chain.gen_step[8].boxed , 2'd3);
  assign turned[9]  = aes_spec_pkg::rotate(\u_chain.gen_step[9].boxed , 2'd3);
  assign turned[10] = aes_spec_pkg::rotate(\u_chain.gen_step[10].boxed , 2'd3);

  // Round key 0 is the key that was loaded last.
  logic         loaded_q = 1'b0;
  logic [127:0] key_q;
  always_ff @(posedge clk_i) begin
    loaded_q <= loaded_q || load_i;
    if (load_i) key_q <= key_i;
  end

  always_comb begin
    if (loaded_q) assert (keys[0] == key_q);
    assert (\u_chain.gen_step[1].last == keys[0] && \u_chain.gen_step[10].last == keys[9]);
  end
  for (genvar i = 1; i <= 10; i++) begin : gen_step
    assign power[i] = aes_spec_pkg::xtime(power[i-1]);
    always_comb begin
      assert (keys[i][31:0] == (keys[i-1][31:0] ^ turned[i] ^ {24'b0, power[i]}));
      for (int w = 1; w < 4; w++) begin
        assert (keys[i][32*w +: 32] == (keys[i-1][32*w +: 32] ^ keys[i][32*(w-1) +: 32]));
      end
    end
  end
endmodule

// ---- the handshake -----------------------------------------------------------------------------

// As aes_pipeline_flow_props.sv: blocks are numbered at the input (TID) modulo 16, there are 12
// places, and from output to input each place that holds a block holds the next number. Also: the
// key never changes while a block is in flight, and no block is taken before the chain had KeyWait
// clocks.
module aes_pipeline_plain_flow_props (
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
  localparam Latency = 10;
  localparam IdW     = 4;
  localparam UserW   = 4;
  localparam SideW   = 17 + IdW + UserW;
  localparam KeyWait = 3;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic             key_ready, iv_ready, in_ready, out_valid, out_last;
  logic [127:0]     out_data;
  logic [15:0]      out_keep;
  logic [IdW-1:0]   taken_q, given_q, out_id;
  logic [UserW-1:0] out_user;

  aes_pipeline_plain #(
    .KeyWait(KeyWait), .IdW(IdW), .UserW(UserW), .SideImpl("regs")
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

  (* hierconn *) wire [Latency-1:0]       \u_dut.valid_q ;
  (* hierconn *) wire [Latency*SideW-1:0] \u_dut.u_side.genblk1.gen_regs.u_delay.gen_regs.data_q ;
  (* hierconn *) wire                     \u_dut.u_out.valid_q ;
  (* hierconn *) wire                     \u_dut.u_out.spare_valid ;
  (* hierconn *) wire [127+SideW:0]       \u_dut.u_out.data_q ;
  (* hierconn *) wire [127+SideW:0]       \u_dut.u_out.spare_q ;
  (* hierconn *) wire [3:0]               \u_dut.count_q ;
  (* hierconn *) wire [127:0]             \u_dut.u_chain.key_q ;
  (* hierconn *) wire [1:0]               \u_dut.wait_q ;
  (* hierconn *) wire                     \u_dut.have_q ;
  (* hierconn *) wire                     \u_dut.hold_q ;
  (* hierconn *) wire                     \u_dut.ready_q ;

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
  logic [Latency*IdW-1:0]   before_q;
  logic [Latency*SideW-1:0] side;
  logic [Latency-1:0]       held;
  logic [IdW-1:0]           waiting;   // the number that leaves the rounds next
  logic                     offer, spare;
  assign side    = \u_dut.u_side.genblk1.gen_regs.u_delay.gen_regs.data_q ;
  assign held    = \u_dut.valid_q ;
  assign offer   = \u_dut.u_out.valid_q ;
  assign spare   = \u_dut.u_out.spare_valid ;
  assign waiting = given_q + {{(IdW-1){1'b0}}, offer} + {{(IdW-1){1'b0}}, spare};
  always_ff @(posedge clk_i) begin
    if (!rst_n) before_q <= '0;
    else if (!spare) before_q <= {before_q[(Latency-1)*IdW-1:0], taken_q};
  end

  logic                   offered_q;
  logic [144+IdW+UserW:0] shown, shown_q;
  assign shown = {out_data, out_keep, out_last, out_id, out_user};

  // Clocks since the key was taken, up to KeyWait; the key and the blocks in flight a clock ago.
  logic [1:0]   since_q;
  logic [127:0] key_q;
  logic         idle_q;
  always_ff @(posedge clk_i) begin
    offered_q <= rst_n && out_valid && !ready_i;
    shown_q   <= shown;
    key_q     <= \u_dut.u_chain.key_q ;
    idle_q    <= !rst_n || \u_dut.count_q == 4'd0;
    if (!rst_n || (key_valid_i && key_ready)) since_q <= 2'd0;
    else if (since_q != KeyWait) since_q <= since_q + 1'b1;
  end

  always_comb begin
    if (rst_n) begin
      assert (taken_q == before_q[IdW-1:0] + {{(IdW-1){1'b0}}, held[0]});
      for (int i = 0; i < Latency; i++) begin
        if (i > 0) begin
          assert (before_q[IdW*(i-1) +: IdW]
                  == before_q[IdW*i +: IdW] + {{(IdW-1){1'b0}}, held[i]});
        end
        if (held[i]) assert (side[SideW*i + UserW +: IdW] == before_q[IdW*i +: IdW]);
      end
      assert (before_q[(Latency-1)*IdW +: IdW] == waiting);
      if (offer) assert (\u_dut.u_out.data_q [UserW +: IdW] == given_q);
      if (spare) assert (\u_dut.u_out.spare_q [UserW +: IdW] == given_q + 1'b1);
      assert (offer || !spare);
      assert (\u_dut.count_q == taken_q - waiting);
      if (out_valid) assert (out_id == given_q);
      if (offered_q) assert (out_valid && shown == shown_q);
      // The key.
      assert (!\u_dut.ready_q || (\u_dut.hold_q && \u_dut.count_q == 4'd0));
      assert (idle_q || \u_dut.u_chain.key_q == key_q);
      assert (!\u_dut.have_q || {30'b0, \u_dut.wait_q } == KeyWait - {30'b0, since_q});
      if (in_ready) assert (\u_dut.have_q && since_q == KeyWait);
    end
  end
endmodule
