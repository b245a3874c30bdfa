// SPDX-License-Identifier: Apache-2.0
// Plays the accesses of a file, one a line, against an engine with GCM on Wishbone: far more
// of them than a bench in Python could.
//
//   0 address word 0         write the word
//   1 address word mask      read; the bits of the mask must be as in the word
//   2 address word mask      read until they are, POLLS times at most
// All in hexadecimal. What goes otherwise, and an access that is refused, ends the play.
module gcm_player (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        go_i,
  output logic        done_o,
  output logic        failed_o,
  output logic [31:0] line_o  // accesses done
);
  localparam integer Polls = 400;

  integer file, found, polls;
  logic        ack, err, open_q, busy_q;
  logic [31:0] read;
  logic [3:0]  kind;
  logic [11:0] address;
  logic [31:0] word, mask;

  aes_engine_wb #(.Dir("shared"), .Gcm(1)) u_engine (
    .clk_i, .rst_ni, .irq_o(), .idle_o(),
    .wb_cyc_i(busy_q), .wb_stb_i(busy_q), .wb_we_i(kind == 4'd0), .wb_adr_i(address),
    .wb_dat_i(word), .wb_sel_i(4'hf), .wb_dat_o(read), .wb_ack_o(ack), .wb_err_o(err)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, busy_q, done_o, failed_o} <= 4'b0000;
      line_o <= 32'd0;
    end else if (!open_q) begin
      if (go_i) begin
        file = $fopen("accesses.txt", "r");
        open_q <= 1'b1;
      end
    end else if (done_o || failed_o) begin
      busy_q <= 1'b0;
    end else if (!busy_q) begin
      found = $fscanf(file, "%h %h %h %h\n", kind, address, word, mask);
      polls = 0;
      if (found == 4) busy_q <= 1'b1;
      else            done_o <= 1'b1;
    end else if (err) begin
      failed_o <= 1'b1;
    end else if (ack) begin
      if (kind == 4'd0 || ((read ^ word) & mask) == 32'h0) begin
        busy_q <= 1'b0;
        line_o <= line_o + 32'd1;
      end else if (kind == 4'd2 && polls < Polls) begin
        polls = polls + 1;
      end else begin
        failed_o <= 1'b1;
      end
    end
  end
endmodule
