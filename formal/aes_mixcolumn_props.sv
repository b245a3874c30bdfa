// SPDX-License-Identifier: Apache-2.0
// A column through each build of aes_mixcolumn equals FIPS 197, sections 5.1.3 and 5.3.3.
//
// MixColumns is compared for all columns. InvMixColumns has sums too long for a solver, so it is
// compared for columns with one nonzero byte. Circuit and specification are both linear, so they
// agree on all columns if they agree on these.
module aes_mixcolumn_props (
  input logic        inv_i,
  input logic [31:0] data_i
);
  logic        alone;
  logic [31:0] fwd, inv, both;
  assign alone = data_i[31:8] == '0 || {data_i[31:16], data_i[7:0]} == '0 ||
                 {data_i[31:24], data_i[15:0]} == '0 || data_i[23:0] == '0;
  aes_mixcolumn #(.Dir("fwd")) u_fwd (.inv_i, .data_i, .data_o(fwd));
  aes_mixcolumn #(.Dir("inv")) u_inv (.inv_i, .data_i, .data_o(inv));
  aes_mixcolumn #(.Dir("both")) u_both (.inv_i, .data_i, .data_o(both));

  always_comb begin
    assert (fwd == aes_spec_pkg::mix_column(data_i));
    if (!inv_i) assert (both == aes_spec_pkg::mix_column(data_i));
    if (alone) assert (inv == aes_spec_pkg::inv_mix_column(data_i));
    if (alone && inv_i) assert (both == aes_spec_pkg::inv_mix_column(data_i));
  end
endmodule
