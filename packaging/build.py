#!/usr/bin/env python3
"""Builds the libraries of one platform as they are shipped.

Usage: packaging/build.py PLATFORM FOLDER

PLATFORM is one of those in platforms.py. The libraries go to FOLDER/PLATFORM/.
For Linux, cargo-zigbuild must be on the PATH: it links with an old glibc. Without
it, the library needs the glibc of this machine. For Android, $ANDROID_NDK_HOME
must be set. The libraries for macOS and iOS are built on macOS, those for Windows
on Windows. Those for the web need emcc on the PATH, and the component rust-src.

.github/workflows/release.yml builds all platforms with it. The tests on other
platforms are in scripts/platforms and .github/workflows/platforms.yml.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

from platforms import ANDROID_API, ANDROID_PAGE, GLIBC, IOS, MACOS, PLATFORMS, Library

# What gdext's book gives for Godot's own builds for the web.
WEB = [
    "-Clink-args=-sSIDE_MODULE=2",
    "-Zlink-native-libraries=no",
    "-Cllvm-args=-enable-emscripten-cxx-exceptions=0",
    "-Zemscripten-wasm-eh=false",
]
# A player waits for each byte. What solves is as fast as elsewhere, and all else is made small.
SMALL_ON_WEB = [
    "--config",
    'profile.release.package."*".opt-level="s"',
    "--config",
    'profile.release.package.tendon-nodes.opt-level="s"',
]
WEB_THREADS = ["-Clink-args=-pthread", "-Ctarget-feature=+atomics"]
# Between flags, so that paths may contain spaces.
SEPARATOR = "\x1f"


def output(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def without_paths() -> list[str]:
    """Flags that keep the paths of this machine out of the library. Later flags override earlier."""
    metadata = json.loads(output("cargo", "metadata", "--locked", "--format-version", "1"))
    names = {
        metadata["workspace_root"]: "tendon",
        metadata["target_directory"]: "target",
        output("rustc", "--print", "sysroot").strip(): "rust",
    }
    for package in metadata["packages"]:
        if package["source"] is not None:
            crate = pathlib.Path(package["manifest_path"]).parent
            names[str(crate.parent)] = "crates"
    return [f"--remap-path-prefix={path}={name}" for path, name in names.items()]


def for_target(target: str, library: Library, environment: dict[str, str]) -> tuple[list[str], list[str]]:
    """The Cargo command and the flags for a library, and what it needs in `environment`."""
    build = ["cargo", "build", "--target", target]
    if target.endswith("-linux-gnu") and shutil.which("cargo-zigbuild"):
        return ["cargo", "zigbuild", "--target", f"{target}.{GLIBC}"], []
    if target.endswith("-windows-msvc"):
        # Otherwise players need Microsoft's redistributable package.
        return build, ["-Ctarget-feature=+crt-static"]
    if "-apple-" in target:
        environment.update(MACOSX_DEPLOYMENT_TARGET=MACOS, IPHONEOS_DEPLOYMENT_TARGET=IOS)
        # Otherwise this is the path where it was built.
        return build, [f"-Clink-arg=-Wl,-install_name,@rpath/{library.name}"]
    if target.endswith("-linux-android"):
        tools = pathlib.Path(os.environ["ANDROID_NDK_HOME"], "toolchains/llvm/prebuilt")
        linker = next(tools.glob(f"*/bin/{target}{ANDROID_API}-clang"))
        variable = f"CARGO_TARGET_{target.upper().replace('-', '_')}_LINKER"
        environment[variable] = str(linker)
        return build, [f"-Clink-arg=-Wl,-z,max-page-size={ANDROID_PAGE}"]
    if target.endswith("-emscripten"):
        # For -Z, which only nightly compilers take otherwise: the library is built with the compiler of all others.
        environment["RUSTC_BOOTSTRAP"] = "1"
        flags = WEB if "nothreads" in library.features else WEB + WEB_THREADS
        return ["cargo", "build", "-Zbuild-std", *SMALL_ON_WEB, "--target", target], flags
    return build, []


def build(library: Library, target: str) -> pathlib.Path:
    environment = dict(os.environ)
    command, flags = for_target(target, library, environment)
    environment["CARGO_ENCODED_RUSTFLAGS"] = SEPARATOR.join(without_paths() + flags)
    command += ["--locked", "--release", "--package", library.crate]
    command += ["--message-format", "json-render-diagnostics"]
    if library.features:
        command += ["--no-default-features", "--features", ",".join(library.features)]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    for message in map(json.loads, lines.stdout.splitlines()):
        for file in message.get("filenames", []):
            if pathlib.Path(file).name == library.name:
                return pathlib.Path(file)
    sys.exit(f"Cargo made no {library.name}")


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] not in PLATFORMS:
        sys.exit(__doc__)
    platform = PLATFORMS[sys.argv[1]]
    folder = pathlib.Path(sys.argv[2], platform.name)
    folder.mkdir(parents=True, exist_ok=True)
    if platform.library != "tendon.wasm":
        subprocess.run(["rustup", "target", "add", *platform.targets], check=True)
    for name, library in platform.files().items():
        path = folder / name
        parts = []
        for target in platform.targets:
            # The next build overwrites Cargo's file.
            part = folder / f"{name}.{target}"
            shutil.copyfile(build(library, target), part)
            parts.append(part)
        if len(parts) == 1:
            parts[0].replace(path)
        else:
            subprocess.run(["lipo", "-create", *parts, "-output", path], check=True)
            subprocess.run(["codesign", "--force", "--sign", "-", path], check=True)
            for part in parts:
                part.unlink()
        print(f"Built {path}")


if __name__ == "__main__":
    main()
