package Light is
   function Reach (Metres : Integer) return Integer;
   function Flashes (Seconds, Period : Integer) return Integer;
end Light;
