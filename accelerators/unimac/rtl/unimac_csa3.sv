// SPDX-License-Identifier: Apache-2.0
// Carry-save adder of dual-field (3:2) compressors: three words become a sum word and a carry word
// with the same total, of integers or of binary polynomials. Tillich and Grossschaedl 2007, section
// 4.1 (a dual-field adder is a full adder whose carry can be switched off). Combinational.
module unimac_csa3 #(
  parameter Width = 49,
  parameter Poly  = 1    // 0: integers only
) (
  input  logic             poly_i,  // 1: polynomials, the carry word is zero
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);

`ifdef PROOF_ADDERS
  // For later proofs: any module with the property that proof "compressors" shows
  // (formal/unimac_props.sv).
  (* anyseq *) logic [Width-1:0] any;
  assign sum_o   = poly_i ? a_i ^ b_i ^ c_i : any;
  assign carry_o = poly_i ? '0 : a_i + b_i + c_i - any;
`else

  logic [Width-2:0] carries;  // the top carry is beyond the word

  assign sum_o   = a_i ^ b_i ^ c_i;
  assign carries = (a_i[Width-2:0] & b_i[Width-2:0]) |
                   (c_i[Width-2:0] & (a_i[Width-2:0] ^ b_i[Width-2:0]));

  if (Poly != 0) begin : gen_dual_field
    assign carry_o = {carries & ~{(Width - 1){poly_i}}, 1'b0};
  end else begin : gen_integer
    assign carry_o = {carries, 1'b0};
  end

`endif

  logic unused;
  assign unused = poly_i;

endmodule
