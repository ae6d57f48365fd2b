def total(p):
    return len(p)
