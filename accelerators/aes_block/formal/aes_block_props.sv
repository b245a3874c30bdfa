// SPDX-License-Identifier: Apache-2.0
// The unit of whole blocks: every answer and every word that it keeps is what the requests so far
// make it. Sources: NIST SP 800-38A, sections 6.1, 6.2 and 6.5; SP 800-38D, sections 6.2 to 6.5.
//
// Composition.
// 1. step: a digit's step of the hash is as many of the standard's steps as the digit has bits:
//    multiply by x (the shift of algorithm 1), add the subkey if the bit is set. Shown for any sum
//    and the digit zero, and for the sum zero, any subkey and a digit of one bit. The step is a sum
//    of these.
// 2. requests: for any sequence of requests and pauses, key words, mode, half block, result,
//    chaining value, subkey, hash, number and answers are what the model here says. The cipher is
//    any function that takes any time (aes_cipher_any.sv). The model takes the step from the unit,
//    whose operands are shown to be the model's; with 1 its steps are Horner's rule.

// ---- 1: a digit ---------------------------------------------------------------------------------

module aes_block_step_of #(
  parameter Digit = 16
) (
  input logic         clk_i,
  input logic         whole_i
);
  logic         ready;
  logic [127:0] state;
  aes_block_hash #(.Digit(Digit)) u_hash (
    .clk_i, .rst_ni(1'b1), .clear_i(1'b0), .set_i(1'b0), .item_i(3'd0), .words_i(64'h0),
    .valid_i(1'b0), .ready_o(ready), .data_i(128'h0), .state_o(state)
  );

  (* hierconn *) wire [127:0] \u_hash.state_q ;
  (* hierconn *) wire [127:0] \u_hash.key_q ;
  (* hierconn *) wire [127:0] \u_hash.rest_q ;
  (* hierconn *) wire [127:0] \u_hash.next ;

  // As the standard writes a block: the coefficient of x^i is bit 127 - i.
  logic [Digit-1:0] digit;
  logic [127:0]     before, subkey, after;
  assign digit = \u_hash.rest_q [127 -: Digit];
  for (genvar i = 0; i < 128; i++) begin : gen_order
    assign before[i] = \u_hash.state_q [127-i];
    assign subkey[i] = \u_hash.key_q [127-i];
    assign after[i]  = \u_hash.next [127-i];
  end

  logic [Digit:0][127:0] wanted;
  assign wanted[Digit] = before;
  for (genvar i = 0; i < Digit; i++) begin : gen_bit
    assign wanted[i] = {1'b0, wanted[i+1][127:1]} ^ (wanted[i+1][0] ? {8'he1, 120'h0} : 128'h0)
                     ^ (digit[i] ? subkey : 128'h0);
  end
  always_comb begin
    if (whole_i) assume (digit == '0);
    else         assume (before == 128'h0 && (digit & (digit - 1'b1)) == '0);
    assert (after == wanted[0]);
  end

  logic unused;
  assign unused = ^{ready, state};
endmodule

module aes_block_step_props (
  input logic clk_i,
  input logic whole_i
);
  aes_block_step_of #(.Digit(4))  u_4  (.clk_i, .whole_i);
  aes_block_step_of #(.Digit(8))  u_8  (.clk_i, .whole_i);
  aes_block_step_of #(.Digit(16)) u_16 (.clk_i, .whole_i);
  aes_block_step_of #(.Digit(32)) u_32 (.clk_i, .whole_i);
endmodule

// ---- 2: any requests ----------------------------------------------------------------------------

module aes_block_requests #(
  parameter Digit = 16
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  localparam Steps = 128 / Digit;

  logic        req_ready, rsp_valid, accepted;
  logic [31:0] rd;
  aes_block #(.Digit(Digit)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i(32'b0), .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  assign accepted = req_valid_i && req_ready;

  // The proof begins in reset.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  // ---- the cipher's ports, by their flattened names ---------------------------------------------

  (* hierconn *) wire         \u_unit.u_cipher.wipe_i ;
  (* hierconn *) wire         \u_unit.u_cipher.wiping_q ;
  (* hierconn *) wire         \u_unit.u_cipher.key_write_i ;
  (* hierconn *) wire [2:0]   \u_unit.u_cipher.key_word_i ;
  (* hierconn *) wire [31:0]  \u_unit.u_cipher.key_data_i ;
  (* hierconn *) wire         \u_unit.u_cipher.key_start_i ;
  (* hierconn *) wire [1:0]   \u_unit.u_cipher.key_length_i ;
  (* hierconn *) wire         \u_unit.u_cipher.busy_q ;
  (* hierconn *) wire         \u_unit.u_cipher.valid_q ;
  (* hierconn *) wire         \u_unit.u_cipher.flight_q ;
  (* hierconn *) wire         \u_unit.u_cipher.inverse_q ;
  (* hierconn *) wire         \u_unit.u_cipher.given_q ;
  (* hierconn *) wire [127:0] \u_unit.u_cipher.out_q ;
  (* hierconn *) wire         \u_unit.u_cipher.taken ;
  (* hierconn *) wire         \u_unit.u_cipher.ready ;
  (* hierconn *) wire         \u_unit.u_cipher.enc_valid_i ;
  (* hierconn *) wire [127:0] \u_unit.u_cipher.enc_data_i ;
  (* hierconn *) wire         \u_unit.u_cipher.dec_valid_i ;
  (* hierconn *) wire [127:0] \u_unit.u_cipher.dec_data_i ;

  logic         wiping, given;
  logic [127:0] made;
  assign wiping = \u_unit.u_cipher.wiping_q ;
  assign given  = \u_unit.u_cipher.given_q ;
  assign made   = \u_unit.u_cipher.out_q ;

  // ---- the request ------------------------------------------------------------------------------

  logic [aes_block_ops_pkg::CodeW-1:0]  code;
  logic [aes_block_ops_pkg::ITEM_W-1:0] item;
  logic begins, keys, starts, modes, sets, puts, turns, gets, looks;
  assign code   = req_op_i[aes_block_ops_pkg::CodeW-1:0];
  assign item   = req_op_i[aes_block_ops_pkg::ITEM_LSB +: aes_block_ops_pkg::ITEM_W];
  assign begins = accepted && code == aes_block_ops_pkg::OP_AB_BEGIN;
  assign keys   = accepted && code == aes_block_ops_pkg::OP_AB_KEY;
  assign starts = accepted && code == aes_block_ops_pkg::OP_AB_START;
  assign modes  = accepted && code == aes_block_ops_pkg::OP_AB_MODE;
  assign sets   = accepted && code == aes_block_ops_pkg::OP_AB_SET;
  assign turns  = accepted && code == aes_block_ops_pkg::OP_AB_TURN;
  assign puts   = turns || (accepted && code == aes_block_ops_pkg::OP_AB_PUT);
  assign gets   = accepted && code == aes_block_ops_pkg::OP_AB_GET;
  assign looks  = accepted && code == aes_block_ops_pkg::OP_AB_LOOK;

  // ---- the model --------------------------------------------------------------------------------

  // A block in memory order; polynomials where so named: bit i is the coefficient of x^i.
  logic         begun_q;    // reset has ended and its clock is over
  logic         open_q, keyed_q;
  logic [31:0]  number_q;
  logic [4:0]   mode_q;
  logic [63:0]  half_q;
  logic [127:0] result_q, chain_q;
  logic [127:0] key_q, sum_q, rest_q;  // polynomials: subkey, hash, rest of the block
  logic [7:0]   left_q;                // digits of the product
  logic         flight_q;              // a block is in the cipher
  logic [127:0] add_q;                 // what its output gets added
  logic         next_chain_q;          // its output is the next chaining value
  logic         next_hash_q;           // its result is hashed
  logic         inverse_q;
  logic         waits_q;               // a block waits for the hash
  logic [127:0] block_q;

  // The last request, while its operands are used: a second half until the cipher takes the block.
  logic        begin_q, erase_q, first_q, second_q, write_q, start_q, set_q, first, second, taken;
  logic [2:0]  item_q;
  logic [63:0] words_q;

  logic [127:0] text, entry, counter, result, absorbed, digits, words, hash;
  logic [1:0]   cipher;
  logic         inverse, hashes, ends, enters, begins_product;
  assign text    = {words_q, half_q};
  assign cipher  = mode_q[1:0];
  assign inverse = mode_q[2] && cipher != 2'd3;
  assign hashes  = mode_q[3] && (cipher == 2'd0 || cipher == 2'd3);
  assign taken   = \u_unit.u_cipher.taken ;
  assign first   = first_q;
  assign second  = second_q && (cipher == 2'd0 || !keyed_q || taken);
  assign enters  = second && cipher != 2'd0 && keyed_q;
  assign ends    = flight_q && given;
  assign result  = ends ? made ^ add_q : result_q;
  assign begins_product = waits_q && left_q == 8'd0;

  // SP 800-38D, section 6.2: the last four bytes are counted, the first of them is the highest.
  logic [31:0] low, count;
  assign low     = {chain_q[103:96], chain_q[111:104], chain_q[119:112], chain_q[127:120]};
  assign count   = low + 32'd1;
  assign counter = {count[7:0], count[15:8], count[23:16], count[31:24], chain_q[95:0]};

  always_comb begin
    unique case (cipher)
      2'd1:    entry = text;
      2'd2:    entry = inverse ? text : text ^ chain_q;
      default: entry = chain_q;
    endcase
  end

  for (genvar i = 0; i < 128; i++) begin : gen_order
    assign digits[i] = block_q[8 * (i / 8) + 7 - i % 8];
    assign hash[i]   = sum_q[8 * (i / 8) + 7 - i % 8];
  end
  for (genvar i = 0; i < 64; i++) begin : gen_words
    assign words[i]      = words_q[8 * (i / 8) + 7 - i % 8];
    assign words[64 + i] = words[i];
  end
  assign absorbed = sum_q ^ digits;

  (* hierconn *) wire [127:0] \u_unit.u_hash.next ;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {begun_q, open_q, keyed_q, flight_q, waits_q} <= '0;
      {begin_q, erase_q, first_q, second_q, write_q, start_q, set_q} <= '0;
      number_q <= 32'd0;
      mode_q   <= 5'd0;
      left_q   <= 8'd0;
    end else begin
      begun_q  <= 1'b1;
      begin_q  <= begins;
      erase_q  <= modes && item[5];
      first_q  <= puts && !item[0];
      second_q <= (puts && item[0]) || (second_q && !second);
      write_q  <= keys && open_q;
      start_q  <= starts && open_q;
      set_q    <= sets;
      if (starts) open_q <= 1'b0;
      if (start_q) keyed_q <= 1'b1;
      if (modes) mode_q <= item[4:0];
      if (ends) flight_q <= 1'b0;
      if (enters) flight_q <= 1'b1;
      // The hash takes a block when the product before it has ended.
      if (left_q != 8'd0) left_q <= left_q - 8'd1;
      if (begins_product) {waits_q, left_q} <= {1'b0, 8'(Steps)};
      if (ends && next_hash_q) waits_q <= 1'b1;
      if (second && hashes && (cipher == 2'd0 || (keyed_q && !mode_q[4]))) waits_q <= 1'b1;
      if (erase_q) left_q <= 8'd0;
      if (begin_q) begin
        {open_q, keyed_q, flight_q, waits_q} <= 4'b1000;
        {begin_q, erase_q, first_q, second_q, write_q, start_q, set_q} <= '0;
        number_q <= number_q == 32'hffff_ffff ? number_q : number_q + 32'd1;
        mode_q   <= 5'd0;
        left_q   <= 8'd0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!second_q || second) begin
      {item_q, words_q} <= req_valid_i ? {item[2:0], req_rs2_i, req_rs1_i} : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!begun_q || begin_q || erase_q) begin
      {half_q, result_q, chain_q, key_q, sum_q, rest_q, add_q, block_q} <= '0;
      {next_chain_q, next_hash_q, inverse_q} <= '0;
    end else begin
      if (first) half_q <= words_q;
      if (ends) begin
        result_q <= made ^ add_q;
        if (next_chain_q) chain_q <= made;
        if (next_hash_q) block_q <= made ^ add_q;
      end
      if (second) begin
        add_q        <= '0;
        result_q     <= cipher == 2'd0 ? text : '0;
        next_chain_q <= enters && cipher == 2'd2 && !inverse;
        next_hash_q  <= enters && hashes && mode_q[4];
        inverse_q    <= inverse;
        if (enters && cipher == 2'd3) {add_q, chain_q} <= {text, counter};
        if (enters && cipher == 2'd2 && inverse) {add_q, chain_q} <= {chain_q, text};
        if (!enters || !mode_q[4]) block_q <= text;
      end
      if (set_q && item_q == 3'd0) chain_q[63:0]   <= words_q;
      if (set_q && item_q == 3'd1) chain_q[127:64] <= words_q;
      if (set_q && item_q == 3'd2) sum_q[63:0]     <= words[63:0];
      if (set_q && item_q == 3'd3) sum_q[127:64]   <= words[127:64];
      if (set_q && item_q == 3'd4) key_q[63:0]     <= words[63:0];
      if (set_q && item_q == 3'd5) key_q[127:64]   <= words[127:64];
      if (begins_product) begin
        {rest_q, sum_q} <= {absorbed, 128'h0};
      end else if (left_q != 8'd0) begin
        {rest_q, sum_q} <= {rest_q << Digit, \u_unit.u_hash.next };
      end
    end
  end

  // ---- answers ----------------------------------------------------------------------------------

  logic        owed_q;
  logic [31:0] answer, wanted_q;
  always_comb begin
    answer = 32'd0;
    if (starts && open_q) answer = number_q;
    if (gets)  answer = result[32*item[1:0] +: 32];
    if (turns) answer = item[0] ? result[127:96] : result[31:0];
    if (looks && item[3:2] == 2'd0) answer = chain_q[32*item[1:0] +: 32];
    if (looks && item[3:2] == 2'd1) answer = hash[32*item[1:0] +: 32];
    if (looks && item[3:0] == 4'd8) answer = half_q[31:0];
    if (looks && item[3:0] == 4'd9) answer = half_q[63:32];
    if (looks && item[3:0] == 4'd10) answer = number_q;
    if (looks && item[3:0] == 4'd11) answer = {27'd0, mode_q};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owed_q <= 1'b0;
    else         owed_q <= accepted || (owed_q && !rsp_ready_i);
  end
  always_ff @(posedge clk_i) begin
    if (accepted) wanted_q <= answer;
  end

  // ---- the unit is the model --------------------------------------------------------------------

  (* hierconn *) wire         \u_unit.begun_q ;
  (* hierconn *) wire [31:0]  \u_unit.epoch_q ;
  (* hierconn *) wire [4:0]   \u_unit.mode_q ;
  (* hierconn *) wire         \u_unit.first_q , \u_unit.second_q , \u_unit.key_q ;
  (* hierconn *) wire         \u_unit.start_q , \u_unit.set_q ;
  (* hierconn *) wire         \u_unit.begin_q , \u_unit.erase_q ;
  (* hierconn *) wire [2:0]   \u_unit.item_q ;
  (* hierconn *) wire [63:0]  \u_unit.words_q ;
  (* hierconn *) wire         \u_unit.busy_q ;
  (* hierconn *) wire         \u_unit.pending_q ;
  (* hierconn *) wire [63:0]  \u_unit.half_q ;
  (* hierconn *) wire [127:0] \u_unit.other_q ;
  (* hierconn *) wire [127:0] \u_unit.chain_q ;
  (* hierconn *) wire [31:0]  \u_unit.answer_q ;
  (* hierconn *) wire [5:0]   \u_unit.u_hash.left_q ;
  (* hierconn *) wire [127:0] \u_unit.u_hash.key_q ;
  (* hierconn *) wire [127:0] \u_unit.u_hash.rest_q ;
  (* hierconn *) wire [127:0] \u_unit.u_hash.state_q ;

  always_comb begin
    if (rst_ni) begin
      // What it keeps.
      assert (\u_unit.begun_q == open_q);
      assert (\u_unit.epoch_q == number_q);
      assert (\u_unit.mode_q == mode_q);
      assert (\u_unit.begin_q == begin_q && \u_unit.erase_q == erase_q);
      assert (\u_unit.first_q == first_q && \u_unit.second_q == second_q);
      assert (\u_unit.key_q == write_q && \u_unit.start_q == start_q && \u_unit.set_q == set_q);
      if (begun_q) assert (\u_unit.item_q == item_q && \u_unit.words_q == words_q);
      assert (\u_unit.busy_q == flight_q);
      assert (\u_unit.pending_q == waits_q);
      assert ({2'b00, \u_unit.u_hash.left_q } == left_q && left_q <= 8'(Steps));
      if (begun_q) begin
        assert (\u_unit.half_q == half_q);
        assert (\u_unit.chain_q == chain_q);
        assert (\u_unit.u_hash.key_q == key_q);
        assert (\u_unit.u_hash.state_q == sum_q);
        assert (\u_unit.u_hash.rest_q == rest_q);
        if (flight_q) assert (\u_unit.other_q == add_q);
        else          assert ((made ^ \u_unit.other_q ) == result_q);
        if (waits_q) assert (hashes && !(flight_q && mode_q[4]));
        if (waits_q) assert (block_q == (mode_q[4] ? made ^ \u_unit.other_q : \u_unit.other_q ));
      end

      // What it asks the cipher for. It begins nothing while the cipher is occupied.
      assert (\u_unit.u_cipher.wipe_i == begin_q);
      assert (\u_unit.u_cipher.key_write_i == write_q);
      assert (\u_unit.u_cipher.key_start_i == start_q);
      if (write_q) assert (\u_unit.u_cipher.key_word_i == item_q);
      if (write_q) assert (\u_unit.u_cipher.key_data_i == words_q[31:0]);
      if (start_q) assert (\u_unit.u_cipher.key_length_i == (item_q[1] ? 2'd2 : {1'b0, item_q[0]}));
      assert ((\u_unit.u_cipher.enc_valid_i || \u_unit.u_cipher.dec_valid_i )
              == (second_q && cipher != 2'd0 && keyed_q));
      assert (!taken || second);
      assert (!(\u_unit.u_cipher.enc_valid_i && \u_unit.u_cipher.dec_valid_i ));
      if (enters) assert ((inverse ? \u_unit.u_cipher.dec_data_i : \u_unit.u_cipher.enc_data_i )
                          == entry);
      if (enters) assert (\u_unit.u_cipher.dec_valid_i == inverse);
      if (begin_q || erase_q || write_q || start_q || second_q || first_q || set_q) begin
        assert (!wiping);
      end
      if (begin_q || erase_q) assert (!accepted && !first_q && !write_q && !start_q && !set_q);
      if (erase_q) assert (!begin_q && !second_q && !flight_q && !waits_q);
      if (write_q || start_q) assert (!\u_unit.u_cipher.busy_q && !keyed_q);
      if (second_q || start_q) assert (!flight_q);
      if (second_q) assert (!waits_q);
      assert (3'(first_q) + 3'(second_q) + 3'(write_q) + 3'(start_q) + 3'(set_q) <= 3'd1);
      assert (!(start_q && open_q) && !(write_q && !open_q));

      // What the cipher has.
      assert ((\u_unit.u_cipher.busy_q || \u_unit.u_cipher.valid_q ) == keyed_q);
      assert (!(\u_unit.u_cipher.busy_q && \u_unit.u_cipher.valid_q ));
      assert (!(open_q && keyed_q));
      assert ((\u_unit.u_cipher.flight_q || given && flight_q) == flight_q);
      assert (!(\u_unit.u_cipher.flight_q && given));
      if (flight_q) assert (keyed_q && !wiping && \u_unit.u_cipher.inverse_q == inverse_q);
      if (flight_q) assert (\u_unit.u_cipher.valid_q && inverse_q == inverse && cipher != 2'd0);
      if (flight_q) assert (next_chain_q == (cipher == 2'd2 && !inverse));
      if (flight_q) assert (next_hash_q == (hashes && mode_q[4]));
      if (begun_q && wiping) assert (!flight_q && !keyed_q && !waits_q && mode_q == 5'd0);
      if (!begun_q) assert (wiping);
      if (begun_q && !given) assert (made == 128'h0);

      // No answer that is accepted depends on what is not complete.
      if (gets || turns || second) assert (!flight_q || ends);
      if (gets || turns || looks || modes) assert (!second_q);
      if (looks) assert (!first_q && !set_q);
      if (looks || sets && item[2:1] != 2'd0 || set_q && item_q[2:1] != 2'd0) begin
        assert (!flight_q && !waits_q && left_q == 8'd0);
      end
      if (sets || set_q) assert (!flight_q);
      if (modes) assert (!flight_q && !waits_q);
      if (second || ends && next_hash_q) assert (!waits_q || begins_product);

      // One answer for each request, a clock later; no request takes its place while it waits.
      // Nothing waits for an idle unit.
      assert (rsp_valid == owed_q);
      if (owed_q && !rsp_ready_i) assert (!accepted);
      if (rsp_valid) assert (rd == wanted_q);
      if (!wiping && !flight_q && !waits_q && left_q == 8'd0 && (!owed_q || rsp_ready_i) &&
          !begin_q && !erase_q && !first_q && !second_q && !set_q) begin
        assert (req_ready);
      end
    end
  end
endmodule

module aes_block_requests_d16_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  aes_block_requests #(.Digit(16)) u_requests (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .rsp_ready_i
  );
endmodule

module aes_block_requests_d8_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic        rsp_ready_i
);
  aes_block_requests #(.Digit(8)) u_requests (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .rsp_ready_i
  );
endmodule
