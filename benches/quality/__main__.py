"""Measures denoisers: `python3 benches/quality [quality|speed|stage|page]... [--only WORD]`, all but stage unless
said.

quality   PSNR and SSIM of every tool at several strengths, on three clips with four kinds of noise; hours of one core
speed     frames a second of every tool, whole programs, median of three in turns, on the cores that it may use (taskset);
          the machine should be quiet
stage     frames a second of our stage on a GPU
page      the tables, picture and crops of docs/denoising.md

--only WORD measures those tools alone whose name has the word in it, as degrain; the page is of all.

WARPREEL, FFMPEG and MDEGRAIN say how those programs are called; the last, of benches/mdegrain, is left out where it has not
been built. What was measured stays in target/quality/results.json; what was measured of quality is not measured again.
Needs numpy, OpenCV and matplotlib (`make test` installs the first two into target/python), the ffmpeg program, and
target/release/warpreel.
"""

import argparse
from pathlib import Path

import clip
import measure
from tool import TOOLS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", metavar="STEP", help="quality, speed, stage or page")
    parser.add_argument("--only", metavar="WORD", default="", help="measure the tools alone that have this in their name")
    typed = parser.parse_args()
    steps = typed.steps or ["quality", "speed", "page"]
    if unknown := [step for step in steps if step not in ("quality", "speed", "stage", "page")]:
        parser.error(f"{unknown[0]!r} is no step")
    tools = [tool for tool in TOOLS if typed.only.lower() in tool.key.lower()]
    if not tools:
        parser.error(f"no tool has {typed.only!r} in its name: {', '.join(tool.key for tool in TOOLS)}")
    for tool in (tool for tool in tools if not tool.is_there):
        print(f"{tool.key}: not built, left out", flush=True)
    tools = [tool for tool in tools if tool.is_there]
    folder = Path("target/quality")
    clip.written(folder)
    results = measure.Results(folder / "results.json")
    if "quality" in steps:
        measure.quality(results, folder, tools)
    if "speed" in steps:
        measure.speed(results, folder, tools)
    if "stage" in steps:
        measure.stage(results, tools)
    if "page" in steps:
        import page

        page.written(results, folder, Path("docs"))


main()
