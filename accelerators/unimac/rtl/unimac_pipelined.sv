// SPDX-License-Identifier: Apache-2.0
// The unit with a (32x32)-bit multiplier and pipeline registers, as a functional unit with all
// operations of unimac_one_pass. S-boxes are in block RAM (rtl/field/aes_sbox_rom.sv), whose read
// register is the first one. One operation a cycle.
//
// PipeRegs 1: latency one cycle
//   cycle 0   request; partial products and the first two stages of the tree; a read of the memory
//   cycle 1   the rest of the tree, and the accumulator; response
//
// PipeRegs 2: latency two cycles; one cycle for operations that return zero
//   cycle 0   request; partial products; a read of the memory
//   cycle 1   the tree; response of an operation that returns zero
//   cycle 2   the accumulator; response of the others
//
// Responses are in the order of requests: one of cycle 1 waits for those before it. The accumulator
// changes when the last cycle ends, with the response accepted: each operation takes effect once,
// and the next one, whose products are made meanwhile, finds its result.
module unimac_pipelined #(
  parameter PipeRegs = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic [15:0] req_op_i,
  input  logic [31:0] req_rs1_i,
  input  logic [31:0] req_rs2_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_rd_o
);

  logic accept;  // a request enters the first register
  logic pass;    // PipeRegs 2: what that holds enters the second one
  logic leave;   // an operation takes effect

  assign accept = req_valid_i && req_ready_o;

  // ---- cycle 0 ----------------------------------------------------------------------------------

  logic multiply, answer, clear, keep, poly, is_signed, mix, inverse, double, add, subtract, take;
  logic shift_in, shift_out, pack, box, box_key, reverse, unused_key;

  unimac_decode #(.Wide(1)) u_decode (
    .code_i(req_op_i[unimac_ops_pkg::CodeW-1:0]), .multiply_o(multiply), .answer_o(answer),
    .clear_o(clear), .keep_o(keep), .poly_o(poly), .signed_o(is_signed), .mix_o(mix),
    .inverse_o(inverse), .double_o(double), .add_o(add), .subtract_o(subtract), .take_o(take),
    .shift_in_o(shift_in), .shift_out_o(shift_out), .pack_o(pack), .box_o(box),
    .box_key_o(box_key), .reverse_o(reverse), .key_o(unused_key)
  );

  logic [31:0] a, b, bytes, data, substituted;

  unimac_column u_column (
    .mix_i(mix), .inverse_i(inverse), .add_i(add), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i),
    .a_o(a), .b_o(b)
  );
  unimac_bytes #(.Box(0)) u_bytes (
    .pack_i(1'b0), .box_i(1'b0), .inverse_i(1'b0), .key_i(1'b0), .reverse_i(reverse),
    .rs1_i(req_rs1_i), .rs2_i(req_rs2_i), .rd_o(bytes)
  );
  unimac_box_input u_input (
    .key_i(box_key), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i), .data_o(data)
  );
  for (genvar i = 0; i < 2; i++) begin : gen_memory
    aes_sbox_rom u_boxes (
      .clk_i, .read_i(accept), .first_i({inverse, data[16*i +: 8]}),
      .second_i({inverse, data[16*i+8 +: 8]}), .first_o(substituted[16*i +: 8]),
      .second_o(substituted[16*i+8 +: 8])
    );
  end

  // What the next cycle needs.
  logic        answer_q, clear_q, mix_q, take_q, shift_in_q, shift_out_q, box_q, write_q;
  logic [31:0] word_q;  // to be shifted in, or what the response starts from

  always_ff @(posedge clk_i) begin
    if (accept) begin
      {answer_q, clear_q, mix_q, take_q} <= {answer, clear, mix, take};
      {shift_in_q, shift_out_q, box_q} <= {shift_in, shift_out, box};
      write_q <= (multiply && !keep) || shift_in || shift_out;
      word_q  <= shift_in ? req_rs1_i : box_key ? req_rs2_i :
                 pack ? {req_rs1_i[31:16], req_rs2_i[15:0]} : bytes;
    end
  end

  // ---- the last cycle: 1 or 2 -------------------------------------------------------------------

  logic        last_answer, last_clear, last_mix, last_take, last_in, last_out, last_write;
  logic [31:0] last_word, last_boxes;
  logic        told;  // PipeRegs 2: the response has left

  if (PipeRegs == 2) begin : gen_two
    logic first_q, zero_q;  // an operation is in the first register; it returns zero
    logic last_q, owed_q;   // one is in the second register; its response has not left
    logic early;            // a response leaves in cycle 1
    logic        answer_2q, clear_2q, mix_2q, take_2q, in_2q, out_2q, write_2q;
    logic [31:0] word_2q, boxes_2q;

    assign pass        = first_q && (!last_q || leave);
    assign leave       = last_q && (!owed_q || rsp_ready_i);
    assign early       = first_q && zero_q && !owed_q && rsp_ready_i;
    assign req_ready_o = !first_q || pass;
    assign rsp_valid_o = owed_q || (first_q && zero_q);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {first_q, last_q, owed_q} <= 3'b0;
      end else begin
        if (req_ready_o) first_q <= req_valid_i;
        if (pass || leave) last_q <= pass;
        if (pass || leave) owed_q <= pass && !early;
      end
    end

    always_ff @(posedge clk_i) begin
      if (accept) zero_q <= (multiply && !answer) || shift_in;
      if (pass) begin
        {answer_2q, clear_2q, mix_2q, take_2q} <= {answer_q, clear_q, mix_q, take_q};
        {in_2q, out_2q, write_2q} <= {shift_in_q, shift_out_q, write_q};
        word_2q  <= word_q;
        boxes_2q <= substituted & {32{box_q}};
      end
    end

    assign {last_answer, last_clear, last_mix, last_take} = {answer_2q, clear_2q, mix_2q, take_2q};
    assign {last_in, last_out, last_write} = {in_2q, out_2q, write_2q};
    assign last_word  = word_2q;
    assign last_boxes = boxes_2q;
    assign told       = !owed_q;
  end else if (PipeRegs == 1) begin : gen_one
    logic full_q;

    assign req_ready_o = !full_q || rsp_ready_i;
    assign rsp_valid_o = full_q;
    assign pass        = 1'b0;
    assign leave       = full_q && rsp_ready_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) full_q <= 1'b0;
      else if (req_ready_o) full_q <= req_valid_i;
    end

    assign {last_answer, last_clear, last_mix, last_take} = {answer_q, clear_q, mix_q, take_q};
    assign {last_in, last_out, last_write} = {shift_in_q, shift_out_q, write_q};
    assign last_word  = word_q;
    assign last_boxes = substituted & {32{box_q}};
    assign told       = 1'b0;
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  // MixColumns uses only the lowest word; modulo t^4 + 1 the next one is added to it.
  logic [71:0] acc_q, base, sum, taken, acc_d;
  logic [31:0] low;

  assign base = {acc_q[71:32] & ~{40{last_clear || last_mix}}, acc_q[31:0] & ~{32{last_clear}}};

  unimac_mul32 #(.PipeRegs(PipeRegs)) u_multiplier (
    .clk_i, .take_i(accept), .pass_i(pass), .poly_i(poly), .mix_i(mix), .signed_i(is_signed),
    .double_i(double), .add_i(add), .subtract_i(subtract), .a_i(a), .b_i(b), .addend_i(req_rs2_i),
    .acc_i(base), .sum_o(sum)
  );

  assign low = sum[31:0] ^ (sum[63:32] & {32{last_mix}});

  // The accumulator after its lowest word is shifted out.
  assign taken = {{32{last_out ? acc_q[71] : sum[71]}}, last_out ? acc_q[71:32] : sum[71:32]};
  assign acc_d = last_in ? {acc_q[39:0], last_word} : (last_out || last_take) ? taken :
                 {last_mix ? acc_q[71:32] : sum[71:32], low};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 72'b0;
    else if (leave && last_write) acc_q <= acc_d;
  end

  assign rsp_rd_o = ((low & {32{last_answer}}) | (acc_q[31:0] & {32{last_out}}) |
                     ((last_word & ~{32{last_in}}) ^ last_boxes)) & ~{32{told}};

  logic unused;
  assign unused = ^{req_op_i, unused_key};

endmodule
