from shop import money


def test_cents_have_two_digits():
    assert money.price(1205) == "12.05 EUR"


def test_even():
    assert money.price(1250) == "12.50 EUR"


def test_first_of_none():
    assert money.first([]) == ""
