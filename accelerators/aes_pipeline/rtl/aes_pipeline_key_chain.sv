// SPDX-License-Identifier: Apache-2.0
// The register of a key of AES-128, and all round keys as one combinational chain of ten steps:
// Gielata 2008, section III; FIPS 197, section 5.2. S-boxes are tables.
module aes_pipeline_key_chain (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               load_i,
  input  logic [127:0]       key_i,
  output logic [10:0][127:0] keys_o  // entry i: round key i of the key in the register
);
  logic [127:0] key_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     key_q <= '0;
    else if (load_i) key_q <= key_i;
  end
  assign keys_o[0] = key_q;

  for (genvar i = 1; i <= 10; i++) begin : gen_step
    localparam logic [7:0] Rcon = aes_pipe_pkg::rcon(i);
    logic [127:0] last, next;
    logic [31:0]  boxed;

    assign last = keys_o[i-1];
    for (genvar b = 0; b < 4; b++) begin : gen_byte
      aes_sbox_lut #(.Dir("fwd")) u_box (
        .inv_i(1'b0), .data_i(last[96 + 8*b +: 8]), .data_o(boxed[8*b +: 8])
      );
    end
    assign next[31:0]   = last[31:0] ^ {boxed[7:0], boxed[31:8]} ^ {24'b0, Rcon};
    assign next[63:32]  = last[63:32] ^ next[31:0];
    assign next[95:64]  = last[95:64] ^ next[63:32];
    assign next[127:96] = last[127:96] ^ next[95:64];
    assign keys_o[i] = next;
  end
endmodule
