"""Colours that the graphics card makes: the processor plays it here, and the pixels are the same."""

import colour
import numpy as np
import pytest
from conftest import FORMATS

# The name of what draws is not told, so that it counts as a card, and what was drawn can be read.
SCRIPT = """
const { getContext } = HTMLCanvasElement.prototype;
window.cards = 0;
HTMLCanvasElement.prototype.getContext = function (kind, options) {
  if (kind !== 'webgl2') return getContext.call(this, kind, options);
  window.cards++;
  return getContext.call(this, kind, { ...options, preserveDrawingBuffer: true });
};
const { getExtension } = WebGL2RenderingContext.prototype;
WebGL2RenderingContext.prototype.getExtension = function (name) {
  return name === 'WEBGL_debug_renderer_info' ? null : getExtension.call(this, name);
};
"""


@pytest.fixture
def card(visit):
    """Opens a page whose colours are made by WebGL2."""

    def open_page(*clip):
        page = visit(*clip, script=SCRIPT)
        # A probe, and four canvases.
        assert page.tab.evaluate("window.cards") == 5
        return page

    return open_page


CHAIN = "gaussian=sigma=1.5,unsharp"


@pytest.mark.parametrize("name", FORMATS)
def test_pixels_are_those_of_the_program(card, name):
    page = card(f"{name}.mkv", CHAIN)
    clip = page.server.facts
    before, after = page.server.frames(None), page.server.frames(CHAIN)
    for number in (0, clip["frames"] - 1):
        page.tab.get_by_label("Frame", exact=True).fill(str(number))
        page.shown(frame=number)
        assert np.array_equal(page.pixels("before"), colour.picture(before[number], clip))
        assert np.array_equal(page.pixels("after"), colour.picture(after[number], clip))
    page.press("d")
    for gain in ("1", "16", "64"):
        page.tab.get_by_label("Difference times").select_option(gain)
        assert np.array_equal(page.pixels("difference"), colour.difference(before[-1], after[-1], int(gain), clip))


def test_another_size_and_back(card):
    page = card("eight.mkv")
    frame = page.server.frames(None)[0]
    picture = colour.picture(frame, page.server.facts)
    page.type("scale=90:50")
    assert page.pixels("after").shape == (50, 90, 3)
    page.type("hflip")
    page.until("document.getElementById('after').width === 160")
    assert np.array_equal(page.pixels("before"), picture)


@pytest.mark.parametrize("clip", ["pq.mkv", "hlg.mkv"])
def test_mapped_pictures_are_those_without_a_card(card, visit, clip):
    one, other = card(clip, "invert"), visit(clip, "invert")
    for canvas in ("before", "after"):
        assert np.array_equal(one.pixels(canvas), other.pixels(canvas))
    for page in (one, other):
        page.tab.get_by_label("Tone-mapped HDR").uncheck()
    assert np.array_equal(one.pixels("after"), other.pixels("after"))


def test_what_a_card_loses_is_painted_again(card):
    page = card("eight.mkv", CHAIN)
    wanted = page.pixels("after")
    page.tab.evaluate(
        """async () => {
          const gl = document.getElementById('after').getContext('webgl2');
          const back = new Promise(resolve => gl.canvas.addEventListener('webglcontextrestored', resolve));
          const away = new Promise(resolve => gl.canvas.addEventListener('webglcontextlost', resolve));
          const lost = gl.getExtension('WEBGL_lose_context');
          lost.loseContext();
          await away;
          await new Promise(resolve => setTimeout(resolve));
          lost.restoreContext();
          await back;
        }"""
    )
    assert np.array_equal(page.pixels("after"), wanted)
