"""The extension as it is released, compiled with a sanitizer, in an engine and a project of its own.

The engine is this machine's. A sanitizer sees of it what it asks of the system: memory, threads, and locks.
"""

import collections.abc
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys

import platforms
from toolchains import NATIVE, ROOT, STORE, compiler, run, script, unpack, with_its_library

# The extension calls the engine without gdext's checks, as a release does. A debug build takes less time, and
# names lines.
AS_RELEASED = {"CARGO_PROFILE_DEV_DEBUG_ASSERTIONS": "false"}


def address_runtime() -> pathlib.Path:
    """Rust's address sanitizer as a library. Rust has it in a form that only becomes a part of programs.

    If it were called libasan.so, it would take itself for a second one, and refuse to run.
    """
    place = STORE / "sanitizer"
    library = place / "address.so"
    if not library.exists():
        place.mkdir(parents=True, exist_ok=True)
        command = ["rustc", "--print", "target-libdir"]
        libraries = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        found = list(pathlib.Path(libraries.stdout.strip()).glob("librustc-*_rt.asan.a"))
        if not found:
            sys.exit("scripts/platforms: this Rust has no address sanitizer; that of rustup has")
        archive = place / "address.a"
        shutil.copyfile(found[0], archive)
        # It begins before libraries can.
        run(["ar", "d", str(archive), "asan_preinit.cpp.o"])
        parts = ["-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive"]
        run(["cc", "-shared", "-o", str(library), *parts, "-ldl", "-lpthread", "-lm", "-lrt"])
    return library


def thread_runtime() -> pathlib.Path:
    """Debian's, of the version of LLVM that its Rust has."""
    place = unpack("sanitizer", "libclang-rt-21-dev")
    (library,) = place.glob("usr/lib/llvm-21/lib/clang/*/lib/linux/libclang_rt.tsan-x86_64.so")
    return library


def loader() -> pathlib.Path:
    """What lets the engine load libraries in a way that sanitizers accept."""
    library = STORE / "sanitizer/shallow_dlopen.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    run(["cc", "-shared", "-fPIC", "-o", str(library), "packaging/shallow_dlopen.c", "-ldl"])
    return library


@dataclasses.dataclass(frozen=True)
class Sanitizer:
    """One of the compiler's."""

    # Of scripts/platforms.
    part: str
    # As the compiler calls it.
    name: str
    runtime: collections.abc.Callable[[], pathlib.Path]
    options: dict[str, str]
    # Whether it must see all that Rust's own library does.
    needs_library: bool = False

    def cargo(self, *arguments: str, **variables: str) -> None:
        environment = dict(os.environ) | AS_RELEASED | variables
        environment["CARGO_TARGET_DIR"] = str(self.target())
        # Stable compilers have sanitizers, too, but only let their own library use them.
        environment |= {"RUSTC_BOOTSTRAP": "1", "RUSTFLAGS": f"-Zsanitizer={self.name}"}
        command = ["cargo", *arguments, "--quiet", "--locked", "--target", NATIVE]
        if self.needs_library:
            environment["RUSTC"] = str(with_its_library(compiler(), "bin/rustc"))
            command.append("-Zbuild-std=std,panic_unwind")
        run(command, env=environment)

    def target(self) -> pathlib.Path:
        return ROOT / "target/platforms" / self.part

    def engine(self) -> pathlib.Path:
        """This machine's, with the sanitizer's library, which the extension then finds there."""
        name = f"godot-{self.name}"
        environment = {
            "GODOT": os.environ.get("GODOT", ""),
            "LD_PRELOAD": f"{loader()}:{self.runtime()}",
            # Tests then have ten times as long.
            "TENDON_ENGINE": str(STORE / "bin" / name),
        }
        return script(name, [str(ROOT / "scripts/godot")], environment | self.options)

    def project(self) -> str:
        """A copy of the gallery with the addon that is compiled with the sanitizer."""
        self.cargo("build", "--package", platforms.EDITOR)
        place = ROOT / "build/sanitized" / self.part
        shutil.rmtree(place, ignore_errors=True)
        addon = place / "content/addons/tendon"
        shutil.copytree(ROOT / "addons/tendon", addon, ignore=shutil.ignore_patterns("bin"))
        (addon / "bin/linux.x86_64").mkdir(parents=True)
        os.link(self.target() / NATIVE / "debug/libtendon_editor.so", addon / "bin/linux.x86_64/libtendon_editor.so")
        project = str(place / "godot_project")
        run(["scripts/packaged-project", str(place / "content"), project], env=dict(os.environ, GODOT=str(self.engine())))
        return project


# The engine itself leaves some memory to the end of the process.
ADDRESS = Sanitizer("memory", "address", address_runtime, {"ASAN_OPTIONS": "detect_leaks=0"})
THREAD = Sanitizer(
    "threads",
    "thread",
    thread_runtime,
    # What the engine does by itself is not looked at: it is not compiled for that.
    {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1:halt_on_error=1"},
    needs_library=True,
)
