import sys
import traceback
from xml.sax.saxutils import escape, quoteattr

import light

CHECKS = [
    ("reach of a low tower", lambda: light.reach(25), 15),
    ("flashes in a minute", lambda: light.flashes(60, 5), 12),
    ("red sector", lambda: light.colour(45), "red"),
    ("dark sector", lambda: light.colour(300), "dark"),
]

print("<checks>")
bad = 0
for name, fn, want in CHECKS:
    try:
        got = fn()
    except Exception as e:
        bad += 1
        at = traceback.extract_tb(e.__traceback__)[-1]
        print(f"  <check name={quoteattr(name)} verdict=\"broken\" file=\"{at.filename}\" line=\"{at.lineno}\">{escape(repr(e))}</check>")
        continue
    if got == want:
        print(f"  <check name={quoteattr(name)} verdict=\"fine\"/>")
    else:
        bad += 1
        print(f"  <check name={quoteattr(name)} verdict=\"broken\">wanted {escape(str(want))}, got {escape(str(got))}</check>")
print("</checks>")
sys.exit(bad > 0)
