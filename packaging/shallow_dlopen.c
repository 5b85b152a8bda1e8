/* Godot loads extensions so that they look for a function first in the libraries that they need themselves
   (RTLD_DEEPBIND). Whatever replaces a function of the C library, as sanitizers and count_allocations.c do,
   would not be found then. A library with this is loaded before all others, and leaves the flag out. */

#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *path, int flags) {
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(path, flags & ~RTLD_DEEPBIND);
}
