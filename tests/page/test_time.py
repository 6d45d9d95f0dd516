"""Frames: steps, thumbnails, playing, loops."""

import itertools
import json
import subprocess
import time
import urllib.request

import colour
import numpy as np
import pytest
from conftest import picture


def test_steps_and_thumbnails(visit):
    page = visit("long.mkv", "sobel")
    frames = page.server.frames("sobel")
    for key, frame in ((".", 1), (".", 2), (",", 1), ("End", 299), (",", 298), ("Home", 0), ("ArrowRight", 1)):
        page.press(key)
        page.shown(frame=frame)
        assert np.array_equal(page.pixels("after"), colour.picture(frames[frame], page.server.facts))
    page.tab.get_by_label("One on").click()
    page.shown(frame=2)
    assert page.tab.locator("#clock").inner_text().startswith("2 / 299")
    lit = "() => { const c = document.getElementById('thumbs'); return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v, i) => i % 4 < 3 && v > 120); }"
    page.until(f"({lit})()")


def test_playing_and_looping(visit):
    page = visit("long.mkv", "median")
    page.tab.evaluate("""() => {
      window.seen = [];
      new MutationObserver(() => window.seen.push(Number(document.getElementById('stage').dataset.frame)))
        .observe(document.getElementById('stage'), { attributeFilter: ['data-frame'] });
    }""")
    page.tab.get_by_label("Loop", exact=True).check()
    page.tab.get_by_label("from").fill("10")
    page.tab.get_by_label("to", exact=True).fill("14")
    # Stopped at once and begun again, it plays once.
    for _ in range(3):
        page.press(" ")
    page.until("window.seen.length > 12")
    page.press(" ")
    page.until("document.getElementById('play').textContent === 'Play'")
    # Where it was stopped before the loop's first picture, the one of the beginning was drawn once more.
    seen = list(itertools.dropwhile(lambda frame: frame == 0, page.tab.evaluate("window.seen")))
    assert set(seen) <= {10, 11, 12, 13, 14} and 14 in seen
    # The last is drawn once more when it stands.
    steps = [(was, now) for was, now in zip(seen, seen[1:]) if was != now]
    assert steps == [(was, was + 1 if was < 14 else 10) for was, _ in steps]
    assert page.tab.locator("#pace").inner_text().endswith("fps")
    frame = int(page.tab.locator("#stage").get_attribute("data-frame"))
    assert np.array_equal(page.pixels("after"), colour.picture(page.server.frames("median")[frame], page.server.facts))
    # To the end without a loop.
    page.tab.get_by_label("Loop", exact=True).uncheck()
    page.tab.get_by_label("Frame", exact=True).fill("290")
    page.shown(frame=290)
    page.tab.locator("#play").click()
    page.shown(frame=299)
    page.until("document.getElementById('play').textContent === 'Play'")


def test_a_frame_or_a_time_is_typed(visit):
    page = visit("long.mkv", "median")
    page.press("j")
    for text, frame in (("120", 120), ("#7", 7), ("3s", 75), ("0:02.5", 62), ("0:00:10", 250), (".2", 5), ("99999", 299)):
        page.press("j")
        page.tab.keyboard.type(text)
        page.tab.keyboard.press("Enter")
        page.shown(frame=frame)
        # Time keys work again.
        assert page.tab.evaluate("document.activeElement.id") == "stage"
    page.press("j")
    page.tab.keyboard.type("soon")
    page.tab.keyboard.press("Enter")
    page.until("document.getElementById('status').textContent.includes('no frame and no time')")
    assert page.tab.locator("#stage").get_attribute("data-frame") == "299"


def test_a_jump_without_cuts_says_so(visit):
    page = visit("eight.mkv")
    page.press(">")
    page.until("/^No cuts/.test(document.getElementById('status').textContent)")
    assert page.tab.locator("#stage").get_attribute("data-frame") == "0"


