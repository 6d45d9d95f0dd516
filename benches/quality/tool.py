"""The denoisers: ours, FFmpeg's, OpenCV's, MVTools'. Each takes a clip and a strength in the noise's own units, sigma of 8 bits."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import cv2
import numpy as np

import clip

#: How our program is called; several words may be given.
PROGRAM = os.environ.get("WARPREEL", "target/release/warpreel").split()

#: How MDegrain3 is called, which `benches/mdegrain` says how to build; it reads y4m and writes y4m.
MDEGRAIN = os.environ.get("MDEGRAIN", "benches/mdegrain/target/release/mdegrain").split()


@dataclass(frozen=True)
class Tool:
    """One denoiser, and how it is told a strength."""

    name: str
    owner: str
    #: What is typed, or called, for a strength: `text(sigma)`.
    text: Callable[[float], str]
    #: Filters frames of bytes in this process; None for those that are programs.
    call: Callable[[np.ndarray, float], np.ndarray] | None = None
    #: The tool that gives the same bytes, so that its quality is not measured again.
    like: str = ""
    #: Whether its speed is measured on few frames, or on many.
    is_slow: bool = False
    is_fast: bool = False
    #: Strengths that are tried.
    strengths: tuple[float, ...] = (0.4, 0.6, 0.8, 1.0, 1.3, 1.7)

    @property
    def key(self) -> str:
        return f"{self.owner} {self.name}"

    @property
    def is_there(self) -> bool:
        """Whether it can be called; only MDegrain3 may be missing."""
        return self.owner != "MVTools" or shutil.which(MDEGRAIN[0]) is not None

    def command(self, size: tuple[int, int], source: str, sink: str, strength: float) -> list[str]:
        """The program and its arguments, for raw frames."""
        width, height = size
        if self.owner == "warpreel":
            return [*PROGRAM, "--raw", f"yuv420p:{width}x{height}@25", source, sink, "-y", "-q", "--backend", "cpu",
                    "-f", self.text(strength)]
        wanted = ["-f", "null", "-"] if sink == "null:" else ["-f", "rawvideo", sink]
        graph = ["-filter_complex" if "[" in self.text(strength) else "-vf", self.text(strength)]
        return [*clip.FFMPEG, "-v", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s",
                f"{width}x{height}", "-r", "25", "-i", source, *graph, *wanted]

    def filtered(self, source: Path, sink: Path, strength: float) -> None:
        """Writes the filtered clip."""
        if self.owner == "MVTools":
            given = clip.y4m(source.read_bytes(), (clip.WIDTH, clip.HEIGHT))
            sink.write_bytes(clip.raw_frames(self.piped(given, strength)))
            return
        if self.call:
            frames = np.fromfile(source, np.uint8).reshape(-1, clip.FRAME)
            sink.write_bytes(planewise(frames, (clip.WIDTH, clip.HEIGHT), lambda plane: self.call(plane, strength)).tobytes())
            return
        done = subprocess.run(self.command((clip.WIDTH, clip.HEIGHT), str(source), str(sink), strength), capture_output=True)
        if done.returncode:
            raise SystemExit(f"{self.key}: {done.stderr.decode().strip()}")

    def piped(self, given: bytes, strength: float, *more: str) -> bytes:
        """The y4m that it makes of y4m."""
        done = subprocess.run([*MDEGRAIN, *self.text(strength).split()[1:], *more], input=given, capture_output=True)
        if done.returncode:
            raise SystemExit(f"{self.key}: {done.stderr.decode().strip()}")
        return done.stdout

    def seconds(self, source: Path, size: tuple[int, int], strength: float) -> float:
        """How long it takes over raw frames in the page cache, the result thrown away."""
        if self.owner == "MVTools":
            given = clip.y4m(source.read_bytes(), size)
            begun = time.perf_counter()
            self.piped(given, strength, "--null", "--threads", str(len(os.sched_getaffinity(0))))
            return time.perf_counter() - begun
        if self.call:
            frames = np.fromfile(source, np.uint8).reshape(-1, size[0] * size[1] * 3 // 2)
            begun = time.perf_counter()
            planewise(frames, size, lambda plane: self.call(plane, strength))
            return time.perf_counter() - begun
        command = self.command(size, str(source), "null:", strength)
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - begun

    def stage(self, size: tuple[int, int], strength: float) -> float:
        """Frames a second of the stage on a GPU, from pinned memory to pinned memory."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder, "report.json")
            command = [*PROGRAM, "bench", "-f", self.text(strength), "--size", f"{size[0]}x{size[1]}", "--backend",
                       "cuda", "--frames", "200", "--json", str(report)]
            subprocess.run(command, check=True, capture_output=True)
            return json.loads(report.read_text())["runs"][0]["fps"]["median"]


