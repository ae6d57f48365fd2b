`timescale 1ns/1ns
module adder_tb;
  reg [3:0] a, b; wire [4:0] s; integer bad = 0, good = 0;
  adder dut(a, b, s);
  task check(input [5*8-1:0] name, input [4:0] want); begin
    #1 if (s === want) begin good = good + 1; $display("%0t %0s ... pass", $time, name); end
    else begin bad = bad + 1; $display("%0t %0s ... MISMATCH a=%0d b=%0d s=%0d want=%0d", $time, name, a, b, s, want); end
  end endtask
  initial begin
    a = 0; b = 0; check("zero", 0);
    a = 4; b = 1; check("plain", 5);
    a = 9; b = 9; check("carry", 18);
    a = 15; b = 1; check("edge", 16);
    $display("%0d checks good, %0d mismatches", good, bad);
  end
endmodule
