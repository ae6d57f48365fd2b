import kiln
rows = []
def check(name, want, have):
    rows.append((name, want, have, want == have))
check("heat of an hour", 600, kiln.heat(60))
check("cooling", 900, kiln.cool(1000, 20))
check("limit", 1280, kiln.LIMIT)
print("%-20s %-8s %-8s %s" % ("check", "want", "have", "verdict"))
print("-" * 48)
for n, w, h, ok in rows:
    print("%-20s %-8s %-8s %s" % (n, w, h, "ok" if ok else "WRONG"))
print("-" * 48)
print("passed: %d  failed: %d" % (sum(r[3] for r in rows), sum(not r[3] for r in rows)))
raise SystemExit(any(not r[3] for r in rows))
