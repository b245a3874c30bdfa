// SPDX-License-Identifier: Apache-2.0
// aes_iter_gcm with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_iter_gcm_guarded.sv.j2 by `aesforge modules`.
module aes_iter_gcm_guarded #(
  parameter Interleave = 1,
  parameter Digit      = 16  // of ghash_serial
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         wrong_o,
  input  logic         clear_i,
  input  logic [1:0]   mode_i,
  output logic         idle_o,
  output logic         done_o,
  input  logic [3:0]   iv_write_i,
  input  logic [31:0]  iv_data_i,
  output logic [127:0] iv_o,

  input  logic         start_i,
  input  logic         iv_hash_i,
  input  logic         hash_input_i,  // see aes_iter_channel
  input  logic         hash_valid_i,
  output logic         hash_ready_o,
  input  logic [127:0] hash_data_i,
  input  logic [3:0]   hash_bytes_i,
  input  logic         hash_text_i,
  input  logic         tag_i,
  output logic         tag_valid_o,
  output logic [127:0] tag_o,

  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic [3:0]   in_bytes_i,
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
  localparam logic [2:0] Idle = 3'd0, Subkey = 3'd1, SubkeyDue = 3'd2, Mask = 3'd3, MaskDue = 3'd4,
                         Lengths = 3'd5, Tag = 3'd6;

  // ---- steps ------------------------------------------------------------------------------------

  logic [2:0] step_q, step;
  logic       ask, due, busy, hash_ready, channel_idle;

  assign ask     = step_q == Subkey || step_q == Mask;
  assign due     = step_q == SubkeyDue || step_q == MaskDue;
  assign busy    = step_q != Idle;
  always_comb begin
    step = step_q;
    case (step_q)
      Idle:      step = start_i ? Subkey : tag_i ? Lengths : Idle;
      Subkey:    if (unit_ready_i) step = SubkeyDue;
      SubkeyDue: if (unit_valid_i) step = Mask;
      Mask:      if (unit_ready_i) step = MaskDue;
      MaskDue:   if (unit_valid_i) step = Idle;
      Lengths:   if (hash_ready) step = Tag;
      default:   if (hash_ready) step = Idle;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_q <= Idle;
    else         step_q <= clear_i ? Idle : step;
  end
  (* keep *) logic step_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_p <= ~^Idle;
    else         step_p <= ~^(clear_i ? Idle : step);
  end
  assign idle_o = channel_idle && !busy && hash_ready;

  // ---- channel ----------------------------------------------------------------------------------

  logic         channel_valid, channel_ready, channel_hashes, iv_load, iv_count;
  logic [127:0] channel_data, channel_hash, hash_state;
  logic [3:0]   channel_bytes;

  assign iv_load  = step_q == Idle && start_i && iv_hash_i;
  assign iv_count = step_q == MaskDue && unit_valid_i;
  logic part_1;
  aes_iter_channel_guarded #(.Dir("enc"), .Interleave(Interleave), .Gcm(1)) u_channel (
    .wrong_o(part_1),
    .clk_i, .rst_ni, .clear_i, .mode_i, .idle_o(channel_idle), .done_o, .iv_write_i, .iv_data_i,
    .iv_o, .iv_load_i(iv_load), .iv_block_i(hash_state), .iv_count_i(iv_count), .hash_input_i,
    .in_bytes_i, .hash_valid_o(channel_hashes), .hash_ready_i(hash_ready && !hash_valid_i),
    .hash_data_o(channel_hash), .hash_bytes_o(channel_bytes), .in_valid_i(in_valid_i && !busy),
    .in_ready_o, .in_data_i, .out_valid_o, .out_ready_i, .out_data_o,
    .unit_valid_o(channel_valid), .unit_ready_i(unit_ready_i && !ask), .unit_data_o(channel_data),
    .unit_valid_i(unit_valid_i && !due), .unit_ready_o(channel_ready), .unit_data_i
  );

  assign unit_valid_o = ask || channel_valid;
  assign unit_data_o  = step_q == Subkey ? '0 : step_q == Mask ? iv_o : channel_data;
  assign unit_ready_o = due || channel_ready;

  // ---- hash -------------------------------------------------------------------------------------

  // A hash-only block has priority, because associated data precedes text.
  logic         take, text;
  logic [3:0]   bytes;
  logic [127:0] masked, lengths, hash_in;
  logic [35:0]  aad_q, text_q;  // bytes

  logic [15:0] keep;
  assign keep = ~(16'hffff << {hash_bytes_i == 4'd0, hash_bytes_i});
  for (genvar i = 0; i < 16; i++) begin : gen_keep
    assign masked[8*i +: 8] = hash_data_i[8*i +: 8] & {8{keep[i]}};
  end
  // Two big-endian numbers of 64 bits that count bits.
  logic [63:0] aad_bits, text_bits;
  assign aad_bits  = 64'({aad_q, 3'b000});
  assign text_bits = 64'({text_q, 3'b000});
  for (genvar i = 0; i < 8; i++) begin : gen_length
    assign lengths[8*i +: 8]      = aad_bits[8*(7-i) +: 8];
    assign lengths[8*i + 64 +: 8] = text_bits[8*(7-i) +: 8];
  end

  assign take    = (hash_valid_i || channel_hashes) && hash_ready && !busy;
  assign text    = !hash_valid_i || hash_text_i;
  assign bytes   = hash_valid_i ? hash_bytes_i : channel_bytes;
  assign hash_in = step_q == Lengths ? lengths : hash_valid_i ? masked : channel_hash;
  assign hash_ready_o = hash_ready && !busy;

  logic part_2;
  ghash_serial_guarded #(.Digit(Digit)) u_hash (
    .wrong_o(part_2),
    .clk_i, .rst_ni, .clear_i, .key_write_i(step_q == SubkeyDue && unit_valid_i),
    .key_i(unit_data_i), .valid_i(take || step_q == Lengths), .ready_o(hash_ready),
    .data_i(hash_in), .state_o(hash_state)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i || start_i) begin
      aad_q  <= '0;
      text_q <= '0;
    end else if (take) begin
      if (text) text_q <= text_q + 36'({bytes == 4'd0, bytes});
      else      aad_q  <= aad_q + 36'({bytes == 4'd0, bytes});
    end
  end
  (* keep *) logic aad_p, text_p;
  always_ff @(posedge clk_i) begin
    if (clear_i || start_i) begin
      aad_p  <= 1'b1;
      text_p <= 1'b1;
    end else if (take) begin
      if (text) text_p <= ~^(text_q + 36'({bytes == 4'd0, bytes}));
      else      aad_p  <= ~^(aad_q + 36'({bytes == 4'd0, bytes}));
    end
  end

  // ---- tag --------------------------------------------------------------------------------------

  logic         tag_valid_q;
  logic [127:0] mask_q, tag_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                 tag_valid_q <= 1'b0;
    else if (clear_i || start_i) tag_valid_q <= 1'b0;
    else if (step_q == Tag && hash_ready) tag_valid_q <= 1'b1;
  end
  (* keep *) logic tag_valid_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                 tag_valid_p <= 1'b1;
    else if (clear_i || start_i) tag_valid_p <= 1'b1;
    else if (step_q == Tag && hash_ready) tag_valid_p <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      mask_q <= '0;
      tag_q  <= '0;
    end else if (start_i) begin
      tag_q <= '0;
    end else if (step_q == MaskDue && unit_valid_i) begin
      mask_q <= unit_data_i;
    end else if (step_q == Tag && hash_ready) begin
      mask_q <= '0;
      tag_q  <= hash_state ^ mask_q;
    end
  end
  (* keep *) logic mask_p, tag_p;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      mask_p <= 1'b1;
      tag_p  <= 1'b1;
    end else if (start_i) begin
      tag_p <= 1'b1;
    end else if (step_q == MaskDue && unit_valid_i) begin
      mask_p <= ~^unit_data_i;
    end else if (step_q == Tag && hash_ready) begin
      mask_p <= 1'b1;
      tag_p  <= ~^(hash_state ^ mask_q);
    end
  end
  assign tag_valid_o = tag_valid_q;
  assign tag_o       = tag_q;

  assign wrong_o = |{~^{step_q, step_p}, part_1, part_2, ~^{aad_q, aad_p}, ~^{text_q, text_p},
    ~^{tag_valid_q, tag_valid_p}, ~^{mask_q, mask_p}, ~^{tag_q, tag_p}};
endmodule
