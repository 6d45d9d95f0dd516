"""The keyboard alone, narrow windows, light and dark, names and roles."""

import pytest
from axe_playwright_python.sync_playwright import Axe


def violations(page):
    return [(found["id"], [node["html"][:120] for node in found["nodes"]]) for found in Axe().run(page.tab).response["violations"]]


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1280)])
def test_no_rule_is_broken(visit, scheme, width):
    page = visit(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.type("gaussian=2,sobel")
    assert violations(page) == []
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    page.tab.get_by_text("Where, when and how much").first.click()
    for tab in ("Kernel", "Cost", "Explain"):
        page.tab.get_by_role("tab", name=tab).click()
    page.tab.locator("#chain").fill("gaussian=x")
    page.tab.wait_for_selector("#fault p")
    assert violations(page) == []
    for key, dialog in (("a", "picker"), ("r", "job"), ("?", "help")):
        page.press(key)
        assert page.tab.locator(f"#{dialog}").is_visible()
        assert violations(page) == []
        box = page.tab.locator(f"#{dialog}").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        page.tab.keyboard.press("Escape")


def test_schemes_differ(visit):
    ground = [
        visit(color_scheme=scheme).tab.evaluate("getComputedStyle(document.body).backgroundColor") for scheme in ("light", "dark")
    ]
    assert ground[0] != ground[1]


def test_with_the_keyboard_alone(visit):
    page = visit()
    keyboard = page.tab.keyboard
    page.press("a")
    keyboard.type("Gaussian blur of any")
    keyboard.press("Enter")
    page.shown("gaussian")
    # Every control that is there is reached by Tab.
    wanted = set(page.tab.evaluate("""() => [...document.querySelectorAll('button, input, select, textarea, summary')]
      .filter(element => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0 && (element.type !== 'radio' || element.checked))
      .map((element, index) => (element.dataset.number = String(index)))"""))
    reached = set()
    page.tab.evaluate("document.activeElement.blur()")
    for _ in range(len(wanted) + 20):
        keyboard.press("Tab")
        reached.add(page.tab.evaluate("document.activeElement.dataset?.number ?? ''"))
    assert wanted <= reached
    page.card(0).get_by_label("sigma", exact=True).focus()
    keyboard.press("ArrowRight")
    page.shown("gaussian=sigma=1.1")
    page.press("/")
    keyboard.press("Control+a")
    keyboard.type("median, sobel")
    page.shown("median, sobel")
    page.press("?")
    assert "play and pause" in page.tab.locator("#keys").inner_text()
    page.tab.get_by_label("Keys without Ctrl or Alt are in use").uncheck()
    keyboard.press("Escape")
    page.press("a")
    assert not page.tab.locator("#picker").is_visible()
