def größe(p):
    return len(p)
