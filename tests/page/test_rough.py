"""Drafts: a picture of a quarter of the width and height while a chain takes long."""

import colour
import numpy as np
from conftest import picture

# Remembers when the draft is shown, and what it holds then.
WATCH = """
addEventListener('DOMContentLoaded', () => {
  const rough = document.getElementById('rough');
  window.drafts = [];
  new MutationObserver(() => {
    const { textContent: tag } = document.getElementById('tag-right');
    if (!rough.hidden) window.drafts.push({ url: rough.toDataURL('image/png'), tag, chain: document.getElementById('stage').dataset.chain });
  }).observe(rough, { attributes: true, attributeFilter: ['hidden'] });
});
"""


def smaller(facts, width, height):
    """Facts of a clip of 8-bit 4:2:0, of a smaller size."""
    sizes = [(width, height)] + 2 * [(width // 2, height // 2)]
    planes = [plane | {"width": w, "height": h, "bytes": w * h} for plane, (w, h) in zip(facts["planes"], sizes)]
    return facts | {"planes": planes}


def test_a_slow_chain_has_a_draft(visit):
    page = visit("large.mkv", script=WATCH)
    page.tab.set_default_timeout(60000)
    chain = "nlmeans=s=9:r=41,gaussian=2"
    page.type(chain)
    [draft] = page.tab.evaluate("window.drafts")
    assert draft["chain"] == "", "it is there before the picture"
    assert draft["tag"] == "After · draft, a quarter of the size"
    # It is what the program makes of the small picture, and goes when the picture comes.
    facts = smaller(page.server.facts, 318, 178)
    [small] = page.server.frames("scale=318:178:bilinear,nlmeans=s=9:r=41,gaussian=0.5", 1, facts)
    assert np.array_equal(picture(draft["url"]), colour.picture(small, facts))
    assert page.tab.locator("#rough").is_hidden()
    assert page.tab.locator("#tag-right").text_content() == "After"
    [large] = page.server.frames(chain, 1)
    assert np.array_equal(page.pixels("after"), colour.picture(large, page.server.facts))
    # From now on it comes first, and not for what is quick, nor for what is there already.
    page.type("gaussian=3")
    page.type(chain)
    assert len(page.tab.evaluate("window.drafts")) <= 2
    before = len(page.tab.evaluate("window.drafts"))
    page.type("nlmeans=s=10:r=41,gaussian=2")
    drafts = page.tab.evaluate("window.drafts")
    assert len(drafts) == before + 1 and drafts[-1]["chain"] == chain


def test_a_slider_of_a_slow_chain_moves_drafts(visit):
    page = visit("large.mkv", "nlmeans=s=9:r=41", script=WATCH)
    page.tab.set_default_timeout(60000)
    page.shown("nlmeans=s=9:r=41")
    slider = page.card(0).get_by_role("slider").first
    slider.focus()
    before = len(page.tab.evaluate("window.drafts"))
    # The picture of a value takes seconds: its work ends once there is a draft and a newer value.
    for number in range(4):
        page.tab.keyboard.press("ArrowRight")
        page.until(f"window.drafts.length >= {before + number + 1}")
    page.shown(page.chain)
    assert page.tab.locator("#rough").is_hidden()
    [large] = page.server.frames(page.chain, 1)
    assert np.array_equal(page.pixels("after"), colour.picture(large, page.server.facts))


def test_a_quick_chain_has_none(visit):
    page = visit("large.mkv", script=WATCH)
    for sigma in (1, 2, 3):
        page.type(f"gaussian={sigma}")
    assert page.tab.evaluate("window.drafts") == []
