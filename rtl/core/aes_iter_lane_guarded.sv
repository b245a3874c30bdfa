// SPDX-License-Identifier: Apache-2.0
// aes_iter_lane with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_iter_lane_guarded.sv.j2 by `aesforge modules`.
module aes_iter_lane_guarded #(
  parameter Dir            = "both",  // "fwd" | "inv" | "both"
  parameter Width          = 128,     // 128 | 32
  parameter Rounds         = 1,
  parameter Interleave     = 1,
  parameter SboxImpl       = "tower",
  parameter Lends          = 1        // 0: sub_o is zero
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         wrong_o,
  input  logic         clear_i,
  input  logic         key_valid_i,
  input  logic [3:0]   rounds_i,
  output logic         busy_o,
  input  logic         store_write_i,
  input  logic [3:0]   store_index_i,
  input  logic [127:0] store_key_i,
  input  logic         lend_i,
  input  logic [31:0]  sub_i,
  output logic [31:0]  sub_o,
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic         in_inv_i,
  input  logic [127:0] in_data_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic         out_inv_o,
  output logic [127:0] out_data_o
);
  logic         key_hold, key_round, key_up;
  logic [3:0]   key_index;
  logic [127:0] load_key;
  logic [Rounds*128-1:0] key, before_key, after_key;

  logic part_1;
  aes_key_store_guarded #(.Rounds(Rounds)) u_store (
    .wrong_o(part_1),
    .clk_i, .clear_i, .write_i(store_write_i), .write_index_i(store_index_i),
    .write_key_i(store_key_i), .hold_i(key_hold), .round_i(key_round), .up_i(key_up),
    .index_i(key_index), .load_key_o(load_key), .key_o(key), .before_o(before_key),
    .after_o(after_key)
  );

  logic part_3;
  if (Width == 128) begin : gen_wide
    logic unused;
    assign unused = lend_i;
    logic part_2;
    aes_iter_unit_guarded #(
      .SboxImpl(SboxImpl), .Dir(Dir), .Rounds(Rounds), .Interleave(Interleave)
    ) u_unit (
      .wrong_o(part_2),
      .clk_i, .rst_ni, .clear_i, .key_valid_i, .rounds_i, .busy_o, .in_valid_i, .in_ready_o,
      .in_inv_i, .in_data_i, .out_valid_o, .out_ready_i, .out_inv_o, .out_data_o,
      .key_hold_o(key_hold), .key_round_o(key_round), .key_up_o(key_up), .key_index_o(key_index),
      .load_key_i(load_key), .key_i(key), .before_i(before_key), .after_i(after_key)
    );
    if (Lends != 0) begin : gen_sub
      for (genvar i = 0; i < 4; i++) begin : gen_byte
        aes_sbox #(.SboxImpl(SboxImpl), .Dir("fwd")) u_sbox (
          .inv_i(1'b0), .data_i(sub_i[8*i +: 8]), .data_o(sub_o[8*i +: 8])
        );
      end
    end else begin : gen_no_sub
      logic unused_sub;
      assign unused_sub = ^sub_i;
      assign sub_o = 32'h0;
    end
    assign part_3 = part_2;
  end else if (Width == 32 && Rounds == 1 && Interleave == 1) begin : gen_narrow
    aesforge_unknown_impl u_unknown ();
    assign part_3 = 1'b0;
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
    assign part_3 = 1'b0;
  end

  assign wrong_o = |{part_1, part_3};
endmodule
