#include <tut/tut.hpp>
#include "../src/text.h"

namespace tut {
struct data {};
typedef test_group<data> group;
group texts("text");
typedef group::object object;

template<> template<> void object::test<1>()
{
	set_test_name("long text is cut");
	ensure_equals("cut", shorten("harbour", 4), "harb...");
}

template<> template<> void object::test<2>()
{
	set_test_name("short text stays");
	ensure_equals("stays", shorten("sea", 4), "sea");
}

template<> template<> void object::test<3>()
{
	set_test_name("no words in nothing");
	ensure_equals("none", words(""), 0);
}
}
