#!/usr/bin/env python3
"""Checks the libraries of an addon that is to be packaged.

Usage: packaging/check.py ADDON [--all]
       packaging/check.py --library PLATFORM FILE

Each must be for the platform that the .gdextension file says, export its entry
symbol, import from nothing but the system, run on the oldest version of it that is
supported, and name no path of the machine that built it. With --all, none may be
missing, and those for Linux must load with an old glibc. With --library, only one
file is checked.
Needs the Python packages lief and wasmtime, which scripts/package installs.
"""

import configparser
import os
import pathlib
import re
import sys

import lief
import wasmtime

from platforms import ANDROID_API, ANDROID_PAGE, GLIBC, IOS, MACOS, PLATFORMS, WINDOWS

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Folders that exist only on somebody's own machine.
PATHS = re.compile(
    rb"(/(?:home|root|github|Users|tmp)/|[A-Za-z]:\\+(?:Users|a)\\|registry[/\\]src|\.cargo[/\\]|\.rustup[/\\])"
    rb"[\w.+/\\-]*"
)
PROCESSORS = {
    lief.ELF.ARCH.X86_64: "x86_64",
    lief.ELF.ARCH.AARCH64: "arm64",
    lief.PE.Header.MACHINE_TYPES.AMD64: "x86_64",
    lief.PE.Header.MACHINE_TYPES.ARM64: "arm64",
    lief.MachO.Header.CPU_TYPE.X86_64: "x86_64",
    lief.MachO.Header.CPU_TYPE.ARM64: "arm64",
}
FORMATS = {
    "linux": lief.ELF.Binary,
    "android": lief.ELF.Binary,
    "windows": lief.PE.Binary,
    "macos": lief.MachO.Binary,
    "ios": lief.MachO.Binary,
}
# The libraries that every system of the kind has.
SYSTEM_LIBRARIES = {
    "linux": r"lib(c|m|dl|pthread|rt|gcc_s)\.so\.\d|ld-linux-[\w-]+\.so\.\d",
    "android": r"lib(c|m|dl|log)\.so",
    "windows": r"(kernel32|ntdll|advapi32|bcrypt|bcryptprimitives|msvcrt|userenv|ws2_32|ole32|shell32)\.dll"
    r"|api-ms-win-[\w-]+\.dll",
    "macos": r"/usr/lib/lib(System|iconv|c\+\+|objc)[\w.]*\.dylib|/System/Library/Frameworks/.*",
    "ios": r"/usr/lib/lib(System|iconv|c\+\+|objc)[\w.]*\.dylib|/System/Library/Frameworks/.*",
}

Binary = lief.ELF.Binary | lief.PE.Binary | lief.MachO.Binary


def binaries(path: pathlib.Path) -> list[Binary] | lief.MachO.FatBinary:
    """What a library consists of: one part for each processor."""
    if lief.is_macho(str(path)):
        # Its parts are only valid as long as the whole is.
        return lief.MachO.parse(str(path)) or []
    binary = lief.parse(str(path))
    return [binary] if binary else []


def processor(binary: Binary) -> str:
    header = binary.header
    for field in ("machine_type", "machine", "cpu_type"):
        if hasattr(header, field):
            return PROCESSORS.get(getattr(header, field), "?")
    return "?"


def exports(binary: Binary, symbol: str) -> bool:
    names = {each.name for each in binary.exported_functions}
    # Mach-O puts an underscore before the names of C.
    return symbol in names or "_" + symbol in names


def imported(binary: Binary) -> list[str]:
    """The libraries that it needs."""
    if isinstance(binary, lief.MachO.Binary):
        own = lief.MachO.LoadCommand.TYPE.ID_DYLIB
        return [each.name for each in binary.libraries if each.command != own]
    if isinstance(binary, lief.PE.Binary):
        return [each.name for each in binary.imports]
    return [str(each) for each in binary.libraries]


def page(binary: lief.ELF.Binary) -> int:
    """The least alignment of the segments that are loaded."""
    loaded = [each for each in binary.segments if each.type == lief.ELF.Segment.TYPE.LOAD]
    return min(each.alignment for each in loaded)


def newest_glibc(binary: lief.ELF.Binary) -> str:
    """The newest version of glibc whose symbols a library needs."""
    needed = [
        version.name.removeprefix("GLIBC_")
        for library in binary.symbols_version_requirement
        for version in library.get_auxiliary_symbols()
        if version.name.startswith("GLIBC_")
    ]
    return max(needed, key=numbers, default="0")


def oldest_apple(binary: lief.MachO.Binary) -> str:
    """The oldest version of the system that it says it runs on."""
    if binary.has_build_version:
        return ".".join(map(str, binary.build_version.minos))
    return ".".join(map(str, binary.version_min.version)) if binary.has_version_min else "?"


def android_api(binary: lief.ELF.Binary) -> int:
    """The oldest API of Android that it says it runs on."""
    notes = [note for note in binary.notes if isinstance(note, lief.ELF.AndroidIdent)]
    return notes[0].sdk_version if notes else 0


