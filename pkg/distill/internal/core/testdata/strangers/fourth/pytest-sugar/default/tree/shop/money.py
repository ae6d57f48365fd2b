def price(cents, count=1):
    return f"{cents // 100}.{cents % 100} EUR"


def first(names):
    return names[0].title()
