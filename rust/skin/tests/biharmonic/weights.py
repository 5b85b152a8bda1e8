#!/usr/bin/env python3
"""Adds the bounded biharmonic weights of libigl to a mesh with bones.

Vertices on a bone are held by it, those on a shared joint by the first bone.

Usage: weights.py FILE.json...   (needs the packages libigl and numpy)
"""

import json
import sys
from pathlib import Path

import igl
import numpy


def distance(point, bone):
    start, end = numpy.array(bone)
    along = end - start
    at = numpy.clip((point - start) @ along / (along @ along), 0, 1)
    return numpy.linalg.norm(point - start - at * along)


for name in sys.argv[1:]:
    shape = json.loads(Path(name).read_text())
    vertices = numpy.array(shape["vertices"], dtype=float)
    held = {}
    for index, vertex in enumerate(vertices):
        for bone, ends in enumerate(shape["bones"]):
            if distance(vertex, ends) < 0.01:
                held.setdefault(index, bone)
    values = numpy.zeros((len(held), len(shape["bones"])))
    values[range(len(held)), list(held.values())] = 1
    weights = igl.bbw(
        vertices,
        numpy.array(shape["triangles"], dtype=numpy.int64),
        numpy.array(list(held), dtype=numpy.int64),
        values,
    )
    weights = numpy.clip(weights, 0, 1)
    weights /= weights.sum(axis=1, keepdims=True)
    shape["weights"] = [[round(weight, 5) for weight in row] for row in weights.tolist()]
    Path(name).write_text(json.dumps(shape) + "\n")
