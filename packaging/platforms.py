"""The platforms that Tendon is shipped for, and the files that each has in the addon."""

import dataclasses

# The oldest glibc that Rust's own library runs with.
GLIBC = "2.17"
# Android 6, the oldest that Godot's templates with this API run on.
ANDROID_API = 23
# What the newest Android devices load a library by; one of 4 KB pages would not load there.
ANDROID_PAGE = 16384


@dataclasses.dataclass(frozen=True)
class Platform:
    """`bin/NAME/` in the addon."""

    name: str
    # Those of Rust. What they give is joined in one file, if they are several.
    targets: tuple[str, ...]
    # As Cargo names it.
    library: str
    # Whether there is an editor that wants the classes' help, and hence a library apart for it.
    has_editor: bool = True

    def files(self) -> dict[str, list[str]]:
        """The name of each file, and the features of the crate that it is built with."""
        if not self.has_editor:
            return {self.library: []}
        stem, suffix = self.library.rsplit(".", 1)
        return {self.library: ["docs"], f"{stem}.template.{suffix}": []}


PLATFORMS = {
    platform.name: platform
    for platform in [
        Platform("linux.x86_64", ("x86_64-unknown-linux-gnu",), "libtendon.so"),
        Platform("linux.arm64", ("aarch64-unknown-linux-gnu",), "libtendon.so"),
        Platform("windows.x86_64", ("x86_64-pc-windows-msvc",), "tendon.dll"),
        Platform("macos", ("x86_64-apple-darwin", "aarch64-apple-darwin"), "libtendon.dylib"),
        Platform("android.arm64", ("aarch64-linux-android",), "libtendon.so", has_editor=False),
    ]
}
