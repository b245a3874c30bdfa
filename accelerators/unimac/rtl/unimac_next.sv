// SPDX-License-Identifier: Apache-2.0
// The accumulator after an operation of the (32x32)-bit forms: a word shifted in or out, or a sum,
// whose lowest word may be shifted out. MixColumns changes the lowest word only. Combinational.
module unimac_next (
  input  logic        shift_in_i,
  input  logic        shift_out_i,
  input  logic        take_i,       // shift the sum's lowest word out
  input  logic        mix_i,
  input  logic [31:0] word_i,       // with shift_in_i
  input  logic [71:0] acc_i,
  input  logic [39:0] high_i,       // the sum above its lowest word
  input  logic [31:0] low_i,        // ... and that word, reduced with mix_i
  output logic [71:0] acc_o
);

  logic [71:0] taken;

  assign taken = {{32{shift_out_i ? acc_i[71] : high_i[39]}},
                  shift_out_i ? acc_i[71:32] : high_i};
  assign acc_o = shift_in_i ? {acc_i[39:0], word_i} : (shift_out_i || take_i) ? taken :
                 {mix_i ? acc_i[71:32] : high_i, low_i};

endmodule
