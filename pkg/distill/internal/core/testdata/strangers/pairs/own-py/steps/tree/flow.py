import sys, time, steps
for n, f in enumerate(steps.ALL):
    print(f"step {n} {f.__name__}: begin at {time.time():.3f}")
    r = f()
    print(f"step {n} {f.__name__}: {r}")
    if r not in ("done", "nothing to do"):
        print("aborting, see the step above")
        sys.exit(4)
print("flow complete")
