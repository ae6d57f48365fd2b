pub fn cents(x:f64)->i64{ x as i64 }
