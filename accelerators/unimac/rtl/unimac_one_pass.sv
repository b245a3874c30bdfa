// SPDX-License-Identifier: Apache-2.0
// The unit with a (32x32)-bit multiplier that accumulates inside its tree, as a functional unit
// with all operations: the outlook of Tillich and Grossschaedl 2007, section 6.2. Combinational
// from request to response; the accumulator changes when the response is accepted.
//
// Key: MixColumns that includes AddRoundKey (the same outlook). The round key is the third operand,
// and enters the tree in the accumulator's place.
module unimac_one_pass #(
  parameter Key      = 0,
  parameter SboxImpl = "canright"
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

  assign rsp_valid_o = req_valid_i;
  assign req_ready_o = rsp_ready_i;

  logic multiply, answer, clear, keep, poly, is_signed, mix, inverse, double, add, subtract, take;
  logic shift_in, shift_out, pack, box, box_key, reverse, key;

  unimac_decode #(.Key(Key), .Wide(1)) u_decode (
    .code_i(req_op_i[unimac_ops_pkg::CodeW-1:0]), .multiply_o(multiply), .answer_o(answer),
    .clear_o(clear), .keep_o(keep), .poly_o(poly), .signed_o(is_signed), .mix_o(mix),
    .inverse_o(inverse), .double_o(double), .add_o(add), .subtract_o(subtract), .take_o(take),
    .shift_in_o(shift_in), .shift_out_o(shift_out), .pack_o(pack), .box_o(box),
    .box_key_o(box_key), .reverse_o(reverse), .key_o(key)
  );

  // ---- multiplier and accumulator ---------------------------------------------------------------

  logic [31:0] a, b;

  unimac_column u_column (
    .mix_i(mix), .inverse_i(inverse), .add_i(add), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i),
    .a_o(a), .b_o(b)
  );

  // MixColumns uses only the lowest word; modulo t^4 + 1 the next one is added to it.
  logic [71:0] acc_q, base, sum;
  logic [31:0] low, round_key;

  if (Key != 0) begin : gen_key
    assign round_key = req_rs3_i & {32{key}};
  end else begin : gen_no_key
    assign round_key = 32'b0;
  end
  assign base = {acc_q[71:32] & ~{40{clear || mix}}, (acc_q[31:0] & ~{32{clear}}) | round_key};

  unimac_mul32 u_multiplier (
    .clk_i, .take_i(1'b1), .pass_i(1'b1), .poly_i(poly), .mix_i(mix), .signed_i(is_signed),
    .double_i(double), .add_i(add), .subtract_i(subtract), .a_i(a), .b_i(b), .addend_i(req_rs2_i),
    .acc_i(base), .sum_o(sum)
  );

  assign low = sum[31:0] ^ (sum[63:32] & {32{mix}});

  logic [71:0] taken, acc_d;
  logic        acc_write;

  // The accumulator after its lowest word is shifted out.
  assign taken = {{32{shift_out ? acc_q[71] : sum[71]}}, shift_out ? acc_q[71:32] : sum[71:32]};
  assign acc_d = shift_in ? {acc_q[39:0], req_rs1_i} : (shift_out || take) ? taken :
                 {mix ? acc_q[71:32] : sum[71:32], low};
  assign acc_write = req_valid_i && rsp_ready_i &&
                     ((multiply && !keep) || shift_in || shift_out);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 72'b0;
    else if (acc_write) acc_q <= acc_d;
  end

  // ---- responses --------------------------------------------------------------------------------

  logic [31:0] bytes;

  unimac_bytes #(.SboxImpl(SboxImpl)) u_bytes (
    .pack_i(pack), .box_i(box), .inverse_i(inverse), .key_i(box_key), .reverse_i(reverse),
    .rs1_i(req_rs1_i), .rs2_i(req_rs2_i), .rd_o(bytes)
  );

  assign rsp_rd_o = (low & {32{answer}}) | (acc_q[31:0] & {32{shift_out}}) | bytes;

  logic unused;
  assign unused = ^{req_op_i, req_rs3_i, key};

endmodule
