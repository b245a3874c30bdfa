// SPDX-License-Identifier: Apache-2.0
// Every S-box circuit, in both directions and combined, equals the definition for all 256 bytes
// (FIPS 197, sections 5.1.1 and 5.3.2). A unit's own proof may therefore use the circuit that is
// cheapest for the solver, and holds for all of them.
module aes_sbox_props #(
  parameter SboxImpl = "canright"
) (
  input logic       clk_i,
  input logic       inv_i,
  input logic [7:0] data_i
);
  logic [7:0] forward, inverse, shared;
  aes_sbox #(.SboxImpl(SboxImpl), .Dir("fwd")) u_fwd (.inv_i, .data_i, .data_o(forward));
  aes_sbox #(.SboxImpl(SboxImpl), .Dir("inv")) u_inv (.inv_i, .data_i, .data_o(inverse));
  aes_sbox #(.SboxImpl(SboxImpl), .Dir("both")) u_both (.inv_i, .data_i, .data_o(shared));
  always_comb begin
    assert (aes_spec_pkg::is_sbox(data_i, forward));
    assert (aes_spec_pkg::is_sbox(inverse, data_i));
    assert (shared == (inv_i ? inverse : forward));
  end
endmodule

// One top for each circuit.
module aes_sbox_lut_props (input logic clk_i, input logic inv_i, input logic [7:0] data_i);
  aes_sbox_props #(.SboxImpl("lut")) u_props (.clk_i, .inv_i, .data_i);
endmodule

module aes_sbox_tower_props (input logic clk_i, input logic inv_i, input logic [7:0] data_i);
  aes_sbox_props #(.SboxImpl("tower")) u_props (.clk_i, .inv_i, .data_i);
endmodule

module aes_sbox_small_props (input logic clk_i, input logic inv_i, input logic [7:0] data_i);
  aes_sbox_props #(.SboxImpl("small")) u_props (.clk_i, .inv_i, .data_i);
endmodule

module aes_sbox_canright_props (input logic clk_i, input logic inv_i, input logic [7:0] data_i);
  aes_sbox_props #(.SboxImpl("canright")) u_props (.clk_i, .inv_i, .data_i);
endmodule

module aes_sbox_boyar_peralta_props (
  input logic       clk_i,
  input logic       inv_i,
  input logic [7:0] data_i
);
  aes_sbox_props #(.SboxImpl("boyar_peralta")) u_props (.clk_i, .inv_i, .data_i);
endmodule

// The specification is consistent: table, relation, affine map and columns.
module aes_spec_props (
  input logic       clk_i,
  input logic [1:0] row_i,
  input logic [7:0] data_i
);
  // MixColumns is linear over XOR, so columns with one nonzero byte suffice.
  logic [31:0] column;
  assign column = aes_spec_pkg::mix_column({24'b0, data_i} << {row_i, 3'b000});
  always_comb begin
    assert (aes_spec_pkg::is_sbox(data_i, aes_spec_pkg::sbox(data_i)));
    assert (aes_spec_pkg::inv_sbox(aes_spec_pkg::sbox(data_i)) == data_i);
    assert (aes_spec_pkg::affine(aes_spec_pkg::unaffine(data_i)) == data_i);
    assert (aes_spec_pkg::inv_mix_column(column) == {24'b0, data_i} << {row_i, 3'b000});
    // FIPS 197, section 5.1.1, the example {53} -> {ed}; MixColumns of section B, first round.
    assert (aes_spec_pkg::sbox(8'h53) == 8'hed);
    assert (aes_spec_pkg::mix_column(32'h305d_bfd4) == 32'he581_6604);
  end
endmodule
