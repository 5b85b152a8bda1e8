"""Compilers, libraries and emulators for other platforms than this machine.

They are unpacked from Debian's packages into .platforms/ on first use. Nothing is installed.
"""

import collections.abc
import contextlib
import dataclasses
import fcntl
import os
import pathlib
import platform
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORE = ROOT / ".platforms"
TOOLS = ROOT / ".venv-package"
# Programs and tests of the solver, and the extension: both may be built at the same time.
SOLVER, EXTENSION = ROOT / "target/platforms/solver", ROOT / "target/platforms/extension"
NATIVE = "x86_64-unknown-linux-gnu"
WEB = "wasm32-unknown-emscripten"
LLVM = "lib/llvm-21/bin"
# What Debian has a standard library for. For other targets it is built from its source.
WITH_LIBRARY = ("aarch64-unknown-linux-gnu", "wasm32-wasip1")

Arguments = list[str]


def run(command: Arguments, **options) -> None:
    subprocess.run(command, check=True, cwd=ROOT, **options)


@contextlib.contextmanager
def alone() -> collections.abc.Iterator[None]:
    """Parts of scripts/platforms may run side by side: only one of them unpacks or installs at a time."""
    STORE.mkdir(exist_ok=True)
    with open(STORE / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def unpack(folder: str, *packages: str, options: tuple[str, ...] = ()) -> pathlib.Path:
    """Debian packages, unpacked into a folder of their own. Does nothing if they are there."""
    place = STORE / folder
    done = place / ("." + "-".join([*options, *packages]).replace("/", "_"))
    with alone():
        if not done.exists():
            print(f"scripts/platforms: unpacking {', '.join(packages)}", file=sys.stderr)
            place.mkdir(parents=True, exist_ok=True)
            run(["scripts/apt-unpack", *options, str(place), *packages])
            done.touch()
    return place


def own_release() -> str:
    """The Debian release of this machine: programs of a newer one need a newer C library."""
    release = platform.freedesktop_os_release()
    if release["ID"] != "debian":
        sys.exit("scripts/platforms: only works on Debian")
    return release["VERSION_CODENAME"]


def script(name: str, command: Arguments, environment: dict[str, str] | None = None) -> pathlib.Path:
    """A program that runs `command` with further arguments."""
    path = STORE / "bin" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"export {key}={shlex.quote(value)}" for key, value in (environment or {}).items()]
    text = "\n".join(["#!/bin/sh", *lines, f'exec {shlex.join(command)} "$@"', ""])
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    return path


def with_its_library(place: pathlib.Path, program: str) -> pathlib.Path:
    """A program of `place`, run with the C library that is there."""
    library = place / "usr/lib/x86_64-linux-gnu"
    loader = [str(library / "ld-linux-x86-64.so.2"), "--library-path", str(library)]
    return script(pathlib.Path(program).name, [*loader, str(place / "usr" / program)])


def compiler() -> pathlib.Path:
    """Debian's Rust, with its standard library for this machine, for wasm, and as source."""
    packages = ("rustc", "libstd-rust-dev", "libstd-rust-dev-wasm32", "rust-src", "lld")
    return unpack("rust", *packages, options=("--with-dependencies",))


