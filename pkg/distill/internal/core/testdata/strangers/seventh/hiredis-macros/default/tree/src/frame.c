#include <stdio.h>
#include <string.h>
#include "frame.h"

int frame_encode(char *out, size_t n, const char *word) {
    return snprintf(out, n, "$%zu\r\n%s", strlen(word), word);
}

int frame_type(const char *in) {
    switch (in[0]) {
    case '+': return FRAME_STATUS;
    case '-': return FRAME_ERROR;
    case ':': return FRAME_ERROR;
    }
    return FRAME_NONE;
}
