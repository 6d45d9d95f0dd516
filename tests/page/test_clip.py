"""Several clips on the command line: the list, another clip with the same chain, and two clips in two tabs."""

import re
import subprocess
import urllib.error
import urllib.request

import colour
import numpy as np
import pytest
from conftest import PROGRAM, Page

SHADES = {"a.mkv": (0, "160x90", 1), "b.mkv": (60, "160x90", 1), "c.mkv": (110, "96x64", 0.4)}


@pytest.fixture(scope="module")
def several(folder):
    """A folder of clips of different shades, a file that is no clip, and one that cannot be opened."""
    place = folder / "several"
    place.mkdir()
    for name, (shade, size, seconds) in SHADES.items():
        source = f"testsrc2=s={size}:r=25:d={seconds},format=yuv420p,lutyuv=y=val/2+{shade}"
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-c:v", "ffv1", place / name], check=True)
    (place / "d.mkv").write_bytes(b"no clip" * 100)
    (place / "notes.txt").write_text("notes")
    return "several"


def listed(page):
    return [row.inner_text().replace("\n", " ") for row in page.tab.locator("#clip-list li").all()]


def name(page):
    return page.tab.locator("#clip-name").inner_text()


def opened(page, clip):
    """Waits until the page of a clip shows its picture, which is that of the program."""
    page.until(f"document.getElementById('clip-name').textContent === {clip!r} && document.getElementById('stage').dataset.frame")


def is_picture(page, clip, folder, chain, number):
    """Whether both sides are those of a clip, as the program makes them."""
    facts = page.tab.evaluate("async () => (await fetch('clip')).json()")
    assert facts["name"] == clip
    for canvas, filters in (("before", ""), ("after", chain)):
        out = folder / "several.raw"
        command = [PROGRAM, folder / "several" / clip, out, "-q", "-y"] + (["-f", filters] if filters else [])
        subprocess.run(command, check=True)
        wanted = colour.picture(colour.split(out.read_bytes(), facts)[number], facts)
        if not np.array_equal(page.pixels(canvas), wanted):
            return False
    return True


def test_a_folder_is_listed_and_another_clip_opened(visit, folder, several):
    page = visit((several,), "gaussian=2")
    assert name(page) == "a.mkv" and page.tab.locator("#open-clips").inner_text().split() == ["Clip", "1", "of", "4"]
    assert page.tab.url.startswith(f"{page.server.address}clips/several%2Fa.mkv/")
    page.type("gaussian=3,sobel")
    page.press(".")
    page.shown("gaussian=3,sobel", 1)
    page.press("i")
    page.press("v")
    page.until("!document.getElementById('clip-list').textContent.includes('…')")
    rows = listed(page)
    assert [row.split()[0] for row in rows] == ["a.mkv", "b.mkv", "c.mkv", "d.mkv"]
    assert re.search(r"160x90 · 25 fps · 0:01\.0 · [\d.]+ kB$", rows[1]) and "96x64" in rows[2]
    assert "d.mkv" in rows[3] and "fps" not in rows[3]
    # By a part of its name, and by keys.
    page.tab.keyboard.type("b.m")
    assert len(listed(page)) == 1
    page.tab.keyboard.press("Enter")
    opened(page, "b.mkv")
    page.shown("gaussian=3,sobel", 1)
    assert page.tab.get_by_label("Side by side").is_checked()
    assert page.tab.url.startswith(f"{page.server.address}clips/several%2Fb.mkv/#chain=gaussian")
    assert is_picture(page, "b.mkv", folder, "gaussian=3,sobel", 1)
    # Undo leads back to what was there before.
    page.tab.keyboard.press("Control+z")
    page.shown("gaussian=2")
    page.tab.keyboard.press("Control+Shift+z")
    page.shown("gaussian=3,sobel")
    page.tab.reload()
    page.shown("gaussian=3,sobel", 1)
    assert name(page) == "b.mkv"
    page.tab.keyboard.press("Control+z")
    page.shown("gaussian=2")
    # The next one is shorter and smaller: its last frame.
    page.tab.get_by_label("Frame", exact=True).fill("20")
    page.shown("gaussian=2", 20)
    page.press("PageDown")
    opened(page, "c.mkv")
    page.shown("gaussian=2", 9)
    assert is_picture(page, "c.mkv", folder, "gaussian=2", 9)
    # The last one cannot be opened, and is passed over.
    page.press("PageDown")
    page.until("document.getElementById('status').textContent === 'This is the last clip'")
    page.press("PageUp")
    opened(page, "b.mkv")
    page.press("PageUp")
    opened(page, "a.mkv")
    page.press("PageUp")
    page.until("document.getElementById('status').textContent === 'This is the first clip'")
    # The page of one clip has no control, and no keys.
    alone = visit("eight.mkv")
    assert not alone.tab.locator("#open-clips").is_visible()
    alone.press("v")
    assert not alone.tab.locator("#clips").is_visible()


