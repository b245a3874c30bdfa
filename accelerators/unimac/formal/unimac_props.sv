// SPDX-License-Identifier: Apache-2.0
// The unit's multipliers, integer and carry-less, are correct; its MixColumns is that of FIPS 197;
// each accepted request updates the accumulator once and correctly.
//
// No solver multiplies 32-bit words within hours, so the proof has parts. Each part holds for all
// operands; the steps between them are the arithmetic written out here.
// 1. compressors: unimac_csa3 keeps the total. Digit by digit 2 carry + sum = a + b + c, hence
//    sum + 2 carry = a + b + c modulo 2^Width. With polynomials sum = a + b + c and carry = 0.
// 2. tree16, tree32: with free words as partial products, and compressors of which only 1. is
//    known, the result is the sum of all words modulo 2^Width; with polynomials their XOR.
//    tree32_registered, tree32_deep: of the words of earlier cycles, and the accumulator.
// 3. rows16, rows32: row i is d_i a 4^i + C_i + (terms that cancel with the next row), where the
//    constants C_i add up to zero and the Booth digits d_i to b: sum d_i 4^i = b. So the sum of the
//    rows is a b modulo 2^Width. With polynomials row i is (b_2i + b_2i+1 x) a x^2i, whose sum is
//    a b. With MixColumns a is masked as in the paper (section 4.2).
//    2. and 3. together: a product of 33 and 17 bits, |a b| < 2^48, fits into 49 bits in two's
//    complement, so product_o is exactly a b. The same holds for 72 bits.
// 4. mix16, mix32: the result that 5. forms from the products with the coefficients of MixColumns
//    and InvMixColumns is FIPS 197's, for columns with one free byte. This suffices because all
//    steps between operands and result are linear: XORs (2. and 3., and the sums of reduction
//    bits), and reduction vectors, whose digits are XORs placed into separate positions of zero
//    words. So the result for a column is the sum of the results for its four bytes.
// 5. two_pass, one_pass, pipelined, deep: with a free product, the multiplier gets the right
//    operands at the right times, and so (two_pass, with a free sum) does the adder. Accumulator
//    and responses follow the operation, however long responses wait.
//    With ab = a b_low + a b_high 2^16 (b_high signed if b is), this is the semantics.
// 6. bytes: S-boxes, packing, reversal of bits.

// ---- 1 ------------------------------------------------------------------------------------------

