"""Clips, the program that serves the page, and the page in headless Chromium."""

import io
import json
import os
import pathlib
import re
import signal
import subprocess
import urllib.request

import colour
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

PROGRAM = os.environ["WARPREEL"]
# Folder that the page's files are taken from instead of the program, so that a changed page is tested without a build.
FILES = os.environ.get("WARPREEL_PAGE")
FORMATS = {
    "eight": ("yuv420p", "ffv1", "161x91"),
    "ten": ("yuv422p10le", "ffv1", "160x90"),
    "alpha": ("yuva444p", "ffv1", "160x90"),
    "rgb": ("gbrp", "utvideo", "160x90"),
    "gray": ("gray", "ffv1", "160x90"),
    "large": ("yuv420p", "ffv1", "1279x719"),
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with a clip of each format, and a longer one to be played and run."""
    place = tmp_path_factory.mktemp("clips")
    clips = {f"{name}.mkv": (*kinds, 1) for name, kinds in FORMATS.items()} | {"long.mkv": ("yuv420p", "ffv1", "320x180", 12)}
    for name, (pixels, codec, size, seconds) in clips.items():
        source = f"testsrc2=size={size}:rate=25:duration={seconds}"
        colours = []
        if pixels == "yuva444p":
            # Opacity from none to all.
            source += ",format=yuva444p,geq=lum=p(X\\,Y):cb=p(X\\,Y):cr=p(X\\,Y):a=mod(X*2+Y\\,256)"
            colours = ["-color_range", "pc", "-colorspace", "bt709"]
        made = ["-pix_fmt", pixels, *colours, "-c:v", codec, place / name]
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, *made], check=True)
    # Turned, for HDR, of an old container and an odd size, and stills.
    source = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=1"]
    subprocess.run([*source, "-pix_fmt", "yuv422p", "-c:v", "libx264", "-qp", "0", place / "flat.mp4"], check=True)
    turn = ["ffmpeg", "-v", "error", "-display_rotation", "90", "-i", place / "flat.mp4", "-c", "copy", place / "turned.mp4"]
    if subprocess.run(turn, capture_output=True).returncode:
        turn = ["ffmpeg", "-v", "error", "-i", place / "flat.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", place / "turned.mp4"]
        subprocess.run(turn, check=True)
    wide = ["-color_primaries", "bt2020", "-colorspace", "bt2020nc", "-color_range", "tv"]
    for name, transfer in (("pq", "smpte2084"), ("hlg", "arib-std-b67")):
        made = ["-pix_fmt", "yuv420p10le", "-color_trc", transfer, *wide, "-c:v", "ffv1", place / f"{name}.mkv"]
        subprocess.run([*source, *made], check=True)
    subprocess.run([*source, "-vf", "scale=161:91", "-c:v", "mpeg1video", "-q:v", "2", place / "odd.mpg"], check=True)
    subprocess.run([*source, "-frames:v", "3", place / "stills-%03d.png"], check=True)
    noise = "color=gray:s=96x64:r=25:d=0.4,format=yuv420p,noise=alls=20:allf=t"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", noise, "-c:v", "ffv1", place / "noisy.mkv"], check=True)
    return place


class Server:
    """The program, serving the page of a clip, or of several."""

    def __init__(self, folder, clip, chain):
        inputs = [clip] if isinstance(clip, str) else [*clip]
        self.folder, self.clip = folder, inputs[0]
        command = [PROGRAM, "preview", *inputs, "--no-open"] + (["-f", chain] if chain else [])
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = ""
        for line in self.process.stdout:
            said += line
            found = re.search(r"http://\S+", line)
            if found:
                self.address = found[0].rstrip("/") + "/"
                break
        else:
            raise AssertionError(f"the program said no address: {said}")
        self.facts = json.loads(urllib.request.urlopen(self.address + "clip").read())

    def frames(self, chain, count=None, facts=None):
        """What the program makes of the clip, or of its first frames, as lists of planes; `facts` are those of another size."""
        out = self.folder / f"{self.clip}.raw"
        command = [PROGRAM, self.clip, out, "-q", "-y"] + (["-f", chain] if chain else []) + (["--frames", str(count)] if count else [])
        subprocess.run(command, cwd=self.folder, check=True)
        return colour.split(out.read_bytes(), facts or self.facts)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(10)


@pytest.fixture(scope="session")
def serve(folder):
    """Gives the server of a clip and a chain, one for each pair."""
    servers = {}

    def get(clip, chain=""):
        if (clip, chain) not in servers:
            servers[clip, chain] = Server(folder, clip, chain)
        return servers[clip, chain]

    yield get
    for server in servers.values():
        server.end()


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium. WebGL works in some of its releases only where it is asked for."""
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--enable-unsafe-swiftshader"]
        chromium = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=options)
        yield chromium
        chromium.close()


def picture(url):
    """The picture of a data URL: height, width, 3."""
    data = urllib.request.urlopen(url).read()
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


class Page:
    """The page, as its tests use it."""

    def __init__(self, tab, server, script=None):
        self.tab, self.server = tab, server
        if script:
            tab.add_init_script(script)
        self.errors = []
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        if FILES:
            tab.route("**/page/*", lambda route: route.fulfill(path=f"{FILES}/{route.request.url.rsplit('/', 1)[-1]}"))
            index = re.compile(re.escape(server.address) + r"(clips/[^/]*/)?(#.*)?$")
            tab.route(index, lambda route: route.fulfill(path=f"{FILES}/index.html"))
        tab.goto(server.address)
        tab.wait_for_selector("#stage[data-frame]")

    def shown(self, chain=None, frame=None):
        """Waits until this is shown."""
        self.tab.wait_for_function(
            """([chain, frame]) => {
              const { dataset } = document.getElementById('stage');
              return (chain === null || dataset.chain === chain) && (frame === null || dataset.frame === String(frame));
            }""",
            arg=[chain, frame],
        )

    def until(self, expression, **options):
        """Waits until this is so."""
        self.tab.wait_for_function(f"() => {expression}", **options)

    def type(self, chain):
        """Types a chain in place of what is there, and waits for its picture."""
        self.tab.get_by_label("Chain").fill(chain)
        self.shown(chain)

    @property
    def chain(self):
        return self.tab.locator("#chain").input_value()

    def pixels(self, canvas):
        """What a canvas holds: height, width, 3."""
        return picture(self.tab.evaluate("id => document.getElementById(id).toDataURL('image/png')", canvas))

    def card(self, index):
        """A card with all its controls unfolded."""
        card = self.tab.locator("#cards > li").nth(index)
        card.evaluate("card => { for (const details of card.querySelectorAll('details')) details.open = true; }")
        return card

    def press(self, keys):
        """Presses keys with nothing focused."""
        self.tab.evaluate("document.activeElement.blur()")
        self.tab.keyboard.press(keys)


@pytest.fixture
def visit(browser, serve):
    """
    Opens the page of a clip and a chain; `script` runs before its own, options are those of a browser context. No script may have failed
    at the end.
    """
    pages = []

    def open_page(clip="eight.mkv", chain="", script=None, **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "accept_downloads": True} | options)
        context.set_default_timeout(10000)
        pages.append(Page(context.new_page(), serve(clip, chain), script))
        return pages[-1]

    yield open_page
    for page in pages:
        page.tab.context.close()
    assert [error for page in pages for error in page.errors] == []


def place(name):
    """A file of the repository."""
    return pathlib.Path(__file__).parents[2] / name
