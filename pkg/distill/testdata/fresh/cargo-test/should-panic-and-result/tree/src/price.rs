pub fn total(items: &[(i32, i32)]) -> i32 {
    items.iter().map(|i| i.0).sum()
}

pub fn first(items: &[i32]) -> i32 {
    items[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(total(&[(2, 3)]), 6, "total of {}", 2);
    }

    #[test]
    fn first_of_none() -> Result<(), String> {
        Err("no items".into())
    }

    #[test]
    #[should_panic(expected = "empty")]
    fn panics() {
        first(&[]);
    }

    #[test]
    #[ignore]
    fn later() {}

    #[test]
    fn fine() {}
}
