// SPDX-License-Identifier: Apache-2.0
// aes_dma_message with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_dma_message_guarded.sv.j2 by `aesforge modules`.
module aes_dma_message_guarded (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             wrong_o,
  input  logic             wipe_i,         // wipe, or a new key
  input  logic             stop_i,
  input  logic             iv_write_i,     // IV written by the CPU
  input  logic [1:0]       iv_word_i,
  input  logic             iv_other_i,     // IV written by a descriptor: not for a message
  input  logic             ask_i,          // request to begin a message
  input  logic             begin_i,        // it begins: only with may_begin_o
  input  logic             iv_hash_i,      // the hash so far becomes the IV
  input  logic             finish_i,       // end the message after the current job
  output logic             open_o,
  output logic             may_begin_o,
  output logic             busy_o,

  input  logic             decrypt_i,
  input  logic [1:0]       part_i,         // 0 text, 1 associated data, 2 text to be verified
  output logic             may_start_o,    // a job of this part is legal after the request
  input  logic             start_i,        // start of one of the message's jobs
  input  logic             cut_i,          // the job's last block is incomplete
  input  logic             lost_i,         // the job ended early
  input  logic             active_i,       // any job is active

  input  logic             tag_write_i,
  input  logic [1:0]       tag_word_i,
  input  logic [31:0]      tag_data_i,
  input  logic [3:0]       tag_bytes_i,    // bytes to compare, 0 for 16
  output logic             tag_done_o,
  output logic             tag_shown_o,
  output logic             tag_equal_o,

  input  logic             modes_idle_i,   // see aes_iter_gcm
  input  logic             modes_tag_valid_i,
  input  logic [127:0]     modes_tag_i,
  output logic             modes_tag_o,
  output logic             clear_o
);
  localparam logic [1:0] Aad = 2'd1;

  // ---- open message -----------------------------------------------------------------------------

  logic       open_q, decrypt_q, finish_q, close_q, aad_cut_q, text_q, text_cut_q, clear;
  logic [3:0] fresh_q, written;  // IV words written since the last message began
  logic       aad_cut, text, text_cut;

  assign clear       = close_q && !active_i && modes_idle_i;
  assign clear_o     = clear;
  assign modes_tag_o = finish_q && !close_q && !active_i && modes_idle_i;
  assign busy_o      = finish_q || close_q || (modes_tag_valid_i && !tag_done_o);
  assign written     = {3'b000, iv_write_i} << iv_word_i;
  assign may_begin_o = iv_hash_i ? open_q : (&fresh_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, decrypt_q, finish_q, close_q, fresh_q} <= '0;
    end else begin
      if (wipe_i || stop_i || lost_i || iv_write_i || modes_tag_o) open_q <= 1'b0;
      else if (begin_i)                                            open_q <= 1'b1;
      if (begin_i) decrypt_q <= decrypt_i;
      if (wipe_i || stop_i || lost_i || modes_tag_o) finish_q <= 1'b0;
      else if (finish_i)                             finish_q <= 1'b1;
      close_q <= (stop_i || lost_i || (close_q && !clear)) && !wipe_i;
      fresh_q <= wipe_i || iv_other_i || begin_i ? 4'h0 : fresh_q | written;
    end
  end
  (* keep *) logic open_p, decrypt_p, finish_p, close_p, fresh_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_p, decrypt_p, finish_p, close_p, fresh_p} <= '1;
    end else begin
      if (wipe_i || stop_i || lost_i || iv_write_i || modes_tag_o) open_p <= 1'b1;
      else if (begin_i)                                            open_p <= 1'b0;
      if (begin_i) decrypt_p <= ~^decrypt_i;
      if (wipe_i || stop_i || lost_i || modes_tag_o) finish_p <= 1'b1;
      else if (finish_i)                             finish_p <= 1'b0;
      close_p <= ~^((stop_i || lost_i || (close_q && !clear)) && !wipe_i);
      fresh_p <= ~^(wipe_i || iv_other_i || begin_i ? 4'h0 : fresh_q | written);
    end
  end
  assign open_o = open_q;

  // ---- order of the parts -----------------------------------------------------------------------

  // Associated data precedes text. An incomplete block ends its part.
  assign aad_cut     = aad_cut_q && !ask_i;
  assign text        = text_q && !ask_i;
  assign text_cut    = text_cut_q && !ask_i;
  assign may_start_o = (ask_i || (open_q && decrypt_i == decrypt_q))
                    && part_i != 2'd3 && !(part_i[1] && !decrypt_i)
                    && (part_i == Aad ? !text && !aad_cut : !text_cut);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {aad_cut_q, text_q, text_cut_q} <= 3'b000;
    end else begin
      aad_cut_q  <= (aad_cut_q && !begin_i) || (start_i && part_i == Aad && cut_i);
      text_q     <= (text_q && !begin_i) || (start_i && part_i != Aad);
      text_cut_q <= (text_cut_q && !begin_i) || (start_i && part_i != Aad && cut_i);
    end
  end
  (* keep *) logic aad_cut_p, text_p, text_cut_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {aad_cut_p, text_p, text_cut_p} <= '1;
    end else begin
      aad_cut_p  <= ~^((aad_cut_q && !begin_i) || (start_i && part_i == Aad && cut_i));
      text_p     <= ~^((text_q && !begin_i) || (start_i && part_i != Aad));
      text_cut_p <= ~^((text_cut_q && !begin_i) || (start_i && part_i != Aad && cut_i));
    end
  end

  // ---- tag --------------------------------------------------------------------------------------

  logic [3:0][31:0] given_q;
  logic [127:0]     differ;
  logic [15:0]      keep, wrong;
  logic             checked_q, equal_q;

  assign differ = given_q ^ modes_tag_i;
  assign keep   = ~(16'hffff << {tag_bytes_i == 4'd0, tag_bytes_i});
  for (genvar i = 0; i < 16; i++) begin : gen_byte
    assign wrong[i] = (|differ[8*i +: 8]) && keep[i];
  end
  logic [3:0] part_1;
  for (genvar i = 0; i < 4; i++) begin : gen_word
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                  given_q[i] <= '0;
      else if (wipe_i || clear)                     given_q[i] <= '0;
      else if (tag_write_i && tag_word_i == 2'(i))  given_q[i] <= tag_data_i;
    end
    (* keep *) logic given_p;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                  given_p <= 1'b1;
      else if (wipe_i || clear)                     given_p <= 1'b1;
      else if (tag_write_i && tag_word_i == 2'(i))  given_p <= ~^tag_data_i;
    end
    assign part_1[i] = ~^{given_q[i], given_p};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {checked_q, equal_q} <= 2'b00;
    end else if (wipe_i || clear || begin_i || !modes_tag_valid_i) begin
      {checked_q, equal_q} <= 2'b00;
    end else if (!checked_q) begin
      checked_q <= 1'b1;
      equal_q   <= decrypt_q && wrong == 16'h0;
    end
  end
  (* keep *) logic checked_p, equal_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {checked_p, equal_p} <= '1;
    end else if (wipe_i || clear || begin_i || !modes_tag_valid_i) begin
      {checked_p, equal_p} <= '1;
    end else if (!checked_q) begin
      checked_p <= 1'b0;
      equal_p   <= ~^(decrypt_q && wrong == 16'h0);
    end
  end
  assign tag_done_o  = checked_q;
  assign tag_equal_o = equal_q;
  assign tag_shown_o = checked_q && !decrypt_q;

  assign wrong_o = |{~^{open_q, open_p}, ~^{decrypt_q, decrypt_p}, ~^{finish_q, finish_p},
    ~^{close_q, close_p}, ~^{fresh_q, fresh_p}, ~^{aad_cut_q, aad_cut_p}, ~^{text_q, text_p},
    ~^{text_cut_q, text_cut_p}, part_1, ~^{checked_q, checked_p}, ~^{equal_q, equal_p}};
endmodule
