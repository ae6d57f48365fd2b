with Ada.Text_IO;      use Ada.Text_IO;
with Ada.Command_Line; use Ada.Command_Line;
with Ada.Exceptions;   use Ada.Exceptions;
with Light;

procedure Check is
   Bad : Natural := 0;

   procedure Case_Of (Name : String; Got, Want : Integer) is
   begin
      Put ("* " & Name & " ");
      if Got = Want then
         Put_Line ("<success>");
      else
         Bad := Bad + 1;
         Put_Line ("<failure>:" & Integer'Image (Got) & " /=" & Integer'Image (Want));
      end if;
   end Case_Of;
begin
   Case_Of ("Reach_Of_A_Low_Tower", Light.Reach (25), 15);
   Case_Of ("Flashes_In_A_Minute", Light.Flashes (60, 5), 12);
   Case_Of ("Flashes_In_No_Time", Light.Flashes (0, 5), 0);
   begin
      Case_Of ("Never_Flashes", Light.Flashes (60, 0), 0);
   exception
      when E : others =>
         Bad := Bad + 1;
         Put_Line ("* Never_Flashes <exception>: " & Exception_Information (E));
   end;
   Put_Line ("Failures:" & Integer'Image (Bad));
   Set_Exit_Status (if Bad > 0 then Failure else Success);
end Check;
