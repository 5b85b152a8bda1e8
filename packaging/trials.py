"""What is tried in engines for other platforms that run here: Windows, in Wine, and the web, in a browser."""

import gzip
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import urllib.parse
import zipfile

import build
import engines
import platforms
import reports
from toolchains import EXTENSION, PLATFORMS, ROOT, TOOLS, WEB, alone, cargo, chromium, run, script, zig

GODOT = ["scripts/godot", "--headless", "--path", "godot_project"]
WATCH = ["scripts/watch", "--minutes", "60"]
# Tests that start an editor need an editor. These engines are templates. The tables of functions that are filled
# when a function is first called are not made for several threads.
LEFT_OUT = ("-editor_suite", "-test_other_threads", "-on_other_threads", "-on_another_thread", "-test_thread_groups")
# A page can start no other program, and the sines of its engine have other last bits than those of glibc: a bone
# whose whole transform is set gets another rotation. One defect of the engine that the
# documents name does not show there.
LEFT_OUT_OF_PAGES = (
    "-test_each_property_is_told_of_once",
    "-test_stretched_bones_go_back",
    "-test_100504_physics_frames_do_not_flicker",
)
TESTS = ["--script", "res://tests/run.gd", "--", *LEFT_OUT]
# As the table of platforms has it.
GODOT_VERSION = engines.VERSION.rsplit(".", 1)[0]
STATES = re.compile(r"^(STATES|LOCKSTEP): .*$", re.M)


def prepare() -> str:
    """Imports the project with this machine's engine. Returns the line with the states of its rigs."""
    run(["scripts/build"])
    run(["scripts/watch", "^Godot Engine", *GODOT, "--import"])
    return states(dict(os.environ))


def states(environment: dict[str, str], *arguments: str) -> str:
    """What the states of rigs come to, as the tests play them, or else a scene."""
    command = ["scripts/watch", STATES.pattern, *GODOT, *(arguments or ("--script", "res://tests/states.gd"))]
    found = subprocess.run(command, check=False, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    if found.returncode:
        print(found.stdout)
        sys.exit("the states of rigs could not be made")
    return [line[0] for line in STATES.finditer(found.stdout)][-1].strip()


def compare(name: str, found: str, expected: str) -> None:
    print(f"{name}: {found}", flush=True)
    if found != expected:
        sys.exit(f"{name} has other states than Linux: {expected}")


def place(library: pathlib.Path, name: str) -> None:
    """Checks a library, and puts it into the addon."""
    zig()  # which is installed together with what this needs
    run([str(TOOLS / "bin/python"), "packaging/check.py", "--library", name, str(library)])
    folder = ROOT / "addons/tendon/bin" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / library.name).unlink(missing_ok=True)
    os.link(library, folder / library.name)


def packaged(source: str, folder: pathlib.Path) -> pathlib.Path:
    """A copy of a project, with the addon as it is here."""
    shutil.rmtree(folder, ignore_errors=True)
    addon = folder / "content/addons"
    addon.mkdir(parents=True)
    shutil.copytree(ROOT / "addons/tendon", addon / "tendon")
    run(["scripts/packaged-project", str(folder / "content"), str(folder / "project"), source])
    return folder / "project"


def export(project: pathlib.Path, preset: str, name: str, engine: pathlib.Path) -> pathlib.Path:
    """Returns the folder of the game."""
    game = project.with_name("game")
    shutil.rmtree(game, ignore_errors=True)
    game.mkdir()
    run([*WATCH, "DONE.*savepack", "scripts/export", str(project), str(game / name), preset, str(engine)])
    return game


# Windows


def windows_library() -> pathlib.Path:
    """As scripts/platforms windows builds it. An engine without 3D lacks what the others have at the start."""
    where = next(each for each in PLATFORMS if each.name == "windows.x86_64")
    features = ("--no-default-features", "--features", "godot/lazy-function-tables")
    where.cargo("build", "--quiet", "--package", platforms.GAME, *features, folder=EXTENSION)
    return EXTENSION / where.target / "release/tendon.dll"


