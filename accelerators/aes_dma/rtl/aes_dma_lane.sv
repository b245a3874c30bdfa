// SPDX-License-Identifier: Apache-2.0
// AES rounds from tables in block RAM, a round a cycle, for one block at a time. FIPS 197, sections
// 5.1, 5.2 and 5.3.5; the tables are those of Daemen and Rijmen, "The Design of Rijndael", section
// 4.2. aes_dma_keys writes the round keys.
//
// ready_o offers to take a block in the next cycle, the one of enter_i. Its result comes 1 + rounds
// cycles after that cycle, and the next block may enter 1 + rounds cycles after it. A result that
// waits stalls the next block in its last round, for at least one cycle. Timing depends only on
// handshakes, key length and direction. ready_o and out_valid_o are functions of registers alone.
//
// Decryption is the equivalent inverse cipher on a state whose columns 1 and 3 are exchanged. In
// that order InvShiftRows is ShiftRows, so both directions use the same wires. Blocks enter and
// leave in that order.
//
// With clear_i every register that has a clear is zero after a cycle. The output registers of block
// RAM have none: the register of round keys is zero then, and those of the tables hold the look-up
// of zero one cycle later if in_data_i is zero. Between blocks they hold the look-up of the first
// round key.
module aes_dma_lane (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  output logic         idle_o,         // no block before its result

  input  logic [3:0]   store_write_i,  // see aes_dma_keys
  input  logic [4:0]   store_index_i,
  input  logic [31:0]  store_word_i,
  input  logic         key_valid_i,
  input  logic [3:0]   rounds_i,

  input  logic         inverse_i,      // stable from ready_o with a block until its result leaves
  output logic         ready_o,
  input  logic         enter_i,
  input  logic [127:0] in_data_i,      // zero without enter_i
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o
);
  // active_q  a block is in the tables' output registers
  // last_q    these hold its last round: the result is due
  // coming    these hold the block in the next cycle
  // round_q   number of the round key at the output of its memory
  logic       active_q, last_q, out_valid_q, stall, finish, coming;
  logic [3:0] round_q, round, first_round, last_round;

  assign stall       = last_q && out_valid_q;
  assign finish      = last_q && !out_valid_q;
  assign coming      = enter_i || (active_q && !last_q);
  assign first_round = inverse_i ? rounds_i : 4'd0;
  assign last_round  = inverse_i ? 4'd0 : rounds_i;
  assign round       = stall ? round_q : !coming ? first_round
                     : inverse_i ? round_q - 4'd1 : round_q + 4'd1;
  assign ready_o     = key_valid_i && !enter_i && (!active_q || finish);
  assign idle_o      = !enter_i && !active_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      {active_q, last_q, round_q} <= '0;
    else if (clear_i) {active_q, last_q, round_q} <= '0;
    else begin
      active_q <= stall || coming;
      last_q   <= stall || (coming && round == last_round);
      round_q  <= round;
    end
  end

  // ---- round keys -------------------------------------------------------------------------------

  // Place 15 is always zero.
  logic [127:0] key;
  logic [4:0]   key_index;

  assign key_index = key_valid_i ? {inverse_i, round} : 5'd15;
  for (genvar c = 0; c < 4; c++) begin : gen_bank
    (* ram_style = "block", no_rw_check *) logic [31:0] bank [0:31];
    logic [31:0] key_q;
    always_ff @(posedge clk_i) begin
      if (store_write_i[c]) bank[store_index_i] <= store_word_i;
      key_q <= bank[key_index];
    end
    assign key[32*c +: 32] = key_q;
  end

  // ---- rounds -----------------------------------------------------------------------------------

  // A table has, for a byte, its column of (Inv)MixColumns after the S-box. The coefficients of a
  // column of either matrix add up to 1, so the sum of a table's four bytes is the S-box alone.
  logic [127:0] mixed, boxed, state;
  assign state = (active_q ? mixed : in_data_i) ^ key;

  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [127:0] part;   // what row r adds to the column, from bit 32*r on
    logic [31:0]  moved;  // ShiftRows: row r of column c is taken from column c + r
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign moved[8*r +: 8] = state[32*((c + r) % 4) + 8*r +: 8];
      assign boxed[32*c + 8*r +: 8] = part[32*r +: 8] ^ part[32*r + 8 +: 8]
                                    ^ part[32*r + 16 +: 8] ^ part[32*r + 24 +: 8];
      // Row r of the sum takes the coefficient of row r - s from table s.
      assign mixed[32*c + 8*r +: 8] = part[8*r +: 8] ^ part[32 + 8*((r + 3) % 4) +: 8]
                                    ^ part[64 + 8*((r + 2) % 4) +: 8]
                                    ^ part[96 + 8*((r + 1) % 4) +: 8];
    end
    for (genvar p = 0; p < 2; p++) begin : gen_pair
      // Columns (02 01 01 03) and (0e 09 0d 0b), first row in bits 7 to 0.
      aes_sbox_rom #(.Tables(2), .Bytes(4), .Inverse(2), .Coeffs(32'hbd9e3112)) u_table (
        .clk_i, .read_i(!stall), .first_i({inverse_i, moved[16*p +: 8]}),
        .second_i({inverse_i, moved[16*p + 8 +: 8]}), .first_o(part[64*p +: 32]),
        .second_o(part[64*p + 32 +: 32])
      );
    end
  end

  // ---- result -----------------------------------------------------------------------------------

  logic [127:0] out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      out_valid_q <= 1'b0;
    else if (clear_i) out_valid_q <= 1'b0;
    else              out_valid_q <= finish || (out_valid_q && !out_ready_i);
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || (out_ready_i && !finish)) out_q <= '0;
    else if (finish)                         out_q <= boxed ^ key;
  end
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;
endmodule
