pub fn total(p: &[i32]) -> i32 {
    p.len() as i32
}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::total(&[2, 4]), 6);
    }
}
