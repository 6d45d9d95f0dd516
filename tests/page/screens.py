"""Draws the page in seven states at four sizes, to be looked at: target/screens/SIZE-STATE.png.

    WARPREEL=target/debug/warpreel CHROMIUM=$(command -v chromium) target/page/bin/python tests/page/screens.py [FOLDER]

WARPREEL_PAGE names a folder that the page's files are taken from instead of the program.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = os.environ.get("WARPREEL_PAGE")
SIZES = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "small": {"viewport": {"width": 1000, "height": 600}},
    # A desk of 1440x900 at 200 %.
    "large-type": {"viewport": {"width": 720, "height": 450}, "device_scale_factor": 2},
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True},
}
CHAIN = "gaussian=sigma=3:roi=640x360+320+180,unsharp=amount=1.5"


def first(tab):
    pass


def scopes(tab):
    tab.get_by_role("tab", name="RGB parade").click()


def pair(tab):
    tab.keyboard.press("p")
    tab.get_by_label("Chain", exact=True).fill("median=3")
    tab.keyboard.press("Escape")
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("t")


def loupe(tab):
    box = tab.locator("#stage").bounding_box()
    tab.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
    tab.keyboard.press("o")
    tab.keyboard.press("m")


def picker(tab):
    tab.keyboard.press("a")
    tab.get_by_label("Search filters").fill("noise")


def wrong(tab):
    tab.get_by_label("Chain", exact=True).fill("gausian=3,unsharp=amount=1.5")


def job(tab):
    tab.keyboard.press("r")


STATES = {state.__name__: state for state in (first, scopes, pair, loupe, picker, wrong, job)}


def main(folder=ROOT / "target/screens"):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = [os.environ["WARPREEL"], "preview", ROOT / "samples/bigbuckbunny-720p.mp4", "--no-open", "-f", CHAIN]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        address = next(found[0] for line in program.stdout if (found := re.search(r"http://\S+", line)))
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
            for size, options in SIZES.items():
                for name, state in STATES.items():
                    context = chromium.new_context(**options)
                    tab = context.new_page()
                    if FILES:
                        tab.route("**/page/*", lambda route: route.fulfill(path=f"{FILES}/{route.request.url.rsplit('/', 1)[-1]}"))
                        index = re.compile(re.escape(address) + r"(#.*)?$")
                        tab.route(index, lambda route: route.fulfill(path=f"{FILES}/index.html"))
                    tab.goto(address)
                    tab.wait_for_selector("#stage[data-frame]")
                    tab.wait_for_timeout(700)
                    state(tab)
                    tab.wait_for_timeout(900)
                    tab.screenshot(path=folder / f"{size}-{name}.png")
                    context.close()
            chromium.close()
    finally:
        program.send_signal(signal.SIGINT)
        program.wait(10)
    print(f"{folder}: {len(SIZES) * len(STATES)} pictures")


main(*sys.argv[1:])
