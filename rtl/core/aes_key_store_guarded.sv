// SPDX-License-Identifier: Apache-2.0
// aes_key_store with parity, also in the memory; wrong_o: a bit of a register is wrong in this
// cycle. A wrong bit in the memory is a fault when its key is read.
//
// Made from aes_key_store_guarded.sv.j2 by `aesforge modules`.
module aes_key_store_guarded #(
  parameter Rounds         = 1
) (
  input  logic         clk_i,
  output logic         wrong_o,
  input  logic         clear_i,
  input  logic         write_i,
  input  logic [3:0]   write_index_i,
  input  logic [127:0] write_key_i,
  input  logic         hold_i,    // keep this cycle's keys
  input  logic         round_i,   // read for a round, else for the first AddRoundKey
  input  logic         up_i,      // read for encryption
  input  logic [3:0]   index_i,
  output logic [127:0] load_key_o,
  output logic [Rounds*128-1:0] key_o,
  output logic [Rounds*128-1:0] before_o,
  output logic [Rounds*128-1:0] after_o
);
  logic                  read_p;
  logic [Rounds*128-1:0] read, key_q, before_q, after_q;

  if (Rounds == 1) begin : gen_one
    logic [127:0] keys [0:15];
    always_ff @(posedge clk_i) if (write_i) keys[write_index_i] <= write_key_i;
    logic keys_p [0:15];
    always_ff @(posedge clk_i) if (write_i) keys_p[write_index_i] <= ~^write_key_i;
    assign read   = keys[index_i];
    assign read_p = keys_p[index_i];

  end else if (Rounds == 2) begin : gen_two
    logic [127:0] even [0:7];
    logic [127:0] odd  [0:7];
    logic [2:0]   index_even;
    always_ff @(posedge clk_i) begin
      if (write_i && !write_index_i[0]) even[write_index_i[3:1]] <= write_key_i;
      if (write_i && write_index_i[0])  odd[write_index_i[3:1]]  <= write_key_i;
    end
    logic even_p [0:7];
    logic odd_p [0:7];
    always_ff @(posedge clk_i) begin
      if (write_i && !write_index_i[0]) even_p[write_index_i[3:1]] <= ~^write_key_i;
      if (write_i && write_index_i[0])  odd_p[write_index_i[3:1]]  <= ~^write_key_i;
    end
    assign index_even = index_i[3:1] + {2'b00, index_i[0] && up_i};
    assign read       = {even[index_even], odd[index_i[3:1]]};
    assign read_p     = ~(even_p[index_even] ^ odd_p[index_i[3:1]]);
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end

  always_ff @(posedge clk_i) begin
    if (clear_i)      key_q <= '0;
    else if (!hold_i) key_q <= read;
  end
  (* keep *) logic key_p;
  always_ff @(posedge clk_i) begin
    if (clear_i)      key_p <= 1'b1;
    else if (!hold_i) key_p <= read_p;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || (!hold_i && (up_i || !round_i))) before_q <= '0;
    else if (!hold_i)                               before_q <= read;
  end
  (* keep *) logic before_p;
  always_ff @(posedge clk_i) begin
    if (clear_i || (!hold_i && (up_i || !round_i))) before_p <= 1'b1;
    else if (!hold_i)                               before_p <= read_p;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || (!hold_i && !(up_i && round_i))) after_q <= '0;
    else if (!hold_i)                               after_q <= read;
  end
  (* keep *) logic after_p;
  always_ff @(posedge clk_i) begin
    if (clear_i || (!hold_i && !(up_i && round_i))) after_p <= 1'b1;
    else if (!hold_i)                               after_p <= read_p;
  end

  assign load_key_o = key_q[Rounds*128-1 -: 128];
  assign key_o      = key_q;
  assign before_o   = before_q;
  assign after_o    = after_q;

  assign wrong_o = |{~^{key_q, key_p}, ~^{before_q, before_p}, ~^{after_q, after_p}};
endmodule
