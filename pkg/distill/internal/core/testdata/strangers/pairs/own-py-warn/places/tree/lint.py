import sys, pathlib
bad = 0
for p in sorted(pathlib.Path(sys.argv[1]).glob("*.txt")):
    for n, l in enumerate(p.read_text().splitlines(), 1):
        if len(l) > 40: print(f"{p}:{n}: long line, tolerated")
        if "\t" in l: print(f"{p}:{n}: a tab is not allowed"); bad = 1
print("checked")
sys.exit(bad)
