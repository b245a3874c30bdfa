// SPDX-License-Identifier: Apache-2.0
// What travels beside a pipeline of `Stages` registers: comes out after as many enabled cycles.
//
// Impl  "ram"   circular buffer in a small memory; the entry leaves through a register
//       "regs"  shift register
//
// Stages is at least 3. With the enable always high both give the input of `Stages` cycles before.
module axis_delay #(
  parameter Width  = 8,
  parameter Stages = 12,
  parameter Impl   = "ram"
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);
  if (Impl == "ram") begin : gen_ram
    // The entry that is written is read Stages - 1 enabled cycles later, in the cycle in which its
    // place is written again, and stands in the output register one enabled cycle after that.
    localparam Places   = Stages - 1;
    localparam AddressW = $clog2(Places);
    logic [Width-1:0]    place [Places];
    logic [AddressW-1:0] address_q;
    logic [Width-1:0]    data_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) address_q <= '0;
`ifdef BUG_DELAY_WRAP
      else if (en_i) address_q <= (address_q == AddressW'(Places - 2)) ? '0 : address_q + 1'b1;
`else
      else if (en_i) address_q <= (address_q == AddressW'(Places - 1)) ? '0 : address_q + 1'b1;
`endif
    end

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        place[address_q] <= data_i;
        data_q           <= place[address_q];
      end
    end
    assign data_o = data_q;
  end else if (Impl == "regs") begin : gen_regs
    logic unused_reset;
    assign unused_reset = rst_ni;
    aes_pipe_delay #(.Width(Width), .Stages(Stages)) u_delay (.clk_i, .en_i, .data_i, .data_o);
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end
endmodule
