// SPDX-License-Identifier: Apache-2.0
// One byte through the S-box, times a column of MixColumns or InvMixColumns, in its lane: each lane
// looks up its product in block RAM. Latency 1. FIPS 197, sections 5.1.1, 5.1.3, 5.3.2 and 5.3.3.
//
// Of a table of 256 bytes there are eight: {2}, {1} and {3} times S, and {e}, {9}, {d}, {b} and
// {1} times InvS. Two memories with two read ports serve four lanes. Without decryption there are
// the first three, and an unused one.
module aes_sbox_products #(
  parameter Dir = "both"  // "fwd": inverse_i is unused
) (
  input  logic        clk_i,
  input  logic        read_i,     // data_o is stable without it
  input  logic        mix_i,      // 0: the substituted byte alone
  input  logic        inverse_i,
  input  logic [1:0]  bs_i,       // lane
  input  logic [7:0]  data_i,
  output logic [31:0] data_o
);

  localparam Tables = (Dir == "both") ? 8 : 4;
  localparam TableW = $clog2(Tables);

  // Tables 0 to 3 for the lanes of row 0, the first column of the matrix, table 1 in place of 2.
  // Tables 4 to 7 the same for decryption. So tables 1 and 2 have what a final round looks up.
  logic [3:0][TableW-1:0] place;
  logic [3:0]             used, used_q;

  for (genvar lane = 0; lane < 4; lane++) begin : gen_lane
    logic [1:0] from;
    logic [2:0] column, final_round, wanted;
    assign from = 2'(lane) - bs_i;
    assign column = {inverse_i, from[1] && (inverse_i || from[0]),
                     from[0] || (from[1] && !inverse_i)};
    assign final_round = inverse_i ? 3'd2 : 3'd1;
    assign wanted = mix_i ? column : final_round;
    assign place[lane] = wanted[TableW-1:0];
    assign used[lane] = mix_i || from == 2'd0;
  end

  always_ff @(posedge clk_i) begin
    if (read_i) used_q <= used;
  end

  for (genvar pair = 0; pair < 2; pair++) begin : gen_pair
    logic [7:0] first, second;
    aes_sbox_rom #(
      .Tables(Tables), .Inverse((Dir == "both") ? 8'b11110100 : 8'b00000000),
      .Coeffs((Dir == "both") ? 32'hbd9e_3112 : 32'h0000_3112)
    ) u_rom (
      .clk_i, .read_i, .first_i({place[2*pair], data_i}), .second_i({place[2*pair+1], data_i}),
      .first_o(first), .second_o(second)
    );
    assign data_o[16*pair +: 16] = {second & {8{used_q[2*pair+1]}}, first & {8{used_q[2*pair]}}};
  end

  logic unused;
  assign unused = inverse_i;

endmodule
