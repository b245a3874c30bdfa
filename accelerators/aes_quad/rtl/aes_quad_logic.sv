// SPDX-License-Identifier: Apache-2.0
// The operations on two words with S-boxes and MixColumns in logic. FIPS 197, sections 5.1 and 5.3;
// quad-packing.md.
//
// PipeRegs 0: combinational; 1: a pipeline register after the S-boxes
module aes_quad_logic #(
  parameter SboxImpl = "canright",  // see rtl/field/aes_sbox.sv
  parameter Dir      = "both",      // "fwd": encryption only
  parameter PipeRegs = 0
) (
  input  logic        clk_i,
  input  logic        take_i,     // PipeRegs 1: the register loads; 0: data_o keeps its value
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

  // ---- SubBytes and ShiftRows: the two diagonals, or two columns to be packed -------------------

  logic [63:0] boxed;
  logic        box_inverse;

  assign box_inverse = inverse_i;

  for (genvar i = 0; i < 8; i++) begin : gen_sbox
    logic [7:0] data;
    if (i < 4) begin : gen_rs1
      assign data = rs1_i[8*i +: 8];
    end else begin : gen_rs2
      assign data = rs2_i[8*(i-4) +: 8];
    end
    aes_sbox #(.SboxImpl(SboxImpl), .Dir(Dir)) u_sbox (
      .inv_i(box_inverse), .data_i(data), .data_o(boxed[8*i +: 8])
    );
  end

  logic [31:0] sub1, sub2, x, y;

  assign {sub2, sub1} = boxed;

  assign x = pack_i ? rs1_i : {sub2[7:0], sub2[31:24], sub1[23:16], sub1[15:8]};
  assign y = pack_i ? rs2_i : {sub1[31:24], sub2[23:16], sub2[15:8], sub1[7:0]};

  // ---- optional pipeline register ---------------------------------------------------------------

  logic        mix, second_s, inverse_s, mix_s, last_s, compute_s;
  logic [31:0] added_s, x_s, y_s;

  assign mix = !pack_i || inverse_i;

  if (PipeRegs == 0) begin : gen_combinational
    assign {second_s, inverse_s, mix_s, last_s, compute_s} =
        {second_i, inverse_i, mix, last_i, compute_i};
    assign {added_s, x_s, y_s} = {added_i, x, y};
    logic unused;
    assign unused = clk_i ^ take_i;
  end else begin : gen_registered
    logic [4:0] control_q;
    always_ff @(posedge clk_i) begin
      if (take_i) begin
        control_q <= {second_i, inverse_i, mix, last_i, compute_i};
        x_s       <= x;
        y_s       <= y;
      end
    end
    assign {second_s, inverse_s, mix_s, last_s, compute_s} = control_q;
    always_ff @(posedge clk_i) begin
      if (take_i) added_s <= added_i;
    end
  end

  // ---- MixColumns of the selected half ----------------------------------------------------------
  //
  // Of column y the quads hold rows 0, 1 (A) and 3, 2 (C); of column x rows 3, 0 (A) and 2, 1 (C),
  // which are the same rows of the column rotated by one: MixColumns commutes with rotation.

  logic [7:0]  y_first, y_second, x_first, x_second;
  logic [31:0] quad, column, result;

  aes_quad_half_mix #(.Dir(Dir)) u_mix_y (
    .select_i(second_s), .mix_i(mix_s), .inv_i(inverse_s), .column_i(y_s),
    .first_o(y_first), .second_o(y_second)
  );
  aes_quad_half_mix #(.Dir(Dir)) u_mix_x (
    .select_i(second_s), .mix_i(mix_s), .inv_i(inverse_s), .column_i({x_s[23:0], x_s[31:24]}),
    .first_o(x_first), .second_o(x_second)
  );

  assign quad = {x_first, y_second, x_second, y_first};
  assign column = second_s ? y_s : x_s;
  assign result = last_s ? column : quad;
  assign data_o = (result & {32{compute_s}}) ^ added_s;

endmodule
