"""Two tabs that show the same clip, which the program serves side by side."""

import colour
import numpy as np


def test_each_tab_shows_the_frame_that_it_names(visit):
    chain = "nlmeans=s=3:p=5:r=9"
    pages = [visit("long.mkv", chain), visit("long.mkv", chain)]
    # Both seek at the same time, again and again.
    seek = """number => {
      const frame = document.getElementById('frame');
      frame.value = String(number);
      frame.dispatchEvent(new Event('input', { bubbles: true }));
    }"""
    frames = pages[0].server.frames(chain)
    for turn in range(8):
        wanted = [20 + 7 * turn, 150 + 11 * turn]
        for page, number in zip(pages, wanted):
            page.tab.evaluate(seek, number)
        for page, number in zip(pages, wanted):
            page.shown(chain, number)
            assert page.tab.locator("#clock").inner_text().startswith(f"{number} / 299")
            assert np.array_equal(page.pixels("after"), colour.picture(frames[number], page.server.facts))


def test_a_picture_that_was_dropped_is_asked_for_again(visit):
    page = visit("long.mkv")
    dropped = []

    def drop(route):
        if route.request.post_data_json["first"] == 5 and len(dropped) < 3:
            dropped.append(route.request)
            route.fulfill(status=409, json={"error": "replaced by a newer request"})
        else:
            route.continue_()

    page.tab.route("**/frames", drop)
    page.tab.get_by_label("Frame", exact=True).fill("5")
    page.shown(frame=5)
    assert len(dropped) == 3


def test_a_picture_that_takes_long_gives_way_to_the_next(visit):
    page = visit("large.mkv")
    # Most of a minute of work on one frame.
    page.tab.get_by_label("Chain").fill("nlmeans=s=3:p=15:r=99")
    page.until("document.getElementById('stage').getAttribute('aria-busy') === 'true'")
    page.type("gaussian=1")
    assert np.array_equal(page.pixels("after"), colour.picture(page.server.frames("gaussian=1")[0], page.server.facts))
