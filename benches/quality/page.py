"""The tables, the picture and the crops of docs/denoising.md, from what was measured."""

import re
import statistics
from pathlib import Path

import cv2
import matplotlib
import numpy as np

import clip
from measure import Results, best
from tool import TOOLS, Tool

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

#: The clip and noise that the crops are of.
SHOWN = ("scene", "gauss-10")
#: What the crops show: a name, and the place of the middle in frame 8.
REGIONS = {"texture": (150, 190), "edges": (400, 120), "writing": (90, 250), "motion": (98, 96), "flat": (470, 40)}
RADIUS = 32
COLOURS = {"warpreel": "tab:blue", "FFmpeg": "tab:orange", "OpenCV": "tab:green", "MVTools": "tab:red"}


def means(results: Results, tool: Tool, noise: str) -> tuple[float, float] | None:
    """PSNR and SSIM over all clips, at the best strength of each."""
    found = [best(results, tool, name, noise) for name in clip.CLEAN]
    if None in found:
        return None
    return statistics.fmean(psnr for psnr, _, _ in found), statistics.fmean(ssim for _, ssim, _ in found)


def rate(value: float | None) -> str:
    """Frames a second with two or three digits."""
    return "–" if value is None else f"{value:,.0f}" if value >= 20 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def machines(results: Results) -> dict[str, str]:
    """What speed was measured on: sections of the results, and how each is called."""
    cores = sorted(int(section.split()[1]) for section in results.found if section.startswith("cores "))
    named = {f"cores {count}": f"{count} cores" for count in cores}
    return named | ({"gpu": "GPU"} if "gpu" in results.found else {})


def table(results: Results) -> str:
    speeds = machines(results)
    heads = [noise.replace("-", " ") for noise in clip.NOISES] + [f"{name}, fps" for name in speeds.values()]
    lines = ["| tool | as, for noise of 10 | " + " | ".join(heads) + " |", "|---|---|" + "---|" * len(heads)]
    noisy = [[results.get("noisy", f"{name} {noise}") for name in clip.CLEAN] for noise in clip.NOISES]
    cells = [f"{statistics.fmean(p for p, _ in of):.2f} {statistics.fmean(s for _, s in of):.3f}" for of in noisy]
    lines.append("| (none) | | " + " | ".join(cells + [""] * len(speeds)) + " |")
    tops = [max((found[0] for tool in TOOLS if (found := means(results, tool, noise))), default=0) for noise in clip.NOISES]
    for tool in TOOLS:
        cells = []
        for noise, top in zip(clip.NOISES, tops):
            found = means(results, tool, noise)
            cell = "–" if found is None else f"{found[0]:.2f} {found[1]:.3f}"
            cells.append(f"**{cell}**" if found and top - found[0] < 0.1 else cell)
        rates = [rate(results.get(section, tool.key)) for section in speeds]
        text = tool.text(10).replace("|", "\\|")
        lines.append(f"| {tool.owner} {tool.name} | `{text}` | " + " | ".join(cells + rates) + " |")
    return "\n".join(lines)


def strengths(results: Results) -> str:
    """The strength that was best, in units of the noise, as a range over clips and noises."""
    lines = ["| tool | best strength, times the noise |", "|---|---|"]
    for tool in (tool for tool in TOOLS if tool.owner == "warpreel"):
        found = [best(results, tool, name, noise) for name in clip.CLEAN for noise in clip.NOISES]
        factors = [one[2] for one in found if one]
        if factors:
            lines.append(f"| {tool.name} | {min(factors):g} to {max(factors):g}, middle {statistics.median(factors):g} |")
    return "\n".join(lines)


def picture(results: Results, path: Path) -> None:
    """Quality against speed, at noise of sigma 10."""
    figure, axes = plt.subplots(figsize=(9, 5.5), constrained_layout=True)
    for tool in TOOLS:
        found = means(results, tool, "gauss-10")
        sections = list(machines(results))[-2:]
        for section, marker in zip(sections, "o^"):
            speed = results.get(section, tool.key)
            if found and speed:
                axes.plot(speed, found[0], marker, color=COLOURS[tool.owner], markersize=7)
                label = f"{tool.owner} {tool.name}" + (" (GPU)" if section == "gpu" else "")
                axes.annotate(label, (speed, found[0]), xytext=(6, 4), textcoords="offset points", fontsize=7)
    axes.set_xscale("log")
    axes.set_xlabel("frames a second, 1280x720 4:2:0")
    axes.set_ylabel("PSNR of luma in dB, mean of three clips, noise of sigma 10")
    axes.grid(True, which="both", alpha=0.25)
    figure.savefig(path, dpi=110)


def crops(results: Results, folder: Path, path: Path) -> None:
    """A row for each tool, a column for each region."""
    name, noise = SHOWN
    rows = [("clean", folder / f"{name}.yuv"), ("noisy", folder / f"{name}-{noise}.yuv")]
    for tool in TOOLS:
        found = best(results, tool, name, noise)
        if found is None or tool.like:
            continue
        sink = folder / f"shown-{re.sub('[^a-z0-9]+', '-', tool.key.lower())}.yuv"
        if not sink.exists() and not tool.is_there:
            continue
        if not sink.exists():
            tool.filtered(rows[1][1], sink, found[2] * clip.NOISES[noise][0])
        rows.append((tool.key, sink))
    strips = []
    for label, source in rows:
        luma = np.fromfile(source, np.uint8).reshape(-1, clip.FRAME)[8, : clip.LUMA].reshape(clip.HEIGHT, clip.WIDTH)
        tiles = []
        for x, y in REGIONS.values():
            x, y = max(RADIUS, min(clip.WIDTH - RADIUS, x)), max(RADIUS, min(clip.HEIGHT - RADIUS, y))
            part = luma[y - RADIUS : y + RADIUS, x - RADIUS : x + RADIUS]
            tiles.append(cv2.resize(part, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST))
        margin = np.full((tiles[0].shape[0], 215), 255, np.uint8)
        cv2.putText(margin, label, (4, 68), cv2.FONT_HERSHEY_SIMPLEX, 0.42, 0, 1, cv2.LINE_AA)
        strips.append(np.hstack([margin, *tiles]))
    cv2.imwrite(str(path), np.vstack(strips), [cv2.IMWRITE_PNG_COMPRESSION, 9])


def written(results: Results, folder: Path, docs: Path) -> None:
    """Puts the tables between their marks, and the pictures beside the page."""
    page = docs / "denoising.md"
    text = page.read_text()
    for name, body in (("table", table(results)), ("strengths", strengths(results))):
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", lambda m: m[1] + body + "\n" + m[2], text, flags=re.S)
    page.write_text(text)
    picture(results, docs / "denoising.png")
    crops(results, folder, docs / "denoising-crops.png")
