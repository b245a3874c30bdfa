// SPDX-License-Identifier: Apache-2.0
// S-box by inversion in GF(((2^2)^2)^2), normal bases: D. Canright, CHES 2005. The affine map is
// merged with the map out of the tower, its inverse with the map into it. Combinational.
//
// Made from aes_sbox_canright.sv.j2 by `aesforge modules`.
module aes_sbox_canright #(
  parameter Dir = "both"
) (
  input  logic       inv_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  // From aesforge.model.tower, canright_tower(): to_tower, from_tower, out_forward, in_inverse.
  localparam logic [63:0] ToTower    = 64'he77163e19b01614f;
  localparam logic [63:0] FromTower  = 64'h12ebed427eb22204;
  localparam logic [63:0] OutForward = 64'h288841a8f86d3252;
  localparam logic [63:0] InInverse  = 64'h9053504bd0a41973;
  localparam logic [7:0]  Constant   = 8'h63;  // FIPS 197, section 5.1.1

  // Bit i of a map is the parity of byte i of the matrix AND the operand.
  function automatic logic [7:0] map(input logic [63:0] matrix, input logic [7:0] a);
    for (int i = 0; i < 8; i++) map[i] = ^(matrix[8*i +: 8] & a);
  endfunction

  logic [7:0] tower_in, tower_out, result;

  aes_inv_canright u_inv (.data_i(tower_in), .data_o(tower_out));

  if (Dir == "fwd") begin : gen_fwd
    logic unused_inv;
    assign unused_inv = inv_i;
    assign tower_in = map(ToTower, data_i);
    assign result = map(OutForward, tower_out) ^ Constant;
  end else if (Dir == "inv") begin : gen_inv
    logic unused_inv;
    assign unused_inv = inv_i;
    assign tower_in = map(InInverse, data_i ^ Constant);
    assign result = map(FromTower, tower_out);
  end else if (Dir == "both") begin : gen_both
    assign tower_in = inv_i ? map(InInverse, data_i ^ Constant) : map(ToTower, data_i);
    assign result = inv_i ? map(FromTower, tower_out) : map(OutForward, tower_out) ^ Constant;
  end else begin : gen_unknown
    aesforge_unknown_dir u_unknown ();
  end

  assign data_o = result;
endmodule
