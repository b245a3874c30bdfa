// SPDX-License-Identifier: Apache-2.0
// In place of aes_sbox_rom_guarded in test_guards.py: the same words from logic, in registers of
// the same names. As gates it is a tenth of the memory.
module aes_sbox_rom_guarded #(
  parameter Tables  = 2,
  parameter Bytes   = 4,
  parameter Inverse = 2,
  parameter Coeffs  = 32'hbd9e3112
) (
  input  logic               clk_i,
  input  logic               read_i,
  input  logic [8:0]         first_i,
  input  logic [8:0]         second_i,
  output logic               first_parity_o,
  output logic               second_parity_o,
  output logic [8*Bytes-1:0] first_o,
  output logic [8*Bytes-1:0] second_o
);
  localparam logic [4*Tables*Bytes-1:0] Factors = Coeffs;

  logic [1:0][8:0]         at;
  logic [1:0][8*Bytes-1:0] words;
  assign at = {second_i, first_i};
  for (genvar p = 0; p < 2; p++) begin : gen_port
    logic [7:0] v, v2, v4, v8;
    aes_sbox #(.SboxImpl("canright"), .Dir("both")) u_sbox (
      .inv_i(at[p][8]), .data_i(at[p][7:0]), .data_o(v)
    );
    assign v2 = {v[6:0], 1'b0} ^ (v[7] ? 8'h1b : 8'h00);
    assign v4 = {v2[6:0], 1'b0} ^ (v2[7] ? 8'h1b : 8'h00);
    assign v8 = {v4[6:0], 1'b0} ^ (v4[7] ? 8'h1b : 8'h00);
    for (genvar j = 0; j < Bytes; j++) begin : gen_byte
      logic [3:0] by;
      assign by = at[p][8] ? Factors[4*(Bytes+j) +: 4] : Factors[4*j +: 4];
      assign words[p][8*j +: 8] = (v & {8{by[0]}}) ^ (v2 & {8{by[1]}}) ^ (v4 & {8{by[2]}})
                                ^ (v8 & {8{by[3]}});
    end
  end

  logic [8*Bytes:0] first_q, second_q;
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      first_q  <= {^words[0], words[0]};
      second_q <= {^words[1], words[1]};
    end
  end
  assign {first_parity_o, first_o}   = first_q;
  assign {second_parity_o, second_o} = second_q;
endmodule
