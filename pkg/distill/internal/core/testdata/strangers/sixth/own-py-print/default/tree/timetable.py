"""Minutes between stops."""
LEGS = {"harbour": 4, "market": 3, "church": 6}


def minutes(*stops):
    return sum(LEGS[s] for s in stops)


def clock(total):
    return f"{total // 60}:{total % 60}"
