def height(n):
    return 3 * n
