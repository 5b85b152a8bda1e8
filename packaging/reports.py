"""What commands and workflows have found out about platforms, for the table in the documents.

A report is a line: the platform, the version of Godot or -, the result, the command that had it, and the day.
Commands leave reports in build/reports/. Those that are kept are in packaging/platforms.tsv.
"""

import dataclasses
import datetime
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTS = ROOT / "build/reports"
KEPT = ROOT / "packaging/platforms.tsv"
HEADS = "platform\tgodot\tresult\tby\ton"
RESULTS = {
    "engine": "the tests have passed in an engine of that version",
    "solver": "the solver's tests have passed outside an engine",
    "bits": "golden cases, captures and frames have the same bits as on Linux x86_64",
    "built": "the library has been built and checked",
}


@dataclasses.dataclass(frozen=True)
class Report:
    """One line."""

    platform: str
    godot: str
    result: str
    by: str
    on: str

    def line(self) -> str:
        return "\t".join(dataclasses.astuple(self)) + "\n"

    def key(self) -> tuple[str, str, str]:
        """A newer report replaces one with the same key."""
        return self.platform, self.godot, self.result


def version(engine: str) -> str:
    """Such as 4.6, of the engine that the command `engine` starts."""
    text = subprocess.run([engine, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"^\d+\.\d+", text, re.M)[-1]


def add(platform: str, result: str, by: str, godot: str = "-") -> None:
    report = Report(platform, godot, result, by, datetime.datetime.now(datetime.UTC).date().isoformat())
    REPORTS.mkdir(parents=True, exist_ok=True)
    path = REPORTS / ("_".join(report.key()) + ".tsv")
    path.write_text(report.line(), encoding="utf-8")


def read(path: pathlib.Path) -> list[Report]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Report(*line.split("\t")) for line in lines if line != HEADS]


def keep() -> None:
    """Adds all new reports to those that are kept."""
    reports = {report.key(): report for report in read(KEPT)}
    for path in REPORTS.glob("**/*.tsv"):
        reports |= {report.key(): report for report in read(path)}
    lines = [reports[key].line() for key in sorted(reports)]
    KEPT.write_text(HEADS + "\n" + "".join(lines), encoding="utf-8")
