"""A clip of the samples, as somebody sees it who has never seen the page."""

import os
import pathlib
import shutil
import subprocess

import colour
import numpy as np
from conftest import PROGRAM
from test_out import copied

SAMPLES = pathlib.Path(__file__).parents[2] / "samples"


def slide(page, card, parameter, presses):
    """Moves the slider of a card by the keyboard, and waits until the picture is that of the text."""
    slider = page.card(card).locator(f".control[data-parameter={parameter}] input[type=range]")
    slider.focus()
    for _ in range(presses):
        slider.press("ArrowRight")
    # Each press changes the text once the program has answered: the last one's is waited for.
    part = f"{parameter}={slider.input_value()}"
    page.until(f"document.getElementById('chain').value.split(',')[{card}].includes({part!r})")
    page.shown(page.chain)


def test_three_filters_are_found_tuned_compared_and_run(visit, folder, tmp_path):
    shutil.copy(SAMPLES / "bigbuckbunny-720p.mp4", folder / "bunny.mp4")
    page = visit("bunny.mp4")
    # A program built for tests takes seconds for these filters where other work is done beside it.
    page.tab.set_default_timeout(60000)
    search = page.tab.get_by_label("Search filters")
    for words, name in (("denoise", "nlmeans"), ("sharp", "unsharp"), ("relief", "emboss")):
        count = page.tab.locator("#cards > li").count()
        page.tab.get_by_role("button", name="Add filter…").click()
        search.fill(words)
        page.tab.locator("#found [role=option]", has=page.tab.get_by_text(name, exact=True)).first.click()
        page.until(f"document.querySelectorAll('#cards > li').length === {count + 1}")
        page.shown(page.chain)
    names = [part.split("=")[0] for part in page.chain.split(",")]
    assert names == ["nlmeans", "unsharp", "emboss"]
    slide(page, 0, "s", 3)
    slide(page, 1, "luma_amount", 4)
    # At one to one, split, and elsewhere in the clip.
    page.press("1")
    assert page.tab.locator("#before").bounding_box()["width"] == 1280
    page.tab.get_by_label("Compare").fill("30")
    page.tab.get_by_label("Frame", exact=True).fill("20")
    page.shown(page.chain, 20)
    shown, before = page.pixels("after"), page.pixels("before")
    assert not np.array_equal(shown, before)
    page.tab.locator("#open-job").click()
    page.tab.locator("#job-output").fill("out.raw")
    page.tab.keyboard.press("Escape")
    line = copied(page, "Copy command")
    (tmp_path / "warpreel").symlink_to(PROGRAM)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-c", line + " -q --frames 21"], cwd=folder, env=environment, check=True)
    [*_, last] = colour.split((folder / "out.raw").read_bytes(), page.server.facts)
    assert np.array_equal(shown, colour.picture(last, page.server.facts))
