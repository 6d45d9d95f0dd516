"""Regions on the picture, marked pixels, and the loupe."""

import re

import pytest
from playwright.sync_api import expect


def stage(page):
    """The corner of the picture on the screen, and the size of one of its pixels."""
    box = page.tab.locator("#before").bounding_box()
    facts = page.server.facts
    return box["x"], box["y"], box["width"] / facts["width"], box["height"] / facts["height"]


def at(page, x, y):
    """The middle of a pixel on the screen."""
    left, top, wide, high = stage(page)
    return left + (x + 0.5) * wide, top + (y + 0.5) * high


def drag(page, *pixels):
    """Moves the pointer over pixels with its button down."""
    page.tab.mouse.move(*at(page, *pixels[0]))
    page.tab.mouse.down()
    for pixel in pixels[1:]:
        page.tab.mouse.move(*at(page, *pixel), steps=3)
    page.tab.mouse.up()


def region(page, text):
    """Waits until the chain has this region."""
    page.until(f"document.getElementById('chain').value.includes('roi={text}')")


def draw(page, index=0):
    card = page.card(index)
    card.get_by_role("button", name=re.compile("roi of .*: draw")).click()


def test_a_region_is_drawn_moved_and_resized(visit):
    page = visit("eight.mkv", "gaussian=3")
    draw(page)
    drag(page, (10, 8), (30, 5), (51, 31))
    region(page, "42x24+10+8")
    drag(page, (30, 20), (35, 24))
    region(page, "42x24+15+12")
    # By its corner, and then its edge.
    drag(page, (57, 36), (69, 46))
    region(page, "54x34+15+12")
    drag(page, (15, 29), (10, 1))
    region(page, "59x34+10+12")
    # It stays within the picture, also if it is dragged beyond.
    drag(page, (30, 30), (160, 90))
    region(page, "59x34+101+56")
    drag(page, (120, 80), (2, 2))
    page.until("/roi=59x34\\+0\\+0/.test(document.getElementById('chain').value)")
    page.shown(page.chain)
    # A drag is one step of undo.
    page.press("Control+z")
    region(page, "59x34+101+56")
    page.press("Control+z")
    region(page, "59x34+10+12")


def test_what_is_drawn_is_what_is_filtered(visit):
    page = visit("eight.mkv", "invert")
    draw(page)
    drag(page, (20, 10), (59, 49))
    region(page, "40x40+20+10")
    page.shown(page.chain)
    changed = (page.pixels("before") != page.pixels("after")).any(axis=2)
    ys, xs = changed.nonzero()
    assert (xs.min(), ys.min(), xs.max(), ys.max()) == (20, 10, 59, 49)


def test_keys_move_a_region(visit):
    page = visit("large.mkv", "gaussian=3:roi='100 80 320 220'")
    tab = page.tab
    box = tab.locator(".region")
    assert "320x220+100+80" in box.get_attribute("aria-label")
    box.focus()
    tab.keyboard.press("ArrowRight")
    region(page, "320x220+101+80")
    tab.keyboard.press("Control+ArrowDown")
    region(page, "320x220+101+90")
    tab.keyboard.press("Shift+ArrowLeft")
    region(page, "319x220+101+90")
    tab.keyboard.press("Control+Shift+ArrowDown")
    region(page, "319x230+101+90")
    # Time stays where it is.
    assert tab.locator("#stage").get_attribute("data-frame") == "0"
    tab.keyboard.press("Delete")
    page.until("!document.getElementById('chain').value.includes('roi')")
    assert box.count() == 0


def test_escape_ends_drawing(visit):
    page = visit("large.mkv", "gaussian=3")
    draw(page)
    page.tab.keyboard.press("Escape")
    drag(page, (100, 80), (300, 50))
    page.tab.wait_for_timeout(200)
    assert page.chain == "gaussian=3"


@pytest.mark.parametrize(("clip", "chain", "why"), [("large.mkv", "gaussian=3,scale=640:360", "size"), ("turned.mp4", "gaussian=3", "turned")])
def test_regions_of_other_coordinates_are_typed(visit, clip, chain, why):
    page = visit(clip, chain)
    draw(page)
    page.until("document.getElementById('status').classList.contains('error')")
    assert why in page.tab.locator("#status").inner_text()
    page.type(chain.replace("gaussian=3", "gaussian=3:roi=40x20+0+0"))
    assert page.tab.locator(".region").count() == 0


