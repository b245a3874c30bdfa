// SPDX-License-Identifier: Apache-2.0
// fu_join in front of any units. Each request gets one answer, that of the unit which it names, in
// the order of requests; an answer is stable until accepted. Proved by induction, for all time.
// THREE: three units instead of two. REGISTERED: no unit answers in the cycle in which its request
// appears.
`ifdef REGISTERED
`define REGISTERED_VALUE 1
`else
`define REGISTERED_VALUE 0
`endif
module fu_join_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [1:0]  req_unit_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic        calm_i,
  input logic [8:0]  choose_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;
  (* anyconst *) logic [1:0] which;   // see abstract_unit

`ifdef THREE
  localparam int Units = 3;
`else
  localparam int Units = 2;
`endif
  localparam int SelW = $clog2(Units);

  logic                req_ready, rsp_valid;
  logic [31:0]         rd;
  logic [Units-1:0]    unit_valid, unit_ready, unit_rsp_valid, unit_rsp_ready;
  logic [32*Units-1:0] unit_rd;

  fu_join #(.Units(Units), .Registered(`REGISTERED_VALUE)) u_dut (
    .clk_i, .rst_ni(rst_n),
    .req_valid_i, .req_ready_o(req_ready), .req_unit_i(req_unit_i[SelW-1:0]),
    .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd),
    .unit_req_valid_o(unit_valid), .unit_req_ready_i(unit_ready),
    .unit_rsp_valid_i(unit_rsp_valid), .unit_rsp_ready_o(unit_rsp_ready), .unit_rsp_rd_i(unit_rd)
  );

  // The answers of each unit differ from those of the others: its rs1 does.
  logic [2:0][2:0]       held;
  logic [2:0][2:0][31:0] answers;
  abstract_unit #(.Depth(3), .Registered(`REGISTERED_VALUE)) u_a (
    .clk_i, .rst_ni(rst_n), .choose_i(choose_i[2:0]), .which_i(which),
    .req_valid_i(unit_valid[0]), .req_ready_o(unit_ready[0]), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(unit_rsp_valid[0]), .rsp_ready_i(unit_rsp_ready[0]),
    .rsp_rd_o(unit_rd[31:0]), .held_o(held[0]), .answer_o(answers[0])
  );
  abstract_unit #(.Depth(3), .Registered(`REGISTERED_VALUE)) u_b (
    .clk_i, .rst_ni(rst_n), .choose_i(choose_i[5:3]), .which_i(which),
    .req_valid_i(unit_valid[1]), .req_ready_o(unit_ready[1]), .req_op_i,
    .req_rs1_i(req_rs1_i ^ 32'd1), .req_rs2_i, .req_rs3_i, .rsp_valid_o(unit_rsp_valid[1]),
    .rsp_ready_i(unit_rsp_ready[1]), .rsp_rd_o(unit_rd[63:32]), .held_o(held[1]),
    .answer_o(answers[1])
  );
  (* hierconn *) wire \u_a.pending_q ;
  (* hierconn *) wire \u_b.pending_q ;
  (* hierconn *) wire \u_a.direct_q ;
  (* hierconn *) wire \u_b.direct_q ;
  logic [2:0] pending, direct;
  assign pending[1:0] = {\u_b.pending_q , \u_a.pending_q };
  assign direct[1:0]  = {\u_b.direct_q , \u_a.direct_q };
