"""Measures denoisers: `python3 benches/quality [quality|speed|page]...`, all three unless said.

quality   PSNR and SSIM of every tool at several strengths, on three clips with four kinds of noise; about an hour
speed     frames a second of every tool, whole programs, median of five in turns; the machine should be quiet
page      the tables, picture and crops of docs/denoising.md

What was measured stays in target/quality/results.json, and is not measured again. Needs numpy, OpenCV and matplotlib
(`make test` installs the first two into target/python), the ffmpeg program, and target/release/warpreel.
"""

import sys
from pathlib import Path

import clip
import measure
import page
from tool import TOOLS


def main() -> None:
    steps = sys.argv[1:] or ["quality", "speed", "page"]
    if unknown := [step for step in steps if step not in ("quality", "speed", "page")]:
        raise SystemExit(f"{unknown[0]!r} is no step\n\n{__doc__}")
    folder = Path("target/quality")
    clip.written(folder)
    results = measure.Results(folder / "results.json")
    if "quality" in steps:
        measure.quality(results, folder, TOOLS)
    if "speed" in steps:
        measure.speed(results, folder, TOOLS)
    if "page" in steps:
        page.written(results, folder, Path("docs"))


main()
