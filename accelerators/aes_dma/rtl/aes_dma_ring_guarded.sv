// SPDX-License-Identifier: Apache-2.0
// aes_dma_ring with parity; wrong_o: a bit of a register is wrong in this cycle.
//
// Made from aes_dma_ring_guarded.sv.j2 by `aesforge modules`.
module aes_dma_ring_guarded (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        wrong_o,
  input  logic        base_write_i,   // only while not busy
  input  logic [26:0] base_i,         // address of the first descriptor, of 32 bytes
  output logic [26:0] base_o,
  output logic [26:0] at_o,           // current descriptor, or the next one
  input  logic        bell_i,
  input  logic        stop_i,         // no further descriptor
  output logic        busy_o,
  output logic        empty_o,        // a round ended at a descriptor that is not owned
  output logic        read_fault_o,
  output logic        write_fault_o,

  input  logic        ready_i,        // the registers accept a write
  output logic        word_valid_o,   // a word for the registers
  output logic [2:0]  word_o,
  output logic        start_o,
  input  logic        legal_i,        // with start_o
  input  logic        ended_i,        // the job ended
  input  logic        complete_i,     // with ended_i: all blocks are done
  output logic        job_o,          // the current job is the ring's
  output logic        told_o,         // outcome written and the descriptor requests an interrupt

  output logic        arvalid_o,
  input  logic        arready_i,
  input  logic        rvalid_i,
  output logic        rready_o,
  input  logic [31:0] rdata_i,
  input  logic        rerror_i,
  output logic        awvalid_o,
  input  logic        awready_i,
  output logic        wvalid_o,
  input  logic        wready_i,
  output logic [31:0] wdata_o,
  input  logic        bvalid_i,
  output logic        bready_o,
  input  logic        berror_i
);
  typedef enum logic [2:0] {Idle, Ask, Read, Start, Run, Write, Response} state_e;

  state_e      state_q;
  logic [26:0] base_q, at_q, next;
  logic        bell_q, stop_q, bad_q, own_q, wrap_q, irq;
  logic [2:0]  word_q;
  logic [27:0] first_q;
  logic        awvalid_q, wvalid_q, last, rdata_own, rdata_wrap;
  logic [27:0] rdata_first;

  assign {rdata_own, rdata_wrap} = rdata_i[31:30];
  assign rdata_first = rdata_i[27:0];

  logic unused;
  assign unused = ^rdata_i[29:28];

  assign last = rvalid_i && word_q == 3'd7;
  assign irq  = first_q[16];
  assign next = wrap_q ? base_q : at_q + 27'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      base_q    <= '0;
      at_q      <= '0;
      bell_q    <= 1'b0;
      stop_q    <= 1'b0;
      bad_q     <= 1'b0;
      word_q    <= 3'd0;
      {own_q, wrap_q, first_q} <= '0;
      awvalid_q <= 1'b0;
      wvalid_q  <= 1'b0;
    end else begin
      if (bell_i) bell_q <= 1'b1;
      if (stop_i) {stop_q, bell_q} <= 2'b10;
      case (state_q)
        Idle: begin
          if (base_write_i) {base_q, at_q} <= {base_i, base_i};
          stop_q <= 1'b0;
          bad_q  <= 1'b0;
          word_q <= 3'd0;
          if (bell_q && ready_i && !stop_i) begin
            state_q <= Ask;
            bell_q  <= bell_i;
          end
        end
        Ask: if (arready_i) state_q <= Read;
        Read: begin
          if (rvalid_i) begin
            word_q <= word_q + 3'd1;
            bad_q  <= bad_q || rerror_i;
            if (word_q == 3'd0) {own_q, wrap_q, first_q} <= {rdata_own, rdata_wrap, rdata_first};
          end
          // Write no outcome to a descriptor that could not be read.
          if (last) state_q <= own_q && !bad_q && !rerror_i && !stop_q ? Start : Idle;
        end
        Start: begin
          state_q   <= legal_i && start_o ? Run : Write;
          awvalid_q <= !legal_i || !start_o;
          wvalid_q  <= !legal_i || !start_o;
          bad_q     <= 1'b1;
        end
        Run: if (ended_i) begin
          state_q   <= Write;
          awvalid_q <= 1'b1;
          wvalid_q  <= 1'b1;
          bad_q     <= !complete_i;
        end
        Write: begin
          if (awready_i) awvalid_q <= 1'b0;
          if (wready_i)  wvalid_q  <= 1'b0;
          if ((!awvalid_q || awready_i) && (!wvalid_q || wready_i)) state_q <= Response;
        end
        Response: if (bvalid_i) begin
          state_q <= Idle;
          if (!bad_q && !berror_i) begin
            at_q   <= next;
            bell_q <= !stop_q && !stop_i;  // start the next round at once
          end else begin
            bell_q <= 1'b0;
          end
        end
        default: state_q <= Idle;
      endcase
    end
  end
  (* keep *) logic state_p, base_p, at_p, bell_p, stop_p, bad_p, word_p, own_p,
                   wrap_p, first_p, awvalid_p, wvalid_p;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_p   <= ~^Idle;
      base_p    <= 1'b1;
      at_p      <= 1'b1;
      bell_p    <= 1'b1;
      stop_p    <= 1'b1;
      bad_p     <= 1'b1;
      word_p    <= 1'b1;
      {own_p, wrap_p, first_p} <= '1;
      awvalid_p <= 1'b1;
      wvalid_p  <= 1'b1;
    end else begin
      if (bell_i) bell_p <= 1'b0;
      if (stop_i) {stop_p, bell_p} <= 2'b01;
      case (state_q)
        Idle: begin
          if (base_write_i) {base_p, at_p} <= {~^base_i, ~^base_i};
          stop_p <= 1'b1;
          bad_p  <= 1'b1;
          word_p <= 1'b1;
          if (bell_q && ready_i && !stop_i) begin
            state_p <= ~^Ask;
            bell_p  <= ~^bell_i;
          end
        end
        Ask: if (arready_i) state_p <= ~^Read;
        Read: begin
          if (rvalid_i) begin
            word_p <= ~^(word_q + 3'd1);
            bad_p  <= ~^(bad_q || rerror_i);
            if (word_q == 3'd0) {own_p, wrap_p, first_p}
                <= {~^rdata_own, ~^rdata_wrap, ~^rdata_first};
          end
          // Write no outcome to a descriptor that could not be read.
          if (last) state_p <= ~^(own_q && !bad_q && !rerror_i && !stop_q ? Start : Idle);
        end
        Start: begin
          state_p   <= ~^(legal_i && start_o ? Run : Write);
          awvalid_p <= ~^(!legal_i || !start_o);
          wvalid_p  <= ~^(!legal_i || !start_o);
          bad_p     <= 1'b0;
        end
        Run: if (ended_i) begin
          state_p   <= ~^Write;
          awvalid_p <= 1'b0;
          wvalid_p  <= 1'b0;
          bad_p     <= ~^(!complete_i);
        end
        Write: begin
          if (awready_i) awvalid_p <= 1'b1;
          if (wready_i)  wvalid_p  <= 1'b1;
          if ((!awvalid_q || awready_i) && (!wvalid_q || wready_i)) state_p <= ~^Response;
        end
        Response: if (bvalid_i) begin
          state_p <= ~^Idle;
          if (!bad_q && !berror_i) begin
            at_p   <= ~^next;
            bell_p <= ~^(!stop_q && !stop_i);  // start the next round at once
          end else begin
            bell_p <= 1'b1;
          end
        end
        default: state_p <= ~^Idle;
      endcase
    end
  end

  assign base_o        = base_q;
  assign at_o          = at_q;
  assign busy_o        = state_q != Idle || bell_q;
  assign empty_o       = state_q == Read && last && !own_q && !bad_q && !rerror_i;
  assign read_fault_o  = state_q == Read && last && (bad_q || rerror_i);
  assign write_fault_o = state_q == Response && bvalid_i && berror_i;
  assign word_valid_o  = state_q == Read && rvalid_i && (word_q == 3'd0 ? rdata_own : own_q);
  assign word_o        = word_q;
  assign start_o       = state_q == Start && !stop_q && !stop_i;  // a start would win over a stop
  assign job_o         = state_q == Run;
  assign told_o        = state_q == Response && bvalid_i && irq;
  assign arvalid_o     = state_q == Ask;
  assign rready_o      = state_q == Read;
  assign awvalid_o     = awvalid_q;
  assign wvalid_o      = wvalid_q;
  assign wdata_o       = {1'b0, wrap_q, !bad_q, bad_q, first_q};
  assign bready_o      = state_q == Response;

  assign wrong_o = |{~^{state_q, state_p}, ~^{base_q, base_p}, ~^{at_q, at_p}, ~^{bell_q, bell_p},
    ~^{stop_q, stop_p}, ~^{bad_q, bad_p}, ~^{word_q, word_p}, ~^{own_q, own_p}, ~^{wrap_q, wrap_p},
    ~^{first_q, first_p}, ~^{awvalid_q, awvalid_p}, ~^{wvalid_q, wvalid_p}};
endmodule
