"""What the canvases hold, bit by bit, and how they are shown."""

import colour
import numpy as np
import pytest
from conftest import FORMATS


@pytest.mark.parametrize("name", FORMATS)
def test_pixels_are_those_of_the_program(visit, name):
    page = visit(f"{name}.mkv", "gaussian=sigma=1.5,unsharp")
    clip = page.server.facts
    before, after = page.server.frames(None), page.server.frames("gaussian=sigma=1.5,unsharp")
    assert np.array_equal(page.pixels("before"), colour.picture(before[0], clip))
    assert np.array_equal(page.pixels("after"), colour.picture(after[0], clip))
    page.press("End")
    page.shown(frame=clip["frames"] - 1)
    assert np.array_equal(page.pixels("before"), colour.picture(before[-1], clip))
    assert np.array_equal(page.pixels("after"), colour.picture(after[-1], clip))
    page.press("d")
    page.tab.get_by_label("Difference times").select_option("16")
    assert np.array_equal(page.pixels("difference"), colour.difference(before[-1], after[-1], 16, clip))


def test_temporal_filters_see_their_window(visit):
    page = visit()
    page.type("tmix=frames=5")
    frames = page.server.frames("tmix=frames=5")
    for number in (0, 7, 24):
        page.tab.get_by_label("Frame", exact=True).fill(str(number))
        page.shown(frame=number)
        assert np.array_equal(page.pixels("after"), colour.picture(frames[number], page.server.facts))


def test_the_handle_divides_the_picture(visit):
    page = visit()
    compare = page.tab.get_by_label("Compare")
    assert compare.get_attribute("type") == "range"
    edge = lambda: float(page.tab.evaluate("parseFloat(document.getElementById('divider').style.left)"))
    middle = edge()
    compare.focus()
    page.tab.keyboard.press("ArrowRight")
    assert edge() > middle
    page.tab.keyboard.press("Home")
    left = edge()
    page.tab.keyboard.press("End")
    right = edge()
    box = page.tab.locator("#stage").bounding_box()
    assert right - left > 100
    # The thumb, and the line, are dragged by the mouse.
    page.tab.mouse.move(box["x"] + right - 8, box["y"] + box["height"] / 2)
    page.tab.mouse.down()
    page.tab.mouse.move(box["x"] + (left + right) / 2, box["y"] + box["height"] / 2, steps=4)
    page.tab.mouse.up()
    assert abs(edge() - (left + right) / 2) < 16
    page.tab.mouse.move(box["x"] + edge(), box["y"] + 20)
    page.tab.mouse.down()
    page.tab.mouse.move(box["x"] + left + 40, box["y"] + 20, steps=4)
    page.tab.mouse.up()
    assert abs(edge() - left - 40) < 16


def test_touch_moves_the_handle(visit):
    page = visit(has_touch=True)
    thumb = page.tab.locator("#divider").bounding_box()
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + 30
    session = page.tab.context.new_cdp_session(page.tab)
    for kind, points in (("touchStart", [(x, y)]), ("touchMove", [(x + 30, y)]), ("touchMove", [(x + 80, y)]), ("touchEnd", [])):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})
    assert abs(page.tab.locator("#divider").bounding_box()["x"] - thumb["x"] - 80) < 16


def test_two_fingers_zoom(visit):
    page = visit("long.mkv", has_touch=True)
    box = page.tab.locator("#before").bounding_box()
    x, y = box["x"] + 60, box["y"] + 80
    session = page.tab.context.new_cdp_session(page.tab)
    for kind, apart in (("touchStart", 20), ("touchMove", 24), ("touchMove", 34), ("touchMove", 60), ("touchEnd", 0)):
        points = [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}] if apart else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.until("document.querySelector('input[name=zoom]:checked').value === '8'")


def test_views_and_the_original(visit):
    page = visit("long.mkv", "median")
    visible = lambda id: page.tab.evaluate("id => getComputedStyle(document.getElementById(id)).visibility", id) == "visible"
    page.tab.get_by_label("Side by side").check()
    boxes = [page.tab.locator(f"#pane-{side}").bounding_box() for side in ("before", "after")]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + 1 or boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"] + 1
    page.press("d")
    assert visible("pane-difference") and not visible("pane-after")
    page.press("s")
    page.tab.keyboard.down("b")
    assert visible("pane-before") and not visible("pane-after")
    page.tab.keyboard.up("b")
    assert visible("pane-after")
    hold = page.tab.locator("#hold").bounding_box()
    page.tab.mouse.move(hold["x"] + 9, hold["y"] + 9)
    page.tab.mouse.down()
    assert not visible("pane-after")
    page.tab.mouse.up()
    assert visible("pane-after")


