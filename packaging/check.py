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

from platforms import ANDROID_API, ANDROID_PAGE, GAME, GLIBC, IOS, MACOS, PLATFORMS, WINDOWS

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Folders that exist only on somebody's own machine.
PATHS = re.compile(
    rb"(/(?:home|root|github|Users|tmp)/|[A-Za-z]:\\+(?:Users|a)\\|registry[/\\]src|\.cargo[/\\]|\.rustup[/\\])"
    rb"[\w.+/\\-]*"
)
# What is in the library of the editor only: its plugins, and the help of classes.
EDITORS = re.compile(rb"Tendon\w*Plugin|<brief_description>")
APPLE = r"/usr/lib/lib(System|iconv|c\+\+|objc)[\w.]*\.dylib|/System/Library/Frameworks/.*"
# The format of each system, and the libraries that every system of the kind has.
SYSTEMS = {
    "linux": ("ELF", r"lib(c|m|dl|pthread|rt|gcc_s)\.so\.\d|ld-linux-[\w-]+\.so\.\d"),
    "android": ("ELF", r"lib(c|m|dl|log)\.so"),
    "windows": (
        "PE",
        r"(kernel32|ntdll|advapi32|bcrypt|bcryptprimitives|msvcrt|userenv|ws2_32|ole32|shell32)\.dll"
        r"|api-ms-win-[\w-]+\.dll",
    ),
    "macos": ("MACHO", APPLE),
    "ios": ("MACHO", APPLE),
}


def parts_of(path: pathlib.Path) -> list[lief.Binary] | lief.MachO.FatBinary:
    """What a library consists of: one part for each processor."""
    if lief.is_macho(str(path)):
        # Its parts are only valid as long as the whole is.
        return lief.MachO.parse(str(path)) or []
    binary = lief.parse(str(path))
    return [binary] if binary else []


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.sub(r"(\.0)+$", "", version).split(".")]


def newer(system: str, needed: str, oldest: str) -> list[str]:
    is_newer = needed == "?" or numbers(needed) > numbers(oldest)
    return [f"needs {system} {needed}, newer than {oldest}"] if is_newer else []


def named_places(path: pathlib.Path) -> list[str]:
    """What is wrong with a library that names folders of the machine that built it."""
    data = path.read_bytes()
    own = [os.path.expanduser("~").encode(), os.getcwd().encode()]
    paths = {match.group().decode() for match in PATHS.finditer(data)}
    paths |= {path.decode() for path in own if len(path) > 1 and path in data}
    return [f"names {len(paths)} places of where it was built, such as {min(paths)}"] if paths else []


def problems_of_apple(system: str, binary: lief.MachO.Binary) -> list[str]:
    is_for = binary.platform == lief.MachO.BuildVersion.PLATFORMS.__members__[system.upper()]
    found = [] if is_for else [f"is not for {system}"]
    oldest = "?"
    if binary.has_build_version:
        oldest = ".".join(map(str, binary.build_version.minos))
    elif binary.has_version_min:
        oldest = ".".join(map(str, binary.version_min.version))
    return found + newer(system, oldest, MACOS if system == "macos" else IOS)


def problems_of_android(binary: lief.ELF.Binary) -> list[str]:
    found = []
    page = min(each.alignment for each in binary.segments if each.type == lief.ELF.Segment.TYPE.LOAD)
    if page < ANDROID_PAGE:
        found.append(f"is laid out for pages of {page} bytes, not {ANDROID_PAGE}")
    notes = [note for note in binary.notes if isinstance(note, lief.ELF.AndroidIdent)]
    api = notes[0].sdk_version if notes else 0
    if not 0 < api <= ANDROID_API:
        found.append(f"needs Android API {api or '?'}, not {ANDROID_API}")
    return found


def problems_of_linux(binary: lief.ELF.Binary, for_release: bool) -> list[str]:
    requirements = binary.symbols_version_requirement
    names = [each.name for library in requirements for each in library.get_auxiliary_symbols()]
    versions = [name.removeprefix("GLIBC_") for name in names if name.startswith("GLIBC_")]
    glibc = max(versions, key=numbers, default="0")
    print(f"needs glibc {glibc}")
    return newer("glibc", glibc, GLIBC) if for_release else []


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
    wanted = ".threads." in path.name
    if [memory.is_shared for memory in memories] != [wanted]:
        found.append("has no memory that is shared" if wanted else "has no memory that is not shared")
    foreign = {each.module for each in module.imports} - {"env", "GOT.func", "GOT.mem", "wasi_snapshot_preview1"}
    if foreign:
        found.append(f"imports from {', '.join(sorted(foreign))}")
    return found


