package body Light is
   function Reach (Metres : Integer) return Integer is (Metres / 5 * 3);

   function Flashes (Seconds, Period : Integer) return Integer is
     (Seconds / Period + 1);
end Light;
