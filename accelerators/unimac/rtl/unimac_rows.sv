// SPDX-License-Identifier: Apache-2.0
// The partial products of a multiplication as rows of equal length. Their sum modulo 2^Width is the
// product: Tillich and Grossschaedl 2007, sections 4.1, 4.2 (PPG input masking) and 5, figure 1.
// Combinational.
//
// Signs. With s the sign bit of a row of 1 + WidthA bits, -s = ~s - 1. The ones to subtract from
// all rows form the constant -(4^Rows - 1)/3 * 2^WidthA. It has a single one above each row, one
// more at WidthA, and ones above the last row: row 0 takes {~s, s, s}, the others {1, ~s}. The ones
// that complete negative rows use the free places below the next row. With polynomials all of this
// is zero.
//
// MixColumns. A coefficient of the multiplier has four bits, two rows. The idle rows take the upper
// three bits of each multiplicand coefficient, four places lower. The multiplier must therefore
// hold each coefficient twice (nibble replication). So only these rows hold bits beyond a product
// coefficient, and these bits never mix with the next coefficient.
module unimac_rows #(
  parameter BitsB = 16,
  parameter Width = 49,
  parameter Poly  = 1,  // polynomials
  parameter Mix   = 1,  // MixColumns
  parameter Wide  = 0,  // twice the product, and sums
  // Derived.
  parameter Rows  = BitsB / 2 + 1
) (
  input  logic                       poly_i,
  input  logic                       mix_i,       // PPG input masking; with poly_i
  input  logic                       signed_a_i,
  input  logic                       signed_b_i,
  input  logic                       double_i,    // Wide: twice the (unsigned) product
  input  logic                       add_i,       // Wide, with b_i = 1: a + addend
  input  logic                       subtract_i,  // Wide, with add_i: a - addend
  input  logic [31:0]                a_i,
  input  logic [BitsB-1:0]           b_i,
  input  logic [31:0]                addend_i,
  output logic [Rows-1:0][Width-1:0] rows_o
);

  localparam WidthA = (Wide != 0) ? 34 : 33;
  localparam Full   = WidthA + 2 * Rows + 8;  // longer than any row

  // ---- the multiplicand, once for the normal rows and once for those that MixColumns leaves idle

  logic              sign;
  logic [31:0]       normal, idle;
  logic [WidthA-1:0] a_normal, a_idle;

  assign sign = a_i[31] && signed_a_i;

  if (Mix != 0) begin : gen_mask
    assign normal = a_i & ~({32{mix_i}} & 32'he0e0_e0e0);
    assign idle   = mix_i ? (a_i & 32'he0e0_e0e0) >> 4 : a_i;
  end else begin : gen_no_mask
    assign normal = a_i;
    assign idle   = a_i;
  end

  if (Wide != 0) begin : gen_double
    assign a_normal = double_i ? {1'b0, normal, 1'b0} : {sign, sign, normal};
    assign a_idle   = double_i ? {1'b0, idle, 1'b0} : {sign, sign, idle};
  end else begin : gen_single
    assign a_normal = {sign, normal};
    assign a_idle   = {sign, idle};
  end

  // ---- rows -------------------------------------------------------------------------------------

  logic [Rows-1:0]  negative;
  logic             keep_top, take_away;
  logic [BitsB-1:0] addend;

  // The topmost digit: the highest bit of an unsigned multiplier; -1 for a difference, because
  // -addend is ~addend + 1 - 2^BitsB.
  assign keep_top  = b_i[BitsB-1] && !signed_b_i;
  assign take_away = (Wide != 0) && subtract_i;

  if (Wide != 0) begin : gen_addend
    assign addend = (addend_i ^ {BitsB{subtract_i}}) & {BitsB{add_i}};
  end else begin : gen_no_addend
    assign addend = '0;
  end

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    logic [2:0]             bits;
    logic [WidthA:0]        row;
    logic                   sign_gone;      // ~s, or zero with polynomials
    logic [Full-WidthA-1:0] above;          // the row's digits
    logic [Full-1:0]        below, placed;  // below: other rows' bits in its free places

    logic [WidthA-1:0] a;
    if (i % 4 < 2) begin : gen_normal
      assign a = a_normal;
    end else begin : gen_idle
      assign a = a_idle;
    end
    unimac_ppg #(.Width(WidthA), .Poly(Poly)) u_ppg (
      .poly_i, .bits_i(bits), .a_i(a), .row_o(row), .negative_o(negative[i])
    );
    assign sign_gone = !row[WidthA] && !poly_i;

    if (i == 0) begin : gen_first
      assign bits  = {b_i[1:0], 1'b0};
      assign above = {{(Full-WidthA-3){1'b0}}, sign_gone, {2{row[WidthA]}}};
      assign below = '0;
    end else if (i == 1) begin : gen_second
      assign bits  = b_i[3:1];
      assign above = {{(Full-WidthA-2){1'b0}}, !poly_i, sign_gone};
      assign below = {{(Full-1){1'b0}}, negative[0] || take_away};
    end else if (i < Rows - 1) begin : gen_middle
      assign bits  = b_i[2*i+1 -: 3];
      assign above = {{(Full-WidthA-2){1'b0}}, !poly_i, sign_gone};
      assign below = {{(Full-1){1'b0}}, negative[i-1]} << (2 * (i - 1));
    end else begin : gen_last
      assign bits  = {take_away, take_away, keep_top || take_away};
      assign above = {{(Full-WidthA-1){!poly_i}}, sign_gone};
      assign below = {{(Full-BitsB){1'b0}}, addend} |
                     ({{(Full-1){1'b0}}, negative[i-1]} << (2 * (i - 1)));
    end

    assign placed    = ({above, row[WidthA-1:0]} << (2 * i)) | below;
`ifdef PROOF_ROWS
    // Free rows, for proofs of their users (formal/unimac_props.sv).
    (* anyseq *) logic [Width-1:0] any;
    assign rows_o[i] = any;
`else
    assign rows_o[i] = placed[Width-1:0];
`endif

    logic unused_above;
    assign unused_above = ^placed[Full-1:Width];
  end

  // The last row never needs completion.
  logic unused;
  assign unused = ^{mix_i, double_i, add_i, subtract_i, addend_i, negative[Rows-1]};

endmodule
