import sys, time, logging, random
logging.basicConfig(stream=sys.stdout, format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
log = logging.getLogger("svc")
import stock
def check(name, got, want):
    log.info("case %s", name)
    for k in range(random.randint(3, 6)):
        log.info("request %d took %.3fs", random.randint(100, 999), random.random())
    log.error("upstream refused the connection, using the cache")
    if got != want:
        log.info("MISMATCH in %s: got %r instead of %r", name, got, want)
        return 1
    log.info("case %s is fine", name)
    return 0
bad = 0
for i in range(1, 25):
    bad += check("refill-%d" % i, stock.refill(i), i + 10)
bad += check("drain", stock.drain(7), 0)
bad += check("price", stock.price("A"), 5)
log.info("finished after %d cases", 26)
sys.exit(bad > 0)
