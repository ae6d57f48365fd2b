import unittest

from shop.cart import Cart


class Sub(unittest.TestCase):
    def test_many(self):
        for price, want in [(1, 1), (2.5, 3), (3.5, 4)]:
            with self.subTest(price=price):
                self.assertEqual(Cart().add("x", price).total(), want)
