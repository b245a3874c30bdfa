// SPDX-License-Identifier: Apache-2.0
// The masked unit with its cipher and its generator: when it does what, what its answers show, and
// that keys need fresh bits. All for any sequence of requests and pauses, from reset on, by
// induction.
//
// 1. timing: two copies get the same operations at the same times and other operands. Each register
//    that decides about time has the same value in both, in every cycle.
// 2. answers: nothing is read but a result that is due, the number of the key, and whether there is
//    a seed. Without fresh bits no word of a key is taken and there is no key. mb_begin and the
//    last word of a seed wipe: the cipher wipes in the cycle after, and nothing is accepted then.
//    An answer stays until it is taken.

// ---- 1: two copies ------------------------------------------------------------------------------

module aes_masked_block_control (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         req_valid_i,
  input  logic [15:0]  req_op_i,
  input  logic [31:0]  operand_i,
  input  logic         rsp_ready_i,
  output logic [1:0]   port_o,     // ready, valid
  output logic [84:0] control_o
);
  logic [31:0] rd;
  aes_masked_block u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(port_o[1]), .req_op_i, .req_rs1_i(operand_i),
    .req_rs2_i(~operand_i), .req_rs3_i(32'b0), .rsp_valid_o(port_o[0]), .rsp_ready_i, .rsp_rd_o(rd)
  );

  (* hierconn *) wire [4:0] \u_unit.written_q , \u_unit.fed_q , \u_unit.left_q ;
  (* hierconn *) wire [4:0] \u_unit.readable_q , \u_unit.read_q , \u_unit.u_cipher.wipe_q ;
  (* hierconn *) wire [4:0] \u_unit.u_fresh.left_q ;
  (* hierconn *) wire [3:0] \u_unit.u_cipher.words_q , \u_unit.u_cipher.slot_q ;
  (* hierconn *) wire [3:0] \u_unit.u_cipher.round_q ;
  (* hierconn *) wire [2:0] \u_unit.seed_count_q ;
  (* hierconn *) wire [1:0] \u_unit.length_q , \u_unit.mode_q , \u_unit.gap_q ;
  (* hierconn *) wire [1:0] \u_unit.u_cipher.length_q , \u_unit.u_cipher.third_q ;
  (* hierconn *) wire \u_unit.open_q , \u_unit.keyed_q , \u_unit.full_q , \u_unit.second_q ;
  (* hierconn *) wire \u_unit.wants_q , \u_unit.hold_q , \u_unit.result_q , \u_unit.begin_q ;
  (* hierconn *) wire \u_unit.seed_word_q , \u_unit.push_q , \u_unit.pop_q , \u_unit.last_q ;
  (* hierconn *) wire \u_unit.key_start_q , \u_unit.key_word_q , \u_unit.seed_due_q ;
  (* hierconn *) wire \u_unit.seeding_q , \u_unit.valid_q , \u_unit.u_cipher.loading_q ;
  (* hierconn *) wire \u_unit.u_cipher.keyed_q , \u_unit.u_cipher.prepare_q ;
  (* hierconn *) wire \u_unit.u_cipher.first_q , \u_unit.u_cipher.second_q ;
  (* hierconn *) wire \u_unit.u_cipher.out_valid_q , \u_unit.u_fresh.seeded_q ;
  (* hierconn *) wire \u_unit.u_fresh.valid_q ;

  assign control_o = {
    \u_unit.written_q , \u_unit.fed_q , \u_unit.left_q , \u_unit.readable_q , \u_unit.read_q ,
    \u_unit.u_cipher.wipe_q , \u_unit.u_fresh.left_q , \u_unit.u_cipher.words_q ,
    \u_unit.u_cipher.slot_q , \u_unit.u_cipher.round_q , \u_unit.seed_count_q , \u_unit.length_q ,
    \u_unit.mode_q , \u_unit.gap_q , \u_unit.u_cipher.length_q , \u_unit.u_cipher.third_q ,
    \u_unit.open_q , \u_unit.keyed_q , \u_unit.full_q , \u_unit.second_q , \u_unit.wants_q ,
    \u_unit.hold_q , \u_unit.result_q , \u_unit.begin_q , \u_unit.seed_word_q , \u_unit.push_q ,
    \u_unit.pop_q , \u_unit.last_q , \u_unit.key_start_q , \u_unit.key_word_q , \u_unit.seed_due_q ,
    \u_unit.seeding_q , \u_unit.valid_q , \u_unit.u_cipher.loading_q , \u_unit.u_cipher.keyed_q ,
    \u_unit.u_cipher.prepare_q , \u_unit.u_cipher.first_q , \u_unit.u_cipher.second_q ,
    \u_unit.u_cipher.out_valid_q , \u_unit.u_fresh.seeded_q , \u_unit.u_fresh.valid_q
  };
endmodule

