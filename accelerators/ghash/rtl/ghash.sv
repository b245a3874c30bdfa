// SPDX-License-Identifier: Apache-2.0
// GHASH as a functional unit: hash subkey and running hash inside, Digit bits of a block a clock.
// Source: NIST SP 800-38D, sections 6.3 and 6.4. No protection against power analysis.
//
// Operands are the words of a block as a little-endian load gives them; `half` names words 0 and 1
// or words 2 and 3. The product starts with the second half of a block and takes 128/Digit clocks.
// Until it is complete, requests that need the multiplier wait; the others do not.
module ghash #(
  parameter Digit = 4  // 4, 8, 16 or 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic [15:0] req_op_i,
  input  logic [31:0] req_rs1_i,
  input  logic [31:0] req_rs2_i,
  input  logic [31:0] req_rs3_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_rd_o
);
  localparam Steps   = 128 / Digit;
  localparam LeftW   = $clog2(Steps + 1);
  localparam NumberW = 24;

  // ---- the request ------------------------------------------------------------------------------

  logic [ghash_ops_pkg::CodeW-1:0] code;
  logic                            half, taken, key, first, second, flush, named;
  logic                            busy, waits, wipe_q, valid_q;
  logic [1:0]                      word;

  assign code  = req_op_i[ghash_ops_pkg::CodeW-1:0];
  assign half  = req_op_i[ghash_ops_pkg::HALF_LSB];
  assign word  = req_op_i[ghash_ops_pkg::WORD_LSB +: ghash_ops_pkg::WORD_W];

  assign waits       = busy && code != ghash_ops_pkg::OP_GH_BEGIN &&
                       code != ghash_ops_pkg::OP_GH_END;
  assign req_ready_o = (!valid_q || rsp_ready_i) && !waits && !wipe_q;
  assign taken       = req_valid_i && req_ready_o;

  assign named  = taken && code == ghash_ops_pkg::OP_GH_BEGIN;
  assign flush  = named || (taken && code == ghash_ops_pkg::OP_GH_END);
  assign key    = taken && code == ghash_ops_pkg::OP_GH_KEY;
  assign first  = taken && code == ghash_ops_pkg::OP_GH_ABSORB && !half;
  assign second = taken && code == ghash_ops_pkg::OP_GH_ABSORB && half;

  // ---- order of bits: bit i of a polynomial is the coefficient of x^i ---------------------------

  logic [63:0]  operands, data;
  logic [127:0] product, words;
  assign operands = {req_rs2_i, req_rs1_i};
  for (genvar i = 0; i < 64; i++) begin : gen_operand
    assign data[i] = operands[i ^ 7];
  end
  for (genvar i = 0; i < 128; i++) begin : gen_word
    assign words[i] = product[i ^ 7];
  end

  // ---- subkey, remaining digits of the block, running hash --------------------------------------

  logic [127:0]     key_q, rest_q, sum_q, next;
  logic [LeftW-1:0] left_q;  // remaining digits

  assign busy    = left_q != '0;
  assign product = sum_q;

  ghash_step #(.Digit(Digit)) u_step (
    .sum_i(sum_q), .key_i(key_q), .digit_i(rest_q[127 -: Digit]), .sum_o(next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     left_q <= '0;
    else if (flush)  left_q <= '0;
    else if (second) left_q <= LeftW'(Steps);
    else if (busy)   left_q <= left_q - 1'b1;
  end

  // Reset is asynchronous; the words below are cleared by the first clock after it.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wipe_q <= 1'b1;
    else         wipe_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (wipe_q || named) begin
      key_q <= '0;
    end else if (key) begin
      if (half) key_q[127:64] <= data;
      else      key_q[63:0]   <= data;
    end
  end

  // At the start of a product the hash moves to the block, and zero takes its place.
  always_ff @(posedge clk_i) begin
    if (wipe_q || flush || second) sum_q <= '0;
    else if (busy)                 sum_q <= next;
  end

  logic [127:0] rest;
  assign rest = busy ? rest_q << Digit : sum_q ^ {data, data};
  always_ff @(posedge clk_i) begin
    if (wipe_q || flush)     rest_q[63:0] <= '0;
    else if (busy || first)  rest_q[63:0] <= rest[63:0];
  end
  always_ff @(posedge clk_i) begin
    if (wipe_q || flush)     rest_q[127:64] <= '0;
    else if (busy || second) rest_q[127:64] <= rest[127:64];
  end

  // ---- number of the subkey, answers ------------------------------------------------------------

  logic [NumberW-1:0] number_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    number_q <= '0;
    else if (named) number_q <= req_rs1_i[NumberW-1:0];
  end

  // What an answer shows. Nothing of it changes while the answer waits: no request is taken then.
  logic       hash_q, tell_q;
  logic [1:0] word_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                         valid_q <= 1'b0;
    else if (!valid_q || rsp_ready_i)    valid_q <= taken;
  end
  always_ff @(posedge clk_i) begin
    if (taken) begin
      hash_q <= code == ghash_ops_pkg::OP_GH_READ;
      tell_q <= code == ghash_ops_pkg::OP_GH_END;
      word_q <= word;
    end
  end

  assign rsp_valid_o = valid_q;
  assign rsp_rd_o    = hash_q ? words[32*word_q +: 32] :
                       tell_q ? {{(32 - NumberW){1'b0}}, number_q} : 32'b0;

  logic unused;
  assign unused = ^{req_op_i, req_rs3_i};

endmodule
