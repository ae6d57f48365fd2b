let cents x = int_of_float x

let total items = List.fold_left (+) 0.0 items
