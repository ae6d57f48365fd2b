use cart::Cart;

#[test]
fn total_of_half_cents() {
    assert_eq!(Cart::new().add(7.5).total(), 8);
}

#[test]
fn first_of_none() {
    assert_eq!(Cart::new().first(), 0.0);
}

#[test]
#[ignore = "slow"]
fn slow() {}

#[test]
fn parses() -> Result<(), String> {
    Err("no such cart".into())
}
