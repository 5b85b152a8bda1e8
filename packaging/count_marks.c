/* Tells callgrind when to count.

   The engine's program loads this before all others (LD_PRELOAD). A script that sets the variable TENDON_COUNT in the
   environment begins to count with the value "begin", counts from 0 again with "zero", and with any other value it
   ends, and writes what has been counted with that name. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <valgrind/callgrind.h>

int setenv(const char *name, const char *value, int replaces) {
    if (strcmp(name, "TENDON_COUNT") != 0) {
        int (*next)(const char *, const char *, int) = (int (*)(const char *, const char *, int))dlsym(RTLD_NEXT, "setenv");
        return next(name, value, replaces);
    }
    if (strcmp(value, "begin") == 0) {
        CALLGRIND_START_INSTRUMENTATION;
    } else if (strcmp(value, "zero") == 0) {
        CALLGRIND_ZERO_STATS;
    } else {
        CALLGRIND_DUMP_STATS_AT(value);
        CALLGRIND_STOP_INSTRUMENTATION;
    }
    return 0;
}
