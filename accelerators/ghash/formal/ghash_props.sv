// SPDX-License-Identifier: Apache-2.0
// The hash unit: every answer and every word that it keeps is what the requests so far make it.
// Source: NIST SP 800-38D, sections 6.3 and 6.4.
//
// Composition.
// 1. step: a digit's step is as many of the standard's steps as the digit has bits: multiply by x
//    (the shift of algorithm 1), add the subkey if the bit is set. Shown for any sum and the digit
//    zero, and for the sum zero, any subkey and a digit of one bit. The step is a sum of these.
// 2. requests: for any sequence of requests and pauses, subkey, block, hash, number and answers are
//    what the model here says: a product takes the steps of all digits, from the last coefficients
//    of the block down. The step is any function (ghash_step_any.sv), the same in unit and model.
//    With 1 this is Horner's rule: sum of block.i * subkey * x^i, which is algorithm 1.
// 3. secret: until a product begins, answers do not depend on the subkey.

// ---- 1: a digit ---------------------------------------------------------------------------------

module ghash_step_of #(
  parameter Digit = 4
) (
  input logic [127:0]       sum_i,
  input logic [127:0]       key_i,
  input logic [Digit-1:0]   digit_i
);
  logic [127:0] sum;
  ghash_step #(.Digit(Digit)) u_step (.sum_i, .key_i, .digit_i, .sum_o(sum));

  // As the standard writes a block: the coefficient of x^i is bit 127 - i.
  logic [127:0] before, subkey, after;
  for (genvar i = 0; i < 128; i++) begin : gen_order
    assign before[i] = sum_i[127-i];
    assign subkey[i] = key_i[127-i];
    assign after[i]  = sum[127-i];
  end

  logic [Digit:0][127:0] wanted;
  assign wanted[Digit] = before;
  for (genvar i = 0; i < Digit; i++) begin : gen_bit
    assign wanted[i] = {1'b0, wanted[i+1][127:1]} ^ (wanted[i+1][0] ? {8'he1, 120'h0} : 128'h0)
                     ^ (digit_i[i] ? subkey : 128'h0);
  end
  always_comb assert (after == wanted[0]);
endmodule

module ghash_step_props (
  input logic         clk_i,
  input logic [127:0] sum_i,
  input logic [127:0] key_i,
  input logic [4:0]   place_i,
  input logic         whole_i
);
  // Registers, because ABC takes no combinational design.
  logic [127:0] sum, key;
  logic [31:0]  digit;
  always_ff @(posedge clk_i) begin
    sum   <= whole_i ? sum_i : 128'h0;
    key   <= key_i;
    digit <= whole_i ? 32'h0 : 32'h1 << place_i;
  end
  initial {sum, key, digit} = '0;
  ghash_step_of #(.Digit(4))  u_4  (.sum_i(sum), .key_i(key), .digit_i(digit[3:0]));
  ghash_step_of #(.Digit(8))  u_8  (.sum_i(sum), .key_i(key), .digit_i(digit[7:0]));
  ghash_step_of #(.Digit(16)) u_16 (.sum_i(sum), .key_i(key), .digit_i(digit[15:0]));
  ghash_step_of #(.Digit(32)) u_32 (.sum_i(sum), .key_i(key), .digit_i(digit));
endmodule

// ---- 2: any requests ----------------------------------------------------------------------------

module ghash_requests #(
  parameter Digit = 16
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  localparam Steps = 128 / Digit;

  logic        req_ready, rsp_valid, accepted;
  logic [31:0] rd;
  ghash #(.Digit(Digit)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i(32'b0), .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  assign accepted = req_valid_i && req_ready;

  // The proof begins in reset.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic [ghash_ops_pkg::CodeW-1:0] code;
  logic                            half, begins, keys, absorbs, reads, ends;
  logic [1:0]                      word;
  assign code    = req_op_i[ghash_ops_pkg::CodeW-1:0];
  assign half    = req_op_i[ghash_ops_pkg::HALF_LSB];
  assign word    = req_op_i[ghash_ops_pkg::WORD_LSB +: 2];
  assign begins  = accepted && code == ghash_ops_pkg::OP_GH_BEGIN;
  assign keys    = accepted && code == ghash_ops_pkg::OP_GH_KEY;
  assign absorbs = accepted && code == ghash_ops_pkg::OP_GH_ABSORB;
  assign reads   = accepted && code == ghash_ops_pkg::OP_GH_READ;
  assign ends    = accepted && code == ghash_ops_pkg::OP_GH_END;

  // Polynomials of two words.
  logic [63:0] words, pair;
  assign words = {req_rs2_i, req_rs1_i};
  for (genvar i = 0; i < 64; i++) begin : gen_order
    assign pair[i] = words[8 * (i / 8) + 7 - i % 8];
  end

  // The model. `begun_q`: reset has ended and its clock is over.
  logic [127:0] key_q, block_q, hash_q, next;
  logic [23:0]  number_q;
  logic [7:0]   left_q;
  logic         begun_q, owed_q;
  logic [31:0]  wanted_q;
  ghash_step #(.Digit(Digit)) u_step (
    .sum_i(hash_q), .key_i(key_q), .digit_i(block_q[127 -: Digit]), .sum_o(next)
  );
  (* hierconn *) wire [127:0] \u_unit.key_q ;
  (* hierconn *) wire [127:0] \u_unit.rest_q ;
  (* hierconn *) wire [127:0] \u_unit.sum_q ;
  (* hierconn *) wire [127:0] \u_unit.next ;
  always_comb begin
    if (\u_unit.sum_q == hash_q && \u_unit.key_q == key_q && \u_unit.rest_q == block_q) begin
      assume (\u_unit.next == next);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q  <= 1'b0;
      left_q   <= 8'd0;
      number_q <= 24'd0;
      owed_q   <= 1'b0;
    end else begin
      begun_q <= 1'b1;
      if (owed_q && rsp_ready_i) owed_q <= 1'b0;
      if (accepted) owed_q <= 1'b1;
      if (left_q != 8'd0) left_q <= left_q - 8'd1;
      if (absorbs && half) left_q <= 8'(Steps);
      if (begins || ends) left_q <= 8'd0;
      if (begins) number_q <= req_rs1_i[23:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!begun_q || begins) begin
      {key_q, block_q, hash_q} <= '0;
    end else if (ends) begin
      {block_q, hash_q} <= '0;
    end else if (left_q != 8'd0) begin
      hash_q  <= next;
      block_q <= block_q << Digit;
    end else begin
      if (keys && !half) key_q[63:0] <= pair;
      if (keys && half) key_q[127:64] <= pair;
      if (absorbs && !half) block_q[63:0] <= hash_q[63:0] ^ pair;
      if (absorbs && half) begin
        block_q[127:64] <= hash_q[127:64] ^ pair;
        hash_q          <= '0;
      end
    end
  end

  logic [127:0] shown;
  for (genvar i = 0; i < 128; i++) begin : gen_shown
    assign shown[i] = hash_q[8 * (i / 8) + 7 - i % 8];
  end
  always_ff @(posedge clk_i) begin
    if (accepted) begin
      wanted_q <= reads ? shown[32*word +: 32] : ends ? {8'd0, number_q} : 32'd0;
    end
  end

  (* hierconn *) wire [23:0]  \u_unit.number_q ;
  (* hierconn *) wire [$clog2(128/Digit + 1)-1:0] \u_unit.left_q ;
  (* hierconn *) wire         \u_unit.wipe_q ;
  (* hierconn *) wire         \u_unit.hash_q ;
  (* hierconn *) wire         \u_unit.tell_q ;
  (* hierconn *) wire [1:0]   \u_unit.word_q ;

  always_comb begin
    if (rst_ni) begin
      assert (\u_unit.wipe_q == !begun_q);
      assert (8'(\u_unit.left_q ) == left_q && left_q <= 8'(Steps));
      assert (\u_unit.number_q == number_q);
      if (begun_q) begin
        assert (\u_unit.key_q == key_q);
        assert (\u_unit.rest_q == block_q);
        assert (\u_unit.sum_q == hash_q);
      end
      // One answer for each request, a clock later; the multiplier makes only those wait that need
      // it.
      assert (rsp_valid == owed_q);
      assert (req_ready == (begun_q && (!owed_q || rsp_ready_i) && (left_q == 8'd0 ||
              code == ghash_ops_pkg::OP_GH_BEGIN || code == ghash_ops_pkg::OP_GH_END)));
      if (rsp_valid) begin
        assert (rd == wanted_q);
        // What the answer shows does not change while it waits.
        assert (!(\u_unit.hash_q && \u_unit.tell_q ));
        if (\u_unit.hash_q ) assert (left_q == 8'd0 && wanted_q == shown[32*\u_unit.word_q +: 32]);
        else if (\u_unit.tell_q ) assert (wanted_q == {8'd0, number_q});
        else assert (wanted_q == 32'd0);
      end
    end
  end
endmodule

module ghash_requests_d4_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  ghash_requests #(.Digit(4)) u_requests (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .rsp_ready_i
  );
endmodule

module ghash_requests_d8_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  ghash_requests #(.Digit(8)) u_requests (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .rsp_ready_i
  );
endmodule

module ghash_requests_d16_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  ghash_requests #(.Digit(16)) u_requests (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .rsp_ready_i
  );
endmodule

module ghash_requests_d32_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  ghash_requests #(.Digit(32)) u_requests (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .rsp_ready_i
  );
endmodule

// ---- 3: the subkey ------------------------------------------------------------------------------

// Two units with different subkeys and otherwise the same requests; no product begins.
module ghash_secret_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [63:0] left_i,
  input logic [63:0] right_i,
  input logic        rsp_ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic        left_ready, right_ready, left_valid, right_valid;
  logic [31:0] left_rd, right_rd;
  ghash #(.Digit(16)) u_left (
    .clk_i, .rst_ni(rst_n), .req_valid_i, .req_ready_o(left_ready), .req_op_i,
    .req_rs1_i(left_i[31:0]), .req_rs2_i(left_i[63:32]), .req_rs3_i(32'b0),
    .rsp_valid_o(left_valid), .rsp_ready_i, .rsp_rd_o(left_rd)
  );
  ghash #(.Digit(16)) u_right (
    .clk_i, .rst_ni(rst_n), .req_valid_i, .req_ready_o(right_ready), .req_op_i,
    .req_rs1_i(right_i[31:0]), .req_rs2_i(right_i[63:32]), .req_rs3_i(32'b0),
    .rsp_valid_o(right_valid), .rsp_ready_i, .rsp_rd_o(right_rd)
  );

  // What answers depend on is equal, and no hash exists without a product.
  (* hierconn *) wire [127:0] \u_left.sum_q ;
  (* hierconn *) wire [127:0] \u_right.sum_q ;
  (* hierconn *) wire [3:0]   \u_left.left_q ;
  (* hierconn *) wire [3:0]   \u_right.left_q ;
  (* hierconn *) wire [23:0]  \u_left.number_q ;
  (* hierconn *) wire [23:0]  \u_right.number_q ;
  (* hierconn *) wire         \u_left.wipe_q ;
  (* hierconn *) wire         \u_right.wipe_q ;
  (* hierconn *) wire         \u_left.hash_q ;
  (* hierconn *) wire         \u_right.hash_q ;
  (* hierconn *) wire         \u_left.tell_q ;
  (* hierconn *) wire         \u_right.tell_q ;
  always_comb begin
    if (rst_n) begin
      assert (\u_left.left_q == 4'd0 && \u_right.left_q == 4'd0);
      assert (\u_left.wipe_q == \u_right.wipe_q );
      assert (\u_left.number_q == \u_right.number_q );
      if (!\u_left.wipe_q ) assert (\u_left.sum_q == 128'h0 && \u_right.sum_q == 128'h0);
      if (left_valid) begin
        assert (!\u_left.wipe_q && \u_left.hash_q == \u_right.hash_q );
        assert (\u_left.tell_q == \u_right.tell_q );
      end
    end
  end

  logic [ghash_ops_pkg::CodeW-1:0] code;
  assign code = req_op_i[ghash_ops_pkg::CodeW-1:0];
  always_comb begin
    if (code != ghash_ops_pkg::OP_GH_KEY) assume (left_i == right_i);
    if (code == ghash_ops_pkg::OP_GH_ABSORB) assume (!req_op_i[ghash_ops_pkg::HALF_LSB]);
    if (rst_n) begin
      assert (left_ready == right_ready);
      assert (left_valid == right_valid);
      if (left_valid) assert (left_rd == right_rd);
    end
  end
endmodule
