// SPDX-License-Identifier: Apache-2.0
// Sideband delay for a pipeline of `Stages` registers: data leaves after as many enabled cycles.
//
// SideImpl  "ram"   circular buffer in a small memory, with two output registers; the second is
//                   the memory's own if it is a block RAM
//           "regs"  shift register
//
// Stages is at least 4. While the enable is high, both output the input of `Stages` cycles ago.
module axis_delay #(
  parameter Width    = 8,
  parameter Stages   = 12,
  parameter SideImpl = "ram"
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  if (SideImpl == "ram") begin : gen_ram
    // An entry is read Stages - 2 enabled cycles after its write, never in the same cycle. It is in
    // the output register two enabled cycles later.
    localparam AddressW = $clog2(Stages - 1);
    localparam Behind = Stages - 2;
    (* no_rw_check *) logic [Width-1:0] place [2**AddressW];
    logic [AddressW-1:0] in_at_q, out_at_q;
    logic [Width-1:0]    read_q, data_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        in_at_q  <= AddressW'(Behind);
        out_at_q <= '0;
      end else if (en_i) begin
        in_at_q  <= in_at_q + 1'b1;
        out_at_q <= out_at_q + 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        place[in_at_q] <= data_i;
        read_q         <= place[out_at_q];
        data_q         <= read_q;
      end
    end
    assign data_o = data_q;
  end else if (SideImpl == "regs") begin : gen_regs
    logic unused_reset;
    assign unused_reset = rst_ni;
    aes_pipe_delay #(.Width(Width), .Stages(Stages)) u_delay (.clk_i, .en_i, .data_i, .data_o);
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end
endmodule