def test_nothing_of_the_old_clip_is_under_the_new_one(visit, folder, several):
    page = visit((several,), "median")
    names = [*SHADES]
    page.press("v")
    page.until("!document.getElementById('clip-list').textContent.includes('…')")
    page.tab.keyboard.press("Escape")
    for turn in range(12):
        clip = names[(turn + 1) % 3]
        page.press("v")
        page.tab.locator("#clip-list li").nth(names.index(clip)).click()
        opened(page, clip)
        assert is_picture(page, clip, folder, "median", 0)


def test_two_tabs_show_two_clips(visit, folder, several):
    page = visit((several,), "gaussian=1")
    page.press("v")
    with page.tab.context.expect_page() as waiting:
        page.tab.locator("#clip-list li").nth(1).click(modifiers=["Control"])
    other = Page.__new__(Page)
    other.tab, other.server, other.errors = waiting.value, page.server, page.errors
    other.tab.wait_for_selector("#stage[data-frame]")
    other.shown("gaussian=1")
    assert (name(page), name(other)) == ("a.mkv", "b.mkv")
    other.type("sobel")
    for number in (3, 20, 7):
        for one in (page, other):
            one.tab.get_by_label("Frame", exact=True).fill(str(number))
        page.shown("gaussian=1", number)
        other.shown("sobel", number)
        assert is_picture(page, "a.mkv", folder, "gaussian=1", number)
        assert is_picture(other, "b.mkv", folder, "sobel", number)
    page.tab.reload()
    page.shown("gaussian=1", 7)
    other.tab.reload()
    other.shown("sobel", 7)
    assert (name(page), name(other)) == ("a.mkv", "b.mkv")


def test_a_clip_that_cannot_be_opened_leaves_the_list(visit, several):
    page = visit((several,), "gaussian=1")
    page.type("sobel,gaussian=2")
    page.press("v")
    page.tab.keyboard.type("d.mkv")
    page.tab.keyboard.press("Enter")
    page.until("document.getElementById('status').classList.contains('error')")
    assert name(page) == "d.mkv" and "d.mkv" in page.tab.locator("#status").inner_text()
    assert page.tab.locator("#stage[data-frame]").count() == 0
    # The chain goes on to the next one, with its history.
    page.tab.locator("#open-clips").click()
    page.tab.locator("#clip-list li").first.click()
    opened(page, "a.mkv")
    page.shown("sobel,gaussian=2")
    page.tab.keyboard.press("Control+z")
    page.shown("gaussian=1")


def test_a_chain_that_does_not_fit_is_kept_with_its_error(visit, several):
    page = visit((several,))
    page.type("crop=140:80:10:5")
    page.press("v")
    page.tab.locator("#clip-list li").nth(2).click()
    opened(page, "c.mkv")
    page.tab.wait_for_selector("#fault p")
    assert page.chain == "crop=140:80:10:5" and page.tab.locator("#clip-facts").inner_text().count("96x64") == 1
    page.press("PageUp")
    opened(page, "b.mkv")
    page.shown("crop=140:80:10:5")


