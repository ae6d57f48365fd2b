from shop.money.rounding import to_cents


class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price, qty=1):
        self.items.append((name, price, qty))
        return self

    def total(self):
        return to_cents(sum(p * q for _, p, q in self.items))
