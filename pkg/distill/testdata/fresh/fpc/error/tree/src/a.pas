program a;
var x: integer;
begin
  x := 'no';
  y := 3;
end.
