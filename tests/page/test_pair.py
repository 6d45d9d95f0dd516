"""Two chains against each other: what is shown of each, in all views, and how far they are apart."""

import re
import subprocess

import colour
import numpy as np
from PIL import Image
from test_out import saved
from test_shape import facts, frames


def wanted(page, chain, number=0):
    """The picture that the program makes."""
    return colour.picture(page.server.frames(chain)[number], page.server.facts)


def compare(page, one, other):
    """Pins a chain as A, and types B."""
    page.type(one)
    page.press("p")
    page.type(other)
    page.until(f"document.getElementById('stage').dataset.other === {one!r}")


def tags(page):
    return page.tab.locator("#stage .tag:visible").all_inner_texts()


def visible(page):
    names = ("before", "pinned", "after", "difference")
    see = "name => getComputedStyle(document.getElementById(`pane-${name}`)).visibility === 'visible'"
    return {name for name in names if page.tab.evaluate(see, name)}


def test_a_and_b_are_those_of_the_program(visit):
    page = visit("long.mkv")
    assert not page.tab.locator("#edited").is_visible() and tags(page) == ["Before", "After"]
    compare(page, "gaussian=2", "gaussian=4")
    assert tags(page) == ["A", "B"] and visible(page) == {"pinned", "after"}
    one, other = wanted(page, "gaussian=2"), wanted(page, "gaussian=4")
    assert np.array_equal(page.pixels("pinned"), one) and np.array_equal(page.pixels("after"), other)
    assert page.tab.locator("#pinned-text").inner_text() == "A: gaussian=2"
    # Another frame, of both.
    page.press("End")
    page.shown("gaussian=4", 299)
    assert np.array_equal(page.pixels("pinned"), wanted(page, "gaussian=2", 299))
    assert np.array_equal(page.pixels("after"), wanted(page, "gaussian=4", 299))
    page.press("Home")
    page.shown("gaussian=4", 0)
    # The other is edited: sides stay where they are.
    page.press("e")
    page.shown("gaussian=2", 0)
    assert tags(page) == ["A", "B"] and page.chain == "gaussian=2"
    assert page.tab.get_by_label("A", exact=True).first.is_checked()
    assert np.array_equal(page.pixels("after"), one) and np.array_equal(page.pixels("pinned"), other)
    page.tab.get_by_label("sigma of gaussian, number").fill("3")
    page.shown("gaussian=3", 0)
    assert np.array_equal(page.pixels("after"), wanted(page, "gaussian=3"))
    assert np.array_equal(page.pixels("pinned"), other)
    # Each chain has its own history.
    page.press("e")
    page.shown("gaussian=4", 0)
    page.tab.keyboard.press("Control+z")
    page.shown("gaussian=2", 0)
    page.press("e")
    page.shown("gaussian=3", 0)
    page.tab.get_by_role("button", name="End", exact=True).click()
    page.until("document.getElementById('stage').dataset.other === ''")
    assert page.chain == "gaussian=3" and tags(page) == ["Before", "After"]


