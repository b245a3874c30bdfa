// SPDX-License-Identifier: Apache-2.0
// Key store of the keyed unit: 60 words, the round keys of AES-256 (FIPS 197, section 5.2), and a
// tag that identifies the key. quad-packing.md, section 8.
//
// The words are a memory with combinational read. A flip-flop per word marks it as valid, so that
// all words can be cleared in one cycle. An index of 60 or more reads zero and cannot be written.
module aes_quad_keys (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        load_i,   // write data_i at index_i
  input  logic        begin_i,  // tag = data_i; all words become zero
  input  logic [5:0]  index_i,
  input  logic [31:0] data_i,
  output logic [31:0] key_o,
  output logic [31:0] tag_o
);

  logic [31:0] words_q [64];
  logic [63:0] known_q;

  always_ff @(posedge clk_i) begin
    if (load_i) words_q[index_i] <= data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      known_q <= 64'b0;
      tag_o   <= 32'b0;
    end else if (begin_i) begin
      known_q <= 64'b0;
      tag_o   <= data_i;
    end else if (load_i) begin
      known_q[index_i] <= index_i < 6'd60;
    end
  end

  assign key_o = known_q[index_i] ? words_q[index_i] : 32'b0;

`ifdef FORMAL
  // An extra read of a word that a proof chooses (formal/aes_quad_props.sv).
  (* anyconst *) logic [5:0] watched;
  logic [31:0] watched_key;
  assign watched_key = known_q[watched] ? words_q[watched] : 32'b0;
`endif

endmodule
