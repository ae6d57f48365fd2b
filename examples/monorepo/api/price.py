def total(prices, tax):
    return sum(prices)
