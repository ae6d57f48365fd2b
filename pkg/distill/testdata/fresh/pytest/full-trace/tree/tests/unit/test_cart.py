import pytest

from shop.cart import Cart


class TestCart:
    def test_empty(self):
        assert Cart().total() == 0

    @pytest.mark.parametrize("price,qty,want", [(2.5, 3, 8), (1, 2, 2)])
    def test_rounds(self, price, qty, want):
        cart = Cart().add("tea", price, qty)
        assert cart.total() == want


@pytest.mark.skip(reason="later")
def test_refund():
    assert Cart().add("tea", -1).total() == -1
