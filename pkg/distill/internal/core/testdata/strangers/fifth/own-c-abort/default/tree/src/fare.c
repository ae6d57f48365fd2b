#include <assert.h>
#include "fare.h"
int fare(int zones, int age)
{
	int full = 150 + 60 * zones;
	return age < 14 ? full / 2 : full;
}
int change(int paid, int price)
{
	assert(paid > price);
	return paid - price;
}
