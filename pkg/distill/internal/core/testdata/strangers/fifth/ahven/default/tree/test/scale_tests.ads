with Ahven.Framework;
package Scale_Tests is
   type Test is new Ahven.Framework.Test_Case with null record;
   overriding procedure Initialize (T : in out Test);
end Scale_Tests;
