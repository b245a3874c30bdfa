// SPDX-License-Identifier: Apache-2.0
// Unified (32x32)-bit multiplier with the accumulation and MixColumns inside its tree: the outlook
// of Tillich and Grossschaedl 2007, section 6.2. Seventeen partial products and the accumulator;
// four stages of carry-save adders (18, 12, 8, 4, 2 words) and one carry-propagate adder.
//
// PipeRegs 0: combinational
//          1: a register holds the eight words of the second stage
//          2: one register holds the partial products, another the two words of the fourth stage
// With registers the accumulator enters after the last one, in the cycle of the result, so that a
// sum is ready for the next request.
module unimac_mul32 #(
  parameter PipeRegs = 0
) (
  input  logic        clk_i,
  input  logic        take_i,      // PipeRegs 1, 2: the (first) register loads
  input  logic        pass_i,      // PipeRegs 2: the second register loads
  input  logic        poly_i,
  input  logic        mix_i,       // with poly_i
  input  logic        signed_i,
  input  logic        double_i,    // twice the (unsigned) product
  input  logic        add_i,       // with b_i = 1: the sum of a_i and addend_i
  input  logic        subtract_i,  // with add_i: the difference
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,         // with mix_i: each coefficient twice
  input  logic [31:0] addend_i,
  input  logic [71:0] acc_i,       // with registers: in the cycle of the sum
  output logic [71:0] sum_o        // the accumulator plus the product
);

  logic [16:0][71:0] rows, addends;
  logic              poly_of_rows, mix_of_rows;
  logic [17:0][71:0] words;
  logic [5:0][71:0]  vectors;
  logic [71:0]       total;

  unimac_rows #(.BitsB(32), .Width(72), .Wide(1)) u_rows (
    .poly_i, .mix_i, .signed_a_i(signed_i), .signed_b_i(signed_i), .double_i, .add_i, .subtract_i,
    .a_i, .b_i, .addend_i, .rows_o(rows)
  );
  if (PipeRegs == 2) begin : gen_rows
    always_ff @(posedge clk_i) begin
      if (take_i) {addends, poly_of_rows, mix_of_rows} <= {rows, poly_i, mix_i};
    end
  end else begin : gen_no_rows
    assign {addends, poly_of_rows, mix_of_rows} = {rows, poly_i, mix_i};
  end

  unimac_reduce #(.BitsB(32), .Width(72)) u_reduce (
    .mix_i(mix_of_rows), .rows_i(addends), .vectors_o(vectors)
  );
  assign words = {(PipeRegs == 0) ? acc_i : 72'b0, addends};

  logic [5:0][71:0] sum1, carry1, filled1;
  logic [3:0][71:0] sum2, carry2, filled2;
  logic [1:0][71:0] sum3, carry3, filled3;
  logic [71:0]      sum4, carry4;

  for (genvar i = 0; i < 6; i++) begin : gen_stage1
    unimac_csa3 #(.Width(72)) u_csa (
      .poly_i(poly_of_rows), .a_i(words[3*i]), .b_i(words[3*i+1]), .c_i(words[3*i+2]),
      .sum_o(sum1[i]), .carry_o(carry1[i])
    );
  end
  assign filled1 = carry1 | {vectors[5:3], {3{72'b0}}};

  for (genvar i = 0; i < 2; i++) begin : gen_stage2
    unimac_csa3 #(.Width(72)) u_low (
      .poly_i(poly_of_rows), .a_i(sum1[3*i]), .b_i(filled1[3*i]), .c_i(sum1[3*i+1]),
      .sum_o(sum2[2*i]), .carry_o(carry2[2*i])
    );
    unimac_csa3 #(.Width(72)) u_high (
      .poly_i(poly_of_rows), .a_i(filled1[3*i+1]), .b_i(sum1[3*i+2]), .c_i(filled1[3*i+2]),
      .sum_o(sum2[2*i+1]), .carry_o(carry2[2*i+1])
    );
  end
  assign filled2 = carry2 | {vectors[2:1], {2{72'b0}}};

  // ---- eight words, and their sum ---------------------------------------------------------------

  logic [3:0][71:0] sums, carries;  // of the second stage
  logic [71:0]      last;           // the last reduction vector
  logic             poly;

  for (genvar i = 0; i < 2; i++) begin : gen_stage3
    unimac_csa4 #(.Width(72)) u_csa (
      .poly_i(poly), .a_i(sums[2*i]), .b_i(carries[2*i]), .c_i(sums[2*i+1]),
      .d_i(carries[2*i+1]), .sum_o(sum3[i]), .carry_o(carry3[i])
    );
  end
  assign filled3 = carry3 | {last, 72'b0};

  unimac_csa4 #(.Width(72)) u_stage4 (
    .poly_i(poly), .a_i(sum3[0]), .b_i(filled3[0]), .c_i(sum3[1]), .d_i(filled3[1]),
    .sum_o(sum4), .carry_o(carry4)
  );

  if (PipeRegs == 1 || PipeRegs == 2) begin : gen_registered
    logic [71:0] sum_q, carry_q, sum5, carry5;
    logic        poly_q;

    if (PipeRegs == 1) begin : gen_eight
      always_ff @(posedge clk_i) begin
        if (take_i) {sums, carries, last, poly} <= {sum2, filled2, vectors[0], poly_of_rows};
      end
      assign {sum_q, carry_q, poly_q} = {sum4, carry4, poly};
    end else begin : gen_two
      assign {sums, carries, last, poly} = {sum2, filled2, vectors[0], poly_of_rows};
      always_ff @(posedge clk_i) if (pass_i) {sum_q, carry_q, poly_q} <= {sum4, carry4, poly};
    end

    unimac_csa3 #(.Width(72)) u_accumulate (
      .poly_i(poly_q), .a_i(sum_q), .b_i(carry_q), .c_i(acc_i), .sum_o(sum5), .carry_o(carry5)
    );
    // Of polynomials the carry word is zero, so that no carry can propagate.
    unimac_adder #(.Width(72), .Poly(0)) u_stage5 (
      .poly_i(poly_q), .a_i(sum5), .b_i(carry5), .sum_o(total)
    );
  end else if (PipeRegs == 0) begin : gen_combinational
    assign {sums, carries, last, poly} = {sum2, filled2, vectors[0], poly_of_rows};
    unimac_adder #(.Width(72)) u_stage5 (
      .poly_i(poly), .a_i(sum4), .b_i(carry4), .sum_o(total)
    );
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

`ifdef PROOF_PRODUCT
  // Free product, for proofs of its users (formal/unimac_props.sv).
  (* anyseq *) logic [71:0] any;
  assign sum_o = any;
  logic unused;
  assign unused = ^total;
`else
  assign sum_o = total;
`endif

  logic unused_take;
  assign unused_take = ^{clk_i, take_i, pass_i};

endmodule
