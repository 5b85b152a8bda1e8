/* Godot loads extensions so that they find their own functions before those of the program
   (RTLD_DEEPBIND). Sanitizers refuse that: they replace functions of the system for all libraries.
   This library is loaded before them, and leaves the flag out. */

#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *path, int flags) {
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(path, flags & ~RTLD_DEEPBIND);
}
