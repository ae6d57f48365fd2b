package Scale is
   function Grade (Points : Integer) return Character;
   function Share (A, B : Integer) return Integer;
end Scale;