def numbers(version: str) -> list[int]:
    parts = [int(part) for part in version.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts


def named_places(path: pathlib.Path) -> list[str]:
    """What is wrong with a library that names folders of the machine that built it."""
    data = path.read_bytes()
    own = [os.path.expanduser("~").encode(), os.getcwd().encode()]
    paths = {match.group().decode() for match in PATHS.finditer(data)}
    paths |= {path.decode() for path in own if len(path) > 1 and path in data}
    return [f"names {len(paths)} places of where it was built, such as {min(paths)}"] if paths else []


def problems_of_apple(system: str, binary: lief.MachO.Binary) -> list[str]:
    found = []
    kind = {"macos": "MACOS", "ios": "IOS"}[system]
    if binary.platform != lief.MachO.BuildVersion.PLATFORMS.__members__[kind]:
        found.append(f"is not for {system}")
    limit, oldest = {"macos": MACOS, "ios": IOS}[system], oldest_apple(binary)
    if oldest == "?" or numbers(oldest) > numbers(limit):
        found.append(f"needs {system} {oldest}, newer than {limit}")
    return found


def problems_of_system(platform: str, binary: Binary, for_release: bool) -> list[str]:
    """What is wrong with the versions that it needs."""
    system = platform.split(".")[0]
    if isinstance(binary, lief.MachO.Binary):
        return problems_of_apple(system, binary)
    found = []
    if system == "windows":
        header = binary.optional_header
        oldest = f"{header.major_subsystem_version}.{header.minor_subsystem_version}"
        if numbers(oldest) > numbers(WINDOWS):
            found.append(f"needs Windows {oldest}, newer than {WINDOWS}")
    if system == "android":
        if page(binary) < ANDROID_PAGE:
            found.append(f"is laid out for pages of {page(binary)} bytes, not {ANDROID_PAGE}")
        if not 0 < android_api(binary) <= ANDROID_API:
            found.append(f"needs Android API {android_api(binary) or '?'}, not {ANDROID_API}")
    if system == "linux":
        glibc = newest_glibc(binary)
        print(f"{platform} needs glibc {glibc}")
        if for_release and numbers(glibc) > numbers(GLIBC):
            found.append(f"needs glibc {glibc}, newer than {GLIBC}")
    return found


def problems_of_web(path: pathlib.Path, symbol: str) -> list[str]:
    configuration = wasmtime.Config()
    configuration.wasm_threads = True
    try:
        module = wasmtime.Module(wasmtime.Engine(configuration), path.read_bytes())
    except wasmtime.WasmtimeError:
        return ["is not for web.wasm32"]
    found = []
    if symbol not in {each.name for each in module.exports}:
        found.append(f"does not export {symbol}")
    memories = [each.type for each in module.imports if isinstance(each.type, wasmtime.MemoryType)]
    is_shared = [memory.is_shared for memory in memories]
    wanted = ".threads." in path.name
    if is_shared != [wanted]:
        found.append("has no memory that is shared" if wanted else "has no memory that is not shared")
    foreign = {each.module for each in module.imports} - {"env", "GOT.func", "GOT.mem", "wasi_snapshot_preview1"}
    if foreign:
        found.append(f"imports from {', '.join(sorted(foreign))}")
    return found


def problems(path: pathlib.Path, platform: str, symbol: str, for_release: bool) -> list[str]:
    """What is wrong with it, for whoever has built it."""
    system = platform.split(".")[0]
    found = []
    if system == "web":
        return problems_of_web(path, symbol)
    wanted = ["arm64", "x86_64"] if system == "macos" else [platform.split(".")[1]]
    parts = binaries(path)
    if not all(isinstance(part, FORMATS[system]) for part in parts) or (
        sorted(processor(part) for part in parts) != wanted
    ):
        return [f"is not for {platform}"]
    for part in parts:
        if not exports(part, symbol):
            found.append(f"does not export {symbol}")
        known = re.compile(SYSTEM_LIBRARIES[system], re.I)
        found += [f"needs {name}" for name in imported(part) if not known.fullmatch(name)]
        found += problems_of_system(platform, part, for_release)
    return found


def extension_file() -> configparser.ConfigParser:
    extension = configparser.ConfigParser()
    extension.optionxform = str
    return extension


def main() -> None:
    match sys.argv[1:]:
        case ["--library", platform, file] if platform in PLATFORMS:
            check_library(platform, pathlib.Path(file))
        case [addon] if addon != "--help":
            check_addon(pathlib.Path(addon), for_release=False)
        case [addon, "--all"]:
            check_addon(pathlib.Path(addon), for_release=True)
        case _:
            sys.exit(__doc__)


def entry_symbol(extension: configparser.ConfigParser) -> str:
    return extension["configuration"]["entry_symbol"].strip('"')


def check_library(platform: str, path: pathlib.Path) -> None:
    """It may name paths of this machine, since it is not for shipping."""
    extension = extension_file()
    extension.read(ROOT / "addons/tendon/tendon.gdextension", encoding="utf-8")
    found = problems(path, platform, entry_symbol(extension), for_release=False)
    if found:
        sys.exit("\n".join(f"{path.name}: {problem}" for problem in found))
    names = sorted({name for part in binaries(path) for name in imported(part)})
    print(f"{path.name} is sound: {platform}, exports {entry_symbol(extension)}, needs {', '.join(names)}")


def check_addon(addon: pathlib.Path, for_release: bool) -> None:
    extension = extension_file()
    extension.read(addon / "tendon.gdextension", encoding="utf-8")
    symbol = entry_symbol(extension)
    named = {value.strip('"') for value in extension["libraries"].values()}
    known = {f"bin/{name}/{file}" for name, each in PLATFORMS.items() for file in each.files()}
    found = [f"{path}: is in only one of platforms.py and tendon.gdextension" for path in sorted(named ^ known)]
    present = {str(path.relative_to(addon)) for path in addon.glob("bin/*/*")}
    found += [f"{path}: is not for shipping" for path in sorted(present - named)]
    if not present & named or (for_release and named - present):
        found += [f"{path}: is missing" for path in sorted(named - present)]
    for path in sorted(present & named):
        platform = pathlib.Path(path).parent.name
        wrong = named_places(addon / path) + problems(addon / path, platform, symbol, for_release)
        found += [f"{path}: {problem}" for problem in wrong]
        print(f"{path}: {(addon / path).stat().st_size / 1e6:.2f} MB")
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
