#!/usr/bin/env python3
"""Opens a page of a folder in Chromium and prints what its console says.

Usage: packaging/browser.py PROGRAM FOLDER PAGE --until PATTERN [--minutes N]
       packaging/browser.py PROGRAM FOLDER PAGE --play PICTURES

PROGRAM is the browser's. With --until, it ends after the line that PATTERN matches.
With --play, it clicks through the gallery: the middle of each card, then the scene
for some seconds with the mouse, and takes a picture of each into the folder
PICTURES. The exit code is 1 if a page says nothing or crashes. When the page of an
export shows its first frame, a line says after how many seconds.
Needs the Python package playwright.
"""

import argparse
import functools
import http.server
import pathlib
import re
import sys
import threading
import time

from playwright.sync_api import Page, sync_playwright

# Without a graphics card: all is drawn by the processor.
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
# Of the window. The menu fills it.
SIZE = {"width": 1152, "height": 648}
# An exported page takes this away when the engine has drawn a frame.
FIRST_FRAME = """
new MutationObserver((changes) => {
    if (changes.some((change) => [...change.removedNodes].some((node) => node.id === "status"))) {
        console.log(`FIRST FRAME: ${(performance.now() / 1000).toFixed(3)}`);
    }
}).observe(document, { childList: true, subtree: true });
"""
ROOT = pathlib.Path(__file__).resolve().parent.parent


class Handler(http.server.SimpleHTTPRequestHandler):
    """Quiet, and with what pages need that have threads."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

    def end_headers(self) -> None:
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *_words) -> None:
        pass


def serve(folder: str) -> str:
    """The address of the folder, on this machine only."""
    handler = functools.partial(Handler, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("page")
    parser.add_argument("--until")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--play", type=pathlib.Path)
    given = parser.parse_args()
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given.program, args=FLAGS)
        page = browser.new_page(viewport=SIZE)
        page.on("console", lambda message: say(message.text))
        page.on("pageerror", lambda error: say(f"ERROR: {error}"))
        page.on("crash", lambda _: say("ERROR: the page has crashed"))
        page.add_init_script(FIRST_FRAME)
        page.goto(serve(given.folder) + given.page)
        if given.play:
            play(page, given.play)
        else:
            wait(page, lines, re.compile(given.until), time.monotonic() + 60 * given.minutes)
        browser.close()


def cards() -> list[tuple[str, int, int]]:
    """Of the gallery's menu, in the order in which they stand there: the name, and the middle."""
    text = (ROOT / "godot_project/menu.tscn").read_text(encoding="utf-8")
    found = []
    for block in text.split("[node ")[1:]:
        name = re.search(r'^scene = "res://scenes/(\w+)/', block, re.M)
        if name:
            edges = (int(edge) for edge in re.findall(r"^offset_(?:left|top|right|bottom) = (\d+)$", block, re.M))
            left, top, right, bottom = edges
            found.append((name[1], (left + right) // 2, (top + bottom) // 2))
    return found


def play(page: Page, pictures: pathlib.Path) -> None:
    """As a player would: with the mouse, or with the keyboard, which scrolls the menu, where a card is not seen."""
    pictures.mkdir(parents=True, exist_ok=True)
    page.wait_for_selector("#status", state="detached", timeout=180_000)
    page.wait_for_timeout(4_000)
    page.screenshot(path=pictures / "menu.png")
    for name, x, y in cards():
        if y < 0.75 * SIZE["height"]:
            page.mouse.move(x, y)
            page.wait_for_timeout(500)
            page.mouse.click(x, y)
        else:
            # The card that was opened last has the focus.
            page.keyboard.press("Tab")
            page.wait_for_timeout(500)
            page.keyboard.press("Enter")
        page.wait_for_timeout(2_000)
        # Scenes that follow the mouse do so.
        for step in range(20):
            page.mouse.move(400 + 15 * step, 250 + 8 * step)
            page.wait_for_timeout(100)
        if name == "lockstep":
            # It says what all of it comes to.
            page.wait_for_event("console", lambda message: message.text.startswith("LOCKSTEP: "), timeout=180_000)
            page.wait_for_timeout(15_000)
        page.screenshot(path=pictures / f"{name}.png")
        page.keyboard.press("Escape")
        page.wait_for_timeout(1_500)


def wait(page: Page, lines: list[str], pattern: re.Pattern, end: float) -> None:
    while not any(pattern.search(line) for line in lines):
        if time.monotonic() > end or page.is_closed():
            sys.exit(f"nothing like {pattern.pattern}")
        page.wait_for_timeout(200)


if __name__ == "__main__":
    main()
