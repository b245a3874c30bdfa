// SPDX-License-Identifier: Apache-2.0
// The engine's round keys are those of FIPS 197, section 5.2, for all keys of 128, 192 and 256
// bits. Keys may be written in any order, any number of times, one after the other, and wiped at
// any time. NK is the number of words of the followed keys; keys of other sizes may be in between.
//
// The reference computes w[i] = w[i-Nk] ^ temp one word at a time, as the standard does. S-boxes
// are cut out: SUBWORD is the value of sub_i in that cycle, and sub_o must be the argument that the
// standard gives.

// Words 4*Round + Nk to 4*Round + Nk + 3 of the expanded key. asks_o: one of them uses SUBWORD
// (boxed_i) of argument_o; never more than one does.
module aes_engine_key_step #(
  parameter Nk    = 4,
  parameter Round = 0
) (
  input  logic [7:0][31:0] w_i,       // from word 4*Round on
  input  logic [31:0]      boxed_i,
  input  logic [7:0]       power_i,   // round constant of the next word that has one
  output logic [7:0][31:0] w_o,       // from word 4*(Round + 1) on
  output logic             asks_o,
  output logic [31:0]      argument_o
);
  logic [32*(Nk+4)-1:0] w;
  logic [127:0]         arguments;
  logic [3:0]           ask;
  assign w[32*Nk-1:0] = w_i[Nk-1:0];
  for (genvar k = 0; k < 4; k++) begin : gen_word
    localparam I = 4*Round + Nk + k;
    logic [31:0] before, temp;
    assign before = w[32*(Nk+k-1) +: 32];
    if (I % Nk == 0) begin : gen_turn
      assign ask[k]                = 1'b1;
      assign arguments[32*k +: 32] = aes_spec_pkg::rotate(before, 2'd3);
      assign temp                  = boxed_i ^ {24'h0, power_i};
    end else if (Nk == 8 && I % 8 == 4) begin : gen_sub
      assign ask[k]                = 1'b1;
      assign arguments[32*k +: 32] = before;
      assign temp                  = boxed_i;
    end else begin : gen_plain
      assign ask[k]                = 1'b0;
      assign arguments[32*k +: 32] = 32'h0;
      assign temp                  = before;
    end
    assign w[32*(Nk+k) +: 32] = w[32*k +: 32] ^ temp;
  end
  assign w_o        = 256'(w[32*(Nk+4)-1:128]);
  assign asks_o     = |ask;
  assign argument_o = arguments[31:0] | arguments[63:32] | arguments[95:64] | arguments[127:96];
endmodule

module aes_engine_key_props (
  input logic        clk_i,
  input logic        wipe_i,
  input logic        write_i,
  input logic [2:0]  word_i,
  input logic [31:0] data_i,
  input logic        start_i,
  input logic [1:0]  length_i,
  input logic [31:0] sub_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // ---- unit under proof -------------------------------------------------------------------------

  logic         wiping, clear, busy, valid, store_write;
  logic [3:0]   rounds, store_index;
  logic [127:0] store_key;
  logic [31:0]  sub;
  aes_key_control u_key (
    .clk_i, .rst_ni(rst_n), .wipe_i, .wiping_o(wiping), .clear_o(clear), .write_i, .word_i,
    .data_i, .start_i, .length_i, .busy_o(busy), .valid_o(valid), .rounds_o(rounds),
    .store_write_o(store_write), .store_index_o(store_index), .store_key_o(store_key),
    .sub_o(sub), .sub_i
  );

  // Assumptions: rules that users of the expansion keep.
  always_comb begin
    if (busy || clear) assume (!write_i && !start_i);
    if (start_i)       assume (!write_i && length_i != 2'd3);
  end

  // ---- reference --------------------------------------------------------------------------------

  // w[4r] to w[4r + Nk - 1] while round key r is output; before that the key.
  localparam Nk = `NK;
  localparam logic [3:0] Last = 4'(Nk + 6);
  logic [7:0][31:0] w_q;
  logic [3:0]       r_q;
  logic             runs_q, made_q, own;
  assign own = length_i == 2'(Nk / 2 - 2);  // keys of other sizes occur too

  // x^(n-1) by repeated doubling.
  logic [15:0][7:0] power;
  assign power[0] = 8'h00;
  assign power[1] = 8'h01;
  for (genvar n = 2; n < 16; n++) begin : gen_power
    assign power[n] = aes_spec_pkg::xtime(power[n-1]);
  end

  // The next four words after round key r. `asks`: the standard uses SUBWORD of `argument`.
  logic [15:0][7:0][31:0] next;
  logic [15:0]            asks;
  logic [15:0][31:0]      argument;
  for (genvar r = 0; r < 16; r++) begin : gen_step
    aes_engine_key_step #(.Nk(Nk), .Round(r)) u_step (
      .w_i(w_q), .boxed_i(sub_i), .power_i(power[((4*r + 2*Nk - 1) / Nk) % 16]), .w_o(next[r]),
      .asks_o(asks[r]), .argument_o(argument[r])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n || clear) begin
      runs_q <= 1'b0;
      made_q <= 1'b0;
      w_q    <= '0;
    end else if (start_i) begin
      runs_q <= own;
      made_q <= 1'b0;
      r_q    <= 4'd0;
    end else if (runs_q) begin
      runs_q <= r_q != Last;
      made_q <= r_q == Last;
      r_q    <= r_q + 4'd1;
      w_q    <= r_q == Last ? '0 : next[r_q];
    end else if (busy) begin
      w_q    <= '0;
    end else if (write_i) begin
      w_q[word_i] <= data_i;
    end
  end


  // ---- properties -------------------------------------------------------------------------------

  always_comb begin
    if (rst_n) begin
      if (runs_q && !clear) begin
        assert (store_write && store_index == r_q && store_key == w_q[3:0]);
        // Words after the last round key are unused.
        if (asks[r_q] && r_q != Last) assert (sub == argument[r_q]);
      end
      if (made_q) assert (valid && rounds == Last);
      // Wiping writes zeros.
      if (wiping) assert (store_write && store_key == '0);
    end
  end

  // ---- invariants for the induction -------------------------------------------------------------

  (* hierconn *) wire [7:0][31:0] \u_key.u_expand.window_q ;
  (* hierconn *) wire [3:0] \u_key.u_expand.index_q ;
  (* hierconn *) wire [1:0] \u_key.u_expand.phase_q , \u_key.length_q ;
  (* hierconn *) wire [7:0] \u_key.u_expand.rcon_q ;
  always_comb begin
    if (rst_n) begin
      assert (!(runs_q && made_q));
      if (runs_q || made_q) assert (\u_key.length_q == 2'(Nk / 2 - 2));
      if (made_q) assert (!busy);
      if (!busy) assert (\u_key.u_expand.window_q == w_q);
      if (runs_q) begin
        assert (busy && \u_key.u_expand.index_q == r_q && r_q <= Last);
        assert (\u_key.u_expand.window_q [Nk-1:0] == w_q[Nk-1:0]);
        for (int r = 0; r <= Nk + 6; r++) begin
          if (r_q == 4'(r)) begin
            // The first constant used from here on.
            assert (\u_key.u_expand.rcon_q == power[(4*r + 2*Nk - 1) / Nk]);
            if (Nk == 6) assert (\u_key.u_expand.phase_q == 2'(r % 3));
          end
        end
      end
    end
  end
endmodule
