import time
import traceback

from timetable import clock, minutes


def case_short_ride():
    assert minutes("harbour", "market") == 7


def case_clock_has_two_digits():
    have = clock(65)
    assert have == "1:05", f"have {have!r}, want '1:05'"


def case_unknown_stop_is_skipped():
    assert minutes("harbour", "castle") == 4


def case_nothing():
    assert minutes() == 0


failed = []
for name, fn in list(globals().items()):
    if not name.startswith("case_"):
        continue
    t = time.perf_counter()
    try:
        fn()
        state = "PASS"
    except Exception:
        state = "**FAIL**"
        failed.append(name)
        trace = traceback.format_exc()
    print(f"{name[5:].replace('_', ' '):<36}{state:<9} {time.perf_counter() - t:.4f}s")
    if state != "PASS":
        print("    " + trace.replace("\n", "\n    ").rstrip())
print("=" * 50)
print(f"RESULT: {len(failed)} of 4 cases failed: {', '.join(failed)}")
raise SystemExit(bool(failed))