def test_views_of_two_chains(visit):
    page = visit("long.mkv")
    compare(page, "gaussian=2", "gaussian=4")
    before, one, other = (wanted(page, chain) for chain in ("", "gaussian=2", "gaussian=4"))
    # Three on one handle, a third apart.
    page.press("t")
    assert tags(page) == ["Before", "A", "B"] and visible(page) == {"before", "pinned", "after"}
    assert np.array_equal(page.pixels("before"), before) and np.array_equal(page.pixels("pinned"), one)
    lines = lambda: [page.tab.evaluate(f"parseFloat(document.getElementById('{line}').style.left)") for line in ("divider", "divider-second")]
    first = lines()
    width = page.tab.locator("#before").bounding_box()["width"]
    assert abs(first[1] - first[0] - width / 3) < 3
    stage = page.tab.locator("#stage").bounding_box()
    page.tab.mouse.move(stage["x"] + first[1], stage["y"] + 20)
    page.tab.mouse.down()
    page.tab.mouse.move(stage["x"] + first[1] + 40, stage["y"] + 20, steps=4)
    page.tab.mouse.up()
    assert all(abs(now - was - 40) < 4 for was, now in zip(first, lines()))
    # Side by side, the difference of both, and turned round.
    page.press("i")
    assert visible(page) == {"pinned", "after"}
    page.press("d")
    assert visible(page) == {"difference"} and tags(page) == ["A − B"]
    page.tab.get_by_label("Difference times").select_option("16")
    clip = page.server.facts
    apart = colour.difference(page.server.frames("gaussian=2")[0], page.server.frames("gaussian=4")[0], 16, clip)
    assert np.array_equal(page.pixels("difference"), apart)
    page.press("s")
    page.press("x")
    assert tags(page) == ["B", "A"]
    page.tab.get_by_label("Left", exact=True).select_option("before")
    assert tags(page) == ["Before", "A"] and visible(page) == {"before", "pinned"}
    page.tab.get_by_label("Right", exact=True).select_option("before")
    assert tags(page) == ["A", "Before"]
    page.tab.keyboard.down("b")
    assert visible(page) == {"before"} and tags(page) == ["Before"]
    page.tab.keyboard.up("b")
    # The probe tells the samples of both sides.
    page.press("x")
    page.tab.locator("#stage").focus()
    page.tab.keyboard.press("Shift+ArrowRight")
    x, y, *said = map(int, re.findall(r"\d+", page.tab.locator("#probe-text").inner_text()))
    assert said[:2] == [frame[0][0][y, x] for frame in (page.server.frames(""), page.server.frames("gaussian=2"))]
    # Both in turn.
    page.tab.evaluate("""() => {
      window.blinked = [];
      new MutationObserver(() => window.blinked.push(document.getElementById('tag-left').textContent))
        .observe(document.getElementById('tag-left'), { childList: true });
    }""")
    page.press("k")
    page.until("window.blinked.length >= 4")
    turns = page.tab.evaluate("window.blinked")
    assert set(turns) == {"Before", "A"}
    page.press("s")
    assert visible(page) == {"before", "pinned"}


def test_chains_of_different_sizes(visit, folder):
    page = visit("long.mkv")
    compare(page, "gaussian=2", "scale=160:90,sobel")
    clip = facts(page.server, 160, 90)
    assert page.pixels("pinned").shape == (90, 160, 3)
    one = frames(page.server, "gaussian=2,scale=160:90:bilinear", clip)
    other = frames(page.server, "scale=160:90,sobel", clip)
    assert np.array_equal(page.pixels("pinned"), colour.picture(one[0], clip))
    assert np.array_equal(page.pixels("after"), colour.picture(other[0], clip))
    # Edited in turn, the picture has the size of the other.
    page.press("e")
    page.shown("gaussian=2", 0)
    assert page.pixels("pinned").shape == page.pixels("after").shape == (180, 320, 3)
    assert np.array_equal(page.pixels("after"), wanted(page, "gaussian=2"))
    page.tab.get_by_role("button", name="Play").click()
    page.until("Number(document.getElementById('stage').dataset.frame) > 3")
    page.tab.get_by_role("button", name="Pause").click()
    page.press("Home")
    page.shown("gaussian=2", 0)
    assert np.array_equal(page.pixels("after"), wanted(page, "gaussian=2"))


def test_playing_both(visit):
    page = visit("long.mkv")
    compare(page, "gaussian=2", "median")
    page.tab.get_by_role("button", name="Play").click()
    page.until("Number(document.getElementById('stage').dataset.frame) > 5")
    page.tab.get_by_role("button", name="Pause").click()
    page.until("document.getElementById('play').textContent === 'Play'")
    number = int(page.tab.locator("#stage").get_attribute("data-frame"))
    assert np.array_equal(page.pixels("pinned"), wanted(page, "gaussian=2", number))
    assert np.array_equal(page.pixels("after"), wanted(page, "median", number))