def planewise(frames: np.ndarray, size: tuple[int, int], call: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """A clip whose planes went through something that takes `(T, H, W)`."""
    out, at = np.empty_like(frames), 0
    for width, height in (size, (size[0] // 2, size[1] // 2), (size[0] // 2, size[1] // 2)):
        part = slice(at, at + width * height)
        plane = np.ascontiguousarray(frames[:, part]).reshape(-1, height, width)
        out[:, part] = call(plane).reshape(len(frames), -1)
        at = part.stop
    return out


def each(call: Callable[[np.ndarray, float], np.ndarray]) -> Callable[[np.ndarray, float], np.ndarray]:
    """Something for one picture, for each of a clip."""
    return lambda frames, strength: np.stack([call(frame, strength) for frame in frames])


def several(frames: np.ndarray, strength: float) -> np.ndarray:
    """OpenCV's over five frames; it has no frames beyond the ends, so those come from a shorter window."""
    out = []
    for number in range(len(frames)):
        radius = min(2, number, len(frames) - 1 - number)
        if radius:
            out.append(cv2.fastNlMeansDenoisingMulti(list(frames), number, 2 * radius + 1, None, strength, 7, 15))
        else:
            out.append(cv2.fastNlMeansDenoising(frames[number], None, strength, 7, 15))
    return np.stack(out)


def thresholds(strength: float) -> str:
    """Thresholds of atadenoise: of one difference, and of their sum."""
    one, total = min(0.3, strength / 255 * 3), min(5.0, strength / 255 * 7)
    return f"0a={one:.4f}:1a={one:.4f}:2a={one:.4f}:0b={total:.4f}:1b={total:.4f}:2b={total:.4f}"


def transform(strength: float) -> str:
    """Both steps of FFmpeg's bm3d, the first one's result guiding the second. Without groups of blocks, as is its default:
    with them it left the noise as it was, at every threshold that was tried."""
    step = f"bm3d=sigma={strength:.2f}:bstep=2"
    return f"split[a][b];[a]{step}:estim=basic[c];[b][c]{step}:estim=final:ref=1"


def sums(strength: float) -> str:
    """degrain for noise: its thresholds are sums over 8x8 samples, and grow with the noise."""
    return f"degrain=thsad={160 * strength:.0f}:pnew=0"


def degrain3(strength: float) -> str:
    """MDegrain3 for noise, over blocks that overlap by half and scenes told apart as ours does, else nothing is filtered."""
    most = 64 * 255
    difference = min(most, round(160 * strength))
    return f"mdegrain --thsad {difference} --thscd1 {max(400, difference)}"


TOOLS = [
    Tool("nlmeans", "warpreel", lambda s: f"nlmeans=s={min(30, max(1, s)):.2f}:p=7:r=15"),
    Tool("nlmeans, 5 frames", "warpreel", lambda s: f"nlmeans=s={min(30, max(1, s)):.2f}:p=7:r=15:frames=2",
         is_slow=True),
    Tool("denoise", "warpreel", lambda s: f"nlmeans=s={min(30, max(1, s / 2)):.2f}:p=5:r=7:frames=3",
         is_slow=True),
    Tool("degrain", "warpreel", sums),
    Tool("degrain, blocks of 16", "warpreel", lambda s: sums(s) + ":block=16"),
    Tool("bm3d", "warpreel", lambda s: f"bm3d=sigma={s:.2f}",
         is_slow=True),
    Tool("bm3d, best", "warpreel", lambda s: f"bm3d=sigma={s:.2f}:block_step=3:bm_range=16:group=32", is_slow=True,
         strengths=(0.8, 1.0, 1.3)),
    Tool("bm3d, 3 frames", "warpreel", lambda s: f"bm3d=sigma={s:.2f}:radius=1", is_slow=True),
    Tool("bm3d, 5 frames", "warpreel", lambda s: f"bm3d=sigma={s:.2f}:radius=2", is_slow=True),
    Tool("bm3d, fast", "warpreel", lambda s: f"bm3d=sigma={s:.2f}:block_step=8:group=8"),
    Tool("atadenoise", "warpreel", lambda s: "atadenoise=" + thresholds(s), is_fast=True),
    Tool("bilateral", "warpreel", lambda s: f"bilateral=radius=4:sigma_s=2:sigma_r={s / 255 * 2.5:.4f}", is_fast=True),
    Tool("bilateral3d", "warpreel", lambda s: f"bilateral3d=radius=2:frames=2:sigma_s=1.5:sigma_t=2:sigma_r={s / 255 * 2.5:.4f}", is_fast=True),
    Tool("nlmeans", "FFmpeg", lambda s: f"nlmeans=s={min(30, max(1, s)):.2f}:p=7:r=15", like="warpreel nlmeans", is_slow=True),
    Tool("atadenoise", "FFmpeg", lambda s: "atadenoise=" + thresholds(s), like="warpreel atadenoise", is_fast=True),
    Tool("hqdn3d", "FFmpeg", lambda s: f"hqdn3d={s:.2f}", is_fast=True),
    Tool("bm3d", "FFmpeg", transform, is_slow=True, strengths=(2.5, 3.0, 3.5, 4.0, 5.0)),
    Tool("nlmeans", "OpenCV", lambda s: f"fastNlMeansDenoising(h={s:.2f}, 7, 15)",
         each(lambda plane, s: cv2.fastNlMeansDenoising(plane, None, s, 7, 15)), is_slow=True),
    Tool("nlmeans, 5 frames", "OpenCV", lambda s: f"fastNlMeansDenoisingMulti(5, h={s:.2f}, 7, 15)", several,
         is_slow=True),
    Tool("bilateral", "OpenCV", lambda s: f"bilateralFilter(9, {2.5 * s:.1f}, 2)",
         each(lambda plane, s: cv2.bilateralFilter(plane, 9, 2.5 * s, 2, borderType=cv2.BORDER_REFLECT101)), is_fast=True),
    Tool("MDegrain3", "MVTools", lambda s: degrain3(s) + " --overlap 4", is_slow=True),
    Tool("MDegrain3, blocks of 16", "MVTools", lambda s: degrain3(s) + " --block 16 --overlap 8", is_slow=True),
]
