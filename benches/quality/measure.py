"""Quality and speed, kept in a file as they come, so that a run that was stopped goes on."""

import json
import math
import os
import re
import statistics
from pathlib import Path

import clip
from tool import Tool

#: Speed is measured on this size, at a strength for noise of sigma 10.
SIZE = (1280, 720)
SPEED_STRENGTH = 10


def compared(clean: Path, other: Path) -> tuple[float, float]:
    """PSNR in dB and SSIM of luma, as FFmpeg's filters of these names give them."""
    given = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{clip.WIDTH}x{clip.HEIGHT}", "-i"]
    logs = clean.with_name("psnr.log"), clean.with_name("ssim.log")
    graph = f"[0][1]psnr=stats_file={logs[0]};[0][1]ssim=stats_file={logs[1]}"
    clip.ffmpeg(*given, str(clean), *given, str(other), "-filter_complex", graph, "-f", "null", "-")
    errors = [float(found) for found in re.findall(r"mse_y:(\S+)", logs[0].read_text())]
    likeness = [float(found) for found in re.findall(r" Y:(\S+)", logs[1].read_text())]
    mean = max(statistics.fmean(errors), 1e-3)
    return 10 * math.log10(255**2 / mean), statistics.fmean(likeness)


class Results:
    """What was measured, by tool, clip, noise and strength."""

    def __init__(self, path: Path):
        self.path = path
        self.found = json.loads(path.read_text()) if path.exists() else {}

    def get(self, section: str, key: str):
        return self.found.get(section, {}).get(key)

    def put(self, section: str, key: str, value) -> None:
        self.found.setdefault(section, {})[key] = value
        waiting = self.path.with_suffix(".part")
        waiting.write_text(json.dumps(self.found, indent=1, sort_keys=True) + "\n")
        os.replace(waiting, self.path)


def quality(results: Results, folder: Path, tools: list[Tool]) -> None:
    """Every tool at every strength on every clip."""
    for name in clip.CLEAN:
        clean = folder / f"{name}.yuv"
        for noise, (deviation, _) in clip.NOISES.items():
            source = folder / f"{name}-{noise}.yuv"
            if results.get("noisy", f"{name} {noise}") is None:
                results.put("noisy", f"{name} {noise}", compared(clean, source))
            for tool in tools:
                for factor in () if tool.like else tool.strengths:
                    key = f"{tool.key} | {name} {noise} | {factor}"
                    if results.get("quality", key) is None:
                        sink = folder / "filtered.yuv"
                        tool.filtered(source, sink, factor * deviation)
                        results.put("quality", key, compared(clean, sink))
                        print(key, *(f"{number:.3f}" for number in results.get("quality", key)), flush=True)


def speed(results: Results, folder: Path, tools: list[Tool]) -> None:
    """Frames a second of whole programs over raw frames, tools in turns so that a change of the machine meets all."""
    width, height = SIZE
    source, short = folder / "speed.yuv", folder / "speed-short.yuv"
    if not source.exists():
        drawn = ["-ss", "1", "-i", "samples/bigbuckbunny-720p.mp4", "-vf", f"scale={width}:{height},noise=alls=17:allf=t"]
        frames = clip.ffmpeg(*drawn, "-frames:v", "48", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-")
        source.write_bytes(frames)
        short.write_bytes(frames[: len(frames) // 12])
    size_bytes = width * height * 3 // 2
    taken: dict[str, list[float]] = {tool.key: [] for tool in tools}
    for _ in range(5):
        for tool in tools:
            path = short if tool.is_slow else source
            seconds = tool.seconds(path, SIZE, SPEED_STRENGTH)
            taken[tool.key].append(path.stat().st_size / size_bytes / seconds)
            print(f"{tool.key}: {taken[tool.key][-1]:.2f} fps", flush=True)
    for key, rates in taken.items():
        results.put("speed", key, statistics.median(rates))


def best(results: Results, tool: Tool, name: str, noise: str) -> tuple[float, float, float] | None:
    """PSNR, SSIM and strength of the strength with the highest PSNR."""
    prefix = f"{tool.like or tool.key} | {name} {noise} | "
    found = {key: value for key, value in results.found.get("quality", {}).items() if key.startswith(prefix)}
    if not found:
        return None
    key = max(found, key=lambda key: found[key][0])
    return found[key][0], found[key][1], float(key.removeprefix(prefix))
