// SPDX-License-Identifier: Apache-2.0
// Every operation equals its specification, in every variant (by the steps below). The pipelined
// units also hold each response until it is accepted, and the keyed one its key words and tag.
// Source: quad-packing.md, sections 3 and 8; FIPS 197 by formal/aes_spec_pkg.sv.
//
// Composition. An operation is eight S-boxes followed by a linear map: only XORs, and selections by
// the operation.
// 1. boxes: the eight S-box outputs are SubBytes of the operands' bytes, or InvSubBytes in the
//    decryption operations.
// 2. two, enc_only: the linear map is correct. The S-boxes are cut out. One byte (an S-box output
//    or an operand byte) is free while the others are 0: a linear map is the sum of its values for
//    single bytes. (Solvers are slow at long sums and fast at short ones.)
// 3. The other forms return the response of the combinational two-operand unit plus their addend,
//    for all operands and all S-box outputs; the pipelined ones one cycle later.
// 4. tables: the block RAMs have the products of SubBytes and InvSubBytes. two_bram, three_bram,
//    keyed_bram: the responses are correct if they do. There the S-boxes only add a constant
//    (formal/aes_sbox_rom_any.sv), and one byte of the operands is free as in step 2. The addresses
//    are operand bytes and constants, chosen by the operation, so that this covers any S-box.
//    keyed_pipelined: the key store and the handshake of the registered keyed unit.

// SboxImpl "free" names no circuit of rtl/field/aes_sbox.sv, so its last branch is this module
// instead of an error. The solver chooses its undriven outputs.
module aesforge_unknown_impl;
endmodule

// ---- one request and its expected response, without the addend ----------------------------------

module aes_quad_spec (
  input  logic [15:0] op_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  input  logic [31:0] s1_i,      // rs1 and rs2 through SubBytes or InvSubBytes
  input  logic [31:0] s2_i,
  output logic        known_o,   // one of the twelve operations on two words
  output logic        decrypt_o, // one that needs InvSubBytes or InvMixColumns
  output logic [31:0] rd_o
);

  logic [aes_quad_ops_pkg::CodeW-1:0] code;
  assign code = op_i[aes_quad_ops_pkg::CodeW-1:0];

  // Row 3 down to row 0 of the diagonals.
  logic [31:0] sx, sy;
  assign sx = {s2_i[7:0], s2_i[31:24], s1_i[23:16], s1_i[15:8]};
  assign sy = {s1_i[31:24], s2_i[23:16], s2_i[15:8], s1_i[7:0]};

  // Lane 3 down to lane 0 of the quads of columns x and y.
  function automatic logic [31:0] quad_a(input logic [31:0] x, input logic [31:0] y);
    quad_a = {x[31:24], y[15:8], x[7:0], y[7:0]};
  endfunction
  function automatic logic [31:0] quad_c(input logic [31:0] x, input logic [31:0] y);
    quad_c = {x[23:16], y[23:16], x[15:8], y[31:24]};
  endfunction

  logic [31:0] mixed_x, mixed_y, unmixed_x, unmixed_y, key_x, key_y;
  assign mixed_x   = aes_spec_pkg::mix_column(sx);
  assign mixed_y   = aes_spec_pkg::mix_column(sy);
  assign unmixed_x = aes_spec_pkg::inv_mix_column(sx);
  assign unmixed_y = aes_spec_pkg::inv_mix_column(sy);
  assign key_x     = aes_spec_pkg::inv_mix_column(rs1_i);
  assign key_y     = aes_spec_pkg::inv_mix_column(rs2_i);

  always_comb begin
    known_o   = 1'b1;
    decrypt_o = 1'b0;
    rd_o      = 32'b0;
    case (code)
      aes_quad_ops_pkg::OP_AESQ_EA, aes_quad_ops_pkg::OP_AESQ3_EA, aes_quad_ops_pkg::OP_AESQK_EA:
        rd_o = quad_a(mixed_x, mixed_y);
      aes_quad_ops_pkg::OP_AESQ_EC, aes_quad_ops_pkg::OP_AESQ3_EC, aes_quad_ops_pkg::OP_AESQK_EC:
        rd_o = quad_c(mixed_x, mixed_y);
      aes_quad_ops_pkg::OP_AESQ_EX, aes_quad_ops_pkg::OP_AESQ3_EX, aes_quad_ops_pkg::OP_AESQK_EX:
        rd_o = sx;
      aes_quad_ops_pkg::OP_AESQ_EY, aes_quad_ops_pkg::OP_AESQ3_EY, aes_quad_ops_pkg::OP_AESQK_EY:
        rd_o = sy;
      aes_quad_ops_pkg::OP_AESQ_PA, aes_quad_ops_pkg::OP_AESQ3_PA, aes_quad_ops_pkg::OP_AESQK_PA:
        rd_o = quad_a(rs1_i, rs2_i);
      aes_quad_ops_pkg::OP_AESQ_PC, aes_quad_ops_pkg::OP_AESQ3_PC, aes_quad_ops_pkg::OP_AESQK_PC:
        rd_o = quad_c(rs1_i, rs2_i);
      default: begin
        decrypt_o = 1'b1;
        case (code)
          aes_quad_ops_pkg::OP_AESQ_DA, aes_quad_ops_pkg::OP_AESQ3_DA,
          aes_quad_ops_pkg::OP_AESQK_DA: rd_o = quad_a(unmixed_x, unmixed_y);
          aes_quad_ops_pkg::OP_AESQ_DC, aes_quad_ops_pkg::OP_AESQ3_DC,
          aes_quad_ops_pkg::OP_AESQK_DC: rd_o = quad_c(unmixed_x, unmixed_y);
          aes_quad_ops_pkg::OP_AESQ_DX, aes_quad_ops_pkg::OP_AESQ3_DX,
          aes_quad_ops_pkg::OP_AESQK_DX: rd_o = sx;
          aes_quad_ops_pkg::OP_AESQ_DY, aes_quad_ops_pkg::OP_AESQ3_DY,
          aes_quad_ops_pkg::OP_AESQK_DY: rd_o = sy;
          aes_quad_ops_pkg::OP_AESQ_KA, aes_quad_ops_pkg::OP_AESQ3_KA,
          aes_quad_ops_pkg::OP_AESQK_KA: rd_o = quad_a(key_x, key_y);
          aes_quad_ops_pkg::OP_AESQ_KC, aes_quad_ops_pkg::OP_AESQ3_KC,
          aes_quad_ops_pkg::OP_AESQK_KC: rd_o = quad_c(key_x, key_y);
          default: known_o = 1'b0;
        endcase
      end
    endcase
  end

