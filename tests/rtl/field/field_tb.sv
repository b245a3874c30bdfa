// SPDX-License-Identifier: Apache-2.0
// Drives field_all with the lines of a stimulus file (inv, a, b, column as one 52-bit hexadecimal
// number) and prints its outputs as one line each: sbox inverse affine xtime product column.
module field_tb;
  localparam int MaxLines = 65536;

  reg [51:0] stimuli [0:MaxLines-1];
  reg [51:0] now;
  reg [1023:0] name;
  integer lines;

  wire [119:0] sbox;
  wire [95:0] column;
  wire [23:0] inverse;
  wire [15:0] affine, product;
  wire [7:0]  xtime;

  field_all u_dut (
    .inv_i(now[48]), .a_i(now[47:40]), .b_i(now[39:32]), .column_i(now[31:0]),
    .sbox_o(sbox), .inverse_o(inverse), .affine_o(affine), .xtime_o(xtime), .product_o(product),
    .column_o(column)
  );

  initial begin
    if (!$value$plusargs("stimuli=%s", name) || !$value$plusargs("lines=%d", lines)) $finish;
    $readmemh(name, stimuli, 0, lines - 1);
    for (int i = 0; i < lines; i++) begin
      now = stimuli[i];
      #1 $display("%h %h %h %h %h %h", sbox, inverse, affine, xtime, product, column);
    end
    $finish;
  end
endmodule
