#include <stdio.h>
#include "../src/fare.h"
static int bad, all;
#define CHECK(x) do { all++; if (!(x)) { bad++; \
	fprintf(stderr, "*** %s:%d: in %s: CHECK(%s) did not hold\n", __FILE__, __LINE__, __func__, #x); } } while (0)
#define RUN(f) do { fprintf(stderr, "-> %s\n", #f); f(); } while (0)
static void grown_ups_pay_by_zone(void) { CHECK(fare(2, 30) == 270); }
static void children_pay_half(void)
{
	CHECK(fare(2, 10) == 135);
	CHECK(fare(2, 14) == 135);
}
static void exact_money_gives_no_change(void) { CHECK(change(270, 270) == 0); }
static void change_is_given(void) { CHECK(change(300, 270) == 30); }
int main(void)
{
	RUN(grown_ups_pay_by_zone);
	RUN(children_pay_half);
	RUN(change_is_given);
	RUN(exact_money_gives_no_change);
	fprintf(stderr, "%d checks, %d bad\n", all, bad);
	return bad != 0;
}
