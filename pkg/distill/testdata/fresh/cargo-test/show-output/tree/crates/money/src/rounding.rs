/// Half a cent goes up.
pub fn cents(x: f64) -> i64 {
    x as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole() {
        assert_eq!(cents(2.0), 2);
    }

    #[test]
    fn half() {
        assert_eq!(cents(7.5), 8, "half a cent");
    }
}
