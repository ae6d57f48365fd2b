import kiln
import traceback

def heats_up():
    assert kiln.heat(100) == 1000, "wanted 1000, have %d" % kiln.heat(100)
def cools_down():
    assert kiln.cool(1000, 100) == 500
def labels():
    assert kiln.label({}) == "Nameless"

bad = 0
for f in (heats_up, cools_down, labels):
    try:
        f()
        print(f"{f.__name__} => fine")
    except Exception as e:
        bad += 1
        print(f"{f.__name__} => broken")
        traceback.print_exc()
print(f"{bad} of 3 checks are broken")
raise SystemExit(bad)
