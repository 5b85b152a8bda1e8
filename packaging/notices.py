#!/usr/bin/env python3
"""Writes the licences of all that is linked into the libraries.

Usage: packaging/notices.py FOLDER

Writes FOLDER/NOTICES.txt, with what Cargo knows of the crates, and
FOLDER/NOTICES-rust.html, which the Rust toolchain brings for its own library.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

from platforms import PLATFORMS

# Texts of licences for crates that only name theirs. Debian and its kin have them.
COMMON_LICENCES = pathlib.Path("/usr/share/common-licenses")
LICENCE_FILE = re.compile(r"(licen[sc]e|copying|copyright|notice|attribution|unlicense)", re.I)
# Not linked, but what godot-core and godot-ffi are generated from.
ENGINE_INTERFACE = "gdextension-api"

HEADER = """\
Tendon's libraries contain the crates below and Rust's own library, whose notices
are in NOTICES-rust.html. Each is unchanged, and its source code is published with
Rust's other crates under the name and version given.
"""


def output(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked() -> set[tuple[str, str]]:
    """The names and versions of all crates that are in the library of any platform."""
    crates = set()
    for platform in PLATFORMS.values():
        for target in platform.targets:
            tree = output(
                *("cargo", "tree", "--locked", "--package", "tendon-godot", "--features", "docs"),
                *("--edges", "normal,no-proc-macro", "--target", target),
                *("--prefix", "none", "--format", "{p}"),
            )
            for line in tree.splitlines():
                name, version = line.split()[:2]
                crates.add((name, version.removeprefix("v")))
    return crates


def texts(package: dict) -> list[str]:
    """The licence of a crate, and what else it wants to be told: its own files, or common texts."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if LICENCE_FILE.match(file.name))
    if not files:
        files = [COMMON_LICENCES / name for name in re.findall(r"[\w.+-]+", package["license"])]
    missing = [str(file) for file in files if not file.is_file()]
    if missing:
        sys.exit(f"{package['name']} has no licence text, and there is no {missing[0]}")
    return [file.read_text(encoding="utf-8").strip("\n") for file in files]


def engine_notice(package: dict) -> str:
    """Godot's copyright, which stands above the description of its interface."""
    folder = pathlib.Path(package["manifest_path"]).parent
    with open(folder / "src/gdextension_interface.json", encoding="utf-8") as file:
        lines = json.load(file)["_copyright"]
    return "\n".join(line.strip("/* ") for line in lines).strip()


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    packages = json.loads(output("cargo", "metadata", "--locked", "--format-version", "1"))
    crates = linked()
    # Many crates have the same licence, word by word.
    owners: dict[str, list[str]] = {}
    for package in packages["packages"]:
        title = f"{package['name']} {package['version']} ({package['license']})"
        if package["authors"]:
            title += ", by " + ", ".join(package["authors"])
        if package["name"] == ENGINE_INTERFACE:
            title = "Godot Engine, whose interface is described in parts of godot-core and godot-ffi"
            owners.setdefault(engine_notice(package), []).append(title)
        elif package["source"] and (package["name"], package["version"]) in crates:
            for text in texts(package):
                owners.setdefault(text, []).append(title)

    with open(folder / "NOTICES.txt", "w", encoding="utf-8", newline="\n") as notices:
        notices.write(HEADER)
        for text, titles in owners.items():
            print("", "=" * 80, *titles, "-" * 80, text, sep="\n", file=notices)
    sysroot = pathlib.Path(output("rustc", "--print", "sysroot").strip())
    shutil.copyfile(
        sysroot / "share/doc/rust/COPYRIGHT-library.html", folder / "NOTICES-rust.html"
    )


if __name__ == "__main__":
    main()
