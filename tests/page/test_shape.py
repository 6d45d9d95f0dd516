"""Chains that change the size of frames: the picture has the new size, and the original is scaled to it."""

import colour
import numpy as np
import pytest


def facts(server, width, height, chroma=None):
    """The clip's facts with another size."""
    down = chroma or [(plane["width"] * 2 <= server.facts["width"] + 1, plane["height"] * 2 <= server.facts["height"] + 1) for plane in server.facts["planes"]]
    size = lambda plane, halved: {**plane, "width": -(-width // (1 + halved[0])), "height": -(-height // (1 + halved[1]))}
    planes = [size(plane, halved) for plane, halved in zip(server.facts["planes"], down)]
    each = {"u8": 1, "u16": 2}[server.facts["pixel"]["sample"]]
    planes = [{**plane, "bytes": plane["width"] * plane["height"] * each} for plane in planes]
    # The matrix of an untagged clip is guessed by its own height.
    matrix = server.facts["colour"]["matrix"]
    matrix = matrix if matrix != 2 else 6 if server.facts["height"] < 720 else 1
    return {**server.facts, "planes": planes, "colour": {**server.facts["colour"], "matrix": matrix}}


def frames(server, chain, clip):
    kept = server.facts
    server.facts = clip
    try:
        return server.frames(chain)
    finally:
        server.facts = kept


@pytest.mark.parametrize("name", ["eight", "ten", "alpha", "rgb", "gray"])
def test_the_picture_has_the_size_of_the_output(visit, name):
    page = visit(f"{name}.mkv", "gaussian=sigma=1.5")
    for chain, width, height in [("tmix=frames=3,scale=w=80:h=40:filter=lanczos,sharpen", 80, 40), ("crop=100:60:10:20,scale=w=200:h=120", 200, 120)]:
        page.type(chain)
        clip = facts(page.server, width, height)
        after = frames(page.server, chain, clip)
        before = frames(page.server, f"scale={width}:{height}:bilinear", clip)
        assert page.pixels("after").shape == (height, width, 3)
        assert np.array_equal(page.pixels("after"), colour.picture(after[0], clip))
        assert np.array_equal(page.pixels("before"), colour.picture(before[0], clip))
        page.press("End")
        page.shown(frame=clip["frames"] - 1)
        assert np.array_equal(page.pixels("before"), colour.picture(before[-1], clip))
        page.press("d")
        page.tab.get_by_label("Difference times").select_option("16")
        assert np.array_equal(page.pixels("difference"), colour.difference(before[-1], after[-1], 16, clip))
        page.press("s")
        page.press("Home")
        page.shown(frame=0)
        said = page.tab.locator("#clip-facts").inner_text()
        assert f"→ {width}x{height}; original scaled to match" in said
    page.type("gaussian=sigma=1.5")
    assert page.pixels("after").shape == page.pixels("before").shape == (page.server.facts["height"], page.server.facts["width"], 3)
    assert "scaled" not in page.tab.locator("#clip-facts").inner_text()


def test_chroma_of_the_output(visit):
    page = visit("eight.mkv")
    chain = "scale=chroma=444:filter=bilinear"
    page.type(chain)
    clip = facts(page.server, 160, 90, [(False, False)] * 3)
    after = frames(page.server, chain, clip)
    assert np.array_equal(page.pixels("after"), colour.picture(after[0], clip))
    assert np.array_equal(page.pixels("before"), page.pixels("after"))


def test_zoom_probe_and_play_of_another_size(visit):
    page = visit("long.mkv")
    page.press("1")
    page.tab.locator("#stage").focus()
    page.tab.keyboard.press("Shift+ArrowRight")
    where = lambda: page.tab.locator("#probe-text .where").inner_text()
    assert where() == "161, 90"
    page.type("scale=w=160:h=90:filter=point")
    assert where() == "80, 45"
    assert page.tab.locator("#after").bounding_box()["width"] == 160
    clip = facts(page.server, 160, 90)
    after = frames(page.server, "scale=w=160:h=90:filter=point", clip)
    said = page.tab.locator("#probe-text").inner_text().split()
    assert [word for word in said if word.isdigit()][-5::2][0] == str(after[0][0][45, 80])
    page.tab.get_by_role("button", name="Play").click()
    page.until("Number(document.getElementById('stage').dataset.frame) > 5")
    page.tab.get_by_role("button", name="Pause").click()
    page.press("Home")
    page.shown(frame=0)
    assert np.array_equal(page.pixels("after"), colour.picture(after[0], clip))
    with page.tab.expect_download() as saved:
        page.tab.locator("#save summary").click()
        page.tab.get_by_role("menuitem", name="After").or_(page.tab.locator("[data-save=after]")).first.click()
    assert saved.value.suggested_filename.endswith("after.png")


def test_a_card_of_scale_is_moved_switched_off_and_undone(visit):
    page = visit("long.mkv", "scale=w=160:h=90")
    assert page.pixels("after").shape == (90, 160, 3)
    page.type("scale=w=160:h=90:enable=0")
    assert page.pixels("after").shape == (180, 320, 3)
    page.type("scale=w=60:h=0")
    assert page.pixels("after").shape == (180, 60, 3)
    page.tab.get_by_label("Chain").fill("crop=400:10")
    page.until("!document.getElementById('fault').hidden && document.getElementById('fault').textContent.includes('does not fit into 320x180')")
    assert page.pixels("after").shape == (180, 60, 3)
