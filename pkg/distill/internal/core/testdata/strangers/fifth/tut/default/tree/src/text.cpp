#include "text.h"
std::string shorten(const std::string &s, size_t n) { return s.substr(0, n) + "..."; }
int words(const std::string &s)
{
	int n = 1;
	for (char c : s) n += c == ' ';
	return n;
}
