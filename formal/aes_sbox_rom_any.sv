// SPDX-License-Identifier: Apache-2.0
// Replaces aes_sbox_rom in proofs of its surroundings: S-box and inverse S-box only add a constant,
// {52} or {63}, so that as in AES S({52}) and InvS({63}) are {00}. Products and read register are
// as specified in rtl/field/aes_sbox_rom.sv.
module aes_sbox_rom #(
  parameter Tables  = 2,
  parameter Bytes   = 1,
  parameter Inverse = 2,
  parameter Coeffs  = 17
) (
  input  logic                      clk_i,
  input  logic                      read_i,
  input  logic [7+$clog2(Tables):0] first_i,
  input  logic [7+$clog2(Tables):0] second_i,
  output logic [8*Bytes-1:0]        first_o,
  output logic [8*Bytes-1:0]        second_o
);
  localparam TableW = $clog2(Tables);

  function automatic logic [8*Bytes-1:0] word(input logic [7+TableW:0] place);
    logic [4*Tables*Bytes-1:0] coeffs;
    logic [Tables-1:0]         inverse;
    logic [7:0]                box;
    coeffs  = Coeffs;
    inverse = Inverse;
    word    = '0;
    for (int b = 0; b < Tables; b++) begin
      if ((place >> 8) == b) begin
        box = place[7:0] ^ (inverse[b] ? 8'h63 : 8'h52);
        for (int j = 0; j < Bytes; j++) begin
          word[8*j +: 8] = aes_spec_pkg::gf_mul({4'b0, coeffs[4*(Bytes*b+j) +: 4]}, box);
        end
      end
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (read_i) begin
      first_o  <= word(first_i);
      second_o <= word(second_i);
    end
  end
endmodule