module aes_masked_block_timing_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] left_i,
  input logic [31:0] right_i,
  input logic        rsp_ready_i
);
  logic [1:0]  left_port, right_port;
  logic [84:0] left, right;
  aes_masked_block_control u_left (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .operand_i(left_i), .rsp_ready_i,
    .port_o(left_port), .control_o(left)
  );
  aes_masked_block_control u_right (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .operand_i(right_i), .rsp_ready_i,
    .port_o(right_port), .control_o(right)
  );

  // Registers without a reset are known a clock after it.
  logic started_q = 1'b0, begun_q = 1'b0;
  always_ff @(posedge clk_i) {begun_q, started_q} <= {started_q, 1'b1};
  always_comb begin
    assume (begun_q || !rst_ni);
    if (begun_q) assert (left == right);
    if (begun_q) assert (left_port == right_port);
  end
endmodule

// ---- 2: what is read ----------------------------------------------------------------------------

module aes_masked_block_answers_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic        rsp_ready_i
);
  logic        req_ready, rsp_valid, accepted;
  logic [31:0] rd;
  aes_masked_block u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i,
    .req_rs2_i(32'b0), .req_rs3_i(32'b0), .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  assign accepted = req_valid_i && req_ready;

  logic started_q = 1'b0, begun_q = 1'b0;
  always_ff @(posedge clk_i) {begun_q, started_q} <= {started_q, 1'b1};
  always_comb assume (begun_q || !rst_ni);

  (* hierconn *) wire [31:0] \u_unit.number_q , \u_unit.stored , \u_unit.answer_q ;
  (* hierconn *) wire [4:0]  \u_unit.written_q , \u_unit.readable_q , \u_unit.read_q ;
  (* hierconn *) wire [4:0]  \u_unit.u_fresh.left_q ;
  (* hierconn *) wire \u_unit.open_q , \u_unit.keyed_q , \u_unit.begin_q , \u_unit.seed_due_q ;
  (* hierconn *) wire \u_unit.seed_word_q , \u_unit.seeding_q , \u_unit.wiping , \u_unit.wipe ;
  (* hierconn *) wire \u_unit.push_q , \u_unit.pop_q , \u_unit.valid_q ;
  (* hierconn *) wire \u_unit.u_fresh.valid_q , \u_unit.u_fresh.seeded_q ;

  logic [aes_masked_block_ops_pkg::CodeW-1:0]  code;
  logic [aes_masked_block_ops_pkg::ITEM_W-1:0] item;
  logic begins, seeds, keys, gets, looks, fresh;
  assign code   = req_op_i[aes_masked_block_ops_pkg::CodeW-1:0];
  assign item   = req_op_i[aes_masked_block_ops_pkg::ITEM_LSB +: aes_masked_block_ops_pkg::ITEM_W];
  assign begins = accepted && code == aes_masked_block_ops_pkg::OP_MB_BEGIN;
  assign seeds  = accepted && code == aes_masked_block_ops_pkg::OP_MB_SEED && item == 3'd4;
  assign keys   = accepted && code == aes_masked_block_ops_pkg::OP_MB_KEY;
  assign looks  = accepted && code == aes_masked_block_ops_pkg::OP_MB_LOOK;
  assign gets   = accepted && (code == aes_masked_block_ops_pkg::OP_MB_GET ||
                               code == aes_masked_block_ops_pkg::OP_MB_TURN);
  assign fresh  = \u_unit.u_fresh.valid_q ;

  // What the answer of the last request may be: 0, and at most one of these.
  logic        number_q, due_q, seeded_q, asked_q, begins_q, seeds_q, stalled_q;
  logic [31:0] result_q, named_q, rd_q;
  always_ff @(posedge clk_i) begin
    asked_q  <= accepted && rst_ni;
    begins_q <= begins && rst_ni;
    seeds_q  <= seeds && rst_ni;
    number_q <= (keys && \u_unit.open_q ) || (looks && !item[0] && \u_unit.keyed_q );
    due_q    <= gets && \u_unit.keyed_q && \u_unit.written_q [4:2] != \u_unit.read_q [4:2] &&
                \u_unit.readable_q != \u_unit.read_q ;
    seeded_q <= looks && item[0] && fresh;
    result_q <= \u_unit.stored ;
    named_q  <= \u_unit.number_q ;
    // An answer that waits.
    stalled_q <= rsp_valid && !rsp_ready_i && rst_ni;
    rd_q      <= rd;
  end

  always_comb begin
    if (begun_q && rst_ni) begin
      if (asked_q) begin
        assert (rsp_valid);
        assert (rd == 32'd0 || (number_q && rd == named_q) || (due_q && rd == result_q) ||
                (seeded_q && rd == 32'd1));
        if (due_q) assert (rd == result_q);
        if (seeded_q) assert (rd == 32'd1);
      end

      if (stalled_q) assert (rsp_valid && rd == rd_q && !asked_q);

      // A key, open or complete, has fresh bits, or is gone in this cycle.
      assert (!fresh || (\u_unit.u_fresh.seeded_q && \u_unit.u_fresh.left_q == 5'd0));
      if (\u_unit.seeding_q ) assert (!fresh || \u_unit.u_fresh.left_q == 5'd0);
      if (!fresh && (\u_unit.open_q || \u_unit.keyed_q )) begin
        assert (\u_unit.seeding_q && !accepted);
      end
      if (!fresh && !\u_unit.seeding_q ) begin
        assert (!\u_unit.push_q && !\u_unit.pop_q );
      end

      // Wipes.
      if (begins_q || (seeds_q && \u_unit.seed_due_q )) assert (\u_unit.wipe && !accepted);
      if (\u_unit.wiping && fresh) assert (!accepted);
    end
  end

  logic unused;
  assign unused = ^{\u_unit.answer_q , \u_unit.begin_q , \u_unit.seed_word_q , \u_unit.valid_q };
endmodule

// ---- 3: a reset ---------------------------------------------------------------------------------

// In the first two cycles, in any state of the unit; then no request. For simulation with unknown
// values.
module aes_masked_block_reset_props (
  input logic        clk_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i
);
  logic first_q = 1'b1, second_q = 1'b0, ready, valid;
  logic [31:0] rd;
  always_ff @(posedge clk_i) {second_q, first_q} <= {first_q, 1'b0};
  aes_masked_block u_unit (
    .clk_i, .rst_ni(!first_q && !second_q), .req_valid_i(1'b0), .req_ready_o(ready), .req_op_i,
    .req_rs1_i, .req_rs2_i(32'b0), .req_rs3_i(32'b0), .rsp_valid_o(valid), .rsp_ready_i(1'b1),
    .rsp_rd_o(rd)
  );
endmodule
