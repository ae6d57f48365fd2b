with Ahven; use Ahven;
with Scale;
package body Scale_Tests is
   procedure Half is
   begin
      Assert (Scale.Share (1, 2) = 50, "one of two is 50 %");
   end Half;

   procedure Ninety_Is_An_A is
   begin
      Assert (Scale.Grade (90) = 'A', "90 points are enough");
   end Ninety_Is_An_A;

   procedure Share_Of_Nothing is
   begin
      Assert (Scale.Share (0, 0) = 0, "nothing of nothing");
   end Share_Of_Nothing;

   overriding procedure Initialize (T : in out Test) is
   begin
      Set_Name (T, "Scale");
      Framework.Add_Test_Routine (T, Half'Access, "half is fifty");
      Framework.Add_Test_Routine (T, Ninety_Is_An_A'Access, "ninety is an A");
      Framework.Add_Test_Routine (T, Share_Of_Nothing'Access, "share of nothing");
   end Initialize;
end Scale_Tests;
