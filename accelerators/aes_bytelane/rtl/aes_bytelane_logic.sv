// SPDX-License-Identifier: Apache-2.0
// One byte through the S-box or its inverse (one shared inversion), then four multipliers, one for
// each lane of the result. Combinational. Nadehara, Ikekawa, Kuroda 2004, figures 6 and 7.
module aes_bytelane_logic #(
  parameter SboxImpl = "canright",  // see rtl/field/aes_sbox.sv
  parameter Dir      = "both"       // "fwd": inverse_i is unused
) (
  input  logic        last_i,     // the substituted byte alone
  input  logic        inverse_i,
  input  logic [1:0]  row_i,      // lane
  input  logic [7:0]  data_i,
  output logic [31:0] data_o
);

  logic [7:0] box, sub;

  assign sub = box;

  // ---- coefficient table: lane by lane for row 0, that is, the first column of the matrix -------

  logic [3:0][3:0] column;  // [lane]

  if (Dir == "both") begin : gen_both
    aes_sbox #(.SboxImpl(SboxImpl), .Dir("both")) u_sbox (
      .inv_i(inverse_i), .data_i, .data_o(box)
    );
    assign column = last_i ? 16'h0001 : inverse_i ? 16'hbd9e : 16'h3112;
  end else begin : gen_encrypt
    aes_sbox #(.SboxImpl(SboxImpl), .Dir("fwd")) u_sbox (
      .inv_i(1'b0), .data_i, .data_o(box)
    );
    assign column = last_i ? 16'h0001 : 16'h3112;
    logic unused;
    assign unused = inverse_i;
  end

  // ---- four multipliers; the matrix is circulant, so row r starts r lanes later -----------------

  for (genvar lane = 0; lane < 4; lane++) begin : gen_lane
    logic [1:0] from;
    assign from = 2'(lane) - row_i;
    gf8_mulc u_mul (.coeff_i(column[from]), .data_i(sub), .data_o(data_o[8*lane +: 8]));
  end

endmodule
