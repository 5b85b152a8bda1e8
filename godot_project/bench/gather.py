#!/usr/bin/env python3
"""Makes bench.json and plot.svg out of what the benchmark's runs have left in a folder.

Usage: gather.py FOLDER

Reads editor.json and, if there is one, template.json. The plot shows the exported game if
that was measured, else the editor's program.
"""

import json
import math
import sys
from pathlib import Path

# Colours that stay apart for the colour-blind, and on light and dark pages.
STYLES = {
    "engine": ("#d55e00", "engine"),
    "script": ("#8a63d2", "GDScript"),
    "tendon": ("#0080b0", "Tendon"),
    "floor": ("#8a8f98", "floor: write n rotations"),
}
SOLVERS = ("CCD", "FABRIK")
PANEL_WIDTH, PANEL_HEIGHT = 400, 340
LEFT, TOP, GAP, BOTTOM = 84, 84, 36, 60
WIDTH = LEFT + 2 * PANEL_WIDTH + GAP + 30
HEIGHT = TOP + PANEL_HEIGHT + BOTTOM


def limits(values):
    """The half decades, as powers of ten, that hold all of `values`."""
    low, high = math.log10(min(values)), math.log10(max(values))
    return math.floor(low * 2) / 2, math.ceil(high * 2) / 2


def duration(exponent):
    """10^`exponent` microseconds, in words."""
    if exponent >= 3:
        return f"{10 ** (exponent - 3)} ms"
    if exponent >= 0:
        return f"{10 ** exponent} µs"
    return f"{10 ** (exponent + 3)} ns"


class Axes:
    """Logarithmic axes of one panel: bones to the right, microseconds upwards."""

    def __init__(self, left, bones, exponents):
        self.left = left
        self.bones = math.log10(bones[0]), math.log10(bones[-1])
        self.exponents = exponents

    def x(self, bones):
        low, high = self.bones
        return self.left + (math.log10(bones) - low) / (high - low) * PANEL_WIDTH

    def y(self, microseconds):
        low, high = self.exponents
        share = (math.log10(microseconds) - low) / (high - low)
        return TOP + PANEL_HEIGHT * (1 - share)


def text(x, y, content, size=13, anchor="middle", colour="#3b4048", extra=""):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{colour}" {extra}>{content}</text>'
    )


def line(x1, y1, x2, y2, colour="#dfe2e7", width=1.0):
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"/>'
    )


def panel(axes, solver, rows, first):
    """One solver's curves, with the grid below them."""
    right, floor = axes.left + PANEL_WIDTH, TOP + PANEL_HEIGHT
    parts = []
    for exponent in range(math.ceil(axes.exponents[0]), math.floor(axes.exponents[1]) + 1):
        y = axes.y(10**exponent)
        parts.append(line(axes.left, y, right, y))
        if first:
            parts.append(text(axes.left - 8, y + 4, duration(exponent), anchor="end"))
    for row in rows:
        x = axes.x(row["bones"])
        parts.append(line(x, TOP, x, floor))
        parts.append(text(x, floor + 19, row["bones"]))
    parts.append(line(axes.left, floor, right, floor, "#8a8f98"))
    parts.append(text((axes.left + right) / 2, TOP - 12, solver, 15, extra='font-weight="600"'))
    parts.append(text((axes.left + right) / 2, floor + 44, "bones in the chain"))
    for contestant, (colour, _) in STYLES.items():
        measured = [row for row in rows if contestant in row["microseconds"]]
        points = []
        for row in measured:
            times = row["microseconds"][contestant]
            x, y = axes.x(row["bones"]), axes.y(times["median"])
            low, high = max(times["p10"], times["median"] / 10), times["p90"]
            parts.append(line(x, axes.y(low), x, axes.y(high), colour, 5))
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"/>')
            points.append(f"{x:.1f},{y:.1f}")
        parts.append(
            f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" '
            f'stroke-width="2" stroke-linejoin="round"/>'
        )
    return parts


def legend():
    parts, x = [], LEFT
    for colour, name in STYLES.values():
        parts.append(line(x, 40, x + 22, 40, colour, 3))
        parts.append(text(x + 29, 44.5, name, anchor="start"))
        x += 55 + 7.2 * len(name)
    return parts


def plot(run):
    """The SVG picture of one run's times per solve in frames."""
    panels = [[row for row in run["frames"] if row["solver"] == solver] for solver in SOLVERS]
    medians = [
        times["median"] for rows in panels for row in rows for times in row["microseconds"].values()
    ]
    exponents = limits(medians)
    environment = run["environment"]
    build = "exported release build" if environment["exported"] else "editor build"
    title = f"Time per solve, in frames: Godot {environment['engine'].split('-')[0]}, {build}"
    middle = TOP + PANEL_HEIGHT / 2
    upright = f'transform="rotate(-90 20 {middle})"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="Inter, Helvetica, Arial, sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#ffffff"/>',
        text(LEFT, 22, title, 15, "start", extra='font-weight="600"'),
        *legend(),
        text(20, middle, "time per skeleton and frame", extra=upright),
    ]
    for index, (solver, rows) in enumerate(zip(SOLVERS, panels)):
        left = LEFT + index * (PANEL_WIDTH + GAP)
        axes = Axes(left, [row["bones"] for row in rows], exponents)
        parts += panel(axes, solver, rows, index == 0)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    runs = {}
    for name in ("editor", "template"):
        file = folder / f"{name}.json"
        if file.exists():
            runs[name] = json.loads(file.read_text(encoding="utf-8"))
    (folder / "bench.json").write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    shown = runs.get("template", runs["editor"])
    (folder / "plot.svg").write_text(plot(shown), encoding="utf-8")


main()
