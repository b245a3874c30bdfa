// SPDX-License-Identifier: Apache-2.0
// The combinational Nios II port. An operation of the unit returns the unit's response to exactly
// these operands; any other number returns zero. For all operands and all decoders; there is no
// state, so one cycle suffices. The unit's response is one of its operands or the operation, an
// unknown constant choice, as in abstract_unit.sv: the adapter does not use the data.
module fu_to_nios_comb_props (
  input logic [7:0]  n_i,
  input logic [31:0] dataa_i,
  input logic [31:0] datab_i,
  input logic        known_i,
  input logic [1:0]  choice_i
);
  logic [31:0] result, rs1, rs2, rs3, answer, right;
  logic [15:0] op;
  logic [7:0]  shown;
  logic        valid, ready;

  fu_to_nios_comb #(.Stateless(1'b1), .Registered(1'b0)) u_adapter (
    .n_i, .dataa_i, .datab_i, .result_o(result), .dec_n_o(shown), .dec_match_i(known_i),
    .req_valid_o(valid), .req_ready_i(1'b1), .req_op_o(op), .req_rs1_o(rs1), .req_rs2_o(rs2),
    .req_rs3_o(rs3), .rsp_valid_i(valid), .rsp_ready_o(ready), .rsp_rd_i(answer)
  );

  assign answer = choice_i == 2'd0 ? rs1 : choice_i == 2'd1 ? rs2 : choice_i == 2'd2 ? rs3
                                                                                    : {16'd0, op};
  assign right = choice_i == 2'd0 ? dataa_i : choice_i == 2'd1 ? datab_i : choice_i == 2'd2
                                  ? 32'd0 : {24'd0, n_i};

  always_comb begin
    assert (shown == n_i && valid == known_i && ready);
    assert (result == (known_i ? right : 32'd0));
  end
endmodule
