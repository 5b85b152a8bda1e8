#!/usr/bin/env python3
"""Checks the libraries of an addon that is to be packaged.

Usage: packaging/check.py ADDON [--all]

Each must be for the platform that the .gdextension file says, export its entry
symbol, and name no path of the machine that built it. With --all, none may be
missing, and those for Linux must load with an old glibc.
Needs the Python package lief, which scripts/package installs.
"""

import configparser
import os
import pathlib
import re
import sys

import lief

from platforms import ANDROID_PAGE, GLIBC, PLATFORMS

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
}

Binary = lief.ELF.Binary | lief.PE.Binary | lief.MachO.Binary


def binaries(path: pathlib.Path) -> list[Binary]:
    """What a library consists of: one part for each processor."""
    if lief.is_macho(str(path)):
        return list(lief.MachO.parse(str(path)) or [])
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


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def named_places(data: bytes) -> set[str]:
    """The folders of the machine that built a library, if it names any."""
    own = [os.path.expanduser("~").encode(), os.getcwd().encode()]
    paths = {match.group().decode() for match in PATHS.finditer(data)}
    return paths | {path.decode() for path in own if len(path) > 1 and path in data}


def problems(path: pathlib.Path, symbol: str, for_release: bool) -> list[str]:
    platform = path.parent.name
    system = platform.split(".")[0]
    wanted = ["arm64", "x86_64"] if system == "macos" else [platform.split(".")[1]]
    parts = binaries(path)
    if not all(isinstance(part, FORMATS[system]) for part in parts) or (
        sorted(processor(part) for part in parts) != wanted
    ):
        return [f"is not for {platform}"]
    found = []
    if not all(exports(part, symbol) for part in parts):
        found.append(f"does not export {symbol}")
    places = named_places(path.read_bytes())
    if places:
        found.append(f"names {len(places)} places of where it was built, such as {min(places)}")
    if system == "android" and page(parts[0]) < ANDROID_PAGE:
        found.append(f"is laid out for pages of {page(parts[0])} bytes, not {ANDROID_PAGE}")
    if system == "linux":
        glibc = newest_glibc(parts[0])
        print(f"{platform}/{path.name} needs glibc {glibc}")
        if for_release and numbers(glibc) > numbers(GLIBC):
            found.append(f"needs glibc {glibc}, newer than {GLIBC}")
    return found


def main() -> None:
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--all"]):
        sys.exit(__doc__)
    addon = pathlib.Path(sys.argv[1])
    for_release = len(sys.argv) == 3
    extension = configparser.ConfigParser()
    extension.optionxform = str
    extension.read(addon / "tendon.gdextension", encoding="utf-8")
    symbol = extension["configuration"]["entry_symbol"].strip('"')
    named = {value.strip('"') for value in extension["libraries"].values()}
    known = {f"bin/{name}/{file}" for name, each in PLATFORMS.items() for file in each.files()}
    found = [f"{path}: is in only one of platforms.py and tendon.gdextension"
             for path in sorted(named ^ known)]
    present = {str(path.relative_to(addon)) for path in addon.glob("bin/*/*")}
    found += [f"{path}: is not for shipping" for path in sorted(present - named)]
    if not present & named or (for_release and named - present):
        found += [f"{path}: is missing" for path in sorted(named - present)]
    for path in sorted(present & named):
        for problem in problems(addon / path, symbol, for_release):
            found.append(f"{path}: {problem}")
        print(f"{path}: {(addon / path).stat().st_size / 1e6:.2f} MB")
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
