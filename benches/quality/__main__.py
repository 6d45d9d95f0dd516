"""Measures denoisers: `python3 benches/quality [quality|speed|stage|page]...`, all but stage unless said.

quality   PSNR and SSIM of every tool at several strengths, on three clips with four kinds of noise; hours of one core
speed     frames a second of every tool, whole programs, median of three in turns, on the cores that it may use (taskset);
          the machine should be quiet
stage     frames a second of our stage on a GPU
page      the tables, picture and crops of docs/denoising.md

WARPREEL and FFMPEG say how those programs are called. What was measured stays in target/quality/results.json; what was
measured of quality is not measured again. Needs numpy, OpenCV and matplotlib (`make test` installs the first two into
target/python), the ffmpeg program, and target/release/warpreel.
"""

import sys
from pathlib import Path

import clip
import measure
from tool import TOOLS


def main() -> None:
    steps = sys.argv[1:] or ["quality", "speed", "page"]
    if unknown := [step for step in steps if step not in ("quality", "speed", "stage", "page")]:
        raise SystemExit(f"{unknown[0]!r} is no step\n\n{__doc__}")
    folder = Path("target/quality")
    clip.written(folder)
    results = measure.Results(folder / "results.json")
    if "quality" in steps:
        measure.quality(results, folder, TOOLS)
    if "speed" in steps:
        measure.speed(results, folder, TOOLS)
    if "stage" in steps:
        measure.stage(results, TOOLS)
    if "page" in steps:
        import page

        page.written(results, folder, Path("docs"))


main()
