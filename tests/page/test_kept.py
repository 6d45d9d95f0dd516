"""What is kept: drafts, undo, the state over a reload, and the page of a program that has ended."""

import re
import signal
import socket
import subprocess

import numpy as np
from conftest import PROGRAM, Page
from test_out import copied, saved


def field(page):
    return page.tab.locator("#chain")


def test_a_draft_is_kept_while_a_card_changes_the_chain(visit):
    page = visit()
    page.type("gaussian=2,sobel")
    field(page).fill("gaussian=2,sobel,gausian")
    page.tab.wait_for_selector("#fault p")
    page.tab.get_by_label("sigma of gaussian, number").fill("3")
    page.shown("gaussian=3,sobel")
    assert page.tab.locator("#draft-text").inner_text() == "gaussian=2,sobel,gausian"
    page.tab.get_by_role("button", name="Restore").click()
    page.tab.wait_for_selector("#fault p")
    assert page.chain == "gaussian=2,sobel,gausian" and not page.tab.locator("#draft").is_visible()
    # Undo passes through the chain of the card, the draft, and the beginning.
    texts = []
    for _ in range(3):
        last = page.chain
        page.tab.keyboard.press("Control+z")
        page.until(f"document.getElementById('chain').value !== {last!r}")
        texts.append(page.chain)
    assert texts == ["gaussian=3,sobel", "gaussian=2,sobel,gausian", "gaussian=2,sobel"]
    page.shown("gaussian=2,sobel")


def test_an_error_moves_nothing(visit):
    page = visit()
    page.type("gaussian=2")
    boxes = lambda: [page.tab.locator(part).bounding_box() for part in ("#stage", "#cards", "#add", "#time")]
    before = boxes()
    field(page).fill("gaussian=2,gausian")
    page.tab.wait_for_selector("#fault p")
    assert boxes() == before
    # It is closed, and shown again with the text.
    page.tab.get_by_role("button", name="Close the error").click()
    assert not page.tab.locator("#fault").is_visible()
    assert field(page).get_attribute("aria-invalid") == "true"
    field(page).focus()
    assert page.tab.locator("#fault").is_visible()


def test_copies_say_which_chain_they_hold(visit):
    page = visit()
    page.type("gaussian=2,sobel,median")
    page.card(1).get_by_role("switch", name="sobel is on").uncheck()
    page.tab.wait_for_selector("#cards > li.off")
    page.until("document.getElementById('stage').dataset.chain.includes('enable=0')")
    assert copied(page, "Copy command").endswith("-f 'gaussian=2,median'")
    assert copied(page, "Copy Python").endswith('"gaussian=2,median")')
    path, _ = saved(page, "Recipe")
    assert path.read_text() == "gaussian=2\nmedian\n"
    page.type("gaussian=2")
    field(page).fill("gaussian=2,gausian")
    page.tab.wait_for_selector("#fault p")
    assert copied(page, "Copy command").endswith("-f 'gaussian=2'")
    said = page.tab.locator("#status")
    assert "last valid chain" in said.inner_text() and "error" in said.get_attribute("class")


def test_a_reload_keeps_all(visit):
    page = visit("long.mkv", "median")
    page.type("gaussian=2")
    page.type("gaussian=2,sobel")
    page.tab.get_by_label("Frame", exact=True).fill("42")
    page.shown("gaussian=2,sobel", 42)
    page.press("4")
    page.press("i")
    page.tab.get_by_label("Compare").fill("30", force=True)
    field(page).fill("gaussian=2,sobl")
    page.tab.wait_for_selector("#fault p")
    shown = page.pixels("after")
    place = page.tab.locator("#after").bounding_box()
    page.tab.reload()
    page.shown("gaussian=2,sobel", 42)
    page.tab.wait_for_selector("#fault p")
    assert page.chain == "gaussian=2,sobl"
    assert np.array_equal(page.pixels("after"), shown)
    assert page.tab.locator("#after").bounding_box() == place
    assert page.tab.get_by_label("Side by side").is_checked() and page.tab.get_by_label("4:1").is_checked()
    assert page.tab.get_by_label("Compare").input_value() == "30"
    page.tab.keyboard.press("Control+z")
    page.shown("gaussian=2,sobel", 42)
    # Away and back.
    page.tab.goto("about:blank")
    page.tab.go_back()
    page.shown("gaussian=2,sobel", 42)
    # The address alone leads another tab there, and is followed where it is typed.
    # A little later than the page, whose history may have an older one.
    kept = ["chain=gaussian%3D2%2Csobel", "frame=42", "view=side", "zoom=4"]
    page.until(f"{kept}.every(word => location.hash.slice(1).split('&').includes(word))")
    address = page.tab.url
    other = visit("long.mkv", "median")
    assert other.chain == "median"
    other.tab.goto(address)
    other.shown("gaussian=2,sobel", 42)
    assert other.tab.get_by_label("4:1").is_checked()


def test_an_address_that_is_typed_counts_though_the_page_writes_its_own(visit):
    page = visit("long.mkv", "median")
    # The page is hidden, and keeps its state, before it hears of the address.
    page.tab.evaluate("() => { location.hash = '#chain=sobel&frame=7&zoom=2'; dispatchEvent(new Event('pagehide')); }")
    page.shown("sobel", 7)
    assert page.tab.get_by_label("2:1").is_checked()
    page.until("location.hash.startsWith('#chain=sobel&frame=7&view=split&zoom=2')")


def test_a_program_that_has_ended_and_is_started_again(visit, folder, browser, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [PROGRAM, "preview", "long.mkv", "--no-open", "--port", str(port), "--token", tmp_path / "token", "-f", "median"]

    class Program:
        def __init__(self):
            self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.address = next(found[0] for line in self.process.stdout if (found := re.search(r"http://\S+", line)))

        def end(self):
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
            self.process.stdout.close()

    program = Program()
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    try:
        page = Page(context.new_page(), program)
        page.type("gaussian=2")
        page.press(".")
        page.shown("gaussian=2", 1)
        program.end()
        page.until("!document.getElementById('gone').hidden", timeout=30000)
        assert copied(page, "Copy the chain") == "gaussian=2"
        assert copied(page, "Copy a command that shows it") == f"warpreel preview long.mkv --port {port} -f 'gaussian=2'"
        field(page).fill("gaussian=3")
        first = program.address
        program = Program()
        assert program.address == first
        page.until("document.getElementById('gone').hidden", timeout=30000)
        page.shown("gaussian=3", 1)
        page.tab.reload()
        page.shown("gaussian=3", 1)
    finally:
        program.end()
        context.close()
