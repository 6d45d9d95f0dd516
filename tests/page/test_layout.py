"""The picture first: its share of the window, panels that fold and are resized, and scopes with axes."""

import subprocess

import pytest


def fills(page, least):
    """Waits until the picture has that share of the window: it grows with the next frame of the browser."""
    page.tab.wait_for_function(
        """least => {
      const box = document.getElementById('after').getBoundingClientRect();
      return (box.width * box.height) / (innerWidth * innerHeight) >= least;
    }""",
        arg=least,
    )


def box(page, part):
    return page.tab.locator(part).bounding_box()


@pytest.mark.parametrize(("width", "height", "least"), [(1440, 900, 0.48), (1920, 1080, 0.6), (390, 844, 0.25)])
def test_the_picture_fills_the_window(visit, width, height, least):
    page = visit("large.mkv", "gaussian=2", viewport={"width": width, "height": height})
    fills(page, least)
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    if width < 900:
        return
    page.press("h")
    assert not page.tab.locator("#side").is_visible()
    fills(page, 0.6)
    page.press("f")
    assert not page.tab.locator("header").is_visible() and page.tab.locator("#frame").is_visible()
    fills(page, 0.8)
    page.press("f")
    page.press("h")
    assert page.tab.locator("#side").is_visible() and page.tab.locator("header").is_visible()
    fills(page, least)


def test_tabs_move_nothing(visit):
    page = visit("long.mkv", "gaussian=2")
    page.press("g")
    assert page.tab.locator("#panel-scopes").is_visible()
    stage = box(page, "#stage")
    for name in ("Waveform", "RGB parade", "Vectorscope", "Kernel", "Cost", "Explain", "Histogram"):
        page.tab.get_by_role("tab", name=name).click()
        assert box(page, "#stage") == stage, name
    page.press("g")
    assert not page.tab.locator("#panel-scopes").is_visible()
    assert box(page, "#stage")["height"] > stage["height"]


def test_panels_are_resized_and_stay_so(visit):
    page = visit("long.mkv", "gaussian=2")
    page.press("g")
    side, drawer = box(page, "#side")["width"], box(page, "#panel-scopes")["height"]
    for edge, x, y in (("#side-edge", -100, 0), ("#drawer-edge", 0, -60)):
        at = box(page, edge)
        from_x, from_y = at["x"] + min(4, at["width"] / 2), at["y"] + min(4, at["height"] / 2)
        page.tab.mouse.move(from_x, from_y)
        page.tab.mouse.down()
        page.tab.mouse.move(from_x + x, from_y + y, steps=4)
        page.tab.mouse.up()
    assert abs(box(page, "#side")["width"] - side - 100) <= 8
    assert abs(box(page, "#panel-scopes")["height"] - drawer - 60) <= 8
    page.tab.get_by_role("separator", name="Width of the filters").focus()
    wide = box(page, "#side")["width"]
    page.tab.keyboard.press("ArrowRight")
    assert box(page, "#side")["width"] == wide - 16
    shade = lambda: page.tab.evaluate("getComputedStyle(document.getElementById('stage')).backgroundColor")
    dark = shade()
    page.press("l")
    grey = shade()
    page.press("l")
    assert len({dark, grey, shade()}) == 3
    page.press("l")
    assert shade() == dark
    page.press("l")
    page.tab.reload()
    page.shown("gaussian=2")
    assert box(page, "#side")["width"] == wide - 16 and shade() == grey
    assert page.tab.locator("#panel-scopes").is_visible()


def test_scopes_have_axes_of_the_samples(visit):
    ticks = lambda page, side: page.tab.locator(f"figure:last-child .{side} span").all_inner_texts()
    for clip, marks in (("eight", "16 64 128 192 235"), ("ten", "64 256 512 768 940"), ("rgb", "0 64 128 192 255")):
        page = visit(f"{clip}.mkv", "gaussian=2")
        page.press("g")
        page.until("document.querySelector('#scope-after').getAttribute('aria-label') === 'histogram after'")
        assert sorted(ticks(page, "bottom"), key=int) == marks.split(), clip
        legend = page.tab.locator("figure:last-child .legend").inner_text()
        assert ("Cb" in legend) == (clip != "rgb") and "bits" in legend
        # The scope of a tab is there as soon as the tab is.
        said = page.tab.evaluate("""() => ['waveform', 'parade', 'vectorscope', 'histogram'].map(kind => {
          document.getElementById(`tab-${kind}`).click();
          return document.getElementById('scope-after').getAttribute('aria-label');
        })""")
        assert said == [f"{kind} after" for kind in ("waveform", "parade", "vectorscope", "histogram")]
        page.tab.get_by_role("tab", name="Waveform").click()
        assert sorted(ticks(page, "left"), key=int) == marks.split() and ticks(page, "bottom") == []


