#!/usr/bin/env python3
"""Checks the notices of the crates in the libraries, or writes them.

Usage: packaging/notices.py [--write]

addons/tendon/NOTICES.txt must name each crate that is in the library of any
platform, with its version. Where it does not, dependencies have changed: --write
writes it again with cargo-about, which it builds first if need be. That takes
minutes, so the file is in the repository. docs/licences.md must name each crate.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from platforms import PLATFORMS

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTICES = ROOT / "addons/tendon/NOTICES.txt"
PAGE = ROOT / "docs/licences.md"
CARGO_ABOUT = "cargo-about@0.9.3"
TOOLS = ROOT / "build/tools"


def crates() -> set[str]:
    """The names and versions of all crates from elsewhere, for any platform."""
    found = set()
    for platform in PLATFORMS.values():
        for target in platform.targets:
            tree = subprocess.run(
                ["cargo", "tree", "--locked", "--package", "tendon-godot"]
                + ["--edges", "normal,no-proc-macro", "--target", target]
                + ["--prefix", "none", "--format", "{p}"],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
            )
            for line in tree.stdout.splitlines():
                name, version, *source = line.split()
                # Tendon's own crates have the folder that they are in.
                if not any(part.startswith("(/") for part in source):
                    found.add(f"{name} {version.removeprefix('v')}")
    return found


def write() -> None:
    command = shutil.which("cargo-about")
    if command is None:
        subprocess.run(
            ["cargo", "install", "--quiet", "--locked", "--features", "cli", "--root", TOOLS]
            + [CARGO_ABOUT],
            check=True,
        )
        command = TOOLS / "bin/cargo-about"
    subprocess.run(
        [command, "generate", "--offline", "--locked"]
        + ["--config", "packaging/about.toml", "--manifest-path", "rust/godot/Cargo.toml"]
        + ["--output-file", NOTICES, "packaging/notices.hbs"],
        check=True,
        cwd=ROOT,
        env=os.environ | {"RUST_LOG": "error"},
    )


def main() -> None:
    if sys.argv[1:] == ["--write"]:
        write()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    lines = NOTICES.read_text(encoding="utf-8").splitlines()
    contained = crates()
    missing = [each for each in contained if not any(line.startswith(each + " ") for line in lines)]
    if missing:
        sys.exit(
            f"{NOTICES.relative_to(ROOT)} does not name {', '.join(sorted(missing))}. "
            "Run packaging/notices.py --write"
        )
    page = PAGE.read_text(encoding="utf-8")
    unnamed = sorted({each.split()[0] for each in contained if f"`{each.split()[0]}`" not in page})
    if unnamed:
        sys.exit(f"{PAGE.relative_to(ROOT)} does not name {', '.join(unnamed)}")


if __name__ == "__main__":
    main()
