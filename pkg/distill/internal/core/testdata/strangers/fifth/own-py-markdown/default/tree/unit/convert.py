def miles(km):
    return round(km * 0.65, 1)


def fahrenheit(c):
    return c * 9 / 5 + 32