endmodule

// ---- 1 and 2: the combinational two-operand unit ------------------------------------------------

module aes_quad_map_props #(
  parameter SboxImpl = "free",
  parameter Dir      = "both"
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [3:0]  place_i
);

  logic         req_ready, rsp_valid, known, decrypt;
  logic [31:0]  rd, wanted;
  logic [127:0] all;

  aes_quad #(.SboxImpl(SboxImpl), .Dir(Dir)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  // The S-box outputs. hierconn: Yosys connects the wire to the signal of this name inside the
  // unit.
  (* hierconn *) wire [63:0] \u_unit.gen_logic.u_data.boxed ;
  assign all = {req_rs2_i, req_rs1_i, \u_unit.gen_logic.u_data.boxed };

  aes_quad_spec u_spec (
    .op_i(req_op_i), .rs1_i(req_rs1_i), .rs2_i(req_rs2_i), .s1_i(all[31:0]), .s2_i(all[63:32]),
    .known_o(known), .decrypt_o(decrypt), .rd_o(wanted)
  );

  logic ours;
  assign ours = known && req_op_i[aes_quad_ops_pkg::CodeW-1:0] <= aes_quad_ops_pkg::OP_AESQ_DY &&
                (Dir == "both" || !decrypt);

  always_comb assert (rsp_valid == req_valid_i && req_ready == rsp_ready_i);

  if (SboxImpl == "free") begin : gen_map
    logic [127:0] others;
    assign others = all & ~(128'hff << {place_i, 3'b000});
    always_comb begin
      assume (others == 128'b0);
      if (ours) assert (rd == wanted);
    end
  end else begin : gen_boxes
    for (genvar i = 0; i < 8; i++) begin : gen_byte
      logic [7:0] before, behind;
      assign before = all[64 + 8*i +: 8];
      assign behind = all[8*i +: 8];
      always_comb begin
        if (ours) begin
          assert (decrypt ? aes_spec_pkg::is_sbox(behind, before)
                          : aes_spec_pkg::is_sbox(before, behind));
        end
      end
    end
  end

endmodule

// ---- 3: the other forms -------------------------------------------------------------------------

module aes_quad_props #(
  parameter Form   = "two",
  parameter PipeRegs = 0
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);

  localparam logic [aes_quad_ops_pkg::CodeW-1:0] First =
      (Form == "two") ? aes_quad_ops_pkg::OP_AESQ_EA :
      (Form == "three") ? aes_quad_ops_pkg::OP_AESQ3_EA : aes_quad_ops_pkg::OP_AESQK_EA;

  logic                               req_ready, rsp_valid, accepted, known;
  logic [31:0]                        rd, core;
  logic [aes_quad_ops_pkg::CodeW-1:0] code, offset;

  assign code     = req_op_i[aes_quad_ops_pkg::CodeW-1:0];
  assign offset   = code - First;
  assign known    = code >= First && offset < 12;
  assign accepted = req_valid_i && req_ready;

  aes_quad #(.SboxImpl("free"), .Form(Form), .PipeRegs(PipeRegs)) u_unit (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o(req_ready), .req_op_i, .req_rs1_i, .req_rs2_i,
    .req_rs3_i, .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );

  // The two-operand unit with the same operands and the same S-box outputs. Its codes are the
  // form's minus First; both proofs of the map depend on this.
  logic        two_ready, two_valid, unused;
  logic [15:0] two_op;
  assign two_op = {{(16 - aes_quad_ops_pkg::CodeW){1'b0}}, offset};
  aes_quad #(.SboxImpl("free")) u_two (
    .clk_i, .rst_ni, .req_valid_i(1'b1), .req_ready_o(two_ready), .req_op_i(two_op), .req_rs1_i,
    .req_rs2_i, .req_rs3_i(32'b0), .rsp_valid_o(two_valid), .rsp_ready_i(1'b1), .rsp_rd_o(core)
  );
  assign unused = two_ready ^ two_valid;
  (* hierconn *) wire [63:0] \u_unit.gen_logic.u_data.boxed ;
  (* hierconn *) wire [63:0] \u_two.gen_logic.u_data.boxed ;
  always_comb assume (\u_unit.gen_logic.u_data.boxed == \u_two.gen_logic.u_data.boxed );

  // One word of the keyed unit's store, chosen by the proof, and the tag, as the unit holds them.
  // (Yosys numbers the branches of a generate chain; a wrong name leaves the wire free, and the
  // proof fails.)
  (* hierconn *) wire [5:0]  \u_unit.genblk1.genblk1.gen_keyed.u_keys.watched ;
  (* hierconn *) wire [31:0] \u_unit.genblk1.genblk1.gen_keyed.u_keys.watched_key ;
  (* hierconn *) wire [31:0] \u_unit.genblk1.genblk1.gen_keyed.u_keys.tag_o ;

  // The proof begins in reset.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  // Expected response to the offered request; `ours`: the proof checks this request.
  logic        ours;
  logic [31:0] wanted;

  if (Form == "two") begin : gen_two
    assign ours   = known;
    assign wanted = core;
  end else if (Form == "three") begin : gen_three
    assign ours   = known;
    assign wanted = core ^ req_rs3_i;
  end else begin : gen_keyed
    // Expected value of the watched word and of the tag.
    logic [5:0]  k, watched;
    logic [31:0] word_q, tag_q;
    logic        load, clear, tag;

    assign k       = req_op_i[aes_quad_ops_pkg::K_LSB +: 6];
    assign watched = \u_unit.genblk1.genblk1.gen_keyed.u_keys.watched ;
    assign load    = code == aes_quad_ops_pkg::OP_AESQK_LOAD;
    assign clear   = code == aes_quad_ops_pkg::OP_AESQK_BEGIN;
    assign tag     = code == aes_quad_ops_pkg::OP_AESQK_TAG;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        word_q <= 32'b0;
        tag_q  <= 32'b0;
      end else if (accepted && clear) begin
        word_q <= 32'b0;
        tag_q  <= req_rs1_i;
      end else if (accepted && load && k == watched && k < 6'd60) begin
        word_q <= req_rs1_i;
      end
    end
    always_comb begin
      assert (\u_unit.genblk1.genblk1.gen_keyed.u_keys.watched_key == word_q);
      assert (watched < 6'd60 || word_q == 32'b0);
      assert (\u_unit.genblk1.genblk1.gen_keyed.u_keys.tag_o == tag_q);
    end
    assign ours   = (known && k == watched) || load || clear || tag;
    assign wanted = tag ? tag_q : (load || clear) ? 32'b0 : core ^ word_q;
  end

  if (PipeRegs == 0) begin : gen_combinational
    always_comb begin
      assert (rsp_valid == req_valid_i && req_ready == rsp_ready_i);
      if (req_valid_i && ours) assert (rd == wanted);
    end
  end else begin : gen_registered
    // At most one response is pending: held until it is accepted, when the next request may replace
    // it.
    logic        owed_q, ours_q;
    logic [31:0] wanted_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) owed_q <= 1'b0;
      else if (accepted) owed_q <= 1'b1;
      else if (rsp_ready_i) owed_q <= 1'b0;
    end
    always_ff @(posedge clk_i) begin
      if (accepted) begin
        ours_q   <= ours;
        wanted_q <= wanted;
      end
    end
    always_comb begin
      assert (rsp_valid == owed_q);
      assert (req_ready == (!owed_q || rsp_ready_i));
      if (rsp_valid && ours_q) assert (rd == wanted_q);
    end
  end

endmodule

// ---- 4: S-boxes and MixColumns in block RAM -----------------------------------------------------

// The memory of one row: two look-ups, for which the proof knows the S-box's output.
module aes_quad_tables_props (
  input logic       clk_i,
  input logic       read_i,
  input logic [9:0] first_i,
  input logic [9:0] second_i,
  input logic [7:0] first_sub_i,
  input logic [7:0] second_sub_i
);

  localparam logic [127:0] Coeffs = 128'hbed93211_e9bd2131_9deb1123_db9e1312;

  (* anyconst *) logic [1:0] row;
  logic [3:0][15:0]          first, second;

  for (genvar r = 0; r < 4; r++) begin : gen_row
    aes_sbox_rom #(.Tables(4), .Bytes(2), .Inverse(4'b1100), .Coeffs(Coeffs[32*r +: 32])) u_rom (
      .clk_i, .read_i, .first_i, .second_i, .first_o(first[r]), .second_o(second[r])
    );
  end

  function automatic logic is_box(input logic [9:0] place, input logic [7:0] sub);
    is_box = place[9] ? aes_spec_pkg::is_sbox(sub, place[7:0])
                      : aes_spec_pkg::is_sbox(place[7:0], sub);
  endfunction

  // What a column of zeros with `sub` in row r becomes: rows 0 and 1, or 3 and 2.
  function automatic logic [15:0] products(input logic [9:0] place, input logic [7:0] sub,
                                           input logic [1:0] r);
    logic [31:0] column, mixed;
    column = {24'b0, sub} << {r, 3'b000};
    mixed = place[9] ? aes_spec_pkg::inv_mix_column(column) : aes_spec_pkg::mix_column(column);
    products = place[8] ? {mixed[23:16], mixed[31:24]} : mixed[15:0];
  endfunction

  logic       read_q = 1'b0;
  logic [9:0] first_q, second_q;
  logic [7:0] first_sub_q, second_sub_q;
  always_ff @(posedge clk_i) begin
    read_q <= read_q || read_i;
    if (read_i) begin
      first_q      <= first_i;
      second_q     <= second_i;
      first_sub_q  <= first_sub_i;
      second_sub_q <= second_sub_i;
    end
  end
  always_comb begin
    assume (is_box(first_i, first_sub_i) && is_box(second_i, second_sub_i));
    if (read_q) begin
      assert (first[row] == products(first_q, first_sub_q, row));
      assert (second[row] == products(second_q, second_sub_q, row));
    end
  end

endmodule

// One request, from any state of the unit, and its response.
module aes_quad_bram_props #(
  parameter Form = "two"
) (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [7:0]  byte_i,
  input logic [2:0]  place_i
);

  localparam logic [aes_quad_ops_pkg::CodeW-1:0] First =
      (Form == "two") ? aes_quad_ops_pkg::OP_AESQ_EA :
      (Form == "three") ? aes_quad_ops_pkg::OP_AESQ3_EA : aes_quad_ops_pkg::OP_AESQK_EA;

  logic                               req_ready, rsp_valid, accepted;
  logic [31:0]                        rd, added;
  logic [aes_quad_ops_pkg::CodeW-1:0] offset;

  assign offset   = req_op_i[aes_quad_ops_pkg::CodeW-1:0] - First;
  assign accepted = req_valid_i && req_ready;

  // One byte is free. The others are 0 after the S-box, or 0 where there is none.
  logic        packs;
  logic [7:0]  zero;
  logic [63:0] free, operands;
  assign packs = (offset >> 2) == 1;
  assign zero = packs ? 8'h00 : offset[1] ? 8'h63 : 8'h52;
  assign free = {56'b0, byte_i} << {place_i, 3'b000};
  assign operands = free ^ {8{zero}};

  aes_quad #(.SboxImpl("bram"), .Form(Form), .PipeRegs(1)) u_unit (
    .clk_i, .rst_ni(1'b1), .req_valid_i, .req_ready_o(req_ready), .req_op_i,
    .req_rs1_i(operands[31:0]), .req_rs2_i(operands[63:32]), .req_rs3_i,
    .rsp_valid_o(rsp_valid), .rsp_ready_i, .rsp_rd_o(rd)
  );
  // The addend at the request: proofs three_pipelined and keyed_pipelined say which word it is.
  (* hierconn *) wire [31:0] \u_unit.added ;
  assign added = \u_unit.added ;

  logic        seen_q = 1'b0;  // the proof saw the acceptance of the current request
  logic        owed_q;         // a response waits: free at first
  logic [15:0] op_q;
  logic [31:0] added_q;
  logic [63:0] free_q;
  always_ff @(posedge clk_i) begin
    owed_q <= accepted || (owed_q && !rsp_ready_i);
    if (accepted) begin
      seen_q  <= offset < 12;
      op_q    <= {{(16 - aes_quad_ops_pkg::CodeW){1'b0}}, offset};
      added_q <= added;
      free_q  <= free;
    end
  end

  logic        known, decrypt;
  logic [31:0] wanted;
  aes_quad_spec u_spec (
    .op_i(op_q), .rs1_i(free_q[31:0]), .rs2_i(free_q[63:32]), .s1_i(free_q[31:0]),
    .s2_i(free_q[63:32]), .known_o(known), .decrypt_o(decrypt), .rd_o(wanted)
  );

  logic unused;
  assign unused = decrypt;

  logic first = 1'b1;
  always_ff @(posedge clk_i) first <= 1'b0;
  always_comb begin
    if (first) assume (rsp_valid == owed_q);
    assert (rsp_valid == owed_q);
    assert (req_ready == (!owed_q || rsp_ready_i));
    if (rsp_valid && seen_q) begin
      assert (known && rd == (wanted ^ added_q));
    end
  end

endmodule

// ---- one top for each proof ---------------------------------------------------------------------

module aes_quad_boxes_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [3:0]  place_i
);
  aes_quad_map_props #(.SboxImpl("canright")) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i,
    .place_i
  );
endmodule

module aes_quad_two_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [3:0]  place_i
);
  aes_quad_map_props u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i,
    .place_i
  );
