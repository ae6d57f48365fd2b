open Shop

let whole () = Alcotest.(check int) "same int" 2 (Money.cents 2.0)

let half () =
  Alcotest.(check int) "half cents" 8 (Money.cents 7.5)

let first () = Alcotest.(check int) "first" 1 (Money.first [])

let () =
  Alcotest.run "shop"
    [ ("money", [ Alcotest.test_case "whole" `Quick whole; Alcotest.test_case "half cents" `Quick half ]);
      ("list", [ Alcotest.test_case "first" `Quick first ]) ]
