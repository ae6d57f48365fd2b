import unittest

from wordcount.count import count


class TestCount(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(count("a b a"), {"a": 2, "b": 1})

    def test_punctuation_is_no_part_of_a_word(self):
        self.assertEqual(count("Stop. Stop!"), {"stop": 2})

    def test_apostrophes_are(self):
        self.assertEqual(count("It's his, it's hers."), {"it's": 2, "his": 1, "hers": 1})


if __name__ == "__main__":
    unittest.main()
