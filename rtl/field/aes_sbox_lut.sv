// SPDX-License-Identifier: Apache-2.0
// S-box as a table. One direction: 256 bytes. Both: one inversion table between the two affine maps
// (Nadehara 2004, section 6). The tables are computed at elaboration. FIPS 197, sections 5.1.1,
// 5.3.2. Combinational.
module aes_sbox_lut #(
  parameter Dir = "both"
) (
  input  logic       inv_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  // As in aes_inv_lut: powers of {03} paired with those of its inverse, then the affine map.
  function automatic logic [2047:0] boxes(input logic inverse);
    logic [7:0] power, recip, box;
    boxes = inverse ? 2048'h0 : 2048'h63;
    power = 8'h01;
    recip = 8'h01;
    for (int i = 0; i < 255; i++) begin
      box = recip ^ {recip[6:0], recip[7]} ^ {recip[5:0], recip[7:6]} ^ {recip[4:0], recip[7:5]}
          ^ {recip[3:0], recip[7:4]} ^ 8'h63;
      if (inverse) boxes[8*box +: 8] = power;
      else boxes[8*power +: 8] = box;
      power = power ^ {power[6:0], 1'b0} ^ (power[7] ? 8'h1b : 8'h00);
      recip = recip ^ {recip[6:0], 1'b0};
      recip = recip ^ {recip[5:0], 2'b00};
      recip = recip ^ {recip[3:0], 4'b0000};
      recip = recip ^ (recip[7] ? 8'h09 : 8'h00);
    end
  endfunction

  logic [7:0] result;

  if (Dir == "fwd") begin : gen_fwd
    localparam logic [2047:0] Table = boxes(1'b0);
    logic unused_inv;
    assign unused_inv = inv_i;
    assign result = Table[{data_i, 3'b000} +: 8];
  end else if (Dir == "inv") begin : gen_inv
    localparam logic [2047:0] Table = boxes(1'b1);
    logic unused_inv;
    assign unused_inv = inv_i;
    assign result = Table[{data_i, 3'b000} +: 8];
  end else if (Dir == "both") begin : gen_both
    logic [7:0] unaffine, inverse, affine;
    aes_affine_inv u_affine_inv (.data_i, .data_o(unaffine));
    aes_inv_lut u_inv (.data_i(inv_i ? unaffine : data_i), .data_o(inverse));
    aes_affine u_affine (.data_i(inverse), .data_o(affine));
    assign result = inv_i ? inverse : affine;
  end else begin : gen_unknown
    aesforge_unknown_dir u_unknown ();
  end

  assign data_o = result;
endmodule
