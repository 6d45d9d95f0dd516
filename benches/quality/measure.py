"""Quality and speed, kept in a file as they come, so that a run that was stopped goes on."""

import json
import math
import os
import re
import statistics
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2

import clip
from tool import Tool

#: Speed is measured on this size, at a strength for noise of sigma 10.
SIZE = (1280, 720)
SPEED_STRENGTH = 10


def compared(clean: Path, other: Path) -> tuple[float, float]:
    """PSNR in dB and SSIM of luma, as FFmpeg's filters of these names give them."""
    given = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{clip.WIDTH}x{clip.HEIGHT}", "-i"]
    logs = [other.with_name(f"{other.stem}.{name}.log") for name in ("psnr", "ssim")]
    graph = f"[0][1]psnr=stats_file={logs[0]};[0][1]ssim=stats_file={logs[1]}"
    clip.ffmpeg(*given, str(clean), *given, str(other), "-filter_complex", graph, "-f", "null", "-")
    errors = [float(found) for found in re.findall(r"mse_y:(\S+)", logs[0].read_text())]
    likeness = [float(found) for found in re.findall(r" Y:(\S+)", logs[1].read_text())]
    for log in logs:
        log.unlink()
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
    """Every tool at every strength on every clip, as many at a time as there are cores."""

    def one(task: tuple[str, str, str, Tool | None, float]) -> tuple[str, str, tuple[float, float]]:
        key, name, noise, tool, factor = task
        clean, source = folder / f"{name}.yuv", folder / f"{name}-{noise}.yuv"
        if tool is None:
            return "noisy", key, compared(clean, source)
        sink = folder / ("filtered-" + re.sub("[^a-z0-9.]+", "-", key.lower()) + ".yuv")
        tool.filtered(source, sink, factor * clip.NOISES[noise][0])
        found = compared(clean, sink)
        sink.unlink()
        return "quality", key, found

    tasks = []
    for name in clip.CLEAN:
        for noise in clip.NOISES:
            tasks.append((f"{name} {noise}", name, noise, None, 0.0))
            for tool in tools:
                for factor in () if tool.like else tool.strengths:
                    tasks.append((f"{tool.key} | {name} {noise} | {factor}", name, noise, tool, factor))
    tasks = [task for task in tasks if results.get("quality" if task[3] else "noisy", task[0]) is None]
    # The slow ones first, so that none is left at the end.
    tasks.sort(key=lambda task: not (task[3] and task[3].is_slow))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for section, key, found in pool.map(one, tasks):
            results.put(section, key, found)
            print(key, *(f"{number:.3f}" for number in found), flush=True)


def speed(results: Results, folder: Path, tools: list[Tool]) -> None:
    """Frames a second of whole programs over raw frames on the cores that this one may use, tools in turns so that a
    change of the machine meets all."""
    width, height = SIZE
    lengths = {length: folder / f"speed-{length}.yuv" for length in (4, 48, 384)}
    if not lengths[384].exists():
        drawn = ["-ss", "1", "-i", "samples/bigbuckbunny-720p.mp4", "-vf", f"scale={width}:{height},noise=alls=17:allf=t"]
        frames = clip.ffmpeg(*drawn, "-frames:v", "48", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-")
        lengths[4].write_bytes(frames[: len(frames) // 12])
        lengths[48].write_bytes(frames)
        lengths[384].write_bytes(frames * 8)
    size_bytes = width * height * 3 // 2
    cores = len(os.sched_getaffinity(0))
    cv2.setNumThreads(cores)
    taken: dict[str, list[float]] = {tool.key: [] for tool in tools}
    for _ in range(3):
        for tool in tools:
            path = lengths[4 if tool.is_slow else 384 if tool.is_fast else 48]
            seconds = tool.seconds(path, SIZE, SPEED_STRENGTH)
            taken[tool.key].append(path.stat().st_size / size_bytes / seconds)
            results.put(f"cores {cores}", tool.key, statistics.median(taken[tool.key]))
            print(f"{tool.key}: {taken[tool.key][-1]:.2f} fps", flush=True)


def stage(results: Results, tools: list[Tool]) -> None:
    """Frames a second of our stage on a GPU."""
    for tool in tools:
        if tool.owner == "warpreel":
            results.put("gpu", tool.key, tool.stage(SIZE, SPEED_STRENGTH))
            print(f"{tool.key}: {results.get('gpu', tool.key):.0f} fps on the GPU", flush=True)


def best(results: Results, tool: Tool, name: str, noise: str) -> tuple[float, float, float] | None:
    """PSNR, SSIM and strength of the strength with the highest PSNR."""
    prefix = f"{tool.like or tool.key} | {name} {noise} | "
    found = {key: value for key, value in results.found.get("quality", {}).items() if key.startswith(prefix)}
    if not found:
        return None
    key = max(found, key=lambda key: found[key][0])
    return found[key][0], found[key][1], float(key.removeprefix(prefix))
