#pragma once
#include <string>
#include <vector>
int total(const std::vector<int>& v);
std::string label(const std::string& s);
