import pytest
import unittest
from shop.price import total, label


def test_total():
    assert total([(2, 3)]) == 6


class TestLabel:
    def test_none(self):
        assert label(None) == "ANON"

    @pytest.mark.parametrize("a,b", [(1, 1), ("x - y", "z")])
    def test_eq(self, a, b):
        assert a == b


@pytest.mark.skip
def test_later():
    pass
