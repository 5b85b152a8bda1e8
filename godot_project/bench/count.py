#!/usr/bin/env python3
"""Makes tables of what callgrind has counted, and checks that no scene takes more than it may.

Usage: count.py FOLDER [--check]

FOLDER has the files that callgrind wrote for count.gd. Writes count.txt and count.json there. Fails if a
scene is missing, and with --check, if one takes more instructions than BOUNDS says: those of the library
that games get. One with lines of the sources is compiled a little differently.

What is counted is that of a character in a frame, less the same frame with rigs that are off. Each
instruction of the library belongs to a layer by the file of the sources that it comes from; that of the
standard library belongs to that of the function that it has become part of. "engine" is what calls into the
engine take, with their number; "around" what the engine does later because of them, as the update of the
bones that have moved; "floor" is native code that turns the same bones; "lines" are those of 64 bytes that
were not in a cache of 512 kB.
"""

import json
import platform
import re
import sys
from collections import Counter
from pathlib import Path

# The most instructions of a character in a frame: 2 % more than there were. On other processors there are others.
BOUNDS = {
    "look-at": 6_040,
    "two bones": 7_420,
    "two bones, target below the skeleton": 7_320,
    "two bones at rest": 2_220,
    "FABRIK of 10": 22_080,
    "FABRIK of 10 at rest": 3_190,
    "pinned rope of 10": 52_360,
    "hero of 19 bones": 83_900,
    "spider of 8 legs": 148_600,
    "body of 13 limbs falling": 151_400,
    "body lying": 176_000,
    "body at rest": 7_700,
    "all rigs off": 3_000,
}
MACHINE = "x86_64"

# The first pattern that a path matches.
LAYERS = {
    "maths": r"/rust/solver/src/(?!rig/)|/libm-|/glam-",
    "rig": r"/rust/solver/src/rig/",
    "glue": r"/rust/nodes/src/engine/",
    "nodes": r"/rust/nodes/src/|/rust/addon/",
    "gdext": r"/godot-|/out/|/serde",
}
LIBRARY = "libtendon"
NAME = re.compile(r"^(c?)(ob|fl|fi|fe|fn)=\((\d+)\)(?: (.*))?$")


def layer_of(path):
    found = (layer for layer, pattern in LAYERS.items() if re.search(pattern, path))
    return next(found, None)


class Profile:
    """What one file of callgrind says: sums of instructions by layer, calls into the engine, and misses."""

    def __init__(self, path):
        self.names = {"ob": {}, "f": {}, "fn": {}}
        self.layers = Counter()
        self.calls = 0
        self.all = self.misses = 0
        self.label = ""
        # The object, the file of the function and that of the line; the object that is called.
        self.object = self.file = self.line = self.called = ""
        is_call = False
        for text in path.read_text(errors="replace").splitlines():
            named = NAME.match(text)
            if named:
                self.name(*named.groups())
            elif text.startswith("calls="):
                self.count_calls(int(text[6:].split()[0]))
                is_call = True
            elif text.startswith("events: "):
                events = text.split()[1:]
                self.missing = [i for i, event in enumerate(events) if re.match("[ID]Lm", event)]
            elif text.startswith("desc: Trigger: Client Request: "):
                self.label = text.split(": ", 3)[3]
            elif text[:1] in ("+", "-", "*") or text[:1].isdigit():
                costs = [int(cost) for cost in text.split()[1:]]
                add = self.add_call if is_call else self.add
                add(costs)
                is_call = False

    def name(self, is_called, kind, number, text):
        table = self.names["f" if kind in ("fl", "fi", "fe") else kind]
        text = table.setdefault(number, text or "")
        if kind == "ob":
            if is_called:
                self.called = text
            else:
                self.object = self.called = text
        elif is_called:
            pass
        elif kind == "fl":
            self.file = self.line = text
        elif kind in ("fi", "fe"):
            self.line = text
        elif kind == "fn":
            self.called = self.object

    def count_calls(self, count):
        # Not those of the C library, which copies memory.
        is_engine = not Path(self.called).name.startswith("lib") and ".so" not in self.called
        self.counted = count if LIBRARY in self.object and is_engine else 0
        self.calls += self.counted

    def add_call(self, costs):
        if self.counted:
            self.layers["engine"] += costs[0]
        self.called = self.object

    def add(self, costs):
        self.all += costs[0]
        self.misses += sum(costs[i] for i in self.missing if i < len(costs))
        if LIBRARY in self.object:
            layer = layer_of(self.line) or layer_of(self.file) or "other"
            self.layers[layer] += costs[0]


def main():
    folder = Path(sys.argv[1])
    found = {}
    for path in folder.glob("callgrind.out.*.*"):
        profile = Profile(path)
        title, part, count = profile.label.rsplit(":", 2)
        found.setdefault(title, {})[part] = profile, int(count)
    rows = [row_of(title, found[title]) for title in BOUNDS if title in found]
    (folder / "count.json").write_text(json.dumps(rows, indent=1) + "\n")
    columns = ["all", "most", *LAYERS, "other", "engine", "calls", "around", "floor", "lines", "floor_lines"]
    columns = [each for each in columns if any(row.get(each) for row in rows)]
    lines = ["| scene | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for row in rows:
        cells = ["" if row.get(each) is None else f"{row[each]:,.0f}" for each in columns]
        lines.append(f"| {row['scene']} | " + " | ".join(cells) + " |")
    (folder / "count.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    is_checked = "--check" in sys.argv and platform.machine() == MACHINE
    too_much = [row for row in rows if is_checked and row["all"] > row["most"]]
    for row in too_much:
        print(f"FAIL {row['scene']}: {row['all']:,.0f} instructions, more than {row['most']:,}")
    missing = BOUNDS.keys() - found.keys()
    if missing:
        print("FAIL not counted: " + ", ".join(missing))
    return 1 if missing or too_much else 0


def row_of(title, parts):
    """What the scene takes more than the same with rigs that are off."""
    (on, count), (off, _) = parts["on"], parts["off"]
    row = {"scene": title, "all": (on.all - off.all) / count, "most": BOUNDS[title]}
    layers = [*LAYERS, "other", "engine"]
    for layer in layers:
        row[layer] = (on.layers[layer] - off.layers[layer]) / count
    row["calls"] = (on.calls - off.calls) / count
    row["around"] = row["all"] - sum(row[layer] for layer in layers)
    row["lines"] = (on.misses - off.misses) / count
    if "floor" in parts:
        floor = parts["floor"][0]
        row["floor"] = (floor.all - off.all) / count
        row["floor_lines"] = (floor.misses - off.misses) / count
    return row


if __name__ == "__main__":
    sys.exit(main())