def test_bars_meet_their_targets(visit, folder):
    """Bars of 75 %: the vectorscope lights up in the boxes that are drawn for them."""
    bars = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "smptehdbars=size=640x360:rate=25:duration=0.2"]
    made = ["-pix_fmt", "yuv444p", "-colorspace", "bt709", "-color_range", "tv", "-c:v", "ffv1", folder / "bars.mkv", "-y"]
    subprocess.run([*bars, *made], check=True)
    page = visit("bars.mkv")
    page.press("g")
    page.tab.get_by_role("tab", name="Vectorscope").click()
    # Cb and Cr of the bars in limited range: light of them, within the lines of a box.
    bars = {}
    for name, red, green, blue in (("R", 1, 0, 0), ("Yl", 1, 1, 0), ("G", 0, 1, 0), ("Cy", 0, 1, 1), ("B", 0, 0, 1), ("Mg", 1, 0, 1)):
        luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        bars[name] = [128 + 0.75 * 224 * (blue - luma) / 1.8556, 128 + 0.75 * 224 * (red - luma) / 1.5748]
    found = page.tab.evaluate(
        """bars => Object.fromEntries(Object.entries(bars).map(([name, [cb, cr]]) => {
          const context = document.getElementById('scope-after').getContext('2d');
          const part = (size, isIt) => {
            const { data } = context.getImageData(Math.round(cb) - size, Math.round(255 - cr) - size, 2 * size + 1, 2 * size + 1);
            return Array.from({ length: data.length / 4 }, (_, at) => data.subarray(4 * at, 4 * at + 3)).some(isIt);
          };
          return [name, [part(2, ([r, g, b]) => g > 100 && g > r && g > b), part(6, ([r, g, b]) => r > 200 && b < 130)]];
        }))""",
        bars,
    )
    assert found == {name: [True, True] for name in bars}


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_fingers_have_room(visit):
    """On a phone all that is pressed has 44 pixels, and the page is not wider than its screen."""
    page = visit("large.mkv", "gaussian=2:roi=40x30+8+4,unsharp", **PHONE)
    page.tab.evaluate("for (const details of document.querySelectorAll('#cards details')) details.open = true")
    small = page.tab.evaluate("""() => {
      const pressed = 'button, select, summary, input:not([type=range]):not([type=checkbox]):not([type=radio]), .choice label';
      return [...document.querySelectorAll(pressed)].flatMap(element => {
        const { width, height } = element.getBoundingClientRect();
        return element.checkVisibility() && width > 0 && Math.min(width, height) < 44 ? [`${element.outerHTML.slice(0, 80)}: ${width}x${height}`] : [];
      });
    }""")
    # The name of a filter lies in the line of its other buttons.
    small = [found for found in small if "class=\"title" not in found]
    assert small == [], "\n".join(small)
    wide = page.tab.evaluate("[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && e.getBoundingClientRect().right > 391 && getComputedStyle(e).position !== 'absolute').map(e => e.outerHTML.slice(0, 90))")
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= 390, wide


def test_a_swipe_up_changes_no_slider(visit):
    page = visit("large.mkv", "gaussian=2", **PHONE)
    slider = page.card(0).get_by_label("sigma", exact=True)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    value = slider.input_value()
    session = page.tab.context.new_cdp_session(page.tab)
    touch = lambda kind, y: session.send(
        "Input.dispatchTouchEvent",
        {"type": kind, "touchPoints": [] if kind == "touchEnd" else [{"x": box["x"] + box["width"] * 0.8, "y": y}]},
    )
    middle = box["y"] + box["height"] / 2
    touch("touchStart", middle)
    for step in range(1, 9):
        touch("touchMove", middle - 12 * step)
    touch("touchEnd", middle)
    page.tab.wait_for_timeout(300)
    assert slider.input_value() == value and page.chain == "gaussian=2"
