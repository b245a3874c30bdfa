// SPDX-License-Identifier: Apache-2.0
// The S-boxes of a round with their registers compute SubBytes or InvSubBytes (FIPS 197, sections
// 5.1.1 and 5.3.2) of their input, for every implementation, cut and direction.
//
// Registers start with any value and there is no feedback path, so the cycle in which the first
// input leaves represents all later cycles.

module aes_pipeline_one_sbox #(
  parameter SboxImpl = "tower",
  parameter Dir   = "both",
  parameter logic [7:0] Cuts = 8'b00000000
) (
  input logic        clk_i,
  input logic [95:0] data_i,   // entry i, of 16 bits: the input i cycles ago
  input logic [5:0]  inv_i,    // likewise
  input logic [5:0]  ripe_i    // entry i: an input entered i cycles ago
);
  localparam Latency = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::BoxMask);
  localparam Tail    = aes_pipe_pkg::count(Cuts & aes_pipe_pkg::TailMask);
  logic        inverse;
  logic [15:0] from, data;
  assign inverse = Dir == "inv" || (Dir == "both" && inv_i[Latency]);
  assign from    = data_i[16*Latency +: 16];
  aes_pipe_boxes #(.SboxImpl(SboxImpl), .Dir(Dir), .Bytes(2), .Cuts(Cuts)) u_boxes (
    .clk_i, .en_i(1'b1), .inv_head_i(inv_i[0]), .inv_tail_i(inv_i[Tail]),
    .data_i(data_i[15:0]), .data_o(data)
  );
  for (genvar i = 0; i < 2; i++) begin : gen_byte
    logic [7:0] x, y;
    assign x = inverse ? data[8*i +: 8] : from[8*i +: 8];
    assign y = inverse ? from[8*i +: 8] : data[8*i +: 8];
    always_comb if (ripe_i[Latency]) assert (aes_spec_pkg::is_sbox(x, y));
  end
endmodule

module aes_pipeline_sbox_props (
  input logic        clk_i,
  input logic        direction_i,
  input logic [15:0] bytes_i
);
  logic [5:0]  inv_i, ripe_i;
  logic [4:0]  inv_q, ripe_q = 5'b0;
  logic [95:0] data_i;
  logic [79:0] data_q;
  assign inv_i  = {inv_q, direction_i};
  assign ripe_i = {ripe_q, 1'b1};
  assign data_i = {data_q, bytes_i};
  always_ff @(posedge clk_i) begin
    inv_q  <= inv_i[4:0];
    ripe_q <= ripe_i[4:0];
    data_q <= data_i[79:0];
  end

  // Cuts after the S-box do not matter here.
  for (genvar d = 1; d <= 7; d++) begin : gen_depth
    localparam logic [7:0] Tower = aes_pipe_pkg::tower_cuts(d);
    localparam logic [7:0] Lut   = aes_pipe_pkg::lut_cuts(d);
    localparam logic [7:0] Bram  = aes_pipe_pkg::bram_cuts(d, 1);
    if (d <= 5) begin : gen_tower
      aes_pipeline_one_sbox #(.Dir("fwd"), .Cuts(Tower)) u_fwd (.*);
      aes_pipeline_one_sbox #(.Dir("inv"), .Cuts(Tower)) u_inv (.*);
      aes_pipeline_one_sbox #(.Dir("both"), .Cuts(Tower)) u_both (.*);
    end
    if (d <= 3) begin : gen_lut
      aes_pipeline_one_sbox #(.SboxImpl("lut"), .Dir("fwd"), .Cuts(Lut)) u_fwd (.*);
      aes_pipeline_one_sbox #(.SboxImpl("lut"), .Dir("inv"), .Cuts(Lut)) u_inv (.*);
      aes_pipeline_one_sbox #(.SboxImpl("lut"), .Dir("both"), .Cuts(Lut)) u_both (.*);
    end
    if (d == 3 || d == 4 || d == 7) begin : gen_bram
      aes_pipeline_one_sbox #(.SboxImpl("bram"), .Dir("fwd"), .Cuts(Bram)) u_fwd (.*);
      aes_pipeline_one_sbox #(.SboxImpl("bram"), .Dir("inv"), .Cuts(Bram)) u_inv (.*);
      aes_pipeline_one_sbox #(.SboxImpl("bram"), .Dir("both"), .Cuts(Bram)) u_both (.*);
    end
  end
endmodule
