from unit.convert import fahrenheit, miles

CHECKS = [
    ("marathon", lambda: miles(42.195), 26.2),
    ("freezing", lambda: fahrenheit(0), 32),
    ("boiling", lambda: fahrenheit(100), 212),
    ("half marathon", lambda: miles(21.0975), 13.1),
    ("text", lambda: fahrenheit("warm"), None),
]
print("# Check report\n")
print("| check | status | expected | actual |")
print("|---|---|---|---|")
bad = 0
for name, fn, want in CHECKS:
    try:
        have = fn()
    except TypeError as e:
        have = f"{type(e).__name__}: {e}"
    ok = have == want
    bad += not ok
    print(f"| {name} | {'✅' if ok else '❌'} | {want} | {have} |")
print(f"\n**{len(CHECKS) - bad} passed, {bad} failed**")
raise SystemExit(1 if bad else 0)