endmodule

module aes_quad_enc_only_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [3:0]  place_i
);
  aes_quad_map_props #(.Dir("fwd")) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i,
    .place_i
  );
endmodule

module aes_quad_two_pipelined_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  aes_quad_props #(.PipeRegs(1)) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i
  );
endmodule

module aes_quad_three_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  aes_quad_props #(.Form("three")) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i
  );
endmodule

module aes_quad_three_pipelined_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  aes_quad_props #(.Form("three"), .PipeRegs(1)) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i
  );
endmodule

module aes_quad_keyed_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  aes_quad_props #(.Form("keyed")) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i
  );
endmodule

module aes_quad_keyed_pipelined_props (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs1_i,
  input logic [31:0] req_rs2_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i
);
  aes_quad_props #(.Form("keyed"), .PipeRegs(1)) u_props (
    .clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_rs1_i, .req_rs2_i, .req_rs3_i, .rsp_ready_i
  );
endmodule

module aes_quad_two_bram_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [7:0]  byte_i,
  input logic [2:0]  place_i
);
  aes_quad_bram_props u_props (
    .clk_i, .req_valid_i, .req_op_i, .req_rs3_i, .rsp_ready_i, .byte_i, .place_i
  );
endmodule

module aes_quad_three_bram_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [7:0]  byte_i,
  input logic [2:0]  place_i
);
  aes_quad_bram_props #(.Form("three")) u_props (
    .clk_i, .req_valid_i, .req_op_i, .req_rs3_i, .rsp_ready_i, .byte_i, .place_i
  );
endmodule

module aes_quad_keyed_bram_props (
  input logic        clk_i,
  input logic        req_valid_i,
  input logic [15:0] req_op_i,
  input logic [31:0] req_rs3_i,
  input logic        rsp_ready_i,
  input logic [7:0]  byte_i,
  input logic [2:0]  place_i
);
  aes_quad_bram_props #(.Form("keyed")) u_props (
    .clk_i, .req_valid_i, .req_op_i, .req_rs3_i, .rsp_ready_i, .byte_i, .place_i
  );
endmodule
