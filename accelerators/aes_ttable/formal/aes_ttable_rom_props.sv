// SPDX-License-Identifier: Apache-2.0
// Every word of the three tables equals FIPS 197: a column of MixColumns or InvMixColumns (sections
// 5.1.3 and 5.3.3) times the S-box, its inverse, or the byte itself. The S-box is a relation,
// without any table (formal/aes_spec_pkg.sv). Read data is stable until the next read.
module aes_ttable_rom_props (
  input logic       clk_i,
  input logic       read_i,
  input logic [9:0] addr_i
);

  logic [31:0] pair, forward, key;
  aes_ttable_rom #(.First(0), .Count(2)) u_pair (
    .clk_i, .rst_ni(1'b1), .read_i, .addr_i(addr_i[8:0]), .data_o(pair)
  );
  aes_ttable_rom #(.First(0), .Count(1)) u_forward (
    .clk_i, .rst_ni(1'b1), .read_i, .addr_i(addr_i[7:0]), .data_o(forward)
  );
  aes_ttable_rom #(.First(2), .Count(1)) u_key (
    .clk_i, .rst_ni(1'b1), .read_i, .addr_i(addr_i[7:0]), .data_o(key)
  );

  // The coefficients add up to 1, so the XOR of the bytes is the multiplied byte.
  function automatic logic [7:0] sum(input logic [31:0] word);
    sum = word[7:0] ^ word[15:8] ^ word[23:16] ^ word[31:24];
  endfunction

  logic       read_q = 1'b0;
  logic [8:0] addr_q;
  logic [7:0] x, y;
  always_ff @(posedge clk_i) begin
    read_q <= read_q || read_i;
    if (read_i) addr_q <= addr_i[8:0];
  end
  assign x = addr_q[7:0];
  assign y = sum(pair);

  always_comb begin
    if (read_q) begin
      if (addr_q[8]) begin
        assert (aes_spec_pkg::is_sbox(y, x));
        assert (pair == aes_spec_pkg::inv_mix_column({24'b0, y}));
      end else begin
        assert (aes_spec_pkg::is_sbox(x, y));
        assert (pair == aes_spec_pkg::mix_column({24'b0, y}));
        assert (forward == pair);
      end
      assert (key == aes_spec_pkg::inv_mix_column({24'b0, x}));
    end
  end

endmodule
