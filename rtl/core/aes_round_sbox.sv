// SPDX-License-Identifier: Apache-2.0
// One byte of SubBytes or InvSubBytes (FIPS 197, sections 5.1.1 and 5.3.2) of an interleaved round.
// Latency: Stages - 1 cycles.
//
// Stages  1  combinational, any circuit of aes_sbox
//         2  the same, registered after it
//         3  GF((2^4)^2) with the polynomials of Kale 2021, section 2.2 (SboxImpl "tower"),
//            registered after the norm and after the division: three parts of about equal depth
//
// A register becomes zero when no block enters it (valid_i) and on clear_i, so no block data
// remains. inv_i is the direction of the entering byte, inv_last_i of the leaving one.
//
// Made from aes_round_sbox.sv.j2 by `aesforge modules`.
module aes_round_sbox #(
  parameter SboxImpl = "tower",
  parameter Dir      = "both",  // "fwd" | "inv" | "both"
  parameter Stages   = 1
) (
  input  logic       clk_i,
  input  logic       enable_i,
  input  logic       clear_i,
  input  logic [1:0] valid_i,    // bit i: a block is at the input of register i
  input  logic       inv_i,
  input  logic       inv_last_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  if (Stages == 1) begin : gen_one
    logic unused;
    assign unused = ^{clk_i, enable_i, clear_i, valid_i, inv_last_i};
    aes_sbox #(.SboxImpl(SboxImpl), .Dir(Dir)) u_sbox (.inv_i, .data_i, .data_o);

  end else if (Stages == 2) begin : gen_two
    logic       unused;
    logic [7:0] box, box_q;
    assign unused = ^{valid_i[1], inv_last_i};
    aes_sbox #(.SboxImpl(SboxImpl), .Dir(Dir)) u_sbox (.inv_i, .data_i, .data_o(box));
    always_ff @(posedge clk_i) begin
      if (clear_i || (enable_i && !valid_i[0])) box_q <= 8'h0;
      else if (enable_i)                        box_q <= box;
    end
    assign data_o = box_q;

  end else if (Stages == 3) begin : gen_three
    // From aesforge.model.tower, kale_tower(): to_tower, from_tower, out_forward, in_inverse.
    localparam logic [63:0] ToTower    = 64'ha072acdcc6cc528f;
    localparam logic [63:0] FromTower  = 64'hc26642147cdc7013;
    localparam logic [63:0] OutForward = 64'h8e9086d7011b85e1;
    localparam logic [63:0] InInverse  = 64'hc6be7186a0cc2a08;
    localparam logic [7:0]  Constant   = 8'h63;  // FIPS 197, section 5.1.1

    localparam Forward = (Dir == "fwd") ? 1 : 0;
    localparam Inverse = (Dir == "inv") ? 1 : 0;

    // Bit i of a map is the parity of byte i of the matrix AND the operand.
    function automatic logic [7:0] map(input logic [63:0] matrix, input logic [7:0] a);
      for (int i = 0; i < 8; i++) map[i] = ^(matrix[8*i +: 8] & a);
    endfunction

    // Product modulo z^4 + z + 1: z^4 = z + 1, z^5 = z^2 + z, z^6 = z^3 + z^2.
    function automatic logic [3:0] mul(input logic [3:0] a, input logic [3:0] b);
      logic [6:0] p;
      p = ({7{b[0]}} & {3'b000, a}) ^ ({7{b[1]}} & {2'b00, a, 1'b0})
        ^ ({7{b[2]}} & {1'b0, a, 2'b00}) ^ ({7{b[3]}} & {a, 3'b000});
      mul = p[3:0] ^ {p[6], p[5] ^ p[6], p[4] ^ p[5], p[4]};
    endfunction

    // The norm of h*y + l to GF(2^4) is 13*h^2 + l*(h + l), since y^2 = y + 13.
    function automatic logic [3:0] norm(input logic [3:0] h, input logic [3:0] sum);
      norm = mul({h[3], h[1] ^ h[3], h[2], h[0] ^ h[2]}, 4'hd) ^ mul(h ^ sum, sum);
    endfunction

    // a^14 = a^-1 by its truth table: each line is one pair of inverses modulo z^4 + z + 1.
    function automatic logic [3:0] inverse(input logic [3:0] a);
      case (a)
        4'h0: inverse = 4'h0;
        4'h1: inverse = 4'h1;
        4'h2: inverse = 4'h9;
        4'h9: inverse = 4'h2;
        4'h3: inverse = 4'he;
        4'he: inverse = 4'h3;
        4'h4: inverse = 4'hd;
        4'hd: inverse = 4'h4;
        4'h5: inverse = 4'hb;
        4'hb: inverse = 4'h5;
        4'h6: inverse = 4'h7;
        4'h7: inverse = 4'h6;
        4'h8: inverse = 4'hf;
        4'hf: inverse = 4'h8;
        4'ha: inverse = 4'hc;
        default: inverse = 4'ha;  // c
      endcase
    endfunction

    logic       enter_inv, leave_inv;
    logic [7:0] tower;
    logic [3:0] high_q, sum_q, norm_q, norm_inv;
    logic [7:0] quotient_q;

    assign enter_inv = (Inverse != 0) || (Forward == 0 && inv_i);
    assign leave_inv = (Inverse != 0) || (Forward == 0 && inv_last_i);
    assign tower     = enter_inv ? map(InInverse, data_i ^ Constant) : map(ToTower, data_i);
    assign norm_inv  = inverse(norm_q);

    always_ff @(posedge clk_i) begin
      if (clear_i || (enable_i && !valid_i[0])) begin
        {high_q, sum_q, norm_q} <= 12'h0;
      end else if (enable_i) begin
        {high_q, sum_q} <= {tower[7:4], tower[7:4] ^ tower[3:0]};
        norm_q          <= norm(tower[7:4], tower[7:4] ^ tower[3:0]);
      end
    end
    always_ff @(posedge clk_i) begin
      if (clear_i || (enable_i && !valid_i[1])) quotient_q <= 8'h0;
      else if (enable_i) quotient_q <= {mul(high_q, norm_inv), mul(sum_q, norm_inv)};
    end

    assign data_o = leave_inv ? map(FromTower, quotient_q)
                              : map(OutForward, quotient_q) ^ Constant;

    if (SboxImpl != "tower") begin : gen_unknown
      aesforge_unknown_impl u_unknown ();
    end
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end
endmodule
