// SPDX-License-Identifier: Apache-2.0
// T-table look-up with XOR (Foerster 2005, section 4.1) as a functional unit: one byte of rs1
// addresses a table; the word read is rotated into the byte's place and XORed with rs2.
//
// As in the paper there is one table per direction. The operation selects table and byte; the byte
// number is also the rotation. Unlike the paper, row 0 is the lowest byte of a word, and the
// S-boxes have no memory of their own: the coefficients of MixColumns add up to 1, and so do those
// of InvMixColumns (FIPS 197, sections 5.1.3 and 5.3.3). So the XOR of a table word's four bytes is
// S(x) or InvS(x).
//
// Latency 1 is the minimum of a block RAM: one operation a cycle, stalls included. Latency 2 and
// more is the paper's state machine of two states with wait states between them, one operation at a
// time: the result has all cycles but one to settle. No protection against power analysis.
module aes_ttable #(
  parameter Latency  = 1,       // cycles from request to response; the paper's: 5
  parameter Dir      = "both",  // "fwd": tt_ft, tt_fsb and tt_fsbr only
  parameter KeyTable = "gates"  // of tt_kt: a multiplier of constants, or "rom" as in the paper
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_valid_i,
  output logic        req_ready_o,
  input  logic [15:0] req_op_i,
  input  logic [31:0] req_rs1_i,
  input  logic [31:0] req_rs2_i,
  input  logic [31:0] req_rs3_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_rd_o
);

  logic [aes_ttable_ops_pkg::CodeW-1:0] code;
  logic [1:0]                           bs;
  logic [7:0]                           selected;
  logic                                 accept;

  assign code = req_op_i[aes_ttable_ops_pkg::CodeW-1:0];
  assign bs   = req_op_i[aes_ttable_ops_pkg::BS_LSB +: aes_ttable_ops_pkg::BS_W];
  assign selected = req_rs1_i[{bs, 3'b000} +: 8];
  assign accept = req_valid_i && req_ready_o;

  // ---- timing -----------------------------------------------------------------------------------

  if (Latency == 1) begin : gen_pipelined
    logic full_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) full_q <= 1'b0;
      else if (req_ready_o) full_q <= req_valid_i;
    end
    assign req_ready_o = !full_q || rsp_ready_i;
    assign rsp_valid_o = full_q;
  end else if (Latency > 1) begin : gen_two_states
    // The paper's states set_addr and output; output waits until the count reaches 0.
    localparam WaitW = $clog2(Latency);
    logic             output_d, output_q;
    logic [WaitW-1:0] wait_d, wait_q;
    always_comb begin
      output_d = output_q;
      wait_d   = wait_q;
      if (accept) begin
        output_d = 1'b1;
        wait_d   = WaitW'(Latency - 1);
      end else if (wait_q != '0) begin
        wait_d = wait_q - 1'b1;
      end else if (rsp_ready_i) begin
        output_d = 1'b0;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        output_q <= 1'b0;
        wait_q   <= '0;
      end else begin
        output_q <= output_d;
        wait_q   <= wait_d;
      end
    end
    assign req_ready_o = !output_q;
    assign rsp_valid_o = output_q && wait_q == '0;
  end else begin : gen_unknown_latency
    aesforge_unknown_impl u_unknown ();
  end

  // ---- stored request ---------------------------------------------------------------------------

  logic [31:0] added_q;
  logic [1:0]  lane_q;
  logic        last_q;
  logic [1:0]  lane;
  logic        last;

  // RotWord moves each byte one place down (FIPS 197, section 5.2).
  assign lane = bs - {1'b0, code == aes_ttable_ops_pkg::OP_TT_FSBR};
  assign last = code == aes_ttable_ops_pkg::OP_TT_FSB || code == aes_ttable_ops_pkg::OP_TT_RSB ||
                code == aes_ttable_ops_pkg::OP_TT_FSBR;

  always_ff @(posedge clk_i) begin
    if (accept) begin
      added_q <= req_rs2_i;
      lane_q  <= lane;
      last_q  <= last;
    end
  end

  // ---- the tables -------------------------------------------------------------------------------

  logic [31:0] found, column;

  if (Dir == "both") begin : gen_both
    logic        reverse, key, key_q;
    logic [31:0] key_column;

    assign reverse = code == aes_ttable_ops_pkg::OP_TT_RT || code == aes_ttable_ops_pkg::OP_TT_RSB;
    aes_ttable_rom #(.First(0), .Count(2)) u_rom (
      .clk_i, .rst_ni, .read_i(accept), .addr_i({reverse, selected}), .data_o(found)
    );

    assign key = code == aes_ttable_ops_pkg::OP_TT_KT;
    always_ff @(posedge clk_i) begin
      if (accept) key_q <= key;
    end
    if (KeyTable == "rom") begin : gen_rom
      aes_ttable_rom #(.First(2), .Count(1)) u_key_rom (
        .clk_i, .rst_ni, .read_i(accept), .addr_i(selected), .data_o(key_column)
      );
    end else if (KeyTable == "gates") begin : gen_gates
      // {b, d, 9, e} times the byte (FIPS 197, section 5.3.3).
      logic [7:0] v_q, v2, v4, v8;
      always_ff @(posedge clk_i) begin
        if (accept) v_q <= selected;
      end
      aes_xtime u_v2 (.data_i(v_q), .data_o(v2));
      aes_xtime u_v4 (.data_i(v2), .data_o(v4));
      aes_xtime u_v8 (.data_i(v4), .data_o(v8));
      assign key_column = {v8 ^ v2 ^ v_q, v8 ^ v4 ^ v_q, v8 ^ v_q, v8 ^ v4 ^ v2};
    end else begin : gen_unknown
      aesforge_unknown_impl u_unknown ();
    end
    assign column = key_q ? key_column : found;
  end else begin : gen_encrypt
    aes_ttable_rom #(.First(0), .Count(1)) u_rom (
      .clk_i, .rst_ni, .read_i(accept), .addr_i(selected), .data_o(found)
    );
    assign column = found;
  end

  // ---- rotate and add ---------------------------------------------------------------------------

  logic [7:0]  sub;
  logic [31:0] chosen, by_two, rotated;

  assign sub = found[7:0] ^ found[15:8] ^ found[23:16] ^ found[31:24];
  assign chosen = last_q ? {24'b0, sub} : column;
  assign by_two = lane_q[1] ? {chosen[15:0], chosen[31:16]} : chosen;
  assign rotated = lane_q[0] ? {by_two[23:0], by_two[31:24]} : by_two;
  assign rsp_rd_o = added_q ^ rotated;

  logic unused;
  assign unused = ^{req_op_i, req_rs3_i, added_q};

endmodule