def problems(path: pathlib.Path, platform: str, symbol: str, for_release: bool) -> list[str]:
    """What is wrong with it, for whoever has built it."""
    system, _, processor = platform.partition(".")
    if system == "web":
        return problems_of_web(path, symbol)
    wanted = ["ARM64", "X86_64"] if system == "macos" else [processor.upper()]
    library_format, libraries = SYSTEMS[system]
    parts = parts_of(path)
    is_for = all(part.format.name == library_format for part in parts)
    if not is_for or sorted(part.abstract.header.architecture.name for part in parts) != wanted:
        return [f"is not for {platform}"]
    found = []
    for part in parts:
        # Mach-O puts an underscore before the names of C.
        if not {symbol, "_" + symbol} & {each.name for each in part.exported_functions}:
            found.append(f"does not export {symbol}")
        names = part.abstract.libraries
        if library_format == "MACHO":
            # Its own name is among them.
            names = [each.name for each in part.libraries if each.command != lief.MachO.LoadCommand.TYPE.ID_DYLIB]
        found += [f"needs {name}" for name in names if not re.fullmatch(libraries, str(name), re.I)]
        match system:
            case "linux":
                found += problems_of_linux(part, for_release)
            case "android":
                found += problems_of_android(part)
            case "windows":
                header = part.optional_header
                needed = f"{header.major_subsystem_version}.{header.minor_subsystem_version}"
                found += newer("Windows", needed, WINDOWS)
            case _:
                found += problems_of_apple(system, part)
    return found


def editors_in(path: pathlib.Path) -> list[str]:
    """What is wrong with a library of games that has something of the editor in it."""
    found = sorted(name.decode() for name in set(EDITORS.findall(path.read_bytes())))
    return [f"is for games and has the editor's {', '.join(found)}"] if found else []


def read_extension(addon: pathlib.Path) -> tuple[str, set[str], bool]:
    """The entry symbol, the libraries, and whether an editor loads them anew while it runs."""
    extension = configparser.ConfigParser()
    extension.optionxform = str
    extension.read(addon / "tendon.gdextension", encoding="utf-8")
    named = {value.strip('"') for value in extension["libraries"].values()}
    configuration = extension["configuration"]
    return configuration["entry_symbol"].strip('"'), named, configuration.getboolean("reloadable", False)


def problems_of_addon(addon: pathlib.Path, for_release: bool) -> list[str]:
    symbol, named, is_reloadable = read_extension(addon)
    known = {f"bin/{name}/{file}" for name, each in PLATFORMS.items() for file in each.files()}
    found = [f"{path}: is in only one of platforms.py and tendon.gdextension" for path in sorted(named ^ known)]
    if is_reloadable:
        found.append("tendon.gdextension: is reloadable, and a release library crashes an editor that loads it anew")
    present = {str(path.relative_to(addon)) for path in addon.glob("bin/*/*")}
    found += [f"{path}: is not for shipping" for path in sorted(present - named)]
    if not present & named or (for_release and named - present):
        found += [f"{path}: is missing" for path in sorted(named - present)]
    for path in sorted(present & named):
        print(f"{path}: {(addon / path).stat().st_size / 1e6:.2f} MB")
        platform = pathlib.Path(path).parent.name
        wrong = named_places(addon / path) + problems(addon / path, platform, symbol, for_release)
        if PLATFORMS[platform].files()[pathlib.Path(path).name].crate == GAME:
            wrong += editors_in(addon / path)
        found += [f"{path}: {problem}" for problem in wrong]
    return found


def main() -> None:
    match sys.argv[1:]:
        case ["--library", platform, file] if platform in PLATFORMS:
            # It may name paths of this machine, since it is not for shipping.
            symbol, *_ = read_extension(ROOT / "addons/tendon")
            found = problems(pathlib.Path(file), platform, symbol, for_release=False)
        case [addon, *rest] if rest in ([], ["--all"]) and not addon.startswith("-"):
            found = problems_of_addon(pathlib.Path(addon), for_release=rest != [])
        case _:
            sys.exit(__doc__)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