def measured(folder, one, other, size, kind):
    """What FFmpeg says of two raw frames."""
    paths = [folder / "one.raw", folder / "other.raw"]
    for path, planes in zip(paths, (one, other)):
        path.write_bytes(b"".join(plane.astype("<u2" if "10" in kind else "u1").tobytes() for plane in planes))
    raw = ["-f", "rawvideo", "-pix_fmt", kind, "-s", size]
    command = ["ffmpeg", "-v", "info", *raw, "-i", paths[0], *raw, "-i", paths[1]]
    said = []
    for name in ("psnr", "ssim"):
        run = subprocess.run([*command, "-lavfi", name, "-f", "null", "-"], capture_output=True, text=True, check=True)
        said.append(float(re.search(r"PSNR y:([\d.]+)" if name == "psnr" else r"SSIM Y:([\d.]+)", run.stderr)[1]))
    return said


def test_psnr_and_ssim_are_those_of_ffmpeg(visit, folder):
    for name, kind in (("eight", "yuv420p"), ("ten", "yuv422p10le"), ("long", "yuv420p")):
        page = visit(f"{name}.mkv", "gaussian=2")
        size = "{width}x{height}".format(**page.server.facts)
        quality = page.tab.locator("#quality")
        before, one = page.server.frames("")[0], page.server.frames("gaussian=2")[0]
        ratio, alike = measured(folder, before, one, size, kind)
        page.until("document.getElementById('quality').textContent.startsWith('Before → After: PSNR')")
        said = [float(value) for value in re.findall(r"\d+\.\d+", quality.inner_text())]
        assert abs(said[0] - ratio) < 0.006 and abs(said[1] - alike) < 0.0002, (name, said, ratio, alike)
        page.press("p")
        page.until("document.getElementById('quality').textContent === 'A → B: Y is identical'")
        page.type("median")
        ratio, alike = measured(folder, one, page.server.frames("median")[0], size, kind)
        page.until("/A → B: PSNR/.test(document.getElementById('quality').textContent)")
        said = [float(value) for value in re.findall(r"\d+\.\d+", quality.inner_text())]
        assert abs(said[0] - ratio) < 0.006 and abs(said[1] - alike) < 0.0002, (name, said, ratio, alike)


def test_a_comparison_survives_a_reload_and_is_saved(visit, folder):
    page = visit("long.mkv")
    compare(page, "gaussian=2", "sobel")
    page.press("x")
    one, other = wanted(page, "gaussian=2"), wanted(page, "sobel")
    path, _ = saved(page, "PNG, split")
    split = np.asarray(Image.open(path).convert("RGB")).astype(int)
    # Left of the handle is B.
    apart = lambda half, picture: np.abs(split[:, half] - picture[:, half].astype(int)).mean()
    for half, here, there in ((slice(0, 156), other, one), (slice(164, 320), one, other)):
        assert apart(half, here) < 3 < apart(half, there)
    page.tab.reload()
    page.shown("sobel", 0)
    page.until("document.getElementById('stage').dataset.other === 'gaussian=2'")
    assert tags(page) == ["B", "A"]
    assert np.array_equal(page.pixels("pinned"), one) and np.array_equal(page.pixels("after"), other)
    page.tab.get_by_role("button", name="Pin as A").click()
    page.until("document.getElementById('stage').dataset.other === 'sobel'")
    # The former A is the one before in its history.
    page.press("e")
    page.tab.keyboard.press("Control+z")
    page.shown("gaussian=2", 0)


def test_a_draft_stays_with_its_chain(visit):
    page = visit("long.mkv")
    compare(page, "gaussian=2", "median")
    page.tab.locator("#chain").fill("median,gausian")
    page.tab.wait_for_selector("#fault p")
    page.press("e")
    page.shown("gaussian=2", 0)
    assert page.chain == "gaussian=2" and not page.tab.locator("#fault").is_visible()
    page.press("e")
    page.tab.wait_for_selector("#fault p")
    assert page.chain == "median,gausian"
    page.tab.keyboard.press("Control+z")
    page.until("document.getElementById('chain').value === 'median'")


