// SPDX-License-Identifier: Apache-2.0
// Two-entry register slice: valid, payload and ready are all registers, one transfer a cycle.
// Handshake: AMBA AXI4-Stream (ARM IHI 0051A), section 2.2.
module skid_buffer #(
  parameter Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  // The spare register holds the entry that arrives in the cycle in which the consumer stops.
  // `ready_q` is low while the spare is full. It is a register because it drives the enables of the
  // producer's pipeline.
  logic             valid_q, ready_q, spare_valid, in_fire, load;
  logic [Width-1:0] data_q, spare_q;

  assign spare_valid = !ready_q;
  assign in_ready_o  = ready_q;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;
  assign in_fire     = in_valid_i && in_ready_o;
  assign load        = out_ready_i || !valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      ready_q <= 1'b1;
    end else if (load) begin
      valid_q <= spare_valid || in_fire;
      ready_q <= 1'b1;
    end else if (in_fire) begin
      ready_q <= 1'b0;
    end
  end

  // Payload needs no reset: it is read only when its valid bit is set.
  always_ff @(posedge clk_i) begin
    if (load) data_q <= spare_valid ? spare_q : in_data_i;
    if (ready_q) spare_q <= in_data_i;
  end
endmodule
