"""Half cents."""


def to_cents(amount):
    return int(amount)
