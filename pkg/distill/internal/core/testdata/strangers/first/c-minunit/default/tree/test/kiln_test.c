#include <stdio.h>
int heat(int);
static int bad;
#define CHECK(name, e) do { if (e) printf("[pass] %s\n", name); else { bad++; printf("[FAIL] %s\n       %s:%d: %s\n", name, __FILE__, __LINE__, #e); } } while (0)
int main(void) {
  CHECK("none is none", heat(0) == 0);
  CHECK("ten minutes", heat(10) == 100);
  printf("%d checks failed\n", bad);
  return bad != 0;
}
