/* Loads the extension into a program that is no engine, and calls its entry point.

   It says that it is a Godot older than the oldest that Tendon works with. The library must refuse it
   without harm. That needs everything that a library needs to run: its imports, its thread-local storage,
   its standard output and its unwinding. */

#include <stdio.h>
#include <string.h>
#include <windows.h>

typedef void (*Function)(void);
typedef Function (*GetFunction)(const char *name);
typedef unsigned char (*Entry)(GetFunction get, void *library, void *initialization);

typedef struct {
    unsigned major, minor, patch;
    const char *text;
} Version;

static int version_calls = 0;

static void get_godot_version(Version *version) {
    version_calls += 1;
    version->major = 4;
    version->minor = 3;
    version->patch = 0;
    version->text = "Godot Engine v4.3 (a test)";
}

static Function get_function(const char *name) {
    return strcmp(name, "get_godot_version") == 0 ? (Function)get_godot_version : NULL;
}

int main(int count, char **arguments) {
    if (count != 3) {
        puts("Usage: old_engine LIBRARY ENTRY_SYMBOL");
        return 2;
    }
    HMODULE library = LoadLibraryA(arguments[1]);
    if (library == NULL) {
        printf("%s cannot be loaded: error %lu\n", arguments[1], GetLastError());
        return 1;
    }
    Entry entry = (Entry)(void *)GetProcAddress(library, arguments[2]);
    if (entry == NULL) {
        printf("%s has no %s\n", arguments[1], arguments[2]);
        return 1;
    }
    unsigned char initialization[64] = {0};
    int is_accepted = entry(get_function, NULL, initialization);
    if (is_accepted || version_calls == 0) {
        printf("accepted: %d, asked for the version %d times\n", is_accepted, version_calls);
        return 1;
    }
    puts("OLD ENGINE: refused");
    return 0;
}
