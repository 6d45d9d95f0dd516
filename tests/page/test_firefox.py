"""The page in Firefox: pixels, text and cards, keys, the handle, undo, a reload, playback."""

import json
import subprocess

import colour
import numpy as np
from conftest import picture, place


def test_the_page_works_in_firefox(serve):
    server = serve("eight.mkv", "gaussian=2")
    done = subprocess.run(["node", place("tests/page/firefox.mjs"), server.address], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["errors"] == []
    clip, before, soft = server.facts, server.frames(None), server.frames("gaussian=2")
    sharp = server.frames("gaussian=2,unsharp")
    for name, shown, frames in [
        ("before", seen["first"]["before"], before[0]), ("after", seen["first"]["after"], soft[0]),
        ("typed", seen["typed"]["after"], sharp[0]), ("the last before", seen["last"]["before"], before[-1]),
        ("the last after", seen["last"]["after"], sharp[-1]),
    ]:
        assert np.array_equal(picture(shown), colour.picture(frames, clip)), name
    assert np.array_equal(picture(seen["difference"]), colour.difference(before[-1], sharp[-1], 8, clip))
    assert seen["typed"]["cards"] == ["gaussian", "unsharp"]
    left, right = seen["handle"]
    assert right - left > 100
    assert seen["slider"].startswith("gaussian=2.1") and seen["slider"].endswith(",unsharp")
    assert seen["narrow"]