def test_only_what_was_named_is_opened(visit, folder, several):
    page = visit((f"{several}/b.mkv", "long.mkv"))
    for place in ("several%2Fa.mkv", "long%2Emkv", "..%2Flong.mkv", "%2Fetc%2Fpasswd", "eight.mkv", "1", ""):
        for what in ("", "clip", "thumbs"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{page.server.address}clips/{place}/{what}")
            assert refused.value.code == 404, place
    assert [clip["input"] for clip in page.tab.evaluate("async () => (await fetch('clips')).json()")["clips"]] == [
        f"{several}/b.mkv",
        "long.mkv",
    ]


def test_the_list_on_a_phone(visit, several):
    page = visit((several,), "gaussian=1", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.tab.locator("#open-clips").tap()
    box = page.tab.locator("#clips").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    assert all(row.bounding_box()["height"] >= 44 for row in page.tab.locator("#clip-list li").all())
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= 360
    page.tab.locator("#clip-list li").nth(1).tap()
    opened(page, "b.mkv")
    page.shown("gaussian=1")


def test_a_job_names_its_clip(visit, folder, several):
    page = visit((several,), "gaussian=1")
    page.press("r")
    page.tab.locator("#job-output").fill("several/out.mp4")
    page.tab.locator("#job-start").click()
    page.until("document.getElementById('job-message').textContent.startsWith('Done')", timeout=30000)
    page.tab.keyboard.press("Escape")
    page.press("PageDown")
    opened(page, "b.mkv")
    page.press("r")
    page.until("document.getElementById('job-message').textContent.startsWith('Done. several/a.mkv: 25 of 25')")
    assert page.tab.locator("#job-output").input_value() == "several/b.filtered.mkv"
    (folder / "several" / "out.mp4").unlink()


def test_mistakes_on_the_command_line(folder, several):
    for inputs, said in (
        (("-", "long.mkv"), "a pipe is shown by itself"),
        (("long.mkv", "gaussian=2"), "put the chain behind -f"),
        (("long.mkv", "lnog.mkv"), "did you mean"),
        (("several/notes.txt", "several/d.mkv"), "d.mkv"),
    ):
        done = subprocess.run([PROGRAM, "preview", *inputs, "--no-open"], cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0 and said in done.stderr.splitlines()[-1], done.stderr


def test_a_dropped_file_leaves_the_page(visit):
    page = visit("eight.mkv", "gaussian=2")
    drop = """([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
      document.getElementById('stage').dispatchEvent(event);
      return event.defaultPrevented;
    }"""
    for dropped, said in (
        ("my clip.mkv", "type warpreel preview 'my clip.mkv'"),
        ("warm.cube", "for lut3d=, name it on the command line"),
    ):
        assert page.tab.evaluate(drop, [dropped, "gaussian"])
        assert said in page.tab.locator("#status").inner_text()
    assert page.chain == "gaussian=2"
    # The chain of a text is taken, and one that is wrong stays as a draft.
    assert page.tab.evaluate(drop, ["old.txt", "# Softer\nmedian=radius=1   # noise\n\nunsharp\n"])
    page.shown("median=radius=1,unsharp")
    assert page.chain == "median=radius=1,unsharp"
    page.press("Control+z")
    page.shown("gaussian=2")
    page.tab.evaluate(drop, ["wrong.txt", "gausian=2"])
    page.until("document.getElementById('fault').textContent.includes('gaussian')")
    assert page.chain == "gausian=2"
    for text, said in (("# nothing\n", "it holds no filter"), ("gaussian='2", "wrong.txt: ")):
        page.tab.evaluate(drop, ["wrong.txt", text])
        page.until(f"document.getElementById('status').textContent.includes({said!r})")
