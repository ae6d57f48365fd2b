def refill(n): return n + 10
def drain(n): return 0
def price(s): return {"B": 5}[s]
