package body Scale is
   function Grade (Points : Integer) return Character is
   begin
      if Points > 90 then
         return 'A';
      end if;
      return 'B';
   end Grade;

   function Share (A, B : Integer) return Integer is
   begin
      return 100 * A / B;
   end Share;
end Scale;
