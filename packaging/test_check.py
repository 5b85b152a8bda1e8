#!/usr/bin/env python3
"""Tests packaging/check.py with small libraries, sound and planted wrong ones, for every platform.

Usage: .venv-package/bin/python packaging/test_check.py

Zig compiles them for all systems from a few lines of C.
"""

import dataclasses
import pathlib
import subprocess
import sys
import tempfile

import wasmtime

import check

SYMBOL = "tendon_init"
# The note by which Android's linker tells what a library was built for: lengths, kind, and the API.
NOTE = """
__attribute__((section(".note.android.ident"), aligned(4), used)) static const struct {
    int name_size, size, kind; char name[8]; int api; char ndk[128];
} note = {8, 132, 1, "Android", %d, {0}};
"""
ENTRY = "__attribute__((visibility(\"default\"))) int tendon_init(void) { return 0; }\n"
START = "int DllMainCRTStartup(void) { return 1; }\n"
EXPORTED = START + "__declspec(dllexport) int tendon_init(void) { return 0; }\n"


@dataclasses.dataclass(frozen=True)
class Case:
    """A library, and what check.py must say of it. Nothing if it is sound."""

    platform: str
    target: str
    expected: tuple[str, ...] = ()
    source: str = ENTRY
    flags: tuple[str, ...] = ("-nostdlib",)
    file: str = "library"
    for_release: bool = True

    def compile(self, folder: pathlib.Path) -> pathlib.Path:
        source, library = folder / "library.c", folder / self.file
        if self.target == WEB:
            library.write_bytes(wasmtime.wat2wasm(self.source))
            return library
        source.write_text(self.source, encoding="utf-8")
        zig = [sys.executable, "-m", "ziglang", "cc", "-target", self.target, "-shared", "-o", str(library)]
        subprocess.run([*zig, *self.flags, str(source)], check=True, cwd=folder)
        return library


def android(api: int) -> str:
    return ENTRY + NOTE % api


PAGES = ("-nostdlib", "-Wl,-z,max-page-size=16384")
NO_ENTRY = "int other(void) { return 0; }\n"
WEB = "web.wasm32"


def module(memory: str, symbol: str = SYMBOL, origin: str = "env") -> str:
    return f'(module (import "{origin}" "memory" (memory {memory})) (func (export "{symbol}")))'


CASES = [
    Case("linux.x86_64", "x86_64-linux-gnu.2.17"),
    Case("linux.arm64", "aarch64-linux-gnu.2.17"),
    Case("linux.arm64", "x86_64-linux-gnu", ("is not for linux.arm64",)),
    Case("linux.x86_64", "x86_64-windows-gnu", ("is not for linux.x86_64",), EXPORTED),
    Case("linux.x86_64", "x86_64-linux-gnu", (f"does not export {SYMBOL}",), NO_ENTRY),
    Case("windows.x86_64", "x86_64-windows-gnu", (), EXPORTED),
    Case("windows.x86_64", "aarch64-windows-gnu", ("is not for windows.x86_64",), EXPORTED),
    Case("windows.x86_64", "x86_64-windows-gnu", (f"does not export {SYMBOL}",), START + NO_ENTRY),
    Case(
        "windows.x86_64",
        "x86_64-windows-gnu",
        ("needs OPENGL32.dll",),
        EXPORTED + "void glFlush(void); void flush(void) { glFlush(); }\n",
        flags=("-nostdlib", "-lopengl32"),
    ),
    Case("android.arm64", "aarch64-linux", (), android(23), PAGES),
    Case("android.x86_64", "x86_64-linux", (), android(23), PAGES),
    Case("android.arm64", "aarch64-linux", ("needs Android API 35, not 23",), android(35), PAGES),
    Case("android.arm64", "aarch64-linux", ("needs Android API ?, not 23",), ENTRY, PAGES),
    Case(
        "android.x86_64",
        "x86_64-linux",
        ("is laid out for pages of 4096 bytes, not 16384",),
        android(23),
        ("-nostdlib", "-Wl,-z,max-page-size=4096"),
    ),
    # Of one processor only: what joins two is on macOS.
    Case("macos", "aarch64-macos.11.0", ("is not for macos",), flags=()),
    Case("ios.arm64", "aarch64-macos.11.0", ("is not for ios",), flags=()),
    Case("ios.arm64", "aarch64-macos.13.0", ("is not for ios", "needs ios 13.0.0, newer than 12.0"), flags=()),
    Case(WEB, "x86_64-linux-gnu", ("is not for web.wasm32",)),
    Case(
        "linux.x86_64",
        "x86_64-linux-gnu.2.36",
        ("needs glibc 2.36, newer than 2.17",),
        ENTRY + "#include <stdlib.h>\nunsigned number(void) { return arc4random(); }\n",
        flags=(),
    ),
    Case(WEB, WEB, (), module("1"), file="tendon.wasm"),
    Case(WEB, WEB, (), module("1 2 shared"), file="tendon.threads.wasm"),
    Case(WEB, WEB, ("has no memory that is shared",), module("1"), file="tendon.threads.wasm"),
    Case(WEB, WEB, ("has no memory that is not shared",), module("1 2 shared"), file="tendon.wasm"),
    Case(WEB, WEB, (f"does not export {SYMBOL}",), module("1", "other"), file="tendon.wasm"),
    Case(WEB, WEB, ("imports from game",), module("1", origin="game"), file="tendon.wasm"),
]


def main() -> None:
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            library = case.compile(pathlib.Path(folder))
            found = tuple(check.problems(library, case.platform, SYMBOL, case.for_release))
            failures += found != case.expected
            verdict = "ok  " if found == case.expected else "FAIL"
            print(f"{verdict} {case.platform}, {case.target}: {', '.join(found) or 'sound'}", flush=True)
    if failures:
        sys.exit(f"{failures} of {len(CASES)} were not judged as they should be")


if __name__ == "__main__":
    main()
