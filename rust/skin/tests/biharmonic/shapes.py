#!/usr/bin/env python3
"""Makes meshes with bones: characters of capsules, with vertices on the bones, which hold them.

Usage: shapes.py FOLDER   (needs the packages numpy and scipy)
"""

import json
import math
import sys
from pathlib import Path

import numpy
from scipy.spatial import Delaunay

# Bones from joint to joint, each with the half width of the limb around it and the bone above it.
FIGURE = [
    ((0, 0), (0, -40), 22, None),
    ((0, -40), (0, -80), 22, 0),
    ((0, -80), (0, -112), 16, 1),
    ((0, -76), (37, -72), 9, 1),
    ((37, -72), (39, -36), 8, 3),
    ((39, -36), (39, -4), 8, 4),
    ((0, -76), (-37, -72), 9, 1),
    ((-37, -72), (-39, -36), 8, 6),
    ((10, 4), (13, 75), 9, 0),
    ((-10, 4), (-13, 75), 9, 0),
]
BRANCHES = [
    ((0, 0), (50, 0), 15, None),
    ((50, 0), (95, -38), 11, 0),
    ((95, -38), (140, -38), 8, 1),
    ((50, 0), (110, 6), 9, 0),
    ((50, 0), (90, 52), 12, 0),
]


def tail():
    places = [(38 * i, 26 * math.sin(0.8 * i)) for i in range(7)]
    widths = [17, 16, 14, 12, 10, 8]
    above = [None, *range(5)]
    return list(zip(places, places[1:], widths, above))


def ring():
    places = [(48 * math.cos(0.62 * i), 48 * math.sin(0.62 * i)) for i in range(9)]
    return list(zip(places, places[1:], [11] * 8, [None, *range(7)]))


def hand():
    bones = [((0, 0), (0, -34), 30, None)]
    for x, length in [(-28, 24), (-9.5, 32), (9.5, 34), (28, 26)]:
        base, knuckle = -46 + abs(x) / 3, -46 + abs(x) / 3 - length
        bones.append(((x, base), (x, knuckle), 6.5, 0))
        bones.append(((x, knuckle), (x, knuckle - 0.8 * length), 6.5, len(bones) - 1))
    return bones


def fingers():
    """Short and thick."""
    bones = [((0, 0), (0, -40), 34, None)]
    for x, length in [(-27, 20), (-9, 25), (9, 27), (27, 22)]:
        base, knuckle = -48 + abs(x) / 4, -48 + abs(x) / 4 - length
        bones.append(((x, base), (x, knuckle), 7.5, 0))
        bones.append(((x, knuckle), (x, knuckle - 0.8 * length), 7, len(bones) - 1))
    return bones


def quadruped():
    """From the side, with a head and a tail."""
    bones = [
        ((0, 0), (45, -4), 24, None),
        ((45, -4), (85, 0), 22, 0),
        ((85, 0), (115, -30), 12, 1),
        ((115, -30), (150, -24), 13, 2),
    ]
    for hip, above in [(-6, 0), (16, 0), (76, 1), (98, 1)]:
        bones.append(((hip, 10), (hip - 2, 45), 8, above))
        bones.append(((hip - 2, 45), (hip, 78), 7, len(bones) - 1))
    tail = [(-12, -8), (-38, -24), (-64, -18), (-88, -34)]
    above = [0, len(bones), len(bones) + 1]
    return bones + list(zip(tail, tail[1:], [8, 7.5, 7], above))


def letter_s():
    """Bones hardly longer than thick, whose line comes near to itself."""
    places = [(60, -20), (40, -42), (8, -44), (-14, -26), (-6, 0)]
    places += [(24, 14), (42, 34), (30, 60), (-2, 66), (-24, 48)]
    return list(zip(places, places[1:], [12] * 9, [None, *range(8)]))


SHAPES = {
    "body": FIGURE,
    "branches": BRANCHES,
    "tail": tail(),
    "ring": ring(),
    "hand": hand(),
    "fingers": fingers(),
    "quadruped": quadruped(),
    "letter_s": letter_s(),
}


def depth(place, bones):
    """How far inside a place is, and in which limb."""
    depths = []
    for start, end, width, _ in bones:
        start, along = numpy.array(start), numpy.subtract(end, start)
        at = numpy.clip((place - start) @ along / (along @ along), 0, 1)
        depths.append(width - numpy.linalg.norm(place - start - at * along))
    return max(depths)


def outline(bones, spacing):
    """Places on the edge of each limb that are not inside another one."""
    for start, end, width, _ in bones:
        start, end = numpy.array(start, float), numpy.array(end, float)
        length = numpy.linalg.norm(end - start)
        along = (end - start) / length
        across = numpy.array([-along[1], along[0]])
        for at in numpy.linspace(0, length, max(2, round(length / spacing) + 1)):
            yield start + along * at + across * width
            yield start + along * at - across * width
        arc = numpy.linspace(0, math.pi, max(3, round(math.pi * width / spacing) + 1))[1:-1]
        for angle in arc:
            out = along * math.sin(angle) * width + across * math.cos(angle) * width
            yield end + out
            yield start - along * math.sin(angle) * width + across * math.cos(angle) * width


def mesh(bones):
    spacing = 0.7 * min(width for _, _, width, _ in bones)
    vertices = []

    def add(place, apart):
        if all(numpy.linalg.norm(place - other) > apart for other in vertices):
            vertices.append(numpy.round(place, 3))

    for start, end, _, _ in bones:
        start, end = numpy.array(start, float), numpy.array(end, float)
        count = max(1, round(numpy.linalg.norm(end - start) / spacing))
        for step in range(count + 1):
            add(start + (end - start) * step / count, 0.01)
    for place in outline(bones, spacing):
        if depth(place, bones) < 1e-6:
            add(place, 0.5 * spacing)
    low, high = numpy.min(vertices, axis=0), numpy.max(vertices, axis=0)
    row = 0
    for y in numpy.arange(low[1], high[1], spacing * 0.87):
        row += 1
        for x in numpy.arange(low[0] + row % 2 * spacing / 2, high[0], spacing):
            place = numpy.array([x, y])
            if depth(place, bones) > 0.45 * spacing:
                add(place, 0.6 * spacing)
    vertices = numpy.array(vertices)
    triangles = []
    for corners in Delaunay(vertices).simplices:
        a, b, c = vertices[corners]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        middles = [(a + b + c) / 3, (a + b) / 2, (b + c) / 2, (c + a) / 2]
        is_inside = min(depth(place, bones) for place in middles) > -0.12 * spacing
        if is_inside and abs(area) > 1e-3:
            triangles.append([int(corner) for corner in (corners if area > 0 else corners[::-1])])
    used = sorted({corner for corners in triangles for corner in corners})
    index = {vertex: place for place, vertex in enumerate(used)}
    return {
        "bones": [[list(start), list(end)] for start, end, _, _ in bones],
        "parents": [above for _, _, _, above in bones],
        "vertices": vertices[used].tolist(),
        "triangles": [[index[corner] for corner in corners] for corners in triangles],
    }


for name, bones in SHAPES.items():
    path = Path(sys.argv[1]) / f"{name}.json"
    path.write_text(json.dumps(mesh(bones)) + "\n")
