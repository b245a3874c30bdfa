// SPDX-License-Identifier: Apache-2.0
// The unit with a (32x16)-bit multiplier, as a functional unit: Tillich and Grossschaedl 2007,
// section 4. The first stage is the multiplier, used twice by a (32x32)-bit multiplication. The
// second stage is a unified 72-bit adder that adds each pass to the accumulator, and folds the
// products of MixColumns modulo t^4 + 1 (section 4). Latency three cycles, one multiplication every
// two.
//
//   cycle 0   request; first pass: rs1 times the lower half of rs2
//   cycle 1   second pass; add the first product; response of operations without a result
//   cycle 2   add the second product; response of multiplications; next request
//
// Operations that do not multiply use only cycle 1 and respond in it. State is frozen while a
// response waits, so each operation takes effect once.
module unimac_two_pass #(
  parameter Poly     = 1,  // binary polynomials
  parameter Mix      = 1,  // MixColumns in the multiplier; with Poly
  parameter Box      = 1,  // S-boxes
  parameter SboxImpl = "canright"
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

  // ---- the request in flight and its cycle ------------------------------------------------------

  logic                             second_q, last_q;  // cycle 1, cycle 2
  logic [unimac_ops_pkg::CodeW-1:0] code_q;
  logic [31:0]                      rs1_q, rs2_q;
  logic                             pass2, accept, go, done;

  logic multiply, answer, clear, keep, poly, mix, inverse;
  logic shift_in, shift_out, pack, box, box_key, reverse;
  logic unused_signed, unused_double, unused_add, unused_subtract, unused_take, unused_key;

  unimac_decode #(.Poly(Poly), .Mix(Mix), .Box(Box), .Wide(0)) u_decode (
    .code_i(code_q), .multiply_o(multiply), .answer_o(answer), .clear_o(clear), .keep_o(keep),
    .poly_o(poly), .signed_o(unused_signed), .mix_o(mix), .inverse_o(inverse),
    .key_o(unused_key), .double_o(unused_double), .add_o(unused_add),
    .subtract_o(unused_subtract), .take_o(unused_take), .shift_in_o(shift_in),
    .shift_out_o(shift_out), .pack_o(pack), .box_o(box), .box_key_o(box_key),
    .reverse_o(reverse)
  );

  assign pass2       = second_q && multiply;  // else: first pass of the incoming request
  assign rsp_valid_o = (second_q && !answer) || (last_q && answer);
  assign go          = !rsp_valid_o || rsp_ready_i;
  assign done        = last_q || (second_q && !pass2);
  assign req_ready_o = (!second_q && !last_q) || (done && go);
  assign accept      = req_valid_i && req_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      last_q   <= 1'b0;
    end else if (go) begin
      second_q <= accept;
      last_q   <= pass2;
    end
  end

  // ---- first stage: the multiplier --------------------------------------------------------------

  logic [unimac_ops_pkg::CodeW-1:0] code_m;
  logic [31:0]                      rs1_m, rs2_m;
  logic                             poly_m, signed_m, mix_m, inverse_m;


  assign code_m = pass2 ? code_q : req_op_i[unimac_ops_pkg::CodeW-1:0];
  assign rs1_m  = pass2 ? rs1_q : req_rs1_i;
  assign rs2_m  = pass2 ? rs2_q : req_rs2_i;

  logic [14:0] unused_m;
  unimac_decode #(.Poly(Poly), .Mix(Mix), .Box(Box), .Wide(0)) u_decode_multiplier (
    .code_i(code_m), .multiply_o(unused_m[0]), .answer_o(unused_m[1]), .clear_o(unused_m[2]),
    .keep_o(unused_m[3]), .poly_o(poly_m), .signed_o(signed_m), .mix_o(mix_m),
    .inverse_o(inverse_m), .double_o(unused_m[4]), .add_o(unused_m[5]), .subtract_o(unused_m[6]),
    .take_o(unused_m[7]), .shift_in_o(unused_m[8]), .shift_out_o(unused_m[9]),
    .pack_o(unused_m[10]), .box_o(unused_m[11]), .box_key_o(unused_m[12]),
    .reverse_o(unused_m[13]), .key_o(unused_m[14])
  );

  // MixColumns is a product with {03}t^3 + {01}t^2 + {01}t + {02}, InvMixColumns with {0b}t^3 +
  // {0d}t^2 + {09}t + {0e} (FIPS 197, sections 5.1.3 and 5.3.3), each coefficient twice. The
  // column is joined from two words (Tillich and Grossschaedl 2007, section 6).
  logic [31:0] a, b;
  logic [15:0] half;
  logic [48:0] product, product_q;

  if (Mix != 0) begin : gen_column
    assign a = mix_m ? {rs1_m[31:16], rs2_m[15:0]} : rs1_m;
    assign b = !mix_m ? rs2_m : inverse_m ? 32'hbbdd_99ee : 32'h3311_1122;
  end else begin : gen_no_column
    assign a = rs1_m;
    assign b = rs2_m;
  end
  assign half = pass2 ? b[31:16] : b[15:0];

  unimac_mul16 #(.Poly(Poly), .Mix(Mix)) u_multiplier (
    .poly_i(poly_m), .mix_i(mix_m), .signed_a_i(signed_m), .signed_b_i(signed_m && pass2),
    .a_i(a), .b_i(half), .product_o(product)
  );

  // ---- second stage: the accumulator ------------------------------------------------------------

  logic [71:0] acc_q, base, addend, sum;

  if (Mix != 0) begin : gen_fold
    // Five coefficients: the fifth one adds to the first, t^4 = 1. In mcmuls and imcmuls the first
    // pass is stored in rs1_q, which the multiplier no longer needs.
    logic [31:0] folded;
    assign folded = last_q ? {product_q[15:0], 16'b0} ^ {8'b0, product_q[39:16]} :
                    product_q[31:0] ^ {24'b0, product_q[39:32]};
    assign base   = keep ? {40'b0, rs1_q & {32{last_q}}} : acc_q & ~{72{clear && second_q}};
    assign addend = mix ? {40'b0, folded} :
                    last_q ? {{7{product_q[48]}}, product_q, 16'b0} :
                    {{23{product_q[48]}}, product_q};
  end else begin : gen_no_fold
    assign base   = acc_q & ~{72{clear && second_q}};
    assign addend = last_q ? {{7{product_q[48]}}, product_q, 16'b0} :
                    {{23{product_q[48]}}, product_q};
  end

  unimac_adder #(.Width(72), .Poly(Poly)) u_accumulate (
    .poly_i(poly), .a_i(base), .b_i(addend), .sum_o(sum)
  );

  logic [71:0] acc_d;
  logic        acc_write;

  assign acc_write = (second_q || last_q) && go && ((multiply && !keep) || shift_in || shift_out);
  assign acc_d = shift_in ? {acc_q[39:0], rs1_q} :
                 shift_out ? {{32{acc_q[71]}}, acc_q[71:32]} : sum;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 72'b0;
    else if (acc_write) acc_q <= acc_d;
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      code_q <= req_op_i[unimac_ops_pkg::CodeW-1:0];
      rs2_q  <= req_rs2_i;
    end
    if (accept) rs1_q <= req_rs1_i;
    else if (second_q && keep) rs1_q <= sum[31:0];
    if (accept || (pass2 && go)) product_q <= product;
  end

  // ---- responses --------------------------------------------------------------------------------

  logic [31:0] bytes;

  unimac_bytes #(.Poly(Poly), .Box(Box), .SboxImpl(SboxImpl)) u_bytes (
    .pack_i(pack), .box_i(box), .inverse_i(inverse), .key_i(box_key), .reverse_i(reverse),
    .rs1_i(rs1_q), .rs2_i(rs2_q), .rd_o(bytes)
  );

  assign rsp_rd_o = (sum[31:0] & {32{answer}}) | (acc_q[31:0] & {32{shift_out}}) | bytes;

  logic unused;
  assign unused = ^{req_op_i, unused_m, unused_signed, unused_double, unused_add, unused_subtract,
                    unused_take, unused_key, mix, keep, inverse_m};

endmodule
