import unittest

from price import total


class Total(unittest.TestCase):
    def test_tax_is_added(self):
        self.assertEqual(total([100, 50], tax=10), 165)
