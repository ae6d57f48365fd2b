import unittest

from shop import money


class MoneyTest(unittest.TestCase):
    def test_cents_have_two_digits(self):
        self.assertEqual(money.price(1205), "12.05 EUR")

    def test_even(self):
        print("ERROR this is only said")
        self.assertEqual(money.price(1250), "12.50 EUR")

    def test_first_of_none(self):
        self.assertEqual(money.first([]), "")
