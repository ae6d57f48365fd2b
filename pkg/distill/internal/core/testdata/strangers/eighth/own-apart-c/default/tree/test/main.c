#include <stdio.h>
#include "../src/light.h"

static int errors_total;

static int expect(const char *what, int got, int want)
{
    if (got == want)
        return 0;
    printf("  %s:%d: %s is %d but should be %d\n", __FILE__, __LINE__, what, got, want);
    return 1;
}

static int range(void) { return expect("range", light_range(25), 15); }

static int flashes(void)
{
    return expect("per minute", light_flashes(60, 5), 12) + expect("per hour", light_flashes(3600, 5), 720);
}

static int bearing(void) { return expect("bearing", light_bearing(-10), 350); }

static void run(const char *name, int (*fn)(void))
{
    int errors;
    printf("TEST: %s\n", name);
    errors = fn();
    printf("RESULT: %s\n\n", errors ? "FAIL" : "PASS");
    errors_total += errors > 0;
}

int main(void)
{
    run("range in miles", range);
    run("flashes are counted", flashes);
    run("bearings wrap around", bearing);
    if (errors_total)
        printf("%d test(s) failed!\n", errors_total);
    return errors_total != 0;
}
