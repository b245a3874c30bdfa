// SPDX-License-Identifier: Apache-2.0
// The counter block `Step` after data_i: SP 800-38A, appendix B.1, with m = 128. The block is a
// big-endian number with its first byte in bits 7 to 0. Four parts of 32 bits increment in
// parallel. The lowest adds Step; another part takes its increment if all parts below it carry. So
// no carry chain spans 128 bits.
module aes_pipe_counter #(
  parameter Step = 1
) (
  input  logic [127:0] data_i,
  output logic [127:0] data_o
);
  logic [127:0] value, next;
  logic [4:0]   carry;

  assign carry[0] = 1'b1;
  for (genvar i = 0; i < 16; i++) begin : gen_byte
    assign value[8*i +: 8]  = data_i[8*(15-i) +: 8];
    assign data_o[8*i +: 8] = next[8*(15-i) +: 8];
  end
  for (genvar i = 0; i < 4; i++) begin : gen_part
    logic        over;
    logic [31:0] part, more;
    assign part         = value[32*i +: 32];
    assign {over, more} = {1'b0, part} + ((i == 0) ? 33'(Step) : 33'd1);
    assign carry[i+1] = carry[i] && over;
    assign next[32*i +: 32] = carry[i] ? more : part;
  end
  logic unused_carry;
  assign unused_carry = carry[4];
endmodule
