// SPDX-License-Identifier: Apache-2.0
// Unified carry-propagate adder: the sum of two words as integers, or as binary polynomials.
// Tillich and Grossschaedl 2007, sections 4 and 4.1. A row of half adders comes first: without its
// carries there is nothing left that could propagate. Combinational.
module unimac_adder #(
  parameter Width = 72,
  parameter Poly  = 1    // 0: integers alone
) (
  input  logic             poly_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] sum_o
);

  if (Poly != 0) begin : gen_dual_field
    logic [Width-2:0] carries;
`ifdef BUG_ADDER
    assign carries = a_i[Width-2:0] & b_i[Width-2:0];
`else
    assign carries = a_i[Width-2:0] & b_i[Width-2:0] & ~{(Width - 1){poly_i}};
`endif
    assign sum_o = (a_i ^ b_i) + {carries, 1'b0};
  end else begin : gen_integer
    logic unused;
    assign unused = poly_i;
    assign sum_o  = a_i + b_i;
  end

endmodule
