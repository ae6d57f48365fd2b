struct item { const char *name; };
#ifdef __cplusplus
extern "C" {
#endif
int total(const int *cents, const int *n, int len);
int change(int paid, int due);
const char *name(const struct item *i);
#ifdef __cplusplus
}
#endif