def test_real_time_drops_frames_that_are_late(visit):
    """A server that answers slowly: every frame is shown, or the clip's time is kept."""
    page = visit("long.mkv")
    page.tab.evaluate("""() => {
      const ask = window.fetch;
      window.fetch = async (...words) => {
        if (String(words[0]).startsWith('frames')) await new Promise(resolve => setTimeout(resolve, 150));
        return ask(...words);
      };
      window.seen = [];
      new MutationObserver(() => window.seen.push(Number(document.getElementById('stage').dataset.frame)))
        .observe(document.getElementById('stage'), { attributeFilter: ['data-frame'] });
    }""")
    assert page.tab.evaluate("document.getElementById('real-time').checked") is False
    page.tab.get_by_label("Real time").check()
    page.tab.locator("#play").click()
    page.until("window.seen.some((now, at) => at > 0 && now - window.seen[at - 1] > 1)")
    page.until("/ fps · \\d+ dropped$/.test(document.getElementById('pace').textContent)")
    page.tab.locator("#play").click()
    page.until("document.getElementById('play').textContent === 'Play'")
    seen = page.tab.evaluate("window.seen")
    assert seen == sorted(seen)
    page.press("Home")
    page.shown(frame=0)
    page.tab.evaluate("window.seen = []")
    page.tab.get_by_label("Real time").uncheck()
    page.tab.locator("#play").click()
    page.until("window.seen.length > 6")
    page.tab.locator("#play").click()
    seen = [frame for frame in page.tab.evaluate("window.seen") if frame]
    assert all(now - was <= 1 for was, now in zip(seen, seen[1:]))


SEEN = """() => {
  const canvas = id => document.getElementById(id).toDataURL('image/png');
  return [document.getElementById('stage').dataset.frame, canvas('before'), canvas('after')];
}"""


@pytest.mark.parametrize("clip", ["long.mkv", "rgb.mkv"])
def test_what_is_seen_while_it_plays(visit, clip):
    """Only what is seen of each side is painted, also where the handle is moved meanwhile; all of it when it stops."""
    page = visit(clip, "invert")
    facts = page.server.facts
    before, after = page.server.frames(None), page.server.frames("invert")
    page.tab.get_by_text("Loop", exact=True).click()
    page.press(" ")
    compare = page.tab.get_by_label("Compare")
    for share in (50, 20, 80, 0, 100):
        compare.fill(str(share))
        page.tab.wait_for_timeout(300)
        number, *sides = page.tab.evaluate(SEEN)
        left, right = map(picture, sides)
        edge = round(facts["width"] * share / 100)
        assert np.array_equal(left[:, : edge - 1], colour.picture(before[int(number)], facts)[:, : edge - 1]) or edge == 0
        assert np.array_equal(right[:, edge + 1 :], colour.picture(after[int(number)], facts)[:, edge + 1 :])
    page.press(" ")
    page.until("document.getElementById('play').textContent === 'Play'")
    page.tab.wait_for_timeout(300)
    number = int(page.tab.locator("#stage").get_attribute("data-frame"))
    assert np.array_equal(page.pixels("before"), colour.picture(before[number], facts))
    assert np.array_equal(page.pixels("after"), colour.picture(after[number], facts))


def test_key_frames_are_shown_first(visit, folder):
    """The strip of a long clip begins with key frames, which are the frames that they are said to be."""
    source = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=60", "-pix_fmt", "yuv420p"]
    coded = ["-c:v", "libx264", "-preset", "veryfast", "-g", "100", "-sc_threshold", "0", folder / "hour.mp4"]
    subprocess.run(["ffmpeg", "-v", "error", *source, *coded], check=True)
    page = visit("hour.mp4")
    address = page.server.address
    read = lambda path: urllib.request.urlopen(address + path).read()
    until = time.monotonic() + 60
    while not (strip := json.loads(read("thumbs")))["done"] and time.monotonic() < until:
        time.sleep(0.2)
    assert strip["done"] and len(strip["keys"]) == 24
    assert strip["keys"] == [(2 * place + 1) * 1500 // 48 // 100 * 100 for place in range(24)]
    for index, frame in enumerate(strip["keys"]):
        assert read(f"thumbs/key/{index}") == read(f"thumbs/{frame // strip['every']}"), frame
    # All of the strip is lit, from its first frame to its last.
    lit = "() => { const c = document.getElementById('thumbs'); return [0.02, 0.5, 0.98].every(at => c.getContext('2d').getImageData(c.width * at, 0, 1, c.height).data.some((v, i) => i % 4 < 3 && v > 120)); }"
    page.until(f"({lit})()")