def try_windows() -> None:
    engine = engines.WINDOWS.build()
    place(windows_library(), "windows.x86_64")
    expected = prepare()
    where = next(each for each in PLATFORMS if each.name == "windows.x86_64")
    godot = script("godot-windows", [*where.prefix(), str(engine)], where.environment)
    environment = dict(os.environ, GODOT=str(godot))
    compare("Windows", states(environment), expected)
    run([*WATCH, "^IN-ENGINE: [1-9][0-9]* passed, 0 failed$", *GODOT, *TESTS], env=environment)
    captures = ROOT / "build/captures-windows.x86_64.jsonl"
    captures.parent.mkdir(exist_ok=True)
    capture = [*GODOT, "--script", "res://tests/captures.gd", "--", f"Z:{captures}"]
    run([*WATCH, "^CAPTURES: [1-9][0-9]*, 0 missing$", *capture], env=environment)
    # Solved again here: every bit must be that of Windows.
    reference = PLATFORMS[0]
    reference.cargo("build", "--quiet", "--package", "tendon-replay")
    run([str(reference.built("tendon-replay")), str(captures)], stdout=subprocess.DEVNULL)
    faults = ["--fixed-fps", "60", "--script", "res://tests/faults.gd", "--", "1", "-thread"]
    run([*WATCH, "^FAULTS: [1-9][0-9]+ of [1-9][0-9]+ kinds, 0 failed", *GODOT, *faults], env=environment)
    gallery = packaged("godot_project", ROOT / "build/windows-gallery")
    game = export(gallery, "Windows Desktop", "gallery.exe", engine)
    check = [str(where.runner()), str(game / "gallery.exe"), "--headless", "--fixed-fps", "60", "--", "--check"]
    run([*WATCH, "^GALLERY: [1-9][0-9]* modifiers, 0 problems$", *check])
    draw_gallery([str(where.runner()), str(game / "gallery.exe")])
    reports.add("windows.x86_64", "engine", "scripts/platforms engine-windows", GODOT_VERSION)


def draw_gallery(gallery: list[str]) -> None:
    """Draws each scene through Wine's display, for a look."""
    run(["scripts/apt-install", "xvfb-run:xvfb", "xauth"])
    drawn = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1920x1080x24", *gallery]
    options = ["--fixed-fps", "60", "--rendering-driver", "opengl3", "--audio-driver", "Dummy", "--"]
    pictures = ROOT / "build/windows-pictures"
    run([*WATCH, "^RENDERED [1-9][0-9]* scenes$", *drawn, *options, "--render-to", f"Z:{pictures}"])


# The web

# Where the project's files are in the browser.
WEB_ROOT = "/tendon"
SITE = ROOT / "build/web-tests"
GALLERY = ROOT / "build/web-gallery"
# Of each page whose first frame is awaited.
LOADS = 7
# What is beside the project, and read by its tests.
BESIDE = ("README.md", "docs/*.md", "rust/solver/golden/*.jsonl", "rust/nodes/src/nodes/**/*.rs")


def web_library(name: str, library: platforms.Library) -> pathlib.Path:
    """Debian's Rust has a standard library that unwinds in a way that engines for the web do not know.

    It also has no linker of its own.
    """
    _, flags = build.for_target(WEB, library, {})
    flags = (*flags, "-Cpanic=abort", "-Zunstable-options", "-Clink-self-contained=-linker")
    features = ("--no-default-features", "--features", ",".join(library.features))
    package = (*build.SMALL_ON_WEB, "--package", library.crate)
    cargo(WEB, "build", *package, *features, folder=EXTENSION, flags=flags)
    place = EXTENSION / WEB / name
    shutil.copyfile(EXTENSION / WEB / "release" / library.name, place)
    return place


def browse(folder: pathlib.Path, page: str, *options: str) -> list[str]:
    """What the page says on the console."""
    tools = ROOT / ".venv-browser"
    with alone():
        run(["scripts/pip-tools", tools.name, "packaging/requirements/browser.txt"])
    command = [str(tools / "bin/python"), "packaging/browser.py", str(chromium()), str(folder), page, *options]
    lines = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip())
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return lines


