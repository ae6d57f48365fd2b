entity counter_tb is
end entity;

architecture test of counter_tb is
  signal step, start, result : integer := 0;
begin
  uut : entity work.counter port map (step => step, start => start, result => result);

  process
    procedure check(name : string; want : integer) is
    begin
      if result = want then
        report name & ": ok" severity note;
      else
        report name & ": wanted " & integer'image(want) & ", got " & integer'image(result) severity error;
      end if;
    end procedure;
  begin
    start <= 3; step <= 1; wait for 10 ns;
    check("counts by one", 4);
    step <= 2; wait for 10 ns;
    check("counts by two", 5);
    start <= 0; step <= 0; wait for 10 ns;
    check("stands still", 0);
    assert result = 1 report "never reached" severity failure;
    wait;
  end process;
end architecture;
