#!/usr/bin/env python3
"""What commands and workflows have found out about platforms, and the table of it in the documents.

Usage: packaging/reports.py [--check]
       packaging/reports.py --record
       packaging/reports.py --add PLATFORM RESULT COMMAND [GODOT]
       packaging/reports.py --add-this-machine

A report is a line: the platform, the version of Godot or -, the result, the command that had it, and the day.
--add leaves one in build/reports/: COMMAND has had RESULT (engine, solver, bits or built) on PLATFORM, with the
version GODOT if it was run in an engine. --add-this-machine is for scripts/test, which has run everything here.
--record adds them to packaging/platforms.tsv, from which the table is made. With --check, nothing is written, and
the exit code is 1 if a document has another table.
"""

import datetime
import pathlib
import platform
import re
import subprocess
import sys

import platforms

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTS, KEPT = ROOT / "build/reports", ROOT / "packaging/platforms.tsv"
HEADS = "platform\tgodot\tresult\tby\ton"
DOCUMENTS = [ROOT / "docs/platforms.md"]
TABLE = re.compile(r"(?<=<!-- platforms: begin -->\n).*(?=<!-- platforms: end -->)", re.S)
# What the engine was that some commands report of, and what it ran in.
ENGINES = {
    "scripts/platforms engine": " (in QEMU)",
    "scripts/platforms engine-windows": " (own build, in Wine)",
    "scripts/platforms engine-web": " (own build, in Chromium)",
}


def version(engine: str) -> str:
    """Such as 4.6, of the engine that the command `engine` starts."""
    text = subprocess.run([engine, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"^\d+\.\d+", text, re.M)[-1]


def add(name: str, result: str, by: str, godot: str = "-") -> None:
    assert name.split("-")[0] in platforms.TITLES and result in ("engine", "solver", "bits", "built")
    REPORTS.mkdir(parents=True, exist_ok=True)
    line = "\t".join([name, godot, result, by, datetime.datetime.now(datetime.UTC).date().isoformat()])
    (REPORTS / f"{name}_{godot}_{result}.tsv").write_text(line + "\n", encoding="utf-8")


def read(*paths: pathlib.Path) -> dict[tuple[str, ...], list[str]]:
    """By whom and when, for a platform, a version and a result. A later report replaces an earlier one."""
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return {tuple(line.split("\t")[:3]): line.split("\t")[3:] for line in lines if line != HEADS}


def record() -> None:
    kept = read(KEPT, *REPORTS.glob("**/*.tsv"))
    lines = [HEADS, *("\t".join([*key, *kept[key]]) for key in sorted(kept))]
    KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def table() -> str:
    # Linux x86_64 was tried in several ways.
    found = {(name.split("-")[0], *rest): by for (name, *rest), (by, _) in read(KEPT).items()}
    heads = ["platform", *(f"Godot {version}" for version in platforms.GODOT), "solver", "bits"]
    rows = [heads, ["---"] * len(heads)]
    for name, title in platforms.TITLES.items():
        without_engine = "not yet" if name in platforms.PLATFORMS else "none"
        without_engine = "built" if (name, "-", "built") in found else without_engine
        runs = [found.get((name, version, "engine")) for version in platforms.GODOT]
        cells = [f"**run**{ENGINES.get(by, '')}" if by else without_engine for by in runs]
        solver = "**passed**" if (name, "-", "solver") in found else "-"
        rows.append([title, *cells, solver, "**equal**" if (name, "-", "bits") in found else "-"])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def main() -> None:
    match sys.argv[1:]:
        case ["--add", *report] if 2 < len(report) < 5:
            return add(*report)
        case ["--add-this-machine"]:
            machine = "linux." + platform.machine().replace("aarch64", "arm64")
            add(machine, "engine", "scripts/test", version(str(ROOT / "scripts/godot")))
            return add(machine, "solver", "scripts/test")
        case ["--record"]:
            record()
        case [] | ["--check"]:
            pass
        case _:
            sys.exit(__doc__)
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        wanted = TABLE.sub(table(), text)
        if sys.argv[1:] != ["--check"]:
            path.write_text(wanted, encoding="utf-8")
        elif wanted != text:
            sys.exit(f"{path.relative_to(ROOT)} has another table of platforms. Run packaging/reports.py")


if __name__ == "__main__":
    main()