def test_regions_follow_the_text(visit):
    page = visit("large.mkv", "gaussian=3:roi=100x90+8+4,invert,median=3:roi=50x40+1+2")
    labels = page.tab.locator(".region .label")
    assert labels.all_inner_texts() == ["gaussian 100x90+8+4", "median 50x40+1+2"]
    page.type("gaussian=3:roi=100x91+8+4,invert")
    assert labels.all_inner_texts() == ["gaussian 100x91+8+4"]
    page.card(0).get_by_role("switch").uncheck()
    page.until("document.querySelectorAll('.region').length === 0")


def samples(page, frames, x, y):
    """A pixel as a mark tells of it."""
    texts = []
    for index, plane in enumerate(page.server.facts["planes"]):
        across = -(-page.server.facts["width"] // plane["width"])
        down = -(-page.server.facts["height"] // plane["height"])
        values = [frame[index][y // down, x // across] for frame in frames]
        texts.append(f"{plane['letter'].upper()} {values[0]} → {values[1]}")
    return texts


@pytest.mark.parametrize("clip", ["eight.mkv", "ten.mkv", "rgb.mkv", "gray.mkv"])
def test_marks_tell_samples_of_every_frame(visit, clip):
    page = visit(clip, "gaussian=2")
    before, after = page.server.frames(None), page.server.frames("gaussian=2")
    marked = [(31, 17), (100, 60)]
    for x, y in marked:
        page.tab.mouse.move(*at(page, x, y))
        page.press("m")
    for number in (0, 9):
        page.tab.get_by_label("Frame", exact=True).fill(str(number))
        page.shown(frame=number)
        for index, (x, y) in enumerate(marked):
            told = page.tab.locator(f".mark >> nth={index}").locator("output span").all_inner_texts()
            assert told == samples(page, (before[number], after[number]), x, y)
    # They are in the address; a second key, and the button, end them.
    page.tab.wait_for_timeout(400)
    page.tab.reload()
    page.tab.wait_for_selector(".mark output")
    assert page.tab.locator(".mark").count() == 2
    page.tab.mouse.move(*at(page, *marked[0]))
    page.press("m")
    expect(page.tab.locator(".mark")).to_have_count(1)
    page.tab.get_by_label("Remove mark 1").click()
    expect(page.tab.locator(".mark")).to_have_count(0)


def test_the_loupe_shows_pixels_of_both_sides(visit):
    page = visit("eight.mkv", "invert")
    page.tab.mouse.move(*at(page, 40, 30))
    page.press("o")
    loupe = page.tab.locator("#loupe")
    assert "40, 30" in loupe.inner_text() and "Before | After" in loupe.inner_text()
    shown = page.tab.evaluate(
        """() => {
          const canvas = document.querySelector('#loupe canvas');
          const context = canvas.getContext('2d');
          const side = (canvas.width - 6) / 2;
          const cell = side / 9;
          // A corner of each pixel, where no value is written.
          const colour = (left, column, row) => [...context.getImageData(left + column * cell + 2, row * cell + 2, 1, 1).data.slice(0, 3)];
          return [0, side + 6].map(left => [0, 1, 2, 3, 4, 5, 6].map(row => [0, 1, 2, 3, 4, 5, 6, 7, 8].map(column => colour(left, column, row))));
        }"""
    )
    for canvas, pixels in zip(("before", "after"), shown):
        wanted = page.pixels(canvas)[27:34, 36:45]
        # Around the middle there is a frame.
        different = [(row, column) for row in range(7) for column in range(9) if list(wanted[row, column]) != pixels[row][column]]
        assert set(different) <= {(row, column) for row in (2, 3, 4) for column in (3, 4, 5)}
    page.tab.get_by_label("Plane of the loupe").select_option("u")
    assert page.tab.get_by_label("Plane of the loupe").input_value() == "u"
    page.press("o")
    assert loupe.is_hidden()
