// SPDX-License-Identifier: Apache-2.0
// Assumptions on the core for the proof of fu_to_nios. Source: Nios II Custom Instruction User
// Guide, section "Multicycle Custom Instructions".
module nios_host (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clk_en_i,
  input  logic        start_i,
  input  logic [7:0]  n_i,
  input  logic [31:0] dataa_i,
  input  logic [31:0] datab_i,
  input  logic        done_i,
  output logic        open_o      // started on an enabled clock, not yet done on one
);
  logic        open_q;
  logic [71:0] payload_q;
  assign open_o = open_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (clk_en_i) open_q <= (open_q || start_i) && !done_i;
  end
  always_ff @(posedge clk_i) payload_q <= {n_i, dataa_i, datab_i};

  always_comb begin
    // start is one pulse per instruction; its operands are stable until done. Between starts, and
    // without clk_en, the inputs are free.
    if (rst_ni && open_q) begin
      assume (!start_i);
      assume (payload_q == {n_i, dataa_i, datab_i});
    end
  end
endmodule
