"""What is taken out of the page: commands, pictures, recipes, and the whole job."""

import io
import os
import pathlib
import subprocess

import colour
import numpy as np
from conftest import PROGRAM
from PIL import Image


def copied(page, button):
    page.tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.tab.get_by_role("button", name=button).click()
    page.until("document.getElementById('status').textContent.startsWith('Copied')")
    return page.tab.evaluate("navigator.clipboard.readText()")


def saved(page, name):
    page.tab.locator("#save summary").click()
    with page.tab.expect_download() as download:
        page.tab.get_by_role("button", name=name).click()
    return pathlib.Path(download.value.path()), download.value.suggested_filename


def test_the_command_makes_the_frames_that_the_page_shows(visit, folder, tmp_path):
    chain = "kernel='0 1 0; 1 4 1; 0 1 0':normalize=1,tmix=frames=3:weights='1 2 1'"
    page = visit()
    page.type(chain)
    page.tab.locator("#open-job").click()
    page.tab.locator("#job-output").fill("it's out.raw")
    page.tab.keyboard.press("Escape")
    line = copied(page, "Copy command")
    (tmp_path / "warpreel").symlink_to(PROGRAM)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-c", line + " -q"], cwd=folder, env=environment, check=True)
    frames = colour.split((folder / "it's out.raw").read_bytes(), page.server.facts)
    for number in (0, 11):
        page.tab.get_by_label("Frame", exact=True).fill(str(number))
        page.shown(chain, number)
        assert np.array_equal(page.pixels("after"), colour.picture(frames[number], page.server.facts))


def test_the_line_of_python(visit):
    page = visit()
    page.type("median")
    line = copied(page, "Copy Python")
    said = []
    stand_in = type("Module", (), {"run": staticmethod(lambda *words, **options: said.append((words, options)))})
    eval(line, {"warpreel": stand_in})
    assert said == [(("eight.mkv", page.server.facts["output"], "median"), {})]


def test_pictures_and_recipes_are_saved(visit, folder):
    page = visit()
    page.type("gaussian=3,sobel")
    before, after = page.pixels("before"), page.pixels("after")
    for which, picture in (("before", before), ("after", after)):
        path, name = saved(page, f"PNG, {which}")
        assert name == f"eight-0-{which}.png"
        assert np.array_equal(np.asarray(Image.open(io.BytesIO(path.read_bytes())).convert("RGB")), picture)
    path, _ = saved(page, "PNG, split")
    split = np.asarray(Image.open(path).convert("RGB"))
    edge = 161 // 2
    assert np.array_equal(split[:, : edge - 1], before[:, : edge - 1]) and np.array_equal(
        split[:, edge + 2 :], after[:, edge + 2 :]
    )
    path, name = saved(page, "Recipe")
    assert name == "eight.txt" and path.read_text() == "gaussian=3\nsobel\n"
    (folder / "recipe.txt").write_bytes(path.read_bytes())
    assert np.array_equal(colour.picture(page.server.frames("@recipe.txt")[0], page.server.facts), after)


def test_the_whole_job_runs_and_stops(visit, folder):
    page = visit("long.mkv", "median")
    page.press("r")
    page.tab.locator("#job-output").fill("whole.mkv")
    page.tab.locator("#job-start").click()
    page.until("document.getElementById('job-message').textContent.startsWith('Done')", timeout=30000)
    assert (folder / "whole.mkv").stat().st_size > 0
    # It is there now, and stays.
    page.tab.locator("#job-start").click()
    page.tab.wait_for_selector("#job-message.error")
    assert "whole.mkv" in page.tab.locator("#job-message").inner_text()
    page.tab.keyboard.press("Escape")
    page.type("nlmeans=s=4:r=15")
    page.press("r")
    page.tab.get_by_label("Overwrite it where it exists").check()
    page.tab.locator("#job-start").click()
    page.tab.wait_for_selector("#job-stop:enabled")
    assert page.tab.locator("#open-job").inner_text().startswith("Running")
    page.tab.locator("#job-stop").click()
    page.until("document.getElementById('job-message').textContent.startsWith('Stopped')")
    assert (folder / "whole.mkv").stat().st_size > 0
    assert subprocess.run([PROGRAM, "whole.mkv", "null:", "-q"], cwd=folder).returncode == 0
