/* For Godot's core: clears memory in a way that no compiler leaves out. */
#include <stdlib.h>

void mbedtls_platform_zeroize(void *memory, size_t size) {
    volatile unsigned char *bytes = memory;
    while (size--) {
        *bytes++ = 0;
    }
}

void mbedtls_zeroize_and_free(void *memory, size_t size) {
    if (memory != NULL) {
        mbedtls_platform_zeroize(memory, size);
        free(memory);
    }
}
