pub fn none(v: &[i32]) -> bool {
    v.len() == 0
}

pub fn twice(n: i32) -> i32 {
    return n * 2;
}
