// SPDX-License-Identifier: Apache-2.0
// One byte through the S-box, times a column of MixColumns or InvMixColumns, rotated into its lane.
// Combinational. FIPS 197, sections 5.1.1, 5.1.3, 5.3.2 and 5.3.3.
module aes_zkn_logic #(
  parameter SboxImpl = "canright",  // see rtl/field/aes_sbox.sv
  parameter Dir      = "both"       // "fwd": inverse_i is unused
) (
  input  logic        mix_i,      // 0: the substituted byte alone
  input  logic        inverse_i,
  input  logic [1:0]  bs_i,       // lane
  input  logic [7:0]  data_i,
  output logic [31:0] data_o
);

  // Multiplication by x modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2.1).
  function automatic logic [7:0] xtime(input logic [7:0] a);
    xtime = {a[6:0], 1'b0} ^ (8'h1b & {8{a[7]}});
  endfunction

  logic [7:0] box, sub;

  assign sub = box;

  // ---- one column of the MixColumns matrix, lane 0 lowest ---------------------------------------

  logic [7:0]  sub2, sub3;
  logic [31:0] mixed;

  assign sub2 = xtime(sub);
  assign sub3 = sub2 ^ sub;

  if (Dir == "both") begin : gen_both
    logic [7:0] gated2, gated4, gated8, gated12;

    aes_sbox #(.SboxImpl(SboxImpl), .Dir("both")) u_sbox (
      .inv_i(inverse_i), .data_i, .data_o(box)
    );
    // InvMixColumns is MixColumns plus a multiple of {04}: {b, d, 9, e} = {3, 1, 1, 2} + {8, c, 8,
    // c}.
    assign gated2 = sub2 & {8{inverse_i}};
    assign gated4  = xtime(gated2);
    assign gated8  = xtime(gated4);
    assign gated12 = gated8 ^ gated4;
    assign mixed   = {sub3, sub, sub, sub2} ^ {gated8, gated12, gated8, gated12};
  end else begin : gen_encrypt
    aes_sbox #(.SboxImpl(SboxImpl), .Dir("fwd")) u_sbox (
      .inv_i(1'b0), .data_i, .data_o(box)
    );
    assign mixed = {sub3, sub, sub, sub2};
    logic unused;
    assign unused = inverse_i;
  end

  // ---- rotate into its lane ---------------------------------------------------------------------

  logic [31:0] column, by_two, rotated;

  assign column = mix_i ? mixed : {24'b0, sub};
  assign by_two = bs_i[1] ? {column[15:0], column[31:16]} : column;
  assign rotated = bs_i[0] ? {by_two[23:0], by_two[31:24]} : by_two;

  assign data_o = rotated;

endmodule