def cargo(
    target: str,
    *arguments: str,
    folder: pathlib.Path,
    runner: pathlib.Path | None = None,
    flags: tuple[str, ...] = (),
) -> None:
    """Runs Cargo for `target`: with this machine's compiler, or with Debian's."""
    environment = dict(os.environ, CARGO_TARGET_DIR=str(folder))
    variable = "CARGO_TARGET_" + target.upper().replace("-", "_")
    command = ["cargo", *arguments, "--locked", "--release", "--target", target]
    # The optimizations that shipping adds take long, and change no bit.
    environment["CARGO_PROFILE_RELEASE_LTO"] = "off"
    environment["CARGO_PROFILE_RELEASE_CODEGEN_UNITS"] = "4"
    if runner is not None:
        environment[variable + "_RUNNER"] = str(runner)
    if target != NATIVE:
        place = compiler()
        environment["RUSTC"] = str(with_its_library(place, "bin/rustc"))
        if target == "wasm32-wasip1":
            environment[variable + "_LINKER"] = str(with_its_library(place, f"{LLVM}/wasm-ld"))
        elif target == WEB:
            environment[variable + "_LINKER"] = str(emscripten() / "emcc")
        else:
            command[:2] = ["cargo-zigbuild", arguments[0].replace("build", "zigbuild")]
            add_zig(environment)
        if target == "aarch64-unknown-linux-gnu":
            unpack("rust", "libstd-rust-dev", options=("--architecture", "arm64"))
        if target not in WITH_LIBRARY:
            environment["RUSTC_BOOTSTRAP"] = "1"
            if target == WEB:
                command.append("-Zbuild-std=std,panic_abort")
            else:
                command.append("-Zbuild-std=std,panic_unwind,test")
                flags += nothing()
    if flags:
        environment["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags)
    run(command, env=environment)


def zig() -> Arguments:
    """Zig, which compiles C and links for all platforms."""
    with alone():
        run(["scripts/pip-tools", str(TOOLS.relative_to(ROOT)), "packaging/requirements/package.txt"])
    return [str(TOOLS / "bin/python"), "-m", "ziglang"]


def compile_c(source: str, program: pathlib.Path, *flags: str) -> None:
    """Compiles a file for Windows."""
    run([*zig(), "cc", "-target", "x86_64-windows-gnu", "-o", str(program), source, *flags])


def add_zig(environment: dict[str, str]) -> None:
    """Puts zig and cargo-zigbuild on the PATH."""
    dlltool = script("x86_64-w64-mingw32-dlltool", [*zig(), "dlltool"])
    folders = [str(TOOLS / "bin"), str(dlltool.parent), environment["PATH"]]
    environment["PATH"] = os.pathsep.join(folders)


def nothing() -> tuple[str, ...]:
    """Flags for empty libraries in place of those that Rust asks for by name, and zig links by itself."""
    folder = STORE / "nothing"
    folder.mkdir(exist_ok=True)
    for name in ("ssp_nonshared", "unwind", "gcc_eh", "gcc", "c"):
        (folder / f"lib{name}.a").write_text("!<arch>\n", encoding="utf-8")
    # Zig has the objects that a program begins with, too.
    return f"-Lnative={folder}", "-Clink-self-contained=no"


def mingw() -> pathlib.Path:
    """The folder with Debian's compilers of C++ for Windows."""
    options = ("--with-dependencies", "--release", own_release())
    place = unpack("mingw", "g++-mingw-w64-x86-64-posix", options=options) / "usr/bin"
    for program in place.glob("*-posix"):
        # There is another kind, with other threads. Where Debian installs one, it decides which has the short name.
        link = program.with_name(program.name.removesuffix("-posix"))
        if not link.is_symlink():
            link.symlink_to(program.name)
    return place


# $0 is the folder, $1 another one that is needed in it, and the rest a command.
ENTER = """
for each in /dev /proc /tmp "$1"; do
    mkdir -p "$0$each"
    mount --rbind "$each" "$0$each"
done
work=$PWD root=$0 PATH=/usr/bin:/usr/sbin
shift
exec chroot "$root" sh -c 'cd "$0" && exec "$@"' "$work" "$@"
"""


# What Emscripten 6.0 gets wrong in programs with threads that load libraries: functions of WebGL by another name,
# and its view of a memory that a new thread has not got yet.
EMSCRIPTEN_FIXES = {
    "lib/libwebgl.js": (
        "      renameSymbol(lib, sym, newSym);\n",
        "      renameSymbol(lib, sym, newSym);\n"
        "      if (String(lib[newSym]).match(/^gl\\w+$/)) lib[newSym] = 'emscripten_' + lib[newSym];\n",
    ),
    "runtime_common.js": ("if (wasmMemory.buffer != HEAP8.buffer)", "if (wasmMemory?.buffer != HEAP8?.buffer)"),
}


def emscripten() -> pathlib.Path:
    """The folder with Debian's compilers for the web. They run in the system that they were unpacked with."""
    packages = ("emscripten", "base-files", "bash", "coreutils", "dash", "grep", "sed")
    place = unpack("emscripten", *packages, options=("--with-dependencies",))
    for name, (wrong, right) in EMSCRIPTEN_FIXES.items():
        source = place / "usr/share/emscripten/src" / name
        text = source.read_text(encoding="utf-8")
        if right not in text:
            source.write_text(text.replace(wrong, right), encoding="utf-8")
    programs = STORE / "emscripten-programs"
    programs.mkdir(exist_ok=True)
    for name in ("emcc", "em++", "emar", "emranlib"):
        enter = ["unshare", "--map-root-user", "--mount", "sh", "-ec", ENTER, str(place), str(ROOT)]
        os.replace(script(name, [*enter, name]), programs / name)
    return programs


def chromium() -> pathlib.Path:
    place = unpack("chromium", "chromium", options=("--with-dependencies", "--release", own_release()))
    libraries = place / "usr/lib/x86_64-linux-gnu"
    environment = {"LD_LIBRARY_PATH": f"{libraries}:{libraries}/pulseaudio"}
    return script("chromium", [str(place / "usr/lib/chromium/chromium")], environment)


def with_new_glibc() -> Arguments:
    library = compiler() / "usr/lib/x86_64-linux-gnu"
    return [str(library / "ld-linux-x86-64.so.2"), "--library-path", str(library)]


def with_qemu() -> Arguments:
    emulator = unpack("qemu", "qemu-user") / "usr/bin/qemu-aarch64"
    place = unpack("arm64", "libc6", "libgcc-s1", options=("--architecture", "arm64"))
    link = place / "lib"
    if not link.exists():
        link.symlink_to("usr/lib")
    return [str(emulator), "-L", str(place)]


def with_node() -> Arguments:
    return ["node", "--no-warnings", str(ROOT / "packaging/wasi.mjs"), str(ROOT)]


def with_wine() -> Arguments:
    place = unpack("wine", "wine64", options=("--with-dependencies", "--release", own_release()))
    server = place / "usr/lib/wine/wineserver"
    if not server.is_symlink():
        # A script that looks for the server where it would be installed.
        server.unlink()
        server.symlink_to("wineserver64")
    # Debian's Wine has not got a function of Windows 10 that Rust's library calls.
    # Libraries of libraries are found in the system's folder only.
    folder = pathlib.Path(WINE["WINEPREFIX"], "drive_c/windows/system32")
    missing = folder / "bcryptprimitives.dll"
    if not missing.exists():
        folder.mkdir(parents=True, exist_ok=True)
        compile_c("packaging/process_prng.c", missing, "-shared", "-ladvapi32")
    # And these it looks for where they would be installed.
    for library in place.glob("usr/x86_64-w64-mingw32/lib/*.dll"):
        link = folder / library.name
        if not link.exists():
            link.symlink_to(library)
    return [str(place / "usr/lib/wine/wine64")]


@dataclasses.dataclass(frozen=True)
class Platform:
    """What programs are built for, and how they are run here."""

    name: str
    target: str
    # The words of a command that go before the program.
    prefix: collections.abc.Callable[[], Arguments] = list
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    suffix: str = ""
    # Of the compiler.
    flags: tuple[str, ...] = ()

    def runner(self) -> pathlib.Path:
        return script("run-" + self.name, self.prefix(), self.environment)

    def folder(self) -> pathlib.Path:
        """Where programs are built. Flags of its own need a folder of its own."""
        return SOLVER.with_name(self.name) if self.flags else SOLVER

    def cargo(self, *arguments: str, folder: pathlib.Path | None = None) -> None:
        cargo(self.target, *arguments, folder=folder or self.folder(), runner=self.runner(), flags=self.flags)

    def built(self, name: str) -> pathlib.Path:
        return self.folder() / self.target / "release" / (name + self.suffix)


WINE = {
    "WINEPREFIX": str(STORE / "wine-home"),
    "WINEDEBUG": "-all",
    "LD_LIBRARY_PATH": str(STORE / "wine/usr/lib/x86_64-linux-gnu"),
}
# The solver's tests try less where a processor is emulated, or where there are no threads.
SLOW = {"TENDON_SHORT": "1"}
# The first is what all others are compared with.
PLATFORMS = [
    Platform("linux.x86_64", NATIVE),
    Platform("linux.x86_64-no-fma", NATIVE, environment={"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"}),
    Platform("linux.x86_64-fma", NATIVE, flags=("-Ctarget-cpu=x86-64-v3",)),
    Platform("linux.x86_64-new-glibc", NATIVE, with_new_glibc),
    Platform("linux.x86_64-musl", "x86_64-unknown-linux-musl"),
    Platform("linux.x86_32-musl", "i686-unknown-linux-musl"),
    Platform("web.wasm32", "wasm32-wasip1", with_node, SLOW, suffix=".wasm"),
    Platform("linux.arm64", "aarch64-unknown-linux-gnu", with_qemu, SLOW),
    Platform("windows.x86_64", "x86_64-pc-windows-gnu", with_wine, WINE, suffix=".exe"),
]
