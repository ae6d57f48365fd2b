def refill(n): return n + 10
def drain(n): return n - n + 3
def price(s): return 5