def test_an_address_that_fits_nothing_shows_the_picture(visit):
    page = visit("long.mkv", "median")
    for words, chain, view in (
        ("chain=sobel&frame=999999&view=three&zoom=7&handle=x&at=1,2", "sobel", "split"),
        ("chain=sobel&other=median&edited=A&sides=before,before&view=three&at=999999,999999&zoom=8", "sobel", "three"),
        ("chain=sobel&other=kernel%3D1,zzz&edited=A&sides=before,Z", "sobel", "split"),
        ("chain=sobel&frame=-3&view=__proto__&zoom=1e9&handle=500", "sobel", "split"),
    ):
        page.tab.goto("about:blank")
        page.tab.goto(f"{page.server.address}#{words}")
        page.shown(chain)
        assert page.tab.locator("#stage").get_attribute("data-mode") == view, words
        assert int(page.tab.locator("#stage").get_attribute("data-frame")) in (0, 299)
    # Files that the command line did not name are refused there too.
    page.tab.goto("about:blank")
    page.tab.goto(f"{page.server.address}#chain=kernel%3Dfile%3D/etc/passwd")
    page.until("document.getElementById('fault').textContent.includes('opens only files from the command line')")


def run(page, output, codec=""):
    """Runs the whole clip, and asks for the comparison."""
    page.press("r")
    page.tab.locator("#job-output").fill(output)
    page.tab.get_by_label("Codec").fill(codec)
    page.tab.locator("#job-start").click()
    page.until("document.getElementById('job-message').textContent.startsWith('Done')", timeout=60000)
    page.tab.locator("#job-compare").click()


def test_a_result_beside_its_original(visit):
    page = visit("long.mkv", "sobel,invert")
    assert page.tab.locator("#open-clips").is_hidden()
    run(page, "beside.mkv", "ffv1")
    page.until("document.getElementById('stage').dataset.other === 'beside.mkv'")
    assert page.tab.locator("#pinned-text").inner_text() == "Result: beside.mkv"
    frames = page.server.frames("sobel,invert")
    facts = page.server.facts
    assert np.array_equal(page.pixels("pinned"), colour.picture(frames[0], facts))
    # It plays and seeks beside the clip; without a loss it is what the chain makes.
    page.tab.get_by_label("Frame", exact=True).fill("123")
    page.shown(frame=123)
    assert np.array_equal(page.pixels("pinned"), colour.picture(frames[123], facts))
    assert not np.array_equal(page.pixels("pinned"), page.pixels("before"))
    page.tab.get_by_label("Left", exact=True).select_option("After")
    assert np.array_equal(page.pixels("after"), page.pixels("pinned"))
    # Another chain beside the same result.
    page.type("sobel,invert,gaussian=2")
    assert np.array_equal(page.pixels("pinned"), colour.picture(frames[123], facts))
    # What it cannot be compared with any more.
    page.type("sobel,invert,scale=160:-2")
    page.until("document.getElementById('pinned-text').hidden")
    # It is in the list.
    assert page.tab.locator("#clip-count").inner_text() == "1 of 2"
    page.tab.locator("#open-clips").click()
    page.tab.get_by_role("option", name="beside.mkv").click()
    page.until("document.getElementById('clip-name').textContent === 'beside.mkv'")


def test_a_result_of_another_rate_is_listed_alone(visit):
    page = visit("long.mkv", "fps=12")
    run(page, "slow.mkv")
    page.until("document.getElementById('status').textContent.includes('144 frames, the clip 300')")
    assert page.tab.locator("#pinned-text").is_hidden()
    assert "slow.mkv" in page.tab.locator("#status").inner_text()
