import kiln
tries = {"kiln warms": [False, True], "glaze melts": [False, False], "pot holds": [True]}
for name, results in tries.items():
    for n, ok in enumerate(results, 1):
        print(("PASS" if ok else "FAIL") + f"  {name} (attempt {n})")
        if not ok:
            print(f"      heat was {kiln.heat(n)}, wanted {n * 10}")
        if ok: break
print("2 passed, 1 failed, 1 flaky")
raise SystemExit(1)
