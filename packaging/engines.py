"""Godot for Windows and for the web, built from Debian's packages.

Debian has neither, but the source. What it leaves out there, because it has it in other packages, is put back
from the sources of those. The engine has what the tests and the gallery need, and no 3D.
"""

import collections.abc
import dataclasses
import os
import pathlib
import re
import shutil
import sys
import tempfile

from toolchains import ROOT, STORE, alone, emscripten, mingw, run

VERSION = "4.6.3"
# The folder where Godot has what Debian left out: its source package, the folder in that, and Debian's release.
LIBRARIES = {
    "brotli": ("brotli", "c", "forky"),
    "freetype": ("freetype", ".", "trixie"),
    "libpng": ("libpng1.6", ".", "trixie"),
    "libwebp": ("libwebp", ".", "forky"),
    "mbedtls": ("mbedtls", ".", "trixie"),
    "pcre2": ("pcre2", ".", "forky"),
    "zlib": ("zlib", ".", "trixie"),
    "zstd": ("libzstd", "lib", "trixie"),
}
# Files that are made before a library is built, from these.
PREPARED = {
    "libpng/pnglibconf.h": "libpng/scripts/pnglibconf.h.prebuilt",
    "pcre2/src/config.h": "pcre2/src/config.h.generic",
    "pcre2/src/pcre2.h": "pcre2/src/pcre2.h.generic",
    "pcre2/src/pcre2_chartables.c": "pcre2/src/pcre2_chartables.c.dist",
}
# Of mbedtls, Godot's core needs some functions only, and has these files for them.
MBEDTLS = {
    "include/godot_core_mbedtls_config.h": "packaging/mbedtls_config.h",
    "library/godot_core_mbedtls_platform.c": "packaging/mbedtls_platform.c",
}
MODULES = ("freetype", "gdscript", "godot_physics_2d", "regex", "svg", "text_server_fb", "webp")
OPTIONS = [
    "target=template_debug",
    # Otherwise a template runs no project but the one that it was exported with.
    "disable_path_overrides=no",
    "modules_enabled_by_default=no",
    *(f"module_{name}_enabled=yes" for name in MODULES),
    *(f"{name}=no" for name in ("accesskit", "builtin_certs", "builtin_pcre2_with_jit", "openxr", "sdl", "vulkan")),
    "disable_3d=yes",
    # What takes least time to build.
    "optimize=none",
    "scu_build=yes",
]


def unpack_source(place: pathlib.Path) -> None:
    """Godot's, complete."""
    packages = [("godot", "forky"), *((name, release) for name, _, release in LIBRARIES.values())]
    with tempfile.TemporaryDirectory(dir=STORE) as parts:
        for release in sorted({release for _, release in packages}):
            names = [name for name, its in packages if its == release]
            run(["scripts/apt-unpack", "--source", "--release", release, parts, *names])
        godot = pathlib.Path(parts, "godot")
        found = re.findall(r"^(?:major|minor|patch) = (\d+)$", (godot / "version.py").read_text(encoding="utf-8"), re.M)
        if ".".join(found) != VERSION:
            sys.exit(f"Debian has Godot {'.'.join(found)} now, not {VERSION}: packaging/engines.py has to name that")
        complete(godot / "thirdparty", pathlib.Path(parts))
        godot.rename(place)


def complete(place: pathlib.Path, parts: pathlib.Path) -> None:
    """Puts libraries where Godot has them."""
    for name, (package, folder, _) in LIBRARIES.items():
        (parts / package / folder).rename(place / name)
    for name, given in PREPARED.items():
        shutil.copyfile(place / given, place / name)
    for name, given in MBEDTLS.items():
        shutil.copyfile(ROOT / given, place / "mbedtls" / name)
    (place / "certs").mkdir(exist_ok=True)
    (place / "certs/ca-bundle.crt").touch()


@dataclasses.dataclass(frozen=True)
class Engine:
    """A way to build Godot."""

    # Of the folder with the sources.
    platform: str
    options: tuple[str, ...]
    # What it makes, in the source's folder bin/.
    product: str
    # Makes a folder with the compilers.
    compilers: collections.abc.Callable[[], pathlib.Path]

    def build(self) -> pathlib.Path:
        """Once: what is there is not built again."""
        kept = STORE / "engines" / f"{VERSION}-{self.product}"
        if not kept.exists():
            place = STORE / f"godot-{self.platform}"
            tools = ROOT / ".venv-engines"
            with alone():
                run(["scripts/pip-tools", str(tools.relative_to(ROOT)), "packaging/requirements/engines.txt"])
                if not place.exists():
                    unpack_source(place)
            environment = dict(os.environ, PATH=os.pathsep.join([str(self.compilers()), os.environ["PATH"]]))
            command = [str(tools / "bin/scons"), f"--directory={place}", f"--jobs={os.cpu_count()}", "progress=no"]
            run(["nice", "-n", "5", *command, *OPTIONS, *self.options], env=environment)
            kept.parent.mkdir(exist_ok=True)
            shutil.copyfile(place / "bin" / self.product, kept)
            kept.chmod(0o755)
        return kept


WINDOWS = Engine(
    "windows",
    (
        *("platform=windows", "arch=x86_64", "use_mingw=yes", "windows_subsystem=console"),
        *("use_volk=no", "d3d12=no", "angle=no", "winrt=no"),
    ),
    "godot.windows.template_debug.x86_64.exe",
    mingw,
)
# Without threads, as Godot's export does it unless it is told otherwise, and with them.
WEB, WEB_THREADS = (
    Engine("web", ("platform=web", f"threads={threads}", "dlink_enabled=yes"), product, emscripten)
    for threads, product in (
        ("no", "godot.web.template_debug.wasm32.nothreads.dlink.zip"),
        ("yes", "godot.web.template_debug.wasm32.dlink.zip"),
    )
)
