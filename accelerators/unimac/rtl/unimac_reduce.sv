// SPDX-License-Identifier: Apache-2.0
// MixColumns: reduction bits and reduction vectors. Tillich and Grossschaedl 2007, sections 4.2 and
// 5, figures 1 and 3.
//
// Coefficient k of the product has the weights 8k to 8k + 10. Its bits of weight 8, 9 and 10 are
// the reduction bits. They are from the last two of the four rows of each multiplier coefficient
// (figure 3, partial products 3 and 4); weights 9 and 10 only from the very last one. Where one is
// set, adding f(x) = x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2) at its place clears it, so the
// coefficient's degree falls below 8.
//
// f(x) has nine digits and coefficients are eight apart, so neighbours overlap in one digit. Even
// and odd coefficients therefore use separate vectors. Three weights give six vectors, as many as
// the (32x16)-bit tree has idle carry words. In the order of delay, slowest first: odd and even of
// weight 8, of weight 9, of weight 10. Combinational.
module unimac_reduce #(
  parameter BitsB = 16,
  parameter Width = 49,
  // Derived.
  parameter Rows  = BitsB / 2 + 1
) (
  input  logic                       mix_i,
  input  logic [Rows-1:0][Width-1:0] rows_i,
  output logic [5:0][Width-1:0]      vectors_o
);

  localparam CoeffsB = BitsB / 8;
  localparam Coeffs  = CoeffsB + 3;  // of the product

  localparam logic [Width-1:0] Modulus = 'h11b;

  // Place k + 2 of a weight's sums: the vector of coefficient k and of those of its parity below.
  localparam Places = Coeffs + 2;
  logic [3*Places-1:0][Width-1:0] sums;

  for (genvar w = 0; w < 3; w++) begin : gen_weight
    assign sums[Places*w]   = '0;
    assign sums[Places*w+1] = '0;

    for (genvar k = 0; k < Coeffs; k++) begin : gen_coefficient
      logic [CoeffsB-1:0] bits;
      logic               set;
      for (genvar c = 0; c < CoeffsB; c++) begin : gen_bit
        if (k < c || k > c + 3) begin : gen_none
          assign bits[c] = 1'b0;
        end else if (w == 0) begin : gen_two_rows
          assign bits[c] = rows_i[4*c+2][8*k+8] ^ rows_i[4*c+3][8*k+8];
        end else begin : gen_one_row
          assign bits[c] = rows_i[4*c+3][8*k+8+w];
        end
      end
      assign set = ^bits && mix_i;
      assign sums[Places*w+k+2] = sums[Places*w+k] | ((Modulus & {Width{set}}) << (8 * k + w));
    end

    // Both numbers of coefficients, 5 and 7, are odd: the last one is even.
    assign vectors_o[2*w]   = sums[Places*w+Places-2];
    assign vectors_o[2*w+1] = sums[Places*w+Places-1];
  end

  logic unused;
  assign unused = ^rows_i;

endmodule
