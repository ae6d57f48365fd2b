"""Counts words, the way people count them."""

from wordcount.words import words


def count(text):
    """Give a dict from each word of text, in lower case, to its number."""
    numbers = {}
    for word in words(text):
        numbers[word] = numbers.get(word, 0) + 1
    return numbers
