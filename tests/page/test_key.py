"""Keys after clicks, and long lists of cards."""

import pytest


def frame(page):
    return int(page.tab.locator("#stage").get_attribute("data-frame"))


def test_time_keys_work_after_every_click(visit):
    page = visit("long.mkv", "gaussian=2")
    tab = page.tab
    stage = tab.locator("#stage").bounding_box()
    handle = tab.locator("#divider").bounding_box()
    clicks = {
        "picture": lambda: tab.mouse.click(stage["x"] + 60, stage["y"] + 60),
        "handle": lambda: tab.mouse.click(handle["x"] + 7, stage["y"] + stage["height"] / 2),
        "view": lambda: tab.get_by_label("Side by side").click(),
        "zoom": lambda: tab.get_by_label("2:1").click(),
        "tab": lambda: tab.get_by_role("tab", name="Waveform").click(),
        "time": lambda: tab.get_by_label("Frame", exact=True).click(position={"x": 20, "y": 8}),
        "button": lambda: tab.get_by_label("To the start").click(),
        "loop": lambda: tab.get_by_text("Loop", exact=True).click(),
        "switch": lambda: page.card(0).get_by_role("switch").click(),
    }
    for name, click in clicks.items():
        click()
        tab.wait_for_timeout(50)
        assert tab.evaluate("document.activeElement.id") == "stage", name
        tab.keyboard.press("Home")
        page.shown(frame=0)
        tab.keyboard.press("ArrowRight")
        page.shown(frame=1)
        tab.keyboard.press(" ")
        page.until("document.getElementById('play').textContent === 'Pause'")
        tab.keyboard.press(" ")
        page.until("document.getElementById('play').textContent === 'Play'")
        shown = frame(page)
        tab.keyboard.press(".")
        page.shown(frame=shown + 1)
    # Not in text and numbers.
    for part in ("#chain", "#loop-from"):
        shown = frame(page)
        tab.locator(part).click()
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("Home")
        assert tab.evaluate("document.activeElement.id") == part[1:]
        assert frame(page) == shown
    # A slider of a filter is moved on by arrow keys, and time by others.
    slider = page.card(0).get_by_label("sigma", exact=True)
    slider.click()
    value = slider.input_value()
    tab.keyboard.press("ArrowRight")
    assert slider.input_value() != value
    shown = frame(page)
    tab.keyboard.press(",")
    page.shown(frame=shown - 1)


def test_a_new_filter_has_the_focus(visit):
    page = visit()
    for way in ("Enter", "click"):
        page.press("a")
        page.tab.get_by_label("Search filters").fill("gaussian")
        if way == "Enter":
            page.tab.keyboard.press("Enter")
        else:
            page.tab.locator("#found [role=option]").first.click()
        page.until("document.activeElement.closest('.card')?.querySelector('.control input') === document.activeElement")
    page.tab.keyboard.press("ArrowRight")
    page.until("document.getElementById('chain').value === 'gaussian,gaussian=sigma=1.1'")


def test_zoom_keys_go_to_the_pointer(visit):
    page = visit("long.mkv")
    stage = page.tab.locator("#stage").bounding_box()
    x, y = stage["x"] + stage["width"] / 2 + 150, stage["y"] + stage["height"] / 2 + 60
    page.tab.mouse.move(x, y)
    where = lambda: [int(part) for part in page.tab.locator("#probe-text .where").inner_text().split(",")]
    before = where()
    for key, width in (("4", 1280), ("8", 2560), ("2", 640), ("1", 320), ("0", None)):
        page.press(key)
        if width:
            assert page.tab.locator("#before").bounding_box()["width"] == width
        if key in "48":
            page.tab.mouse.move(x + 1, y)
            page.tab.mouse.move(x, y)
            assert max(abs(now - was) for now, was in zip(where(), before)) <= 1


@pytest.mark.parametrize("width", [1280, 400])
def test_sixty_cards_are_folded_and_dragged_from_end_to_end(visit, width):
    chain = ",".join(["box=1"] * 59 + ["gaussian=1"])
    page = visit("eight.mkv", chain, viewport={"width": width, "height": 800})
    tab = page.tab
    assert page.tab.locator("#cards > li").count() == 60
    assert page.tab.locator("#cards > li.folded").count() == 60
    assert tab.locator("#card-count").inner_text() == "60 filters"
    assert page.card(59).locator(".summary").inner_text() == "gaussian=1"
    # A card is unfolded by its title.
    page.card(0).get_by_role("button", name="box", exact=True).click()
    assert page.card(0).locator(".control").first.is_visible() and not page.card(1).locator(".control").first.is_visible()
    # The last is dragged to the top: the list scrolls meanwhile.
    grip = page.card(59).locator(".grip")
    grip.scroll_into_view_if_needed()
    scrolled = tab.evaluate("document.scrollingElement.scrollTop")
    box = grip.bounding_box()
    tab.mouse.move(box["x"] + 5, box["y"] + 8)
    tab.mouse.down()
    top = tab.locator("#cards").bounding_box()["y"] if width > 900 else 0
    tab.mouse.move(box["x"] + 5, top + 4, steps=5)
    scroller = "(() => { const list = document.getElementById('cards'); return list.scrollHeight > list.clientHeight + 1 ? list : document.scrollingElement; })()"
    if width > 900:
        page.until(f"{scroller}.scrollTop === 0")
        tab.mouse.up()
        page.until("document.getElementById('chain').value.startsWith('gaussian=1,box=1')")
    else:
        page.until(f"document.scrollingElement.scrollTop < {scrolled} - 300")
        tab.mouse.up()
        page.until("document.getElementById('chain').value.split(',')[59] === 'box=1'")
    tab.get_by_role("button", name="Unfold all").click()
    assert page.tab.locator("#cards > li.folded").count() == 0
