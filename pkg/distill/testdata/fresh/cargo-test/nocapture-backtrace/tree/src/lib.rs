pub mod price;

/// Doubles.
///
/// ```
/// assert_eq!(shop::twice(2), 4);
/// ```
pub fn twice(n: i32) -> i32 {
    n + 1
}
