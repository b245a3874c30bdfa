// SPDX-License-Identifier: Apache-2.0
// The operations on two words with S-boxes and MixColumns in block RAM. Latency 1: the memory's
// read register is the pipeline register. FIPS 197, sections 5.1 and 5.3; quad-packing.md.
//
// Each byte of a column contributes to the two rows that the quad takes from it: the byte's look-up
// returns both products, and a byte of the quad is the XOR of four of them. Four memories with two
// read ports have the coefficients of one row each; column x is rotated by one row, as in
// aes_quad_logic.sv, so that both columns share the memories.
//
// The last round takes no products: it looks up each byte in the tables of both quads. The
// coefficients of a column add up to 1, so the XOR of its four products is the substituted byte.
// Packing looks up the byte whose substitute is 0, so all products are 0.
module aes_quad_bram #(
  parameter Dir = "both"  // "fwd": encryption only
) (
  input  logic        clk_i,
  input  logic        take_i,     // a request enters; 0: data_o keeps its value
  input  logic        second_i,   // quad C, or column y
  input  logic        inverse_i,
  input  logic        pack_i,
  input  logic        last_i,
  input  logic        compute_i,  // 0: the result is the addend
  input  logic [31:0] added_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  output logic [31:0] data_o
);

  localparam Tables = (Dir == "both") ? 4 : 2;
  localparam TableW = $clog2(Tables);

  // 32 bits for each row of a column, row 0 in the lowest. Their digits from the right: two each
  // for quads A and C of encryption, then of decryption. Of the two, the first is the coefficient
  // in row 0 (A) or 3 (C), the second in row 1 or 2. The first rows of the matrices are
  // {2, 3, 1, 1} and {e, b, d, 9}; row i is rotated by i places.
  localparam logic [127:0] Coeffs = 128'hbed93211_e9bd2131_9deb1123_db9e1312;

  // ---- look-ups ---------------------------------------------------------------------------------

  localparam logic [7:0] Blank = 8'h52;  // S(52) = 00

  logic        blank, unbox;
  logic [31:0] x, y, x_rotated;  // row 0 in the low byte

  assign blank = pack_i || !compute_i;
  assign unbox = inverse_i && !blank;
  assign x = {rs2_i[7:0], rs2_i[31:24], rs1_i[23:16], rs1_i[15:8]};
  assign y = {rs1_i[31:24], rs2_i[23:16], rs2_i[15:8], rs1_i[7:0]};
  assign x_rotated = {x[23:0], x[31:24]};

  logic [3:0][15:0] y_found, x_found;  // {second, first} of each row

  for (genvar row = 0; row < 4; row++) begin : gen_row
    (* keep *) logic [7:0] y_byte;
    logic [7:0]        x_byte;
    logic [1:0]        y_table, x_table;
    logic [TableW+7:0] y_at, x_at;
    assign y_byte = blank ? Blank : (last_i && !second_i) ? x[8*row +: 8] : y[8*row +: 8];
    assign x_byte = (blank || last_i) ? y_byte : x_rotated[8*row +: 8];
    assign y_table = {unbox, second_i && !last_i};
    assign x_table = {unbox, second_i || last_i};
    assign y_at = {y_table[TableW-1:0], y_byte};
    assign x_at = {x_table[TableW-1:0], x_byte};
    aes_sbox_rom #(
      .Tables(Tables), .Bytes(2), .Inverse((Dir == "both") ? 4'b1100 : 4'b0000),
      .Coeffs(Coeffs[32*row +: 32])
    ) u_rom (
      .clk_i, .read_i(take_i), .first_i(y_at), .second_i(x_at), .first_o(y_found[row]),
      .second_o(x_found[row])
    );
  end

  // ---- the request's other fields ---------------------------------------------------------------

  logic        second_q, inverse_q, last_q;
  logic [31:0] added_q, rs1_q, rs2_q;

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      second_q  <= second_i;
      inverse_q <= inverse_i;
      last_q    <= last_i;
      added_q   <= added_i;
      // Zeros if nothing is packed: a synchronous reset of the register.
      if (!pack_i) {rs2_q, rs1_q} <= 64'b0;
      else {rs2_q, rs1_q} <= {rs2_i, rs1_i};
    end
  end

  // ---- packing: no S-boxes, optional InvMixColumns ----------------------------------------------

  logic [7:0]  y_first, y_second, x_first, x_second;
  logic [31:0] packed_words;

  aes_quad_half_mix #(.Dir(Dir)) u_mix_y (
    .select_i(second_q), .mix_i(inverse_q), .inv_i(inverse_q), .column_i(rs2_q),
    .first_o(y_first), .second_o(y_second)
  );
  aes_quad_half_mix #(.Dir(Dir)) u_mix_x (
    .select_i(second_q), .mix_i(inverse_q), .inv_i(inverse_q),
    .column_i({rs1_q[23:0], rs1_q[31:24]}), .first_o(x_first), .second_o(x_second)
  );
  assign packed_words = {x_first, y_second, x_second, y_first};

  // ---- the result -------------------------------------------------------------------------------

  // keep: ABC would select before it adds, which takes twice the LUTs. This way a bit of the result
  // is two levels of LUTs after the memories.
  logic [15:0] y_sum, x_sum;
  (* keep *) logic [31:0] quad, column;
  logic [31:0] early;

  assign y_sum = y_found[0] ^ y_found[1] ^ y_found[2] ^ y_found[3];
  assign x_sum = x_found[0] ^ x_found[1] ^ x_found[2] ^ x_found[3];
  assign quad = {x_sum[7:0], y_sum[15:8], x_sum[15:8], y_sum[7:0]};
  for (genvar row = 0; row < 4; row++) begin : gen_column
    assign column[8*row +: 8] = y_found[row][7:0] ^ y_found[row][15:8] ^
                                x_found[row][7:0] ^ x_found[row][15:8];
  end
  assign early = packed_words ^ added_q;
  assign data_o = (last_q ? column : quad) ^ early;

endmodule
