"""The programs in examples/python, run as their readers run them, and checked as their types."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from conftest import ROOT, SAMPLES

FOLDER = ROOT / "examples" / "python"
CLIP = str(SAMPLES / "ten-bit.mp4")

# What each is called with, what it prints, and the files that it leaves.
PROGRAMS = {
    "blur_image": ([], r"\(48, 64, 3\) uint8, brightest [1-9]\d*", []),
    "own_kernel": ([], re.escape("[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]"), []),
    "stream_arrays": ([], r"\[1, 1, 2, 3, 4, 5\]", []),
    "filter_video": ([CLIP, "out.mkv"], "", ["out.mkv"]),
    "contact_sheet": ([CLIP, "sheet.png"], "", ["sheet.png"]),
    "brightness": ([CLIP], r"   0 s: \d+\.\d", []),
    "from_a_time": ([CLIP, "0.5", "frame%d.png"], "frame 12 at 0.500 s\nframe 13 at 0.542 s\nframe 14 at 0.583 s",
                    ["frame1.png", "frame2.png", "frame3.png"]),
    "whole_job": ([CLIP, "out.mp4"], "24 frames, .+; slowest stage: (decode|filter|encode)", ["out.mp4"]),
}


def test_all_are_here():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_examples(tmp_path, name):
    words, said, files = PROGRAMS[name]
    command = [sys.executable, str(FOLDER / f"{name}.py"), *words]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert outcome.returncode == 0 and re.match(said, outcome.stdout), outcome.stdout + outcome.stderr
    assert sorted(os.listdir(tmp_path)) == files
    code = pathlib.Path(command[1]).read_text().split('"""')[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 12, "it is a short program"


def test_examples_have_types(tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(FOLDER)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stdout
