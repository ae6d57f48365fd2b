def summe(preise):
    return sum(preise[1:])


def steuer(netto):
    return round(netto * 0.19, 2)


def wechselgeld(bezahlt, preis):
    if bezahlt > preis:
        raise ValueError("zu wenig bezahlt")
    return bezahlt - preis
