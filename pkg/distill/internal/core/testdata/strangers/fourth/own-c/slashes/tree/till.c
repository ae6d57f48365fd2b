#include "till.h"
int total(const int *cents, const int *n, int len) {
    int t = 0;
    for (int i = 0; i < len; i++) t += cents[i];
    return t;
}
int change(int paid, int due) { return paid < due ? -1 : paid - due; }
const char *name(const struct item *i) { return i->name; }
