"""Frames: steps, thumbnails, playing, loops."""

import itertools

import colour
import numpy as np


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
