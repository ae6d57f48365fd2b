def total():
    return 7
