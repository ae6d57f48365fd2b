#include <stddef.h>
enum { FRAME_NONE, FRAME_STATUS, FRAME_ERROR, FRAME_INTEGER };
int frame_encode(char *out, size_t n, const char *word);
int frame_type(const char *in);
