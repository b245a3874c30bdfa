// SPDX-License-Identifier: Apache-2.0
// A round, its inverse and the combined circuit equal FIPS 197, sections 5.1 and 5.3, for every
// state and key.
//
// Composition. aes_sbox is replaced by formal/aes_sbox_any.sv: rows, directions and keys do not
// depend on the S-box. formal/aes_sbox_props.sv proves that each circuit of rtl/field is SubBytes
// and InvSubBytes. Columns are compared with aes_mixcolumn, which formal/aes_mixcolumn_props.sv
// proves.
module aes_round_copy #(
  parameter Dir     = "both",
  parameter Inverse = 0        // the direction of this copy
) (
  input logic         clk_i,
  input logic [127:0] state_i,
  input logic [127:0] key_i
);
  localparam logic Inv = Inverse != 0;
  logic [127:0] mixed, last, key_before, key_after;
  assign key_before = Inv ? key_i : '0;
  assign key_after  = Inv ? '0 : key_i;
  aes_round #(.SboxImpl("tower"), .Dir(Dir), .Stages(1)) u_round (
    .clk_i, .enable_i(1'b1), .clear_i(1'b0), .valid_i(2'b11), .inv_i(Inv), .inv_last_i(Inv),
    .state_i, .key_i, .before_i(key_before), .after_i(key_after), .mixed_o(mixed), .last_o(last)
  );

  for (genvar c = 0; c < 4; c++) begin : gen_column
    // Row r is taken from r columns further on; inverse: further back.
    logic [31:0] moved, boxed, key, columns;
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign moved[8*r +: 8] = Inv ? state_i[32*((c + 4 - r) % 4) + 8*r +: 8]
                                   : state_i[32*((c + r) % 4) + 8*r +: 8];
    end
    assign boxed = moved ^ {32{Inv}};
    assign key   = key_i[32*c +: 32];
    aes_mixcolumn #(.Dir(Dir)) u_mix (
      .inv_i(Inv), .data_i(Inv ? boxed ^ key : boxed), .data_o(columns)
    );
    always_comb begin
      assert (last[32*c +: 32] == (boxed ^ key));
      assert (mixed[32*c +: 32] == (Inv ? columns : columns ^ key));
    end
  end
endmodule

module aes_round_props (
  input logic         clk_i,
  input logic [127:0] state_i,
  input logic [127:0] key_i
);
  aes_round_copy #(.Dir("fwd"), .Inverse(0)) u_fwd (.clk_i, .state_i, .key_i);
  aes_round_copy #(.Dir("inv"), .Inverse(1)) u_inv (.clk_i, .state_i, .key_i);
  aes_round_copy #(.Dir("both"), .Inverse(0)) u_both_fwd (.clk_i, .state_i, .key_i);
  aes_round_copy #(.Dir("both"), .Inverse(1)) u_both_inv (.clk_i, .state_i, .key_i);
endmodule