def make_site(engine: pathlib.Path, library: pathlib.Path) -> None:
    """A page that runs the project with its tests, as it lies in the repository."""
    shutil.rmtree(SITE, ignore_errors=True)
    files = SITE / "files"
    files.mkdir(parents=True)
    with zipfile.ZipFile(engine) as template:
        template.extractall(SITE)
    shutil.copyfile(ROOT / "packaging/page.html", SITE / "index.html")
    shutil.copyfile(library, SITE / library.name)
    ignored = shutil.ignore_patterns("*.so", "*.dll", "editor", "*.cfg~")
    shutil.copytree(ROOT / "godot_project", files / "godot_project", ignore=ignored)
    for pattern in BESIDE:
        for path in ROOT.glob(pattern):
            copy = files / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    names = [str(path.relative_to(files)) for path in sorted(files.rglob("*")) if path.is_file()]
    (SITE / "files.json").write_text(json.dumps(names), encoding="utf-8")


def run_in_browser(library: pathlib.Path, pattern: str, *arguments: str) -> str:
    """Runs Godot with these arguments until it prints a line like that, which it returns."""
    arguments = ("--headless", "--path", f"{WEB_ROOT}/godot_project", *arguments)
    given = json.dumps({"root": WEB_ROOT, "files": "files.json", "library": library.name, "args": arguments})
    lines = browse(SITE, "index.html#" + urllib.parse.quote(given), "--until", pattern, "--minutes", "20")
    return next(line for line in lines if re.search(pattern, line))


def try_web() -> None:
    expected = prepare()
    for name, wanted in platforms.PLATFORMS["web.wasm32"].files().items():
        engine = (engines.WEB if "nothreads" in wanted.features else engines.WEB_THREADS).build()
        library = web_library(name, wanted)
        place(library, "web.wasm32")
        make_site(engine, library)
        compare(name, run_in_browser(library, "^STATES: ", "--script", "res://tests/states.gd"), expected)
        passed = run_in_browser(library, "^IN-ENGINE: ", *TESTS, *LEFT_OUT_OF_PAGES)
        if not passed.endswith(" passed, 0 failed"):
            sys.exit("tests have failed in the browser")
        play_gallery(engine)
        compare_first_frames(engine)
    reports.add("web.wasm32", "engine", "scripts/platforms engine-web", GODOT_VERSION)


def play_gallery(engine: pathlib.Path) -> None:
    """Exports the gallery as a page, and clicks through it. Nothing may be logged."""
    game = export(packaged("godot_project", GALLERY), "Web", "index.html", engine)
    for path in sorted(game.iterdir()):
        content = path.read_bytes()
        print(f"{len(content):>10} bytes, {len(gzip.compress(content)):>10} as they are sent: {path.name}")
    lines = browse(game, "index.html", "--play", str(ROOT / "build/web-pictures"))
    trouble = [line for line in lines if "ERROR" in line or "WARNING" in line]
    if trouble:
        sys.exit(f"the gallery logged: {trouble[0]}")
    scene = ("--fixed-fps", "60", "res://scenes/lockstep/lockstep.tscn", "--quit-after", "1300")
    found = next(line for line in lines if line.startswith("LOCKSTEP: "))
    compare("The scene in lockstep, Web", found, states(dict(os.environ), *scene))


def compare_first_frames(engine: pathlib.Path) -> None:
    """Prints how long a player waits for a project with Tendon, and for the same without it."""
    games = []
    for name in ("with", "without"):
        project = packaged("packaging/blank_project", ROOT / f"build/web-{name}-tendon")
        if name == "without":
            take_tendon_out(project)
        games.append(export(project, "Web", "index.html", engine))
    # One after the other, so that what else the machine does slows down both.
    seconds = [[first_frame(game) for game in games] for _ in range(LOADS)]
    tendon, without = map(statistics.median, zip(*seconds, strict=True))
    print(f"the first frame: {tendon:.2f} s with Tendon, {without:.2f} s without, {tendon / without:.2f} times")


def take_tendon_out(project: pathlib.Path) -> None:
    shutil.rmtree(project / "addons")
    (project / ".godot/extension_list.cfg").unlink()
    (project / "main.gd").write_text("extends Node2D\n", encoding="utf-8")
    scene = project / "main.tscn"
    nodes = scene.read_text(encoding="utf-8").split("\n\n")
    scene.write_text("\n\n".join(node for node in nodes if 'type="Tendon' not in node), encoding="utf-8")


def first_frame(game: pathlib.Path) -> float:
    line = browse(game, "index.html", "--until", "^FIRST FRAME: ")[-1]
    return float(line.split()[-1])
