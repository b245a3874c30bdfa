// SPDX-License-Identifier: Apache-2.0
// The three-stage S-box of an interleaved round is SubBytes or InvSubBytes (FIPS 197, sections
// 5.1.1 and 5.3.2) of the byte that entered two cycles earlier, from any register contents. A place
// without a block holds zero, so its result is that of zero inside.
module aes_round_sbox_props (
  input logic       clk_i,
  input logic [1:0] valid_i,
  input logic       inv_i,
  input logic [7:0] data_i
);
  logic [7:0] result;
  logic       inv_q, inv_last_q, seen_q, seen_last_q, full_q, full_last_q;
  logic [7:0] data_q, data_last_q;
  initial {seen_q, seen_last_q} = 2'b00;

  aes_round_sbox #(.Stages(3)) u_sbox (
    .clk_i, .enable_i(1'b1), .clear_i(1'b0), .valid_i({full_q, valid_i[0]}), .inv_i,
    .inv_last_i(inv_last_q), .data_i, .data_o(result)
  );
  always_ff @(posedge clk_i) begin
    {seen_q, seen_last_q} <= {1'b1, seen_q};
    {inv_q, inv_last_q}   <= {inv_i, inv_q};
    {full_q, full_last_q} <= {valid_i[0], full_q};
    {data_q, data_last_q} <= {data_i, data_q};
  end

  // Result of a zero inside: the affine constant, or zero.
  logic [7:0] empty;
  assign empty = inv_last_q ? 8'h00 : 8'h63;
  always_comb begin
    if (seen_last_q && full_last_q)
      assert (inv_last_q ? aes_spec_pkg::is_sbox(result, data_last_q)
                         : aes_spec_pkg::is_sbox(data_last_q, result));
    if (seen_last_q && !full_last_q) assert (result == empty);
  end
endmodule
