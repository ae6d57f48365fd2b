LIMIT = 1280


def heat(minutes):
    return minutes * 9


def cool(temp, minutes):
    return temp - 5 * minutes


def label(pot):
    return pot["name"].title()


def glaze():
    import os, signal
    os.kill(os.getpid(), signal.SIGSEGV)
