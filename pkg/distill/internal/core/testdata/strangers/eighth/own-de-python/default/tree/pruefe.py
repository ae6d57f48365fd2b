"""Prüft die Kasse."""
import sys
import traceback

import kasse


def pruefe_summe():
    ist = kasse.summe([2, 3])
    assert ist == 5, f"erwartet 5, erhalten {ist}"


def pruefe_steuer():
    assert kasse.steuer(10) == 1.9


def pruefe_wechselgeld():
    assert kasse.wechselgeld(10, 7) == 3


fehler = 0
pruefungen = [f for n, f in sorted(globals().items()) if n.startswith("pruefe_")]
print(f"Starte {len(pruefungen)} Prüfungen\n")
for f in pruefungen:
    try:
        f()
        print(f"{f.__name__:.<40} bestanden")
    except AssertionError as e:
        fehler += 1
        print(f"{f.__name__:.<40} fehlgeschlagen")
        print(f"    {e}")
    except Exception:
        fehler += 1
        print(f"{f.__name__:.<40} fehlgeschlagen")
        traceback.print_exc(file=sys.stdout)

print(f"\n{len(pruefungen) - fehler} bestanden, {fehler} fehlgeschlagen")
sys.exit(1 if fehler else 0)