module unimac_compressors_props (
  input logic        poly_i,
  input logic [71:0] a_i,
  input logic [71:0] b_i,
  input logic [71:0] c_i
);
  logic [71:0] sum, carry;
  unimac_csa3 #(.Width(72)) u_csa (.poly_i, .a_i, .b_i, .c_i, .sum_o(sum), .carry_o(carry));

  always_comb begin
    assert (carry[0] == 1'b0);
    for (int i = 0; i < 71; i++) begin
      if (poly_i) assert (sum[i] == (a_i[i] ^ b_i[i] ^ c_i[i]) && !carry[i+1]);
      else assert ({carry[i+1], sum[i]} == {1'b0, a_i[i]} + {1'b0, b_i[i]} + {1'b0, c_i[i]});
    end
    assert (sum[71] == (a_i[71] ^ b_i[71] ^ c_i[71]));
  end
endmodule

// ---- 2 ------------------------------------------------------------------------------------------

module unimac_tree16_props #(parameter Poly = 0);
  logic [48:0] product, total;
  unimac_mul16 u_mul (
    .poly_i(Poly != 0), .mix_i(1'b0), .signed_a_i(1'b0), .signed_b_i(1'b0), .a_i(32'b0),
    .b_i(16'b0), .product_o(product)
  );
  (* hierconn *) wire [440:0] \u_mul.rows ;

  always_comb begin
    total = 49'b0;
    for (int i = 0; i < 9; i++) begin
      if (Poly != 0) total = total ^ \u_mul.rows [49*i +: 49];
      else total = total + \u_mul.rows [49*i +: 49];
    end
    assert (product == total);
  end
endmodule

module unimac_tree16_poly_props;
  unimac_tree16_props #(.Poly(1)) u_props ();
endmodule

module unimac_tree32_props #(parameter Poly = 0) (input logic [71:0] acc_i);
  logic [71:0] sum, total;
  unimac_mul32 u_mul (
    .clk_i(1'b0), .take_i(1'b0), .poly_i(Poly != 0), .mix_i(1'b0), .signed_i(1'b0),
    .double_i(1'b0), .add_i(1'b0), .subtract_i(1'b0), .a_i(32'b0), .b_i(32'b0), .addend_i(32'b0),
    .acc_i, .sum_o(sum)
  );
  (* hierconn *) wire [1223:0] \u_mul.rows ;

  always_comb begin
    total = acc_i;
    for (int i = 0; i < 17; i++) begin
      if (Poly != 0) total = total ^ \u_mul.rows [72*i +: 72];
      else total = total + \u_mul.rows [72*i +: 72];
    end
    assert (sum == total);
  end
endmodule

module unimac_tree32_poly_props (input logic [71:0] acc_i);
  unimac_tree32_props #(.Poly(1)) u_props (.acc_i);
endmodule

// The words that the register takes have the rows' total; the result is the total of the words that
// it holds and of the accumulator; and what it takes is what it holds in the next cycle.
module unimac_tree32_registered_props #(parameter Poly = 0) (
  input logic        clk_i,
  input logic [71:0] acc_i
);
  logic [71:0] sum;
  unimac_mul32 #(.PipeRegs(1)) u_mul (
    .clk_i, .take_i(1'b1), .pass_i(1'b1), .poly_i(Poly != 0), .mix_i(1'b0), .signed_i(1'b0),
    .double_i(1'b0), .add_i(1'b0), .subtract_i(1'b0), .a_i(32'b0), .b_i(32'b0), .addend_i(32'b0),
    .acc_i, .sum_o(sum)
  );
  (* hierconn *) wire [1223:0] \u_mul.rows ;
  (* hierconn *) wire [287:0]  \u_mul.sum2 ;
  (* hierconn *) wire [287:0]  \u_mul.filled2 ;
  (* hierconn *) wire [287:0]  \u_mul.sums ;
  (* hierconn *) wire [287:0]  \u_mul.carries ;
  (* hierconn *) wire [71:0]   \u_mul.last ;

  logic         started_q = 1'b0;
  logic [575:0] words_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    words_q   <= {\u_mul.sum2 , \u_mul.filled2 };
  end

  logic [71:0] total, taken, held;
  always_comb begin
    total = 72'b0;
    for (int i = 0; i < 17; i++) begin
      total = (Poly != 0) ? total ^ \u_mul.rows [72*i +: 72] : total + \u_mul.rows [72*i +: 72];
    end
    taken = 72'b0;
    held = acc_i;
    for (int i = 0; i < 4; i++) begin
      if (Poly != 0) begin
        taken = taken ^ \u_mul.sum2 [72*i +: 72] ^ \u_mul.filled2 [72*i +: 72];
        held = held ^ \u_mul.sums [72*i +: 72] ^ \u_mul.carries [72*i +: 72];
      end else begin
        taken = taken + \u_mul.sum2 [72*i +: 72] + \u_mul.filled2 [72*i +: 72];
        held = held + \u_mul.sums [72*i +: 72] + \u_mul.carries [72*i +: 72];
      end
    end
    assert (taken == total);
    if (started_q) begin
      assert ({\u_mul.sums , \u_mul.carries } == words_q && \u_mul.last == 72'b0);
      assert (sum == held);
    end
  end
endmodule

module unimac_tree32_registered_poly_props (
  input logic        clk_i,
  input logic [71:0] acc_i
);
  unimac_tree32_registered_props #(.Poly(1)) u_props (.clk_i, .acc_i);
endmodule

// The same with two registers, which load in each cycle: the first one holds the rows, the second
// one their total.
module unimac_tree32_deep_props #(parameter Poly = 0) (
  input logic        clk_i,
  input logic [71:0] acc_i
);
  logic [71:0] sum;
  unimac_mul32 #(.PipeRegs(2)) u_mul (
    .clk_i, .take_i(1'b1), .pass_i(1'b1), .poly_i(Poly != 0), .mix_i(1'b0), .signed_i(1'b0),
    .double_i(1'b0), .add_i(1'b0), .subtract_i(1'b0), .a_i(32'b0), .b_i(32'b0), .addend_i(32'b0),
    .acc_i, .sum_o(sum)
  );
  (* hierconn *) wire [1223:0] \u_mul.addends ;
  (* hierconn *) wire [287:0]  \u_mul.sum2 ;
  (* hierconn *) wire [287:0]  \u_mul.filled2 ;
  (* hierconn *) wire [71:0]   \u_mul.sum4 ;
  (* hierconn *) wire [71:0]   \u_mul.carry4 ;
  (* hierconn *) wire [71:0]   \u_mul.gen_registered.sum_q ;
  (* hierconn *) wire [71:0]   \u_mul.gen_registered.carry_q ;

  logic started_q = 1'b0, filled_q = 1'b0;  // the first register, and the second one
  always_ff @(posedge clk_i) {started_q, filled_q} <= {1'b1, started_q};

  function automatic logic [71:0] plus(input logic [71:0] a, input logic [71:0] b);
    plus = (Poly != 0) ? a ^ b : a + b;
  endfunction

  logic [71:0] total, eight;
  always_comb begin
    total = 72'b0;
    for (int i = 0; i < 17; i++) total = plus(total, \u_mul.addends [72*i +: 72]);
    eight = 72'b0;
    for (int i = 0; i < 4; i++) begin
      eight = plus(plus(eight, \u_mul.sum2 [72*i +: 72]), \u_mul.filled2 [72*i +: 72]);
    end
    if (started_q) begin
      assert (eight == total);
      assert (plus(\u_mul.sum4 , \u_mul.carry4 ) == eight);
    end
    if (filled_q) begin
      assert (sum == plus(plus(\u_mul.gen_registered.sum_q , \u_mul.gen_registered.carry_q ),
                          acc_i));
    end
  end
endmodule

module unimac_tree32_deep_poly_props (
  input logic        clk_i,
  input logic [71:0] acc_i
);
  unimac_tree32_deep_props #(.Poly(1)) u_props (.clk_i, .acc_i);
endmodule

// Each of the two registers takes what it is to take, or keeps what it holds.
module unimac_deep_registers_props (
  input logic        clk_i,
  input logic        take_i,
  input logic        pass_i,
  input logic        poly_i,
  input logic        mix_i,
  input logic [71:0] acc_i
);
  logic [71:0] unused_sum;
  unimac_mul32 #(.PipeRegs(2)) u_mul (
    .clk_i, .take_i, .pass_i, .poly_i, .mix_i, .signed_i(1'b0), .double_i(1'b0), .add_i(1'b0),
    .subtract_i(1'b0), .a_i(32'b0), .b_i(32'b0), .addend_i(32'b0), .acc_i, .sum_o(unused_sum)
  );
  (* hierconn *) wire [1223:0] \u_mul.rows ;
  (* hierconn *) wire [1223:0] \u_mul.addends ;
  (* hierconn *) wire          \u_mul.poly_of_rows ;
  (* hierconn *) wire          \u_mul.mix_of_rows ;
  (* hierconn *) wire [71:0]   \u_mul.sum4 ;
  (* hierconn *) wire [71:0]   \u_mul.carry4 ;
  (* hierconn *) wire [71:0]   \u_mul.gen_registered.sum_q ;
  (* hierconn *) wire [71:0]   \u_mul.gen_registered.carry_q ;
  (* hierconn *) wire          \u_mul.gen_registered.poly_q ;

  logic          started_q = 1'b0;
  logic [1225:0] first, first_q;    // what the registers hold, and what they are to hold
  logic [144:0]  second, second_q;
  assign first  = {\u_mul.addends , \u_mul.poly_of_rows , \u_mul.mix_of_rows };
  assign second = {\u_mul.gen_registered.sum_q , \u_mul.gen_registered.carry_q ,
                   \u_mul.gen_registered.poly_q };
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    first_q   <= take_i ? {\u_mul.rows , poly_i, mix_i} : first;
    second_q  <= pass_i ? {\u_mul.sum4 , \u_mul.carry4 , \u_mul.poly_of_rows } : second;
  end
  always_comb if (started_q) assert (first == first_q && second == second_q);
endmodule

// ---- 3 ------------------------------------------------------------------------------------------

// Row k is checked in cycle k: solvers are fast at one row and slow at "some row".
module unimac_rows_props #(
  parameter BitsB = 16,
  parameter Width = 49,
  parameter Wide  = 0,
  parameter Poly  = 0
) (
  input logic             clk_i,
  input logic             mix_i,
  input logic             signed_a_i,
  input logic             signed_b_i,
  input logic             double_i,
  input logic             add_i,
  input logic             subtract_i,
  input logic [31:0]      a_i,
  input logic [BitsB-1:0] b_i,
  input logic [31:0]      addend_i
);
  localparam Rows   = BitsB / 2 + 1;
  localparam WidthA = (Wide != 0) ? 34 : 33;

  logic [Rows-1:0][Width-1:0] rows;
  unimac_rows #(.BitsB(BitsB), .Width(Width), .Wide(Wide)) u_rows (
    .poly_i(Poly != 0), .mix_i, .signed_a_i, .signed_b_i, .double_i, .add_i, .subtract_i, .a_i,
    .b_i, .addend_i, .rows_o(rows)
  );

  logic [4:0] cycle_q = 5'd0;
  always_ff @(posedge clk_i) cycle_q <= cycle_q + 5'd1;

  // Assumptions on the units (asserted in the proofs two_pass and one_pass).
  always_comb begin
    assume (Poly != 0 || !mix_i);
    assume (Poly == 0 || (!signed_a_i && !signed_b_i && !double_i && !add_i));
    assume (!double_i || (Wide != 0 && !signed_a_i && !signed_b_i && !add_i));
    assume (!add_i || (Wide != 0 && !signed_a_i && !signed_b_i && b_i == 1));
    assume (!subtract_i || add_i);
  end

  // The multiplicand and the addend as numbers modulo 2^Width.
  logic [Width-1:0] a, addend;
  assign a      = {{(Width - 32){signed_a_i && a_i[31]}}, a_i} << double_i;
  assign addend = {{(Width - 32){1'b0}}, subtract_i ? ~addend_i : addend_i};

  // b with a zero appended below and its sign, or zeros, above.
  logic [BitsB+2:0] b;
  assign b = {{2{signed_b_i && b_i[BitsB-1]}}, b_i, 1'b0};

  logic [Rows:0][Width-1:0] constants;  // C_0 + ... + C_(i-1)
  assign constants[0] = '0;
  always_comb assert (constants[Rows] == '0);

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    logic [2:0]       bits;
    logic             negative, lower;  // rows completed with a one, one row further up
    logic [Width-1:0] times, constant, integer_row, poly_row;
    logic [31:0]      part;

    assign bits     = b[2*i +: 3];
    assign negative = (i < Rows - 1) && bits[2];
    assign lower    = (i > 0) && b[2*i];

    // d_i a, less one where the row is completed later: -x - 1 = ~x.
    always_comb begin
      case (bits)
        3'b001, 3'b010, 3'b101, 3'b110: times = a;
        3'b011, 3'b100:                 times = a << 1;
        default:                        times = '0;
      endcase
      if (negative) times = ~times;
    end

    if (i == 0) begin : gen_first
      assign constant = {{(Width - 1){1'b0}}, 1'b1} << (WidthA + 2);
    end else if (i < Rows - 1) begin : gen_middle
      assign constant = {{(Width - 2){1'b0}}, 2'b11} << (WidthA + 2 * i);
    end else begin : gen_last
      assign constant = {Width{1'b1}} << (WidthA + 2 * i);
    end
    assign constants[i+1] = constants[i] + constant;

    // b[2i] shows if the previous row was completed; it is the highest bit of the digit below. A
    // difference a + ~addend + 1 - 2^BitsB has the one in row 1 and the rest in the last row.
    assign integer_row = (times << (2 * i)) + constant +
        (({{(Width - 1){1'b0}}, lower} << (2 * i)) >> 2) +
        ((i == 1) ? {{(Width - 1){1'b0}}, subtract_i} : '0) +
        ((i == Rows - 1 && add_i) ? addend : '0) -
        ((i == Rows - 1 && subtract_i) ? {{(Width - 1){1'b0}}, 1'b1} << BitsB : '0);

    // Section 4.2: the lower five bits of each coefficient, or the upper three, four places down.
    assign part = !mix_i ? a_i : (i % 4 < 2) ? a_i & 32'h1f1f_1f1f : (a_i & 32'he0e0_e0e0) >> 4;
    assign poly_row = (({{(Width - 32){1'b0}}, part} & {Width{bits[1]}}) ^
                       ({{(Width - 33){1'b0}}, part, 1'b0} & {Width{bits[2]}})) << (2 * i);

    always_comb begin
      if (cycle_q == i) assert (rows[i] == ((Poly != 0) ? poly_row : integer_row));
    end

    // The weighted digits up to this one equal the bits of b up to this one in two's complement.
    // The previous row asserts the same for one digit less.
    logic [2*i+2:0] digit, sum, below;
    always_comb begin
      case (bits)
        3'b001, 3'b010: digit = {{(2*i+2){1'b0}}, 1'b1};
        3'b011:         digit = {{(2*i+1){1'b0}}, 2'b10};
        3'b100:         digit = {{(2*i+2){1'b1}}, 1'b0};
        3'b101, 3'b110: digit = {(2*i+3){1'b1}};
        default:        digit = '0;
      endcase
    end
    assign sum = {bits[2], b[2*i+2:1]};
    if (i == 0) begin : gen_none
      assign below = '0;
    end else begin : gen_below
      assign below = {{3{b[2*i]}}, b[2*i:1]};
    end
    always_comb begin
      if (cycle_q == i) assert (sum == (digit << (2 * i)) + below);
    end
  end

endmodule

module unimac_rows16_props #(parameter Poly = 0) (
  input logic        clk_i,
  input logic        mix_i,
  input logic        signed_a_i,
  input logic        signed_b_i,
  input logic [31:0] a_i,
  input logic [15:0] b_i
);
  unimac_rows_props #(.Poly(Poly)) u_props (
    .clk_i, .mix_i, .signed_a_i, .signed_b_i, .double_i(1'b0), .add_i(1'b0), .subtract_i(1'b0),
    .a_i, .b_i, .addend_i(32'b0)
  );
endmodule

module unimac_rows16_poly_props (
  input logic        clk_i,
  input logic        mix_i,
  input logic [31:0] a_i,
  input logic [15:0] b_i
);
  unimac_rows16_props #(.Poly(1)) u_props (
    .clk_i, .mix_i, .signed_a_i(1'b0), .signed_b_i(1'b0), .a_i, .b_i
  );
endmodule

module unimac_rows32_props #(parameter Poly = 0) (
  input logic        clk_i,
  input logic        mix_i,
  input logic        signed_i,
  input logic        double_i,
  input logic        add_i,
  input logic        subtract_i,
  input logic [31:0] a_i,
  input logic [31:0] b_i,
  input logic [31:0] addend_i
);
  unimac_rows_props #(.BitsB(32), .Width(72), .Wide(1), .Poly(Poly)) u_props (
    .clk_i, .mix_i, .signed_a_i(signed_i), .signed_b_i(signed_i), .double_i, .add_i, .subtract_i,
    .a_i, .b_i, .addend_i
  );
endmodule

module unimac_rows32_poly_props (
  input logic        clk_i,
  input logic        mix_i,
  input logic [31:0] a_i,
  input logic [31:0] b_i
);
  unimac_rows32_props #(.Poly(1)) u_props (
    .clk_i, .mix_i, .signed_i(1'b0), .double_i(1'b0), .add_i(1'b0), .subtract_i(1'b0), .a_i, .b_i,
    .addend_i(32'b0)
  );
endmodule

// ---- 4 ------------------------------------------------------------------------------------------

// Case k is checked in cycle k: MixColumns or InvMixColumns (bit 2) of a column with one free byte
// (bits 1 and 0), the others zero.
module unimac_mix_case (
  input  logic        clk_i,
  input  logic [7:0]  byte_i,
  output logic [31:0] a_o,      // the column
  output logic [31:0] b_o,      // the coefficients, each twice
  output logic [31:0] wanted_o
);
  logic [2:0] case_q = 3'd0;
  always_ff @(posedge clk_i) case_q <= case_q + 3'd1;

  assign a_o      = {24'b0, byte_i} << {case_q[1:0], 3'b000};
  assign b_o      = case_q[2] ? 32'hbbdd_99ee : 32'h3311_1122;
  assign wanted_o = case_q[2] ? aes_spec_pkg::inv_mix_column(a_o) : aes_spec_pkg::mix_column(a_o);
endmodule

// Both passes, and the use of their products that proof two_pass shows.
module unimac_mix16_props (
  input logic       clk_i,
  input logic [7:0] byte_i
);
  logic [31:0] a, b, wanted;
  logic [48:0] first, second;
  logic [55:0] moved;
  unimac_mix_case u_case (.clk_i, .byte_i, .a_o(a), .b_o(b), .wanted_o(wanted));
  unimac_mul16 u_first (
    .poly_i(1'b1), .mix_i(1'b1), .signed_a_i(1'b0), .signed_b_i(1'b0), .a_i(a), .b_i(b[15:0]),
    .product_o(first)
  );
  unimac_mul16 u_second (
    .poly_i(1'b1), .mix_i(1'b1), .signed_a_i(1'b0), .signed_b_i(1'b0), .a_i(a), .b_i(b[31:16]),
    .product_o(second)
  );
  assign moved = {second[39:0], 16'b0};

  always_comb begin
    assert (wanted == (first[31:0] ^ {24'b0, first[39:32]} ^ moved[31:0] ^ {8'b0, moved[55:32]}));
    assert (first[48:40] == 9'b0 && second[48:40] == 9'b0);
  end
endmodule

// One pass, and the use of its product that proof one_pass shows.
module unimac_mix32_props (
  input logic        clk_i,
  input logic [7:0]  byte_i,
  input logic [31:0] acc_i
);
  logic [31:0] a, b, wanted;
  logic [71:0] sum;
  unimac_mix_case u_case (.clk_i, .byte_i, .a_o(a), .b_o(b), .wanted_o(wanted));
  unimac_mul32 u_mul (
    .clk_i(1'b0), .take_i(1'b0), .poly_i(1'b1), .mix_i(1'b1), .signed_i(1'b0), .double_i(1'b0),
    .add_i(1'b0), .subtract_i(1'b0), .a_i(a), .b_i(b), .addend_i(32'b0), .acc_i({40'b0, acc_i}),
    .sum_o(sum)
  );
  always_comb assert ((sum[31:0] ^ sum[63:32]) == (wanted ^ acc_i));
endmodule

// The same with registers, as proofs pipelined and deep show: the accumulator comes later.
module unimac_mix32_registered_props #(parameter PipeRegs = 1) (
  input logic        clk_i,
  input logic [7:0]  byte_i,
  input logic [31:0] acc_i
);
  logic [31:0] a, b, wanted;
  logic [71:0] sum;
  unimac_mix_case u_case (.clk_i, .byte_i, .a_o(a), .b_o(b), .wanted_o(wanted));
  unimac_mul32 #(.PipeRegs(PipeRegs)) u_mul (
    .clk_i, .take_i(1'b1), .pass_i(1'b1), .poly_i(1'b1), .mix_i(1'b1), .signed_i(1'b0),
    .double_i(1'b0), .add_i(1'b0), .subtract_i(1'b0), .a_i(a), .b_i(b), .addend_i(32'b0),
    .acc_i({40'b0, acc_i}), .sum_o(sum)
  );
  logic [PipeRegs:0]       started;  // by cycles since the operands, and what was wanted then
  logic [PipeRegs:0][31:0] wanted_of;
  assign started[0]   = 1'b1;
  assign wanted_of[0] = wanted;
  for (genvar i = 0; i < PipeRegs; i++) begin : gen_cycle
    logic        started_q = 1'b0;
    logic [31:0] wanted_q;
    always_ff @(posedge clk_i) {started_q, wanted_q} <= {started[i], wanted_of[i]};
    assign started[i+1]   = started_q;
    assign wanted_of[i+1] = wanted_q;
  end
  always_comb begin
    if (started[PipeRegs]) begin
      assert ((sum[31:0] ^ sum[63:32]) == (wanted_of[PipeRegs] ^ acc_i));
    end
  end
endmodule

module unimac_mix32_deep_props (
  input logic        clk_i,
  input logic [7:0]  byte_i,
  input logic [31:0] acc_i
);
  unimac_mix32_registered_props #(.PipeRegs(2)) u_props (.clk_i, .byte_i, .acc_i);
endmodule

// ---- 5 ------------------------------------------------------------------------------------------

// An operation's requirements, from the README's table, independent of the decoder.
module unimac_spec (
  input  logic [15:0] op_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  output logic        product_o,  // it multiplies, or adds in the multiplier
  output logic        poly_o,
  output logic        mix_o,
  output logic        signed_o,
  output logic        add_o,
  output logic        subtract_o,
  output logic        double_o,
  output logic        clear_o,    // ACC = product instead of ACC += product
  output logic        tell_o,     // rd = lowest word of the result
  output logic        take_o,     // ACC >>= 32 afterwards
  output logic        keep_o,     // ACC is unchanged
  output logic        key_o,      // the third operand is added instead of ACC
  output logic [31:0] a_o,
  output logic [31:0] b_o
);
  // (No case statement: Yosys makes it a memory, which the induction step fills freely.)
  logic [unimac_ops_pkg::CodeW-1:0] code;
  assign code = op_i[unimac_ops_pkg::CodeW-1:0];

  assign mix_o      = keep_o || code == unimac_ops_pkg::OP_UM_MCMACS ||
                      code == unimac_ops_pkg::OP_UM_IMCMACS;
  assign key_o      = code == unimac_ops_pkg::OP_UM_MCKEY || code == unimac_ops_pkg::OP_UM_IMCKEY;
  assign keep_o     = key_o || code == unimac_ops_pkg::OP_UM_MCMULS ||
                      code == unimac_ops_pkg::OP_UM_IMCMULS;
  assign poly_o     = mix_o || code == unimac_ops_pkg::OP_UM_GF2MUL ||
                      code == unimac_ops_pkg::OP_UM_GF2MAC || code == unimac_ops_pkg::OP_UM_GF2MACX;
  assign signed_o   = code == unimac_ops_pkg::OP_UM_MULS || code == unimac_ops_pkg::OP_UM_MACS;
  assign double_o   = code == unimac_ops_pkg::OP_UM_MAC2U || code == unimac_ops_pkg::OP_UM_MAC2UX;
  assign subtract_o = code == unimac_ops_pkg::OP_UM_SUB || code == unimac_ops_pkg::OP_UM_SUBX;
  assign add_o      = subtract_o || code == unimac_ops_pkg::OP_UM_ADD ||
                      code == unimac_ops_pkg::OP_UM_ADDX;
  assign take_o     = code == unimac_ops_pkg::OP_UM_MACUX || code == unimac_ops_pkg::OP_UM_MAC2UX ||
                      code == unimac_ops_pkg::OP_UM_GF2MACX || code == unimac_ops_pkg::OP_UM_ADDX ||
                      code == unimac_ops_pkg::OP_UM_SUBX;
  assign clear_o    = keep_o || code == unimac_ops_pkg::OP_UM_MULU ||
                      code == unimac_ops_pkg::OP_UM_MULS || code == unimac_ops_pkg::OP_UM_GF2MUL;
  assign tell_o     = clear_o || take_o;
  assign product_o  = tell_o || poly_o || signed_o || double_o || add_o ||
                      code == unimac_ops_pkg::OP_UM_MACU;

  logic encrypt;
  assign encrypt = code == unimac_ops_pkg::OP_UM_MCMULS || code == unimac_ops_pkg::OP_UM_MCMACS ||
                   code == unimac_ops_pkg::OP_UM_MCKEY;
  assign a_o     = mix_o ? {rs1_i[31:16], rs2_i[15:0]} : rs1_i;
  assign b_o     = mix_o ? (encrypt ? 32'h3311_1122 : 32'hbbdd_99ee) : add_o ? 32'd1 : rs2_i;
endmodule

module unimac_one_pass_props #(parameter Key = 0) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  logic        ready, valid;
  logic [31:0] rd;
  unimac_one_pass #(.Key(Key)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  (* hierconn *) wire [71:0] \u_unit.acc_q ;
  (* hierconn *) wire [71:0] \u_unit.sum ;
  (* hierconn *) wire [31:0] \u_unit.bytes ;
  (* hierconn *) wire        \u_unit.u_multiplier.poly_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.mix_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.signed_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.double_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.add_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.subtract_i ;
  (* hierconn *) wire [31:0] \u_unit.u_multiplier.a_i ;
  (* hierconn *) wire [31:0] \u_unit.u_multiplier.b_i ;
  (* hierconn *) wire [31:0] \u_unit.u_multiplier.addend_i ;
  (* hierconn *) wire [71:0] \u_unit.u_multiplier.acc_i ;

  logic        product, poly, mix, is_signed, add, subtract, double, clear, tell, take, keep, key;
  logic [31:0] a, b, low;
  unimac_spec u_spec (
    .op_i(req_op_i), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i), .product_o(product), .poly_o(poly),
    .mix_o(mix), .signed_o(is_signed), .add_o(add), .subtract_o(subtract), .double_o(double),
    .clear_o(clear), .tell_o(tell), .take_o(take), .keep_o(keep), .key_o(key), .a_o(a), .b_o(b)
  );

  // The unit's operations.
  always_comb assume (Key != 0 || !key);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  // Expected accumulator.
  logic [71:0] acc_q, acc_d;
  logic        shacr, shin;
  assign shacr = req_op_i[unimac_ops_pkg::CodeW-1:0] == unimac_ops_pkg::OP_UM_SHACR;
  assign shin  = req_op_i[unimac_ops_pkg::CodeW-1:0] == unimac_ops_pkg::OP_UM_SHIN;
  assign low   = mix ? \u_unit.sum [31:0] ^ \u_unit.sum [63:32] : \u_unit.sum [31:0];
  always_comb begin
    acc_d = acc_q;
    if (shin) acc_d = {acc_q[39:0], req_rs1_i};
    else if (shacr) acc_d = {{32{acc_q[71]}}, acc_q[71:32]};
    else if (product && take) acc_d = {{32{\u_unit.sum [71]}}, \u_unit.sum [71:32]};
    else if (product && mix && !keep) acc_d = {acc_q[71:32], low};
    else if (product && !keep) acc_d = \u_unit.sum ;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 72'b0;
    else if (req_valid_i && ready) acc_q <= acc_d;
  end

  always_comb begin
    assert (valid == req_valid_i && ready == rsp_ready_i);
    assert (\u_unit.acc_q == acc_q);
    if (req_valid_i && product) begin
      assert (\u_unit.u_multiplier.poly_i == poly && \u_unit.u_multiplier.mix_i == mix);
      assert (\u_unit.u_multiplier.signed_i == is_signed);
      assert (\u_unit.u_multiplier.double_i == double);
      assert (\u_unit.u_multiplier.add_i == add && \u_unit.u_multiplier.subtract_i == subtract);
      assert (\u_unit.u_multiplier.a_i == a && \u_unit.u_multiplier.b_i == b);
      assert (!add || \u_unit.u_multiplier.addend_i == req_rs2_i);
      assert (\u_unit.u_multiplier.acc_i ==
              (key ? {40'b0, req_rs3_i} : clear ? 72'b0 : mix ? {40'b0, acc_q[31:0]} : acc_q));
      assert (rd == (tell ? low : 32'b0));
    end
    if (req_valid_i && !product) begin
      assert (rd == (shacr ? acc_q[31:0] : shin ? 32'b0 : \u_unit.bytes ));
    end
  end
endmodule

module unimac_one_pass_key_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  unimac_one_pass_props #(.Key(1)) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i
  );
endmodule

// What unimac_pipelined must keep of an operation until its result: from unimac_spec, and the words
// of operations without a product.
module unimac_in_flight (
  input  logic [15:0] op_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  output logic        product_o,
  output logic        zero_o,    // rd = 0
  output logic        answer_o,
  output logic        clear_o,
  output logic        mix_o,
  output logic        take_o,
  output logic        in_o,      // um_shin
  output logic        out_o,     // um_shacr
  output logic        write_o,   // ACC changes
  output logic        box_o,
  output logic [31:0] word_o,
  output logic [31:0] boxes_o    // with box_o: bytes from the memory
);
  logic        keep;
  logic [5:0]  unused;
  logic [31:0] unused_a, unused_b;
  unimac_spec u_spec (
    .op_i, .rs1_i, .rs2_i, .product_o, .poly_o(unused[0]), .mix_o, .signed_o(unused[1]),
    .add_o(unused[2]), .subtract_o(unused[3]), .double_o(unused[4]), .clear_o, .tell_o(answer_o),
    .take_o, .keep_o(keep), .key_o(unused[5]), .a_o(unused_a), .b_o(unused_b)
  );

  logic [unimac_ops_pkg::CodeW-1:0] code;
  logic                             inverse, box_key;
  assign code    = op_i[unimac_ops_pkg::CodeW-1:0];
  assign in_o    = code == unimac_ops_pkg::OP_UM_SHIN;
  assign out_o   = code == unimac_ops_pkg::OP_UM_SHACR;
  assign write_o = (product_o && !keep) || in_o || out_o;
  assign zero_o  = (product_o && !answer_o) || in_o;
  assign inverse = code == unimac_ops_pkg::OP_UM_ISBOX4;
  assign box_key = code == unimac_ops_pkg::OP_UM_SBOXK;
  assign box_o   = inverse || box_key || code == unimac_ops_pkg::OP_UM_SBOX4;
  assign boxes_o = (box_key ? {rs1_i[7:0], rs1_i[31:8]} :
                    {rs2_i[31:24], rs1_i[23:16], rs2_i[15:8], rs1_i[7:0]}) ^
                   (inverse ? 32'h6363_6363 : 32'h5252_5252);
  always_comb begin
    word_o = 32'b0;
    if (in_o) word_o = rs1_i;
    if (box_key) word_o = rs2_i;
    if (code == unimac_ops_pkg::OP_UM_PACK) word_o = {rs1_i[31:16], rs2_i[15:0]};
    if (code == unimac_ops_pkg::OP_UM_BREV8) begin
      for (int i = 0; i < 32; i++) word_o[i] = rs1_i[i ^ 7] ^ rs2_i[i ^ 7];
    end
  end
endmodule

// With S-boxes that only add a constant (formal/aes_sbox_rom_any.sv).
module unimac_pipelined_props #(parameter PipeRegs = 1) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  logic        ready, valid, accept;
  logic [31:0] rd;
  unimac_pipelined #(.PipeRegs(PipeRegs)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .rsp_valid_o(valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  (* hierconn *) wire [71:0] \u_unit.acc_q ;
  (* hierconn *) wire [71:0] \u_unit.sum ;
  (* hierconn *) wire        \u_unit.answer_q ;
  (* hierconn *) wire        \u_unit.clear_q ;
  (* hierconn *) wire        \u_unit.mix_q ;
  (* hierconn *) wire        \u_unit.take_q ;
  (* hierconn *) wire        \u_unit.shift_in_q ;
  (* hierconn *) wire        \u_unit.shift_out_q ;
  (* hierconn *) wire        \u_unit.box_q ;
  (* hierconn *) wire        \u_unit.write_q ;
  (* hierconn *) wire [31:0] \u_unit.word_q ;
  (* hierconn *) wire [31:0] \u_unit.substituted ;
  (* hierconn *) wire        \u_unit.last_answer ;
  (* hierconn *) wire        \u_unit.last_clear ;
  (* hierconn *) wire        \u_unit.last_mix ;
  (* hierconn *) wire        \u_unit.last_take ;
  (* hierconn *) wire        \u_unit.last_in ;
  (* hierconn *) wire        \u_unit.last_out ;
  (* hierconn *) wire        \u_unit.last_write ;
  (* hierconn *) wire [31:0] \u_unit.last_word ;
  (* hierconn *) wire [31:0] \u_unit.last_boxes ;
  (* hierconn *) wire        \u_unit.gen_two.first_q ;  // with PipeRegs 2
  (* hierconn *) wire        \u_unit.gen_two.zero_q ;
  (* hierconn *) wire        \u_unit.gen_two.last_q ;
  (* hierconn *) wire        \u_unit.gen_two.owed_q ;
  (* hierconn *) wire        \u_unit.u_multiplier.take_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.pass_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.poly_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.mix_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.signed_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.double_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.add_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.subtract_i ;
  (* hierconn *) wire [31:0] \u_unit.u_multiplier.a_i ;
  (* hierconn *) wire [31:0] \u_unit.u_multiplier.b_i ;
  (* hierconn *) wire [31:0] \u_unit.u_multiplier.addend_i ;
  (* hierconn *) wire [71:0] \u_unit.u_multiplier.acc_i ;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  // The multiplier takes the operands of a request that is accepted.
  logic        m_product, m_poly, m_mix, m_signed, m_add, m_subtract, m_double, m_key;
  logic [31:0] m_a, m_b;
  logic [3:0]  unused;
  unimac_spec u_multiplied (
    .op_i(req_op_i), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i), .product_o(m_product),
    .poly_o(m_poly), .mix_o(m_mix), .signed_o(m_signed), .add_o(m_add), .subtract_o(m_subtract),
    .double_o(m_double), .clear_o(unused[0]), .tell_o(unused[1]), .take_o(unused[2]),
    .keep_o(unused[3]), .key_o(m_key), .a_o(m_a), .b_o(m_b)
  );
  always_comb begin
    assume (!m_key);  // the unit's operations
    assert (\u_unit.u_multiplier.take_i == accept);
    if (accept && m_product) begin
      assert (\u_unit.u_multiplier.poly_i == m_poly && \u_unit.u_multiplier.mix_i == m_mix);
      assert (\u_unit.u_multiplier.signed_i == m_signed);
      assert (\u_unit.u_multiplier.double_i == m_double);
      assert (\u_unit.u_multiplier.add_i == m_add);
      assert (\u_unit.u_multiplier.subtract_i == m_subtract);
      assert (\u_unit.u_multiplier.a_i == m_a && \u_unit.u_multiplier.b_i == m_b);
      assert (!m_add || \u_unit.u_multiplier.addend_i == req_rs2_i);
    end
  end

  // The operations in flight: of the first register, with PipeRegs 2, and of the last one. Answers
  // are given in order: `owed` says whether that of the last one is to come.
  logic        first, last, owed, enter, leave;
  logic [15:0] first_op, last_op;
  logic [31:0] first_rs1, first_rs2, last_rs1, last_rs2;
  logic        last_q, owed_q;
  logic [15:0] op_q;
  logic [31:0] rs1_q, rs2_q;
  assign accept = req_valid_i && ready;
  assign {last, owed} = {last_q, owed_q};
  assign {last_op, last_rs1, last_rs2} = {op_q, rs1_q, rs2_q};
  assign leave = last && (!owed || rsp_ready_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_q <= 1'b0;
    else         last_q <= enter || (last && !leave);
  end

  // Requests without an answer.
  logic [1:0] open_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 2'd0;
    else         open_q <= open_q + {1'b0, accept} - {1'b0, valid && rsp_ready_i};
  end
  always_comb assert (open_q == {1'b0, first} + {1'b0, owed});

  // What the registers hold is that operation's.
  logic [31:0] first_word, last_word, first_boxes, last_boxes;
  logic        first_zero, zero, first_answer, first_clear, first_mix, first_take, first_in;
  logic        first_out, first_write, first_box, product, answer, clear, mix, take, in, out;
  logic        write, box;
  unimac_in_flight u_first (
    .op_i(first_op), .rs1_i(first_rs1), .rs2_i(first_rs2), .product_o(), .zero_o(first_zero),
    .answer_o(first_answer), .clear_o(first_clear), .mix_o(first_mix), .take_o(first_take),
    .in_o(first_in), .out_o(first_out), .write_o(first_write), .box_o(first_box),
    .word_o(first_word), .boxes_o(first_boxes)
  );
  unimac_in_flight u_last (
    .op_i(last_op), .rs1_i(last_rs1), .rs2_i(last_rs2), .product_o(product), .zero_o(zero),
    .answer_o(answer), .clear_o(clear), .mix_o(mix), .take_o(take), .in_o(in), .out_o(out),
    .write_o(write), .box_o(box), .word_o(last_word), .boxes_o(last_boxes)
  );

  if (PipeRegs == 1) begin : gen_one
    assign first = 1'b0;
    assign {first_op, first_rs1, first_rs2} = {last_op, last_rs1, last_rs2};
    assign enter  = accept;
    assign owed_q = last_q;
    always_ff @(posedge clk_i) begin
      if (accept) {op_q, rs1_q, rs2_q} <= {req_op_i, req_rs1_i, req_rs2_i};
    end
    always_comb assert (valid == last && ready == (!last || rsp_ready_i));
  end else begin : gen_two
    logic        first_q;
    logic [15:0] first_op_q;
    logic [31:0] first_rs1_q, first_rs2_q;
    assign first = first_q;
    assign {first_op, first_rs1, first_rs2} = {first_op_q, first_rs1_q, first_rs2_q};
    assign enter = first && (!last || leave);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {first_q, owed_q} <= 2'b0;
      else begin
        first_q <= accept || (first && !enter);
        // A zero may be told early, where nothing is owed before it.
        if (enter)      owed_q <= !(first_zero && !owed && rsp_ready_i);
        else if (leave) owed_q <= 1'b0;
      end
    end
    always_ff @(posedge clk_i) begin
      if (accept) {first_op_q, first_rs1_q, first_rs2_q} <= {req_op_i, req_rs1_i, req_rs2_i};
      if (enter)  {op_q, rs1_q, rs2_q} <= {first_op, first_rs1, first_rs2};
    end
    always_comb begin
      assert (\u_unit.gen_two.first_q == first && \u_unit.gen_two.last_q == last);
      assert (\u_unit.gen_two.owed_q == owed && (!first || \u_unit.gen_two.zero_q == first_zero));
      assert (!owed || last);
      assert (valid == (owed || (first && first_zero)) && ready == (!first || enter));
      assert (\u_unit.u_multiplier.pass_i == enter);
      if (last && !owed) assert (zero);
      if (first) begin
        assert (\u_unit.answer_q == first_answer && \u_unit.clear_q == first_clear);
        assert (\u_unit.mix_q == first_mix && \u_unit.take_q == first_take);
        assert (\u_unit.shift_in_q == first_in && \u_unit.shift_out_q == first_out);
        assert (\u_unit.write_q == first_write && \u_unit.box_q == first_box);
        assert (\u_unit.word_q == first_word);
        assert (!first_box || \u_unit.substituted == first_boxes);
      end
    end
  end

  // Accumulator and responses follow the operation.
  logic [71:0] acc_q, acc_d;
  logic [31:0] low;
  assign low = mix ? \u_unit.sum [31:0] ^ \u_unit.sum [63:32] : \u_unit.sum [31:0];
  always_comb begin
    acc_d = acc_q;
    if (in) acc_d = {acc_q[39:0], last_rs1};
    else if (out) acc_d = {{32{acc_q[71]}}, acc_q[71:32]};
    else if (product && take) acc_d = {{32{\u_unit.sum [71]}}, \u_unit.sum [71:32]};
    else if (product && mix && write) acc_d = {acc_q[71:32], low};
    else if (product && write) acc_d = \u_unit.sum ;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 72'b0;
    else if (leave) acc_q <= acc_d;
  end

  always_comb begin
    assert (\u_unit.acc_q == acc_q);
    if (last) begin
      assert (\u_unit.last_answer == answer && \u_unit.last_clear == clear);
      assert (\u_unit.last_mix == mix && \u_unit.last_take == take);
      assert (\u_unit.last_in == in && \u_unit.last_out == out && \u_unit.last_write == write);
      assert (\u_unit.last_word == last_word);
      assert (\u_unit.last_boxes == (box ? last_boxes : 32'b0));
      if (product) begin
        assert (\u_unit.u_multiplier.acc_i ==
                (clear ? 72'b0 : mix ? {40'b0, acc_q[31:0]} : acc_q));
      end
    end
    if (owed && product) assert (rd == (answer ? low : 32'b0));
    if (owed && !product) begin
      assert (rd == (out ? acc_q[31:0] : in ? 32'b0 : box ? last_word ^ last_boxes : last_word));
    end
    if (valid && !owed) assert (rd == 32'b0);
  end
endmodule

module unimac_deep_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  unimac_pipelined_props #(.PipeRegs(2)) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .rsp_ready_i
  );
endmodule


module unimac_two_pass_props #(parameter Box = 1) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  logic        ready, valid;
  logic [31:0] rd;
  unimac_two_pass #(.Box(Box)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .rsp_valid_o(valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  (* hierconn *) wire        \u_unit.second_q ;
  (* hierconn *) wire        \u_unit.last_q ;
  (* hierconn *) wire [4:0]  \u_unit.code_q ;
  (* hierconn *) wire [31:0] \u_unit.rs1_q ;
  (* hierconn *) wire [31:0] \u_unit.rs2_q ;
  (* hierconn *) wire [48:0] \u_unit.product_q ;
  (* hierconn *) wire [71:0] \u_unit.acc_q ;
  (* hierconn *) wire [31:0] \u_unit.bytes ;
  (* hierconn *) wire [48:0] \u_unit.product ;
  (* hierconn *) wire [71:0] \u_unit.sum ;
  (* hierconn *) wire        \u_unit.u_accumulate.poly_i ;
  (* hierconn *) wire [71:0] \u_unit.u_accumulate.a_i ;
  (* hierconn *) wire [71:0] \u_unit.u_accumulate.b_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.poly_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.mix_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.signed_a_i ;
  (* hierconn *) wire        \u_unit.u_multiplier.signed_b_i ;
  (* hierconn *) wire [31:0] \u_unit.u_multiplier.a_i ;
  (* hierconn *) wire [15:0] \u_unit.u_multiplier.b_i ;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  // The request in flight (in cycle 1 or 2 of it), and its two products.
  logic [1:0]  cycle_q;
  logic [15:0] op_q, op;
  logic [31:0] rs1_q, rs2_q, rs1, rs2;
  logic [48:0] first_q, second_q;
  logic [71:0] acc_q;  // the accumulator when the request arrived
  logic        accept, answered, finished;

  // The multiplier's operation: the one in flight, in its second pass, or a new one.
  logic        product, poly, mix, is_signed, clear, tell, keep;
  logic        m_product, m_poly, m_mix, m_signed, again;
  logic [31:0] m_a, m_b, unused_a, unused_b;
  logic [13:0] unused;
  assign again = cycle_q == 2'd1 && product;
  assign op    = again ? op_q : req_op_i;
  assign rs1   = again ? rs1_q : req_rs1_i;
  assign rs2   = again ? rs2_q : req_rs2_i;
  unimac_spec u_under_way (
    .op_i(op_q), .rs1_i(rs1_q), .rs2_i(rs2_q), .product_o(product), .poly_o(poly), .mix_o(mix),
    .signed_o(is_signed), .add_o(unused[0]), .subtract_o(unused[1]), .double_o(unused[2]),
    .clear_o(clear), .tell_o(tell), .take_o(unused[3]), .keep_o(keep), .key_o(unused[12]),
    .a_o(unused_a), .b_o(unused_b)
  );
  unimac_spec u_multiplied (
    .op_i(op), .rs1_i(rs1), .rs2_i(rs2), .product_o(m_product), .poly_o(m_poly), .mix_o(m_mix),
    .signed_o(m_signed), .add_o(unused[4]), .subtract_o(unused[5]), .double_o(unused[6]),
    .clear_o(unused[7]), .tell_o(unused[8]), .take_o(unused[9]), .keep_o(unused[10]),
    .key_o(unused[13]), .a_o(m_a), .b_o(m_b)
  );
  assign unused[11] = is_signed;

  // The unit's operations.
  logic [4:0] code;
  assign code = req_op_i[4:0];
  always_comb assume (code < unimac_ops_pkg::OP_UM_MACUX || code == unimac_ops_pkg::OP_UM_BREV8);

  // The result is base + low in cycle 1, plus high in cycle 2: a b_low + a b_high 2^16, and with
  // MixColumns the same modulo t^4 + 1. (mcmuls and imcmuls have their sum in 32 bits.)
  logic [71:0] base, low, high, halfway_q;
  logic [55:0] moved;
  assign base  = clear ? 72'b0 : acc_q;
  assign moved = {second_q[39:0], 16'b0};
  assign low   = mix ? {40'b0, first_q[31:0] ^ {24'b0, first_q[39:32]}} :
                       {{23{first_q[48]}}, first_q};
  assign high  = mix ? {40'b0, moved[31:0] ^ {8'b0, moved[55:32]}} :
                       {{7{second_q[48]}}, second_q, 16'b0};

  logic shacr, shin;
  assign shacr = op_q[4:0] == unimac_ops_pkg::OP_UM_SHACR;
  assign shin  = op_q[4:0] == unimac_ops_pkg::OP_UM_SHIN;

  // An operation with a result responds in cycle 2, any other one in cycle 1.
  assign answered = valid && rsp_ready_i;
  assign accept   = req_valid_i && ready;
  assign finished = (cycle_q == 2'd2 && (!tell || answered)) ||
                    (cycle_q == 2'd1 && !product && answered);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q <= 2'd0;
      acc_q   <= 72'b0;
    end else begin
      if (accept) cycle_q <= 2'd1;
      else if (finished) cycle_q <= 2'd0;
      else if (cycle_q == 2'd1 && (tell || answered)) cycle_q <= 2'd2;
      if (finished) begin
        if (shacr) acc_q <= {{32{acc_q[71]}}, acc_q[71:32]};
        else if (shin) acc_q <= {acc_q[39:0], rs1_q};
        else if (product && !keep) acc_q <= \u_unit.sum ;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (accept) begin
      op_q    <= req_op_i;
      rs1_q   <= req_rs1_i;
      rs2_q   <= req_rs2_i;
      first_q <= \u_unit.product ;
    end
    if (again) begin
      second_q  <= \u_unit.product ;
      halfway_q <= keep ? {40'b0, \u_unit.sum [31:0]} : \u_unit.sum ;
    end
  end

  always_comb begin
    assert (cycle_q != 2'd3 && (cycle_q != 2'd2 || product));
    assert (\u_unit.second_q == (cycle_q == 2'd1) && \u_unit.last_q == (cycle_q == 2'd2));
    assert (ready == (cycle_q == 2'd0 || finished));
    assert (valid == ((cycle_q == 2'd1 && !(product && tell)) || (cycle_q == 2'd2 && tell)));
    if (cycle_q != 2'd0) begin
      assert (op_q[4:0] < unimac_ops_pkg::OP_UM_MACUX ||
              op_q[4:0] == unimac_ops_pkg::OP_UM_BREV8);
      assert (\u_unit.code_q == op_q[4:0] && \u_unit.rs2_q == rs2_q);
    end
    if (cycle_q == 2'd1) assert (\u_unit.rs1_q == rs1_q && \u_unit.product_q == first_q);
    if (cycle_q == 2'd2) assert (\u_unit.product_q == second_q);
    if (cycle_q == 2'd2 && keep) assert (\u_unit.rs1_q == halfway_q[31:0]);
    // The adder's operands.
    if (again || cycle_q == 2'd2) begin
      assert (\u_unit.u_accumulate.poly_i == poly);
      assert (\u_unit.u_accumulate.a_i == (again ? base : halfway_q));
      assert (\u_unit.u_accumulate.b_i == (again ? low : high));
    end
    if (cycle_q == 2'd2 && keep) assert (halfway_q[71:32] == 40'b0);
    // The accumulator, between operations and during one.
    assert (\u_unit.acc_q == ((cycle_q == 2'd2 && !keep) ? halfway_q : acc_q));
    // The multiplier's operands, whenever its product is used.
    if ((accept || again) && m_product) begin
      assert (\u_unit.u_multiplier.poly_i == m_poly && \u_unit.u_multiplier.mix_i == m_mix);
      assert (\u_unit.u_multiplier.signed_a_i == m_signed);
      assert (\u_unit.u_multiplier.signed_b_i == (m_signed && again));
      assert (\u_unit.u_multiplier.a_i == m_a);
      assert (\u_unit.u_multiplier.b_i == (again ? m_b[31:16] : m_b[15:0]));
    end
    // Responses.
    if (valid) begin
      assert (rd == ((product && tell) ? \u_unit.sum [31:0] : product ? 32'b0 :
                     shacr ? acc_q[31:0] : shin ? 32'b0 : \u_unit.bytes ));
    end
  end
endmodule

module unimac_two_pass_mix_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  unimac_two_pass_props #(.Box(0)) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .rsp_ready_i
  );
endmodule

// ---- 6 ------------------------------------------------------------------------------------------

module unimac_bytes_props (
  input logic        inverse_i,
  input logic        key_i,
  input logic        pack_i,
  input logic        reverse_i,
  input logic [31:0] rs1_i,
  input logic [31:0] rs2_i
);
  logic        box;
  logic [31:0] rd, data, reversed;
  assign box = !pack_i && !reverse_i;
  unimac_bytes u_bytes (
    .pack_i, .box_i(box), .inverse_i, .key_i(key_i && box), .reverse_i, .rs1_i, .rs2_i, .rd_o(rd)
  );

  assign data = key_i ? {rs1_i[7:0], rs1_i[31:24], rs1_i[23:16], rs1_i[15:8]} :
                        {rs2_i[31:24], rs1_i[23:16], rs2_i[15:8], rs1_i[7:0]};
  for (genvar i = 0; i < 32; i++) begin : gen_bit
    assign reversed[i] = rs1_i[8 * (i / 8) + 7 - i % 8] ^ rs2_i[8 * (i / 8) + 7 - i % 8];
  end
  for (genvar i = 0; i < 4; i++) begin : gen_byte
    logic [7:0] box_in, box_out;
    assign box_in = data[8*i +: 8];
    assign box_out = rd[8*i +: 8] ^ (key_i ? rs2_i[8*i +: 8] : 8'b0);
    always_comb begin
      if (box) begin
        assert (inverse_i ? aes_spec_pkg::is_sbox(box_out, box_in)
                          : aes_spec_pkg::is_sbox(box_in, box_out));
      end
    end
  end

  always_comb begin
    assume (!pack_i || !reverse_i);
    if (pack_i) assert (rd == {rs1_i[31:16], rs2_i[15:0]});
    if (reverse_i) assert (rd == reversed);
  end
endmodule
