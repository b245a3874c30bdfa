// SPDX-License-Identifier: Apache-2.0
// Nios II's side of a handed-out unit: operations from a file, random clk_en, pauses and operations
// back to back, noise on idle wires, a reset in the middle of an operation. Prints PASS, or FAIL
// and why. A line of the file: {reset[3:0], most[7:0], latency[7:0], n[7:0], dataa, datab, result};
// the answer comes after `latency` clocks, or up to `most` where a unit makes a request wait.
`timescale 1ns / 1ns
module nios_tb;
  localparam Most = 4096;
  logic [123:0] lines [0:Most-1];
  logic [123:0] line;
  logic         clk, reset, clk_en, start, done;
  logic [7:0]   n, latency, most;
  logic [31:0]  dataa, datab, result, want;
  integer       count, at, clocks;

  accel_nios u_dut (
    .clk(clk), .reset(reset), .clk_en(clk_en), .start(start), .done(done), .n(n), .dataa(dataa),
    .datab(datab), .result(result)
  );

  task edge_now;  // one clock edge; what follows sees the new cycle
    begin
      #4 clk = 1'b1;
      #5 clk = 1'b0;
      clk_en = $urandom % 4 != 0;
      #1 ;
    end
  endtask

  task fail(input integer why);
    begin
      $display("FAIL operation %0d: reason %0d, clock %0d: %h, wanted %h", at, why, clocks, result,
               want);
      $finish;
    end
  endtask

  task noise;
    begin
      n = $urandom; dataa = $urandom; datab = $urandom;
    end
  endtask

  initial begin
    if (!$value$plusargs("count=%d", count)) count = 0;
    $readmemh("lines.hex", lines);
    clk = 1'b0; reset = 1'b1; clk_en = 1'b1; start = 1'b0;
    noise;
    #10 reset = 1'b0;
    for (at = 0; at < count; at = at + 1) begin
      line = lines[at];
      {most, latency, n, dataa, datab, want} = line[119:0];
      clocks = 0;
      start  = 1'b1;
      #1 ;
      while (!clk_en) begin  // the core's own stall: start is not seen
        if (done) fail(1);
        edge_now;
      end
      if (done) fail(2);
      edge_now;
      start  = 1'b0;
      clocks = 1;
      #1 ;
      if (line[123:120] != 4'd0) begin
        reset = 1'b1;
        noise;
        #1 if (done) fail(3);
        edge_now;
        reset = 1'b0;
        #1 if (done) fail(4);
      end else begin
        // The unit computes whether clk_en is high or not; done comes in its cycle, and stays.
        while (clocks < latency) begin
          if (done) fail(5);
          edge_now;
          clocks = clocks + 1;
        end
        while (clocks < most && !done) begin
          edge_now;
          clocks = clocks + 1;
        end
        if (!done || result !== want) fail(6);
        while (!clk_en) begin
          edge_now;
          if (!done || result !== want) fail(7);
        end
        edge_now;
        if ($urandom % 2) begin
          noise;
          #1 if (done) fail(8);
          edge_now;
        end
      end
    end
    $display("PASS %0d", count);
    $finish;
  end
endmodule
