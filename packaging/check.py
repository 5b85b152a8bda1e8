#!/usr/bin/env python3
"""Checks the libraries of an addon that is to be packaged.

Usage: packaging/check.py ADDON [--all]

Each must be of the platform that the .gdextension file says, give its entry
symbol, and keep quiet about the machine that it was built on. With --all none
may be missing, and those for Linux must load with an old glibc.
"""

import configparser
import os
import pathlib
import re
import struct
import sys

from platforms import ANDROID_PAGE, GLIBC, PLATFORMS

# Folders that are only found on the machine of one person.
PATHS = re.compile(
    rb"(/(?:home|root|github|Users|tmp)/|[A-Za-z]:\\+(?:Users|a)\\|registry[/\\]src|\.cargo[/\\]|\.rustup[/\\])"
    rb"[\w.+/\\-]*"
)
GLIBC_SYMBOL = re.compile(rb"GLIBC_([0-9]+(?:\.[0-9]+)+)\0")
# By the first bytes of the file.
ELF, MACHO_UNIVERSAL, PE = b"\x7fELF", b"\xca\xfe\xba\xbe", b"MZ"
ELF_MACHINES = {62: "x86_64", 183: "arm64"}
MACHO_MACHINES = {0x01000007: "x86_64", 0x0100000C: "arm64"}
PE_MACHINES = {0x8664: "x86_64", 0xAA64: "arm64"}
LOAD_SEGMENT = 1


def machines(data: bytes) -> list[str]:
    """The processors that a library is for."""
    if data.startswith(ELF):
        return [ELF_MACHINES.get(struct.unpack_from("<H", data, 18)[0], "?")]
    if data.startswith(PE):
        (header,) = struct.unpack_from("<I", data, 60)
        return [PE_MACHINES.get(struct.unpack_from("<H", data, header + 4)[0], "?")]
    if data.startswith(MACHO_UNIVERSAL):
        (count,) = struct.unpack_from(">I", data, 4)
        parts = [struct.unpack_from(">I", data, 8 + 20 * part)[0] for part in range(count)]
        return sorted((MACHO_MACHINES.get(part, "?") for part in parts), reverse=True)
    return []


def expected_start(platform: str) -> bytes:
    return {"windows": PE, "macos": MACHO_UNIVERSAL}.get(platform.split(".")[0], ELF)


def page(data: bytes) -> int:
    """The least alignment of what is loaded of an ELF file of 64 bits."""
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    headers = [table + size * index for index in range(count)]
    loaded = [at for at in headers if struct.unpack_from("<I", data, at)[0] == LOAD_SEGMENT]
    return min(struct.unpack_from("<Q", data, at + 48)[0] for at in loaded)


def newest_glibc(data: bytes) -> str:
    found = {match.decode() for match in GLIBC_SYMBOL.findall(data)}
    return max(found, key=version) if found else "0"


def version(text: str) -> list[int]:
    return [int(part) for part in text.split(".")]


def problems(platform: str, data: bytes, symbol: str, for_release: bool) -> list[str]:
    found = []
    wanted = ["x86_64", "arm64"] if platform == "macos" else [platform.split(".")[1]]
    if not data.startswith(expected_start(platform)) or machines(data) != wanted:
        found.append(f"is not for {platform}")
    if symbol.encode() not in data:
        found.append(f"has no {symbol}")
    own = [os.path.expanduser("~").encode(), os.getcwd().encode()]
    paths = {match.group().decode() for match in PATHS.finditer(data)}
    paths |= {path.decode() for path in own if len(path) > 1 and path in data}
    if paths:
        found.append(f"names {len(paths)} places of where it was built, such as {min(paths)}")
    if platform.startswith("android") and data.startswith(ELF) and page(data) < ANDROID_PAGE:
        found.append(f"is laid out for pages of {page(data)} bytes, not {ANDROID_PAGE}")
    if platform.startswith("linux") and version(newest_glibc(data)) > version(GLIBC):
        if for_release:
            found.append(f"needs glibc {newest_glibc(data)}, newer than {GLIBC}")
        else:
            print(f"Only for trying: it needs glibc {newest_glibc(data)}, newer than {GLIBC}")
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
    found = [f"{path}: is named in only one of platforms.py and tendon.gdextension"
             for path in sorted(named ^ known)]
    present = {str(path.relative_to(addon)) for path in addon.glob("bin/*/*")}
    found += [f"{path}: is not for shipping" for path in sorted(present - named)]
    if not present & named or (for_release and named - present):
        found += [f"{path}: is missing" for path in sorted(named - present)]
    for path in sorted(present & named):
        data = (addon / path).read_bytes()
        for problem in problems(path.split("/")[1], data, symbol, for_release):
            found.append(f"{path}: {problem}")
        print(f"{path}: {len(data) / 1e6:.2f} MB, {' and '.join(machines(data))}"
              + (f", glibc {newest_glibc(data)}" if path.startswith("bin/linux") else ""))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
