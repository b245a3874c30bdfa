// SPDX-License-Identifier: Apache-2.0
// The AES S-box with pipeline registers inside: FIPS 197, sections 5.1.1 and 5.3.2.
//
// SboxImpl "lut"    a table, cut between four tables of 64 entries and their multiplexer
//       "tower"  inversion in GF((2^4)^2), the field of Kale 2021, section 2.2
// Dir   "fwd" | "inv" | "both"; both: the directions share the inversion
// Cuts  the cuts of aes_pipe_pkg up to CutBox that have a register
//
// inv_head_i is the direction of data_i, inv_tail_i of the byte after CutMul (tower) or CutInv
// (lut).
module aes_pipe_sbox #(
  parameter SboxImpl = "tower",
  parameter Dir  = "both",
  parameter logic [7:0] Cuts = 8'b00001010
) (
  input  logic       clk_i,
  input  logic       en_i,
  input  logic       inv_head_i,
  input  logic       inv_tail_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  localparam logic [7:0] Constant = 8'h63;  // FIPS 197, section 5.1.1
  localparam logic       InvOnly  = Dir == "inv";
  localparam logic       FwdOnly  = Dir == "fwd";

  logic       inv_head, inv_tail;
  logic [7:0] result;

  assign inv_head = InvOnly || (inv_head_i && !FwdOnly);
  assign inv_tail = InvOnly || (inv_tail_i && !FwdOnly);

  if (SboxImpl == "lut") begin : gen_lut
    localparam Cut = int'(Cuts[aes_pipe_pkg::CutInv]);
    logic [31:0] quarters, quarters_q;
    logic [1:0]  choice_q;
    logic [7:0]  inverse_in;

    // Both directions: one inversion table between the affine maps, as in aes_sbox_lut.sv.
    if (Dir == "both") begin : gen_both
      logic [7:0] unaffine, affine, inverse;
      aes_affine_inv u_affine_inv (.data_i, .data_o(unaffine));
      assign inverse_in = inv_head ? unaffine : data_i;
      for (genvar i = 0; i < 4; i++) begin : gen_quarter
        aes_inv_lut u_table (.data_i({2'(i), inverse_in[5:0]}), .data_o(quarters[8*i +: 8]));
      end
      assign inverse = quarters_q[{choice_q, 3'b000} +: 8];
      aes_affine u_affine (.data_i(inverse), .data_o(affine));
      assign result = inv_tail ? inverse : affine;
    end else begin : gen_one
      logic unused_tail;
      assign unused_tail = inv_tail;
      assign inverse_in = data_i;
      for (genvar i = 0; i < 4; i++) begin : gen_quarter
        aes_sbox_lut #(.Dir(Dir)) u_table (
          .inv_i(inv_head), .data_i({2'(i), inverse_in[5:0]}), .data_o(quarters[8*i +: 8])
        );
      end
      assign result = quarters_q[{choice_q, 3'b000} +: 8];
    end
    aes_pipe_delay #(.Width(34), .Stages(Cut)) u_cut (
      .clk_i, .en_i, .data_i({inverse_in[7:6], quarters}), .data_o({choice_q, quarters_q})
    );
  end else if (SboxImpl == "tower") begin : gen_tower
    localparam CutMap  = int'(Cuts[aes_pipe_pkg::CutMap]);
    localparam CutNorm = int'(Cuts[aes_pipe_pkg::CutNorm]);
    localparam CutInv  = int'(Cuts[aes_pipe_pkg::CutInv]);
    localparam CutMul  = int'(Cuts[aes_pipe_pkg::CutMul]);
    logic [7:0] mapped, mapped_q, product, product_q;
    logic [3:0] sum, high_q, sum_q, norm_q, high_q2, sum_q2, inverse_q;

    assign mapped = inv_head ? aes_pipe_pkg::map(aes_pipe_pkg::InInverse, data_i ^ Constant)
                             : aes_pipe_pkg::map(aes_pipe_pkg::ToTower, data_i);
    aes_pipe_delay #(.Width(8), .Stages(CutMap)) u_map (
      .clk_i, .en_i, .data_i(mapped), .data_o(mapped_q)
    );
    assign sum = mapped_q[7:4] ^ mapped_q[3:0];
    aes_pipe_delay #(.Width(12), .Stages(CutNorm)) u_norm (
      .clk_i, .en_i,
      .data_i({mapped_q[7:4], sum, aes_pipe_pkg::norm(mapped_q[7:4], mapped_q[3:0])}),
      .data_o({high_q, sum_q, norm_q})
    );
    aes_pipe_delay #(.Width(12), .Stages(CutInv)) u_inv (
      .clk_i, .en_i, .data_i({high_q, sum_q, aes_pipe_pkg::inv4(norm_q)}),
      .data_o({high_q2, sum_q2, inverse_q})
    );
    assign product = {aes_pipe_pkg::mul4(high_q2, inverse_q),
                      aes_pipe_pkg::mul4(sum_q2, inverse_q)};
    aes_pipe_delay #(.Width(8), .Stages(CutMul)) u_mul (
      .clk_i, .en_i, .data_i(product), .data_o(product_q)
    );
    assign result = inv_tail ? aes_pipe_pkg::map(aes_pipe_pkg::FromTower, product_q)
                             : aes_pipe_pkg::map(aes_pipe_pkg::OutForward, product_q) ^ Constant;
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  logic [7:0] boxed;
  assign boxed = result;
  localparam CutBox = int'(Cuts[aes_pipe_pkg::CutBox]);
  aes_pipe_delay #(.Width(8), .Stages(CutBox)) u_box (
    .clk_i, .en_i, .data_i(boxed), .data_o
  );
endmodule
