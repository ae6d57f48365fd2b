#include <vector>
int pick(int* p, int i) { return p[i]; }
int main() {
  int* a = new int[3];
  return pick(a, 5);
}
