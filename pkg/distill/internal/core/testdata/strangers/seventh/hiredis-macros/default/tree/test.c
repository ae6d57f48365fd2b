#include <stdio.h>
#include <string.h>
#include "src/frame.h"

#include "testmacros.h"

int main(void) {
    char buf[64];
    test("Encode a word with its length: ");
    frame_encode(buf, sizeof buf, "wax");
    test_cond(strcmp(buf, "$3\r\nwax\r\n") == 0);
    test("Read a status: ");
    test_cond(frame_type("+OK") == FRAME_STATUS);
    test("Read an error: ");
    test_cond(frame_type("-ERR no") == FRAME_ERROR);
    test("Read an integer: ");
    test_cond(frame_type(":12") == FRAME_INTEGER);
    test("Read over TLS: ");
    test_skipped();
    if (fails) {
        printf("*** %d TESTS FAILED ***\n", fails);
        return 1;
    }
    printf("ALL TESTS PASSED (%d skipped)\n", skips);
    return 0;
}
