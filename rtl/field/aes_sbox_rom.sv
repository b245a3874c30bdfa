// SPDX-License-Identifier: Apache-2.0
// S-boxes in block RAM, alone or multiplied by coefficients of MixColumns: two look-ups a cycle.
// Latency 1, whatever the address. FIPS 197, sections 5.1.1, 5.1.3, 5.3.2 and 5.3.3.
//
// The memory has Tables tables of 256 words; a look-up addresses {table, byte}. A word has Bytes
// bytes. Byte j of a word of table b is {coefficient} * S(byte), or * InvS(byte) if bit b of
// Inverse is set. The coefficients are hexadecimal digits of Coeffs: for byte j in table b it is
// digit Bytes * b + j from the right. Tables = 2, Bytes = 1, Inverse = 2'b10 and Coeffs = 2'h11 are
// S-box and inverse S-box.
//
// An ECP5 block RAM holds 2048 x 9, 1024 x 18 or 512 x 36 bits and has two read ports. An iCE40
// block RAM holds 4096 bits, and a second port takes a second copy.
//
// The contents are constants of the RTL, without a file. The read register has no reset: no block
// RAM would keep one.
//
// Made from aes_sbox_rom.sv.j2 by `aesforge modules`.
module aes_sbox_rom #(
  parameter Tables  = 2,
  parameter Bytes   = 1,
  parameter Inverse = 2,
  parameter Coeffs  = 17
) (
  input  logic                      clk_i,
  input  logic                      read_i,   // 0: the outputs keep their values
  input  logic [7+$clog2(Tables):0] first_i,  // {table, byte}
  input  logic [7+$clog2(Tables):0] second_i,
  output logic [8*Bytes-1:0]        first_o,  // one cycle after read_i
  output logic [8*Bytes-1:0]        second_o
);

  localparam Bits = 8 * Bytes;

  // {03} generates the multiplicative group. Its powers, paired with those of its inverse {f6},
  // give every element and its inverse; 0 goes first and is its own. No other function is called:
  // Yosys takes seconds for nested ones.
  function automatic logic [256*Tables*Bits-1:0] words();
    logic [7:0]         power, recip, box, v, v2, v4, v8;
    logic [3:0]         by;
    logic [31:0]        entry;
    logic [4*Tables*Bytes-1:0] coeffs;
    logic [Tables-1:0]  inverse;
    coeffs  = Coeffs;
    inverse = Inverse;
    power   = 8'h00;
    recip   = 8'h00;
    for (int i = 0; i < 256; i++) begin
      box = recip ^ {recip[6:0], recip[7]} ^ {recip[5:0], recip[7:6]} ^ {recip[4:0], recip[7:5]}
          ^ {recip[3:0], recip[7:4]} ^ 8'h63;
      for (int b = 0; b < Tables; b++) begin
        v  = inverse[b] ? power : box;
        v2 = {v[6:0], 1'b0} ^ (v[7] ? 8'h1b : 8'h00);
        v4 = {v2[6:0], 1'b0} ^ (v2[7] ? 8'h1b : 8'h00);
        v8 = {v4[6:0], 1'b0} ^ (v4[7] ? 8'h1b : 8'h00);
        entry = 256 * b + {24'b0, inverse[b] ? box : power};
        for (int j = 0; j < Bytes; j++) begin
          by = coeffs[4*(Bytes*b+j) +: 4];
          words[Bits*entry+8*j +: 8] = (by[0] ? v : 8'h00) ^ (by[1] ? v2 : 8'h00)
                                     ^ (by[2] ? v4 : 8'h00) ^ (by[3] ? v8 : 8'h00);
        end
      end
      if (i == 0) begin
        power = 8'h01;
        recip = 8'h01;
      end else begin
        power = power ^ {power[6:0], 1'b0} ^ (power[7] ? 8'h1b : 8'h00);
        // Division by x + 1: the running XOR of the bits from the lowest up. A remainder remains if
        // the XOR of all bits is 1. Then m(x) must be added first, which changes the quotient by
        // {09}.
        recip = recip ^ {recip[6:0], 1'b0};
        recip = recip ^ {recip[5:0], 2'b00};
        recip = recip ^ {recip[3:0], 4'b0000};
        recip = recip ^ (recip[7] ? 8'h09 : 8'h00);
      end
    end
  endfunction

  localparam logic [256*Tables*Bits-1:0] Contents = words();

  (* rom_style = "block", ram_style = "block" *) logic [Bits-1:0] rom [256*Tables];
  initial begin
    for (int i = 0; i < 256*Tables; i++) rom[i] = Contents[Bits*i +: Bits];
  end

  logic [Bits-1:0] first_q, second_q;
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      first_q  <= rom[first_i];
      second_q <= rom[second_i];
    end
  end
  assign first_o  = first_q;
  assign second_o = second_q;

endmodule
