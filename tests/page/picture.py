"""Draws docs/preview.png: the page of `warpreel preview` on the sample, in headless Chromium.

    WARPREEL=target/release/warpreel CHROMIUM=$(command -v chromium) target/page/bin/python tests/page/picture.py [PICTURE.png]
"""

import os
import pathlib
import re
import signal
import subprocess
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples/bigbuckbunny-720p.mp4"
CHAIN = "gaussian=sigma=3,unsharp=amount=1.5"
FRAME = "60"


def main():
    picture = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/preview.png")
    command = [os.environ["WARPREEL"], "preview", SAMPLE, "--no-open", "-f", CHAIN]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        address = next(found[0] for line in program.stdout if (found := re.search(r"http://\S+", line)))
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
            tab = chromium.new_page(viewport={"width": 1280, "height": 800})
            tab.goto(address)
            tab.wait_for_selector("#stage[data-frame]")
            tab.evaluate(
                """number => {
                  const frame = document.getElementById('frame');
                  frame.value = number;
                  frame.dispatchEvent(new Event('input', { bubbles: true }));
                }""",
                FRAME,
            )
            tab.wait_for_function("number => document.getElementById('stage').dataset.frame === number", arg=FRAME)
            # Thumbnails and scopes follow when nothing else is to be done.
            tab.wait_for_load_state("networkidle")
            tab.wait_for_timeout(3000)
            tab.screenshot(path=picture)
            chromium.close()
    finally:
        program.send_signal(signal.SIGINT)
        program.wait(10)
    # 256 colours take a third of the room.
    Image.open(picture).convert("RGB").quantize(256).save(picture, optimize=True)
    print(f"{picture}: {picture.stat().st_size / 1000:.0f} kB")


main()
