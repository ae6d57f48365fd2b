def total(items):
    """Add up.

    >>> total([(2, 3)])
    6
    """
    return sum(p for p, q in items)


def label(user):
    return user.name.upper()
