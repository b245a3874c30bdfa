// SPDX-License-Identifier: Apache-2.0
// aes_iter_channel with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_iter_channel_guarded.sv.j2 by `aesforge modules`.
module aes_iter_channel_guarded #(
  parameter Dir        = "enc",  // "enc" | "dec"
  parameter Interleave = 1,      // places in the unit; blocks take turns only in ECB
  parameter Gcm        = 0       // with Dir "enc"
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         wrong_o,
  input  logic         clear_i,
  input  logic [1:0]   mode_i,
  output logic         idle_o,       // no block in flight before the result register
  output logic         done_o,       // the result register takes a result
  input  logic [3:0]   iv_write_i,
  input  logic [31:0]  iv_data_i,
  output logic [127:0] iv_o,

  // Only with Gcm; otherwise tie to zero.
  input  logic         iv_load_i,    // the chaining value becomes iv_block_i
  input  logic [127:0] iv_block_i,
  input  logic         iv_count_i,   // increment the chaining value
  input  logic         hash_input_i, // hash the input block, not the result
  input  logic [3:0]   in_bytes_i,   // bytes of the block, 0 for 16; the others count as zero
  output logic         hash_valid_o,
  input  logic         hash_ready_i,
  output logic [127:0] hash_data_o,
  output logic [3:0]   hash_bytes_o,

  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,

  output logic         unit_valid_o,
  input  logic         unit_ready_i,
  output logic [127:0] unit_data_o,
  input  logic         unit_valid_i,
  output logic         unit_ready_o,
  input  logic [127:0] unit_data_i
);
  logic cbc, ctr, gcm, take, load, hash_wait;
  assign cbc  = mode_i == 2'd1;
  assign gcm  = (Gcm != 0) && mode_i == 2'd3;
  assign ctr  = ((Dir == "enc") && mode_i == 2'd2) || gcm;
  assign take = unit_valid_i && unit_ready_o;
  assign load = unit_valid_o && unit_ready_i;

  // ---- blocks inside the unit -------------------------------------------------------------------

  // At most Interleave blocks in the ring and one in the unit's output register.
  logic [2:0] inside_q;
  logic       alone;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)           inside_q <= 3'd0;
    else if (clear_i)      inside_q <= 3'd0;
    else if (load && !take) inside_q <= inside_q + 3'd1;
    else if (take && !load) inside_q <= inside_q - 3'd1;
  end
  (* keep *) logic inside_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)           inside_p <= 1'b1;
    else if (clear_i)      inside_p <= 1'b1;
    else if (load && !take) inside_p <= ~^(inside_q + 3'd1);
    else if (take && !load) inside_p <= ~^(inside_q - 3'd1);
  end

  // A block that stores a value for its result (other_q), or needs the previous result, enters only
  // when the unit is empty or its last block is leaving.
  assign alone  = inside_q == 3'd0 || (inside_q == 3'd1 && take);
  assign idle_o = inside_q == 3'd0;
  assign done_o = take;

  assign unit_valid_o = in_valid_i && (alone || (mode_i == 2'd0 && Interleave > 1));
  assign in_ready_o   = load;

  // ---- incomplete blocks, hash ------------------------------------------------------------------

  logic         out_valid_q;
  logic [127:0] in_mask, mask, other_q, result;

  logic part_1;
  if (Gcm != 0) begin : gen_mask
    logic [3:0] bytes_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)      bytes_q <= 4'd0;
      else if (clear_i) bytes_q <= 4'd0;
      else if (load)    bytes_q <= gcm ? in_bytes_i : 4'd0;
    end
    (* keep *) logic bytes_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)      bytes_p <= 1'b1;
      else if (clear_i) bytes_p <= 1'b1;
      else if (load)    bytes_p <= ~^(gcm ? in_bytes_i : 4'd0);
    end
    logic [15:0] in_keep, keep;
    assign in_keep = ~(16'hffff << {in_bytes_i == 4'd0, in_bytes_i});
    assign keep    = ~(16'hffff << {bytes_q == 4'd0, bytes_q});
    for (genvar i = 0; i < 16; i++) begin : gen_keep
      assign in_mask[8*i +: 8] = {8{!gcm || in_keep[i]}};
      assign mask[8*i +: 8]    = {8{keep[i]}};
    end
    assign hash_wait    = gcm && !hash_ready_i;
    assign hash_valid_o = gcm && unit_valid_i && (!out_valid_q || out_ready_i);
    assign hash_data_o  = hash_input_i ? other_q : result;
    assign hash_bytes_o = bytes_q;
    assign part_1 = ~^{bytes_q, bytes_p};
  end else begin : gen_no_mask
    logic unused;
    assign unused       = ^{hash_input_i, hash_ready_i, in_bytes_i};
    assign in_mask      = '1;
    assign mask         = '1;
    assign hash_wait    = 1'b0;
    assign hash_valid_o = 1'b0;
    assign hash_data_o  = '0;
    assign hash_bytes_o = '0;
    assign part_1 = 1'b0;
  end

  // ---- chaining ---------------------------------------------------------------------------------

  logic [127:0] iv_q, iv_next, chain, counter, counter_next;

  // Counters are big-endian, but byte 0 is in the register's lowest bits.
  for (genvar i = 0; i < 16; i++) begin : gen_byte
    assign counter[8*i +: 8] = iv_q[8*(15-i) +: 8];
    assign iv_next[8*i +: 8] = counter_next[8*(15-i) +: 8];
  end
  logic carry;
  assign carry = (&counter[31:0]) && !gcm && !iv_count_i;
  assign counter_next = {counter[127:32] + 96'(carry), counter[31:0] + 32'd1};

  assign result = (unit_data_i ^ other_q) & mask;

  if (Dir == "enc") begin : gen_enc
    assign chain       = take ? unit_data_i : iv_q;
    assign unit_data_o = ctr ? iv_q : in_data_i ^ (chain & {128{cbc}});
  end else if (Dir == "dec") begin : gen_dec
    assign chain       = in_data_i;
    assign unit_data_o = in_data_i;
  end else begin : gen_unknown
    aesforge_unknown_dir u_unknown ();
  end

  logic chain_write;
  assign chain_write = cbc && (Dir == "enc" ? take : load);
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      iv_q <= '0;
    end else if (iv_load_i) begin
      iv_q <= iv_block_i;
    end else if ((ctr && load) || iv_count_i) begin
      iv_q <= iv_next;
    end else if (chain_write) begin
      iv_q <= chain;
    end else begin
      for (int i = 0; i < 4; i++) if (iv_write_i[i]) iv_q[32*i +: 32] <= iv_data_i;
    end
  end
  (* keep *) logic [3:0] iv_p;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      iv_p <= '1;
    end else if (iv_load_i) begin
      for (int k = 0; k <= 3; k++) iv_p[k] <= ~^iv_block_i[32*k +: 32];
    end else if ((ctr && load) || iv_count_i) begin
      for (int k = 0; k <= 3; k++) iv_p[k] <= ~^iv_next[32*k +: 32];
    end else if (chain_write) begin
      for (int k = 0; k <= 3; k++) iv_p[k] <= ~^chain[32*k +: 32];
    end else begin
      for (int i = 0; i < 4; i++) if (iv_write_i[i]) iv_p[i] <= ~^iv_data_i;
    end
  end

  // XORed with the result: the text in CTR, the previous ciphertext in CBC decryption.
  always_ff @(posedge clk_i) begin
    if (clear_i)   other_q <= '0;
    else if (load) other_q <= ctr ? in_data_i & in_mask : (Dir == "dec") && cbc ? iv_q : '0;
    else if (take) other_q <= '0;
  end
  (* keep *) logic other_p;
  always_ff @(posedge clk_i) begin
    if (clear_i)   other_p <= 1'b1;
    else if (load) other_p <= ~^(ctr ? in_data_i & in_mask : (Dir == "dec") && cbc ? iv_q : '0);
    else if (take) other_p <= 1'b1;
  end

  // ---- result -----------------------------------------------------------------------------------

  logic [127:0] out_q;

  assign unit_ready_o = (!out_valid_q || out_ready_i) && !hash_wait;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)          out_valid_q <= 1'b0;
    else if (clear_i)     out_valid_q <= 1'b0;
    else if (take)        out_valid_q <= 1'b1;
    else if (out_ready_i) out_valid_q <= 1'b0;
  end
  (* keep *) logic out_valid_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)          out_valid_p <= 1'b1;
    else if (clear_i)     out_valid_p <= 1'b1;
    else if (take)        out_valid_p <= 1'b0;
    else if (out_ready_i) out_valid_p <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || (out_ready_i && !take)) out_q <= '0;
    else if (take)                         out_q <= result;
  end
  (* keep *) logic out_p;
  always_ff @(posedge clk_i) begin
    if (clear_i || (out_ready_i && !take)) out_p <= 1'b1;
    else if (take)                         out_p <= ~^result;
  end

  assign iv_o        = iv_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;

  assign wrong_o = |{~^{inside_q, inside_p}, part_1, ^{iv_q, iv_p, 1'(3 + 1)}, ~^{other_q, other_p},
    ~^{out_valid_q, out_valid_p}, ~^{out_q, out_p}};
endmodule
