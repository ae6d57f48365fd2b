entity counter is
  port (step : in integer; start : in integer; result : out integer);
end entity;

architecture rtl of counter is
begin
  result <= start + step + 1 when step > 1 else start + step;
end architecture;
