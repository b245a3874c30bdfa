// SPDX-License-Identifier: Apache-2.0
// Round keys of one cipher unit, a small memory that is written in step with every other copy and
// read without delay. Fifteen keys fit the sixteen places of one LUT memory a bit.
//
// RoundsPerCycle  1  all three outputs are the key with the index
//                 2  two banks, even and odd: a pass adds an odd key, then the even one after it
//                    (up_i) or before it; the first AddRoundKey takes an even one
module aes_key_store #(
  parameter RoundsPerCycle = 1
) (
  input  logic         clk_i,
  input  logic         write_i,
  input  logic [3:0]   write_index_i,
  input  logic [127:0] write_key_i,
  input  logic         up_i,
  input  logic [3:0]   index_i,
  output logic [127:0] load_key_o,  // of the first AddRoundKey
  output logic [127:0] key0_o,
  output logic [127:0] key1_o
);
  if (RoundsPerCycle == 1) begin : gen_one
    logic         unused;
    logic [127:0] keys [0:15];
    always_ff @(posedge clk_i) if (write_i) keys[write_index_i] <= write_key_i;
    assign unused     = up_i;
    assign key0_o     = keys[index_i];
    assign key1_o     = key0_o;
    assign load_key_o = key0_o;

  end else if (RoundsPerCycle == 2) begin : gen_two
    logic [127:0] even [0:7];
    logic [127:0] odd  [0:7];
    logic [2:0]   index_even;
    always_ff @(posedge clk_i) begin
      if (write_i && !write_index_i[0]) even[write_index_i[3:1]] <= write_key_i;
      if (write_i && write_index_i[0])  odd[write_index_i[3:1]]  <= write_key_i;
    end
    assign index_even = index_i[3:1] + {2'b00, index_i[0] && up_i};
    assign key0_o     = odd[index_i[3:1]];
    assign key1_o     = even[index_even];
    assign load_key_o = key1_o;
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end
endmodule
