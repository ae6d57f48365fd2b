with Ahven.Framework;
with Ahven.Text_Runner;
with Scale_Tests;
procedure Run_Tests is
   S : Ahven.Framework.Test_Suite := Ahven.Framework.Create_Suite ("All");
begin
   Ahven.Framework.Add_Test (S, new Scale_Tests.Test);
   Ahven.Text_Runner.Run (S);
end Run_Tests;
