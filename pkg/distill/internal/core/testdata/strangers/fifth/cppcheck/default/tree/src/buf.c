#include <stdlib.h>

int sum(void)
{
	int a[3] = {1, 2, 3};
	return a[3];
}

char *keep(int n)
{
	char *p = malloc(n);
	if (n > 4)
		return NULL;
	return p;
}
