#include <string>
std::string shorten(const std::string &s, size_t n);
int words(const std::string &s);
