/* Counts how often the extension asks for memory, in the library that is shipped.

   The engine's program loads this before all others (LD_PRELOAD), so that it stands between the extension
   and the C library. shallow_dlopen.c is part of the same library. The number is kept in the file
   $TENDON_ALLOCATIONS, where a script reads it. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the C library itself calls these. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Atomic uint64_t *allocations;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("TENDON_ALLOCATIONS");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *allocations) != 0) {
        return;
    }
    void *memory = mmap(NULL, sizeof *allocations, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) {
        allocations = memory;
    }
}

/* Counts if the code at `caller` is the extension's. */
static void count(void *caller) {
    struct dl_find_object found;
    if (allocations != NULL && _dl_find_object(caller, &found) == 0 &&
        strstr(found.dlfo_link_map->l_name, "libtendon") != NULL) {
        atomic_fetch_add(allocations, 1);
    }
}

void *malloc(size_t size) {
    count(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(__builtin_return_address(0));
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(__builtin_return_address(0));
    return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count(__builtin_return_address(0));
    *memory = __libc_memalign(alignment, size);
    return *memory == NULL ? ENOMEM : 0;
}
