#include <stdio.h>
int heat(int);
int main(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  printf("test ten minutes ... "); if (heat(10) == 90) printf("ok\n");
  printf("test none ... "); if (heat(0) == 0) printf("ok\n");
  return 0;
}