def test_zoom_and_panning(visit):
    page = visit("long.mkv")
    width = lambda: page.tab.locator("#before").bounding_box()["width"]
    page.press("1")
    assert width() == 320
    page.press("8")
    assert width() == 8 * 320
    assert page.tab.evaluate("getComputedStyle(document.getElementById('before')).imageRendering") == "pixelated"
    stage = page.tab.locator("#stage").bounding_box()
    before = page.tab.locator("#before").bounding_box()
    page.tab.mouse.move(stage["x"] + 100, stage["y"] + 60)
    page.tab.mouse.down()
    page.tab.mouse.move(stage["x"] + 160, stage["y"] + 90, steps=3)
    page.tab.mouse.up()
    after = page.tab.locator("#before").bounding_box()
    assert (round(after["x"] - before["x"]), round(after["y"] - before["y"])) == (60, 30)
    page.tab.get_by_label("Fit").check()
    assert width() <= stage["width"]
    # The wheel comes nearer, and what is under the pointer stays.
    x, y = stage["x"] + stage["width"] / 2 + 50, stage["y"] + stage["height"] / 2
    column = lambda: int(page.tab.locator("#probe-text .where").inner_text().split(",")[0])
    page.tab.mouse.move(x, y)
    for zoom in (4, 8):
        before = column()
        page.tab.mouse.wheel(0, -100)
        page.until(f"document.querySelector('input[name=zoom]:checked').value === '{zoom}'")
        page.tab.mouse.move(x + 1, y)
        page.tab.mouse.move(x, y)
        assert abs(column() - before) <= 1
        page.tab.wait_for_timeout(200)
    page.press("-")
    page.press("-")
    assert page.tab.get_by_label("Fit").is_checked()


def test_the_probe_tells_samples(visit):
    page = visit("ten.mkv", "gaussian=3")
    before, after = page.server.frames(None), page.server.frames("gaussian=3")
    page.tab.locator("#stage").focus()
    for key in ("Shift+ArrowRight", "Control+Shift+ArrowDown", "Shift+ArrowLeft", "Shift+ArrowLeft"):
        page.tab.keyboard.press(key)
    x, y = 79, 55
    said = page.tab.locator("#probe-text").inner_text().split()
    values = [f"{frame[0][plane][y, x if plane == 0 else x >> 1]}" for plane in range(3) for frame in (before, after)]
    assert [word for word in said if word.isdigit()][-6:] == values
    page.tab.locator("#stage").hover(
        position={
            "x": 5 + page.tab.locator("#before").bounding_box()["x"] - page.tab.locator("#stage").bounding_box()["x"],
            "y": 60,
        }
    )
    assert page.tab.locator("#probe-text .where").inner_text() != f"{x}, {y}"


@pytest.mark.parametrize("kind", ["pq", "hlg"])
def test_hdr_is_tone_mapped_unless_that_is_switched_off(visit, kind):
    page = visit(f"{kind}.mkv", "gaussian=2")
    clip = page.server.facts
    after = page.server.frames("gaussian=2")[0]
    shown = page.pixels("after").astype(int)
    # The page has 16 steps of PQ to each of 8 bits, which are seen best in dark colours: light is compared.
    toned = colour.toned(after, clip)
    assert np.abs((shown / 255) ** 2.2 - (toned / 255) ** 2.2).max() < 0.01
    assert np.abs(shown - toned).mean() < 1
    flat = colour.picture(after, clip)
    assert np.abs(shown - flat).max() > 30
    assert f"HDR ({kind.upper()})" in page.tab.locator("#clip-facts").inner_text()
    page.tab.get_by_label("Tone-mapped HDR").uncheck()
    assert np.array_equal(page.pixels("after"), flat)
    page.press(".")
    page.shown("gaussian=2", 1)
    assert np.array_equal(page.pixels("after"), colour.picture(page.server.frames("gaussian=2")[1], clip))
    page.tab.get_by_label("Tone-mapped HDR").check()
    assert np.abs(page.pixels("after").astype(int) - flat).max() > 30


def test_rotated_clips_are_turned(visit):
    flat, turned = visit("flat.mp4"), visit("turned.mp4")
    stored = flat.pixels("after")
    shown = turned.pixels("after")
    assert shown.shape == (stored.shape[1], stored.shape[0], 3)
    # Chroma is halved in the other direction, and the turn is by a quarter in one direction.
    assert any(np.abs(np.rot90(stored, quarters).astype(int) - shown).max() <= 1 for quarters in (1, 3))
    assert "filters get it as it is stored" in turned.tab.locator("#clip-facts").inner_text()
