// SPDX-License-Identifier: Apache-2.0
// Modes of operation around one port of aes_iter: ECB, CBC and CTR of SP 800-38A, sections 6.1, 6.2
// and 6.5, with the chaining value beside them.
//
// mode_i   0 ECB, 1 CBC, 2 CTR (Dir "enc" alone: both directions of CTR encrypt the counter)
// iv_o     the chaining value: next counter, or last ciphertext; it may be written while idle_o
// The result register takes a block while the unit works on the next one, so that the unit never
// waits in ECB and CTR; CBC encryption takes the chaining value straight from the unit's output.
// Counters count up as numbers of 128 bits whose first byte is the highest.
module aes_iter_channel #(
  parameter Dir    = "enc",  // "enc" | "dec"
  parameter Stages = 1       // of the unit: more than one block at once only in ECB
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic [1:0]   mode_i,
  output logic         idle_o,       // no block between here and the result register
  output logic         done_o,       // a result comes to the result register
  input  logic [3:0]   iv_write_i,
  input  logic [31:0]  iv_data_i,
  output logic [127:0] iv_o,

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
  logic cbc, ctr, take, load;
  assign cbc  = mode_i == 2'd1;
  assign ctr  = (Dir == "enc") && mode_i == 2'd2;
  assign take = unit_valid_i && unit_ready_o;
  assign load = unit_valid_o && unit_ready_i;

  // ---- blocks inside the unit -------------------------------------------------------------------

  // Stages blocks in the ring and one in its output register.
  logic [2:0] inside_q;
  logic       alone;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)           inside_q <= 3'd0;
    else if (clear_i)      inside_q <= 3'd0;
    else if (load && !take) inside_q <= inside_q + 3'd1;
    else if (take && !load) inside_q <= inside_q - 3'd1;
  end

  // A block that leaves something behind for its result (other_q), or needs the result before it,
  // enters only when the unit is empty or its last block is just leaving.
  assign alone  = inside_q == 3'd0 || (inside_q == 3'd1 && take);
  assign idle_o = inside_q == 3'd0;
  assign done_o = take;

  assign unit_valid_o = in_valid_i && (alone || (mode_i == 2'd0 && Stages > 1));
  assign in_ready_o   = load;

  // ---- chaining ---------------------------------------------------------------------------------

  logic [127:0] iv_q, iv_next, chain, counter, counter_next, other_q, result;

  // The count runs over the bytes in the reverse order of the register.
  for (genvar i = 0; i < 16; i++) begin : gen_byte
    assign counter[8*i +: 8] = iv_q[8*(15-i) +: 8];
    assign iv_next[8*i +: 8] = counter_next[8*(15-i) +: 8];
  end
`ifdef BUG_CHANNEL_CARRY
  assign counter_next = {counter[127:32], counter[31:0] + 32'd1};
`else
  assign counter_next = counter + 128'd1;
`endif

  assign result = unit_data_i ^ other_q;

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
    end else if (ctr && load) begin
      iv_q <= iv_next;
    end else if (chain_write) begin
      iv_q <= chain;
    end else begin
      for (int i = 0; i < 4; i++) if (iv_write_i[i]) iv_q[32*i +: 32] <= iv_data_i;
    end
  end

  // What is added to the result: the text in CTR, the ciphertext before in CBC decryption.
  always_ff @(posedge clk_i) begin
    if (clear_i)   other_q <= '0;
    else if (load) other_q <= ctr ? in_data_i : (Dir == "dec") && cbc ? iv_q : '0;
    else if (take) other_q <= '0;
  end

  // ---- result -----------------------------------------------------------------------------------

  logic         out_valid_q;
  logic [127:0] out_q;

  assign unit_ready_o = !out_valid_q || out_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)          out_valid_q <= 1'b0;
    else if (clear_i)     out_valid_q <= 1'b0;
    else if (take)        out_valid_q <= 1'b1;
    else if (out_ready_i) out_valid_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i || (out_ready_i && !take)) out_q <= '0;
    else if (take)                         out_q <= result;
  end

  assign iv_o        = iv_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;
endmodule
