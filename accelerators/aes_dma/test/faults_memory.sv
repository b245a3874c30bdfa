// SPDX-License-Identifier: Apache-2.0
// What is around the bus master in a fault campaign: 32 words of memory on its AXI4 port, without
// waiting, and a CPU that reads them. Words 16 to 23 are the destination; words 24 to 31 are a
// descriptor of its ring, whose first word takes the outcome. changed_o: another word is not what
// reset left, or a write went past the memory.
module faults_memory (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        awvalid_i,
  output logic        awready_o,
  input  logic [31:0] awaddr_i,
  input  logic        wvalid_i,
  output logic        wready_o,
  input  logic [31:0] wdata_i,
  input  logic [3:0]  wstrb_i,
  input  logic        wlast_i,
  output logic        bvalid_o,
  input  logic        bready_i,
  input  logic        arvalid_i,
  output logic        arready_o,
  input  logic [31:0] araddr_i,
  input  logic [7:0]  arlen_i,
  output logic        rvalid_o,
  input  logic        rready_i,
  output logic [31:0] rdata_o,
  output logic        rlast_o,

  input  logic [4:0]  cpu_word_i,
  output logic [31:0] cpu_rdata_o,
  output logic        changed_o
);
  // Words 4 to 11, the source, are bytes from a0 on. The descriptor, of a job in CBC: OWN, WRAP,
  // IRQ; source, destination, length, IV. test/faults.py has the same words.
  function automatic logic [31:0] initial_word(input logic [4:0] at);
    if (at >= 5'd4 && at < 5'd12)
      initial_word = {4{8'ha0 + {1'b0, at - 5'd4, 2'b00}}} + 32'h03020100;
    else
      case (at)
        5'd24:   initial_word = 32'hc0010010;
        5'd25:   initial_word = 32'd16;
        5'd26:   initial_word = 32'd64;
        5'd27:   initial_word = 32'd32;
        5'd28:   initial_word = 32'hf3f2f1f0;
        5'd29:   initial_word = 32'hf7f6f5f4;
        5'd30:   initial_word = 32'hfbfaf9f8;
        5'd31:   initial_word = 32'hfffefdfc;
        default: initial_word = {8'hc3, 3'd5, at, 3'd2, ~at, 8'h3c};
      endcase
  endfunction

  logic [31:0][31:0] memory_q;
  logic [31:0]       moved;
  logic              w_beat, past_q;

  // ---- read -------------------------------------------------------------------------------------

  logic        reading_q;
  logic [29:0] r_word_q;
  logic [7:0]  r_left_q;
  assign rlast_o   = r_left_q == 8'd0;
  assign rvalid_o  = reading_q;
  assign arready_o = !reading_q || (rready_i && rlast_o);
  assign rdata_o   = memory_q[r_word_q[4:0]];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {reading_q, r_word_q, r_left_q} <= '0;
    else if (arready_o) {reading_q, r_word_q, r_left_q} <= {arvalid_i, araddr_i[31:2], arlen_i};
    else if (rready_i)  {r_word_q, r_left_q} <= {r_word_q + 30'd1, r_left_q - 8'd1};
  end

  // ---- write ------------------------------------------------------------------------------------

  logic        writing_q;
  logic [29:0] w_word_q, w_word;
  logic [2:0]  answers_q;  // responses due
  // A word may come together with its address.
  assign w_beat    = (writing_q || awvalid_i) && wvalid_i;
  assign w_word    = writing_q ? w_word_q : awaddr_i[31:2];
  assign awready_o = !writing_q;
  assign wready_o  = writing_q || awvalid_i;
  assign bvalid_o  = answers_q != 3'd0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {writing_q, w_word_q, answers_q, past_q} <= '0;
      for (int i = 0; i < 32; i++) memory_q[i] <= initial_word(5'(i));
    end else begin
      if (w_beat) begin
        {writing_q, w_word_q} <= {!wlast_i, w_word + 30'd1};
        if ((|w_word[29:5]) && (|wstrb_i)) past_q <= 1'b1;
      end else if (awready_o && awvalid_i) begin
        {writing_q, w_word_q} <= {1'b1, awaddr_i[31:2]};
      end
      answers_q <= answers_q + 3'(w_beat && wlast_i) - 3'(bvalid_o && bready_i);
      for (int i = 0; i < 32; i++) begin
        for (int j = 0; j < 4; j++) begin
          if (w_beat && w_word == 30'(i) && wstrb_i[j]) memory_q[i][8*j +: 8] <= wdata_i[8*j +: 8];
        end
      end
    end
  end

  // ---- the CPU ----------------------------------------------------------------------------------

  assign cpu_rdata_o = memory_q[cpu_word_i];
  for (genvar i = 0; i < 32; i++) begin : gen_moved
    assign moved[i] = memory_q[i] != initial_word(5'(i)) && !(i >= 16 && i <= 24);
  end
  assign changed_o = past_q || (|moved);

  logic unused;
  assign unused = ^{awaddr_i[1:0], araddr_i[1:0]};
endmodule
