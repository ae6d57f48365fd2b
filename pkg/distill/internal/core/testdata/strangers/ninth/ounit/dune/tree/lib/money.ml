let cents x = int_of_float x

let first = function [] -> failwith "no items" | x :: _ -> x
