"""The programs in examples/python, run as their readers run them, and checked as their types."""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import warpreel

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
    "frames_by_number": ([CLIP], r"24 frames; the last is at 0\.958 s\nframe 4 at 0\.167 s\nframe 8 at .*\nframe 12 at .*\n"
                                 "from half a second on: frame 12", []),
    "masked_blur": ([], r"left \[200, 0, 200, 0\]|left \[(19|20)\d, \d, ", []),
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


def test_the_notebook(monkeypatch):
    """Its cells run in order; the values that are frames are pictures, as notebooks show them."""
    monkeypatch.setenv("CLIP", CLIP)
    cells = json.loads((FOLDER / "frames.ipynb").read_text())["cells"]
    names: dict = {}
    values = []
    for cell in cells:
        if cell["cell_type"] == "code":
            *body, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            values.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    pictures = [value._repr_png_() for value in values[:2]]
    assert all(picture.startswith(b"\x89PNG\r\n\x1a\n") for picture in pictures) and pictures[0] != pictures[1]
    assert isinstance(values[2], int) and values[2] > 0


def test_a_frame_is_shown_with_its_colours_and_opacity(tmp_path):
    image = np.zeros((4, 6, 4), np.uint8)
    image[:2] = 250, 100, 3, 200
    with warpreel.create(str(tmp_path / "in.png"), overwrite=True) as sink:
        sink.write(image)
    with warpreel.open(str(tmp_path / "in.png")) as video:
        shown = next(video)._repr_png_()
    (tmp_path / "shown.png").write_bytes(shown)
    with warpreel.open(str(tmp_path / "shown.png")) as video:
        frame = next(video)
    assert frame.letters == "gbra"
    assert [plane[0, 0] for plane in frame.planes] == [100, 3, 250, 200] and frame.planes[3][3, 5] == 0


def test_examples_have_types(tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(FOLDER)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stdout
