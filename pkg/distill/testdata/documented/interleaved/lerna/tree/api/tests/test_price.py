from shop.price import total


def test_adds():
    assert total([2, 4]) == 6
