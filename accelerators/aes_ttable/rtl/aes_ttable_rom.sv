// SPDX-License-Identifier: Apache-2.0
// Consecutive T-tables in one block RAM, computed at elaboration; one word a cycle, latency 1.
// Source: Daemen and Rijmen, The Design of Rijndael, 2002, pp. 56-59, as used by Foerster 2005,
// section 4: of the four tables of a direction only the one for row 0 is stored; the others are its
// rotations. FIPS 197, sections 4.2, 5.1.1, 5.1.3 and 5.3.3.
//
// Table 0 (forward): MixColumns of S(x). Table 1 (reverse): InvMixColumns of InvS(x).
// Table 2 (key): InvMixColumns of x. Row 0 is in bits 7 to 0.
module aes_ttable_rom #(
  parameter First = 0,  // table at address 0
  parameter Count = 2   // 1 or 2 tables
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     read_i,  // data_o is stable without it
  input  logic [7+$clog2(Count):0] addr_i,  // {table - First, x}
  output logic [31:0]              data_o   // one cycle after read_i
);

  // {03} generates the multiplicative group. Its powers, paired with those of its inverse {f6},
  // give every element and its inverse; 0 goes first and is its own. So each entry is written once.
  // No other function is called: Yosys takes seconds for nested ones.
  function automatic logic [8192*Count-1:0] tables();
    logic [7:0]  power, recip, box, v, v2, v4, v8;
    logic [9:0]  entry;
    logic [31:0] column;
    for (int t = 0; t < Count; t++) begin
      power = 8'h00;
      recip = 8'h00;
      for (int i = 0; i < 256; i++) begin
        box = recip ^ {recip[6:0], recip[7]} ^ {recip[5:0], recip[7:6]} ^ {recip[4:0], recip[7:5]}
            ^ {recip[3:0], recip[7:4]} ^ 8'h63;
        v = (First + t == 0) ? box : power;
        v2 = {v[6:0], 1'b0} ^ (v[7] ? 8'h1b : 8'h00);
        v4 = {v2[6:0], 1'b0} ^ (v2[7] ? 8'h1b : 8'h00);
        v8 = {v4[6:0], 1'b0} ^ (v4[7] ? 8'h1b : 8'h00);
        // {3, 1, 1, 2} or {b, d, 9, e}
        column = (First + t == 0) ? {v2 ^ v, v, v, v2}
                                  : {v8 ^ v2 ^ v, v8 ^ v4 ^ v, v8 ^ v, v8 ^ v4 ^ v2};
        entry = 10'(256 * t) + {2'b0, (First + t == 1) ? box : power};
        tables[32*entry +: 32] = column;
        if (i == 0) begin
          power = 8'h01;
          recip = 8'h01;
        end else begin
          power = power ^ {power[6:0], 1'b0} ^ (power[7] ? 8'h1b : 8'h00);
          // Division by x + 1: the running XOR of the bits from the lowest up. A remainder remains
          // if the XOR of all bits is 1. Then m(x) must be added first, which changes the quotient
          // by {09}.
          recip = recip ^ {recip[6:0], 1'b0};
          recip = recip ^ {recip[5:0], 2'b00};
          recip = recip ^ {recip[3:0], 4'b0000};
          recip = recip ^ (recip[7] ? 8'h09 : 8'h00);
        end
      end
    end
  endfunction

  localparam logic [8192*Count-1:0] Contents = tables();

  logic [31:0] rom [256*Count];
  initial begin
    for (int i = 0; i < 256*Count; i++) rom[i] = Contents[32*i +: 32];
  end

  logic [31:0] data_q;
  always_ff @(posedge clk_i) begin
    if (read_i) data_q <= rom[addr_i];
  end
  assign data_o = data_q;

  logic unused;
  assign unused = rst_ni;

endmodule
