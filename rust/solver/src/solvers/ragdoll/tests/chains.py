#!/usr/bin/env python3
"""Thrown chains in MuJoCo. `pip install mujoco`, then `chains.py > chains.txt` makes the table anew, and `chains.py --check`
says by how much it differs.

Each line: links, whether the root is pinned, seed, and the tip after 0.25 s and 0.5 s in metres. tests/mod.rs draws the same
starts from the seed. Links are 0.3 m long, of 1 kg, and their far ends are the joints of the next ones; y points down.
"""
import pathlib
import sys

import mujoco

LENGTH, GRAVITY = 0.3, 9.81


def draws(seed):
    while True:
        seed = (1664525 * seed + 1013904223) % 2 ** 32
        yield seed / 2 ** 31 - 1


def tips(links, pinned, seed):
    draw = draws(seed)
    angles = [3.1 * next(draw) for _ in range(links)]
    rates = [6 * next(draw) for _ in range(links)]
    velocity = [0.0, 0.0] if pinned else [2 * next(draw), 2 * next(draw)]
    slides = '' if pinned else '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
    inertia = LENGTH ** 2 / 12

    def link(i):
        inner = link(i + 1) if i + 1 < links else f'<site name="tip" pos="{LENGTH} 0 0"/>'
        return (f'<body pos="{LENGTH if i else 0} 0 0">{"" if i else slides}<joint type="hinge" axis="0 -1 0"/>'
                f'<inertial pos="{LENGTH / 2} 0 0" mass="1" diaginertia="{inertia} {inertia} {inertia}"/>{inner}</body>')
    model = mujoco.MjModel.from_xml_string('<mujoco><option timestep="0.0002" integrator="RK4" '
                                           f'gravity="0 0 {GRAVITY}"/><worldbody>{link(0)}</worldbody></mujoco>')
    data = mujoco.MjData(model)
    relative = [[a - b for a, b in zip(of, [0.0] + of)] for of in (angles, rates)]
    data.qpos[-links:], data.qvel[-links:] = relative
    data.qvel[:-links] = [] if pinned else velocity
    for _ in range(2):
        for _ in range(1250):
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        yield from (data.site('tip').xpos[k] for k in (0, 2))


def lines():
    for number in range(100):
        links, pinned = 2 + number % 7, number // 7 % 2
        yield ' '.join([str(links), str(pinned), str(number), *(f'{value:.5f}' for value in tips(links, pinned, number))])


if sys.argv[1:] == ['--check']:
    known = pathlib.Path(__file__).with_name('chains.txt').read_text().split()
    found = ' '.join(lines()).split()
    worst = max(abs(float(a) - float(b)) for a, b in zip(known, found, strict=True))
    print(f'MuJoCo {mujoco.__version__}: no number of 100 chains differs by more than {worst:.5f} m')
    sys.exit(worst > 1e-4)
print(*lines(), sep='\n')
