#include <zt.h>
#include "../src/pump.h"

static void strokes_give_litres(zt_t t) { zt_check(t, ZT_CMP_INT(litres(4), ==, 6)); }

static void half_strokes_count(zt_t t)
{
	zt_check(t, ZT_CMP_INT(litres(1), ==, 2));
}

static void ten_is_full(zt_t t)
{
	zt_assert(t, ZT_CMP_CSTR(state(10), ==, "full"));
}

static void pump(zt_visitor v)
{
	ZT_VISIT_TEST_CASE(v, strokes_give_litres);
	ZT_VISIT_TEST_CASE(v, half_strokes_count);
	ZT_VISIT_TEST_CASE(v, ten_is_full);
}

static void all(zt_visitor v) { ZT_VISIT_TEST_SUITE(v, pump); }

int main(int argc, char **argv, char **envp) { return zt_main(argc, argv, envp, all); }
