open OUnit2
open Shop

let suite =
  "shop" >::: [
    "whole" >:: (fun _ -> assert_equal ~printer:string_of_int 2 (Money.cents 2.0));
    "half cents" >:: (fun _ ->
      assert_equal ~printer:string_of_int 8 (Money.cents 7.5));
  ]

let () = run_test_tt_main suite
