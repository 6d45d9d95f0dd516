"""What is taken out of the page: commands, pictures, recipes, and the whole job."""

import os
import pathlib
import subprocess

import colour
import numpy as np
import pytest
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
    path, name = saved(page, "Recipe")
    assert name == "eight.txt" and path.read_text() == "gaussian=3\nsobel\n"
    (folder / "recipe.txt").write_bytes(path.read_bytes())
    assert np.array_equal(colour.picture(page.server.frames("@recipe.txt")[0], page.server.facts), page.pixels("after"))


def decoded(path):
    """The samples of a PNG as FFmpeg decodes them, and the name of their format."""
    show = ["ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt,width,height", "-of", "csv=p=0", path]
    said = subprocess.run(show, check=True, capture_output=True, text=True).stdout.strip()
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-"], check=True, capture_output=True).stdout
    return said, raw


@pytest.mark.parametrize("name", ["eight", "ten", "alpha", "rgb", "gray", "turned", "pq"])
def test_a_saved_picture_is_the_programs(visit, folder, name):
    page = visit(f"{name}.mkv" if name != "turned" else "turned.mp4")
    page.type("gaussian=2")
    page.press(".")
    page.shown("gaussian=2", 1)
    pictures = {}
    for which, chain in (("before", ""), ("after", "gaussian=2")):
        path, said = saved(page, f"PNG, {which}")
        assert said == f"{name}-1-{which}.png"
        own = folder / f"{name}-{which}.png"
        chained = ["-f", chain] if chain else []
        subprocess.run([PROGRAM, page.server.clip, own, "--start", "#1", "--frames", "1", "-y", "-q", *chained], cwd=folder, check=True)
        assert decoded(path) == decoded(own)
        pictures[which] = np.asarray(Image.open(own).convert("RGBA")).astype(int)
    # Split at the handle, in the middle.
    path, _ = saved(page, "PNG, split")
    split = np.asarray(Image.open(path).convert("RGBA")).astype(int)
    edge = split.shape[1] // 2
    assert np.array_equal(split[:, : edge - 4], pictures["before"][:, : edge - 4])
    assert np.array_equal(split[:, edge + 4 :], pictures["after"][:, edge + 4 :])


def test_an_output_is_proposed_that_the_program_accepts(visit, folder):
    """Odd sizes, opacity, sequences and old containers: what the dialog proposes runs as it stands, and loses nothing."""
    for clip in ("eight.mkv", "alpha.mkv", "rgb.mkv", "odd.mpg", "stills-%03d.png", "turned.mp4"):
        page = visit(clip)
        page.press("r")
        page.until("document.querySelectorAll('#job-outlook li').length > 0")
        output = page.tab.locator("#job-output").input_value()
        assert page.tab.locator("#job-message").inner_text() == "", (clip, output)
        page.tab.locator("#job-start").click()
        page.until("/^(Done|Failed)/.test(document.getElementById('job-message').textContent)", timeout=60000)
        said = page.tab.locator("#job-message").inner_text()
        assert said.startswith("Done"), (clip, output, said)
        assert subprocess.run([PROGRAM, folder / output, "null:", "-q"], cwd=folder).returncode == 0
        page.tab.keyboard.press("Escape")
        # There is one now: the next has another name.
        page.press("r")
        page.until(f"document.getElementById('job-output').value !== {output!r}")
        page.tab.keyboard.press("Escape")


def test_messages_speak_of_the_page(visit, folder):
    page = visit("long.mkv", "sobel")
    (folder / "there.mkv").write_bytes(b"old")
    page.press("r")
    page.tab.locator("#job-output").fill("there.mkv")
    page.until("document.getElementById('job-message').textContent.includes('tick \"Replace\"')")
    assert "-y" not in page.tab.locator("#job-message").inner_text()
    page.tab.get_by_label("Replace", exact=True).check()
    page.until("document.getElementById('job-message').textContent === ''")
    page.tab.get_by_label("Codec").fill("ffv1")
    page.tab.get_by_label("Pixel format").fill("yuv444p")
    page.until("document.getElementById('job-outlook').textContent.includes('ffv1')")
    page.tab.locator("#job-start").click()
    page.until("/^(Done|Failed)/.test(document.getElementById('job-message').textContent)", timeout=60000)
    probe = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,pix_fmt", "-of", "csv=p=0", folder / "there.mkv"]
    assert subprocess.run(probe, check=True, capture_output=True, text=True).stdout.strip() == "ffv1,yuv444p"
    page.tab.keyboard.press("Escape")
    # The command has the same options.
    assert " there.mkv --codec ffv1 --pix-fmt yuv444p -y -f sobel" in copied(page, "Copy command").replace("'", "")


def test_jobs_write_beside_the_clip_alone(visit, folder, tmp_path):
    page = visit("long.mkv")
    page.press("r")
    for output in (str(tmp_path / "out.mkv"), "hash:x.txt", "null:", "../out.mkv"):
        page.tab.locator("#job-output").fill(output)
        page.until("document.getElementById('job-message').textContent.startsWith('the page writes only in the folder')")
        page.tab.locator("#job-output").fill("fine.mkv")
        page.until("document.getElementById('job-message').textContent === ''")
    assert list(tmp_path.iterdir()) == []


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
    page.tab.get_by_label("Replace", exact=True).check()
    page.tab.locator("#job-start").click()
    page.tab.wait_for_selector("#job-stop:enabled")
    assert page.tab.locator("#open-job").inner_text().startswith("Running")
    page.tab.locator("#job-stop").click()
    page.until("document.getElementById('job-message').textContent.startsWith('Stopped')")
    assert (folder / "whole.mkv").stat().st_size > 0
    assert subprocess.run([PROGRAM, "whole.mkv", "null:", "-q"], cwd=folder).returncode == 0
