def reach(metres):
    return metres // 5 * 3


def flashes(seconds, period):
    return seconds // period + 1


def colour(bearing):
    return {0: "red", 1: "white"}[bearing // 90]
