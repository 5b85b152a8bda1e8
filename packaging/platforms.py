"""The platforms that Tendon supports, and the files of each in the addon."""

import dataclasses

# The oldest glibc that Rust's own library runs with.
GLIBC = "2.17"
# Android 6, the oldest that Godot's templates with this API run on.
ANDROID_API = 23
# Newer Android devices have pages of 16 KB and do not load libraries aligned to 4 KB.
ANDROID_PAGE = 16384
# The oldest that Godot runs on, with processors of both kinds.
MACOS = "11.0"
# The oldest that Xcode still builds for.
IOS = "12.0"
# The oldest that Rust's own library runs on.
WINDOWS = "10.0"
# Where there is an editor that has Tendon's menu, gizmos and inspector.
DESKTOP = ("linux.", "windows.", "macos")
# The versions of Godot with a column in the table of platforms. The workflow runs the tests on each.
GODOT = ("4.4", "4.5", "4.6", "4.7")

# The crates that become libraries: what games load, and what the editor loads.
GAME, EDITOR = "tendon-addon", "tendon-addon-editor"


@dataclasses.dataclass(frozen=True)
class Library:
    """What Cargo builds."""

    crate: str
    # The file.
    name: str
    features: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Platform:
    """`bin/NAME/` in the addon."""

    name: str
    # Rust's targets. The libraries of several are joined into one file.
    targets: tuple[str, ...]
    # The name of the file that games load.
    library: str

    def files(self) -> dict[str, Library]:
        """The name of each file, and the library that it is."""
        game = Library(GAME, self.library)
        if self.name.startswith("web."):
            # Exports with and without thread support load different ones.
            stem, suffix = self.library.rsplit(".", 1)
            threads = dataclasses.replace(game, features=("web",))
            alone = dataclasses.replace(game, features=("web", "nothreads"))
            return {f"{stem}.threads.{suffix}": threads, self.library: alone}
        if self.name.startswith(DESKTOP):
            editor = Library(EDITOR, self.library.replace("tendon", "tendon_editor"))
            return {self.library: game, editor.name: editor}
        return {self.library: game}


PLATFORMS = {
    platform.name: platform
    for platform in [
        Platform("linux.x86_64", ("x86_64-unknown-linux-gnu",), "libtendon.so"),
        Platform("linux.arm64", ("aarch64-unknown-linux-gnu",), "libtendon.so"),
        Platform("windows.x86_64", ("x86_64-pc-windows-msvc",), "tendon.dll"),
        Platform("macos", ("x86_64-apple-darwin", "aarch64-apple-darwin"), "libtendon.dylib"),
        Platform("android.arm64", ("aarch64-linux-android",), "libtendon.so"),
        Platform("android.x86_64", ("x86_64-linux-android",), "libtendon.so"),
        Platform("ios.arm64", ("aarch64-apple-ios",), "libtendon.dylib"),
        Platform("web.wasm32", ("wasm32-unknown-emscripten",), "tendon.wasm"),
    ]
}
# The rows of the table of platforms in the documents. Those without a library are there too.
TITLES = {
    "linux.x86_64": "Linux x86_64",
    "linux.arm64": "Linux arm64",
    "linux.x86_32": "Linux x86_32",
    "windows.x86_64": "Windows x86_64",
    "windows.arm64": "Windows arm64",
    "macos": "macOS x86_64 and arm64",
    "android.arm64": "Android arm64",
    "android.x86_64": "Android x86_64",
    "ios.arm64": "iOS arm64",
    "web.wasm32": "Web",
}