`ifdef THREE
  abstract_unit #(.Depth(3), .Registered(`REGISTERED_VALUE)) u_c (
    .clk_i, .rst_ni(rst_n), .choose_i(choose_i[8:6]), .which_i(which),
    .req_valid_i(unit_valid[2]), .req_ready_o(unit_ready[2]), .req_op_i,
    .req_rs1_i(req_rs1_i ^ 32'd2), .req_rs2_i, .req_rs3_i, .rsp_valid_o(unit_rsp_valid[2]),
    .rsp_ready_i(unit_rsp_ready[2]), .rsp_rd_o(unit_rd[95:64]), .held_o(held[2]),
    .answer_o(answers[2])
  );
  (* hierconn *) wire \u_c.pending_q ;
  (* hierconn *) wire \u_c.direct_q ;
  assign pending[2] = \u_c.pending_q ;
  assign direct[2]  = \u_c.direct_q ;
`else
  assign pending[2] = 1'b0;
  assign direct[2]  = 1'b0;
  assign held[2]    = '0;
  assign answers[2] = '0;
`endif

  // Any adapter: a request of some unit is stable until accepted.
  logic         waits_q;
  logic [113:0] payload, payload_q;
  assign payload = {req_unit_i, req_op_i, req_rs1_i, req_rs2_i, req_rs3_i};
  always_ff @(posedge clk_i) begin
    waits_q   <= rst_n && req_valid_i && !req_ready;
    payload_q <= payload;
  end

  // The expected answers, oldest first.
  logic             req_fire, rsp_fire, stalled_q;
  logic [31:0]      want, rd_q;
  logic [3:0][31:0] want_q;
  logic [2:0]       open_q, kept;
  abstract_answer u_want (
    .which_i(which), .op_i(req_op_i), .rs1_i(req_rs1_i ^ {30'd0, req_unit_i}), .rs2_i(req_rs2_i),
    .rs3_i(req_rs3_i), .rd_o(want)
  );
  assign req_fire = req_valid_i && req_ready;
  assign rsp_fire = rsp_valid && rsp_ready_i;
  assign kept     = open_q - {2'b0, rsp_fire && open_q != 3'd0};
  always_ff @(posedge clk_i) begin
    if (!rst_n) open_q <= 3'd0;
    else        open_q <= open_q + {2'b0, req_fire} - {2'b0, rsp_fire};
    if (rsp_fire) want_q[2:0] <= want_q[3:1];
    for (int i = 0; i < 4; i++) if (req_fire && kept == 3'(i)) want_q[i] <= want;
    stalled_q <= rst_n && rsp_valid && !rsp_ready_i;
    rd_q      <= rd;
  end

`ifdef CALM
  // From some cycle on, after any history, units accept and answer at once, and so does the host.
  // A request is then accepted within five cycles.
  logic       calm_q;
  logic [2:0] quiet_q;
  always_ff @(posedge clk_i) begin
    calm_q  <= rst_n && (calm_q || calm_i);
    quiet_q <= (rst_n && calm_q && req_valid_i && !req_ready) ? quiet_q + 3'd1 : 3'd0;
  end
`endif

  // The join's registers, by their flattened names.
  (* hierconn *) wire [1:0]       \u_dut.open_q ;
  (* hierconn *) wire [Units-1:0] \u_dut.owner_q ;
  (* hierconn *) wire [Units-1:0] \u_dut.before_q ;
  logic [2:0] owner, older;
  logic       old;
  assign owner = 3'(\u_dut.owner_q );
  assign older = 3'(\u_dut.before_q );
  assign old   = |older;

  always_comb begin
    if (rst_n) begin
      if (req_valid_i) assume (req_unit_i < 2'(Units));
      if (waits_q) assume (req_valid_i && payload == payload_q);
      // A request reaches the unit that it names and no other.
      for (int i = 0; i < Units; i++)
        if (unit_valid[i]) assert (req_valid_i && req_unit_i == 2'(i));
      // An answer belongs to the oldest request, and is accepted only for an accepted one.
      if (rsp_valid) begin
        assert (open_q != 3'd0 || req_valid_i);
`ifndef CALM
        assert (rd == (open_q != 3'd0 ? want_q[0] : want));
`endif
      end
      if (rsp_fire) assert (open_q != 3'd0 || req_fire);
      if (stalled_q) assert (rsp_valid);
`ifndef CALM
      if (stalled_q) assert (rd == rd_q);
`endif
      // No answer of a unit is lost.
      if (|(unit_rsp_valid & unit_rsp_ready)) assert (rsp_fire);
`ifdef CALM
      if (calm_q) assume (rsp_ready_i);
      if (calm_q) for (int i = 0; i < Units; i++) assume (choose_i[3*i +: 2] == 2'b11);
      assert (quiet_q < 3'd5);
`endif
      // Invariants: what is open is in the owner, except the oldest in the unit before.
      assert (open_q == {1'b0, \u_dut.open_q } + {2'b0, old});
      assert (owner == 3'd1 || owner == 3'd2 || owner == 3'd4 || (owner == 3'd0 && open_q == 3'd0));
      assert (older == 3'd0 || older == 3'd1 || older == 3'd2 || older == 3'd4);
      if (old) assert (\u_dut.open_q != 2'd0 && (older & owner) == 3'd0);
      for (int i = 0; i < 3; i++) begin
        if (owner[i]) begin
          for (int j = 0; j < 3; j++) begin
            assert (held[i][j] == (\u_dut.open_q > 2'(j)));
`ifndef CALM
            if (held[i][j]) assert (answers[i][j] == want_q[3'(j) + {2'b0, old}]);
`endif
          end
        end else if (older[i]) begin
          assert (held[i] == 3'b001);
`ifndef CALM
          assert (answers[i][0] == want_q[0]);
`endif
        end else begin
          assert (held[i] == '0);
        end
        if (pending[i]) assert (waits_q && payload_q[113:112] == 2'(i) && (!old || owner[i]));
        if (pending[i]) assert (owner[i] || \u_dut.open_q <= 2'd1);
        if (direct[i]) assert (pending[i]);
      end
    end
  end
endmodule
