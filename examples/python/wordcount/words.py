"""What a word is."""


def words(text):
    """Give the words of text in order, in lower case."""
    return text.lower().split()
