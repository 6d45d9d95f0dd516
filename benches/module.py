"""Measures the Python module against the program: `python3 benches/module.py`, in an environment that has the module.

call    what a call costs over the frame itself: a 1080p picture into `out=`, against a frame of a clip
clip    frames a second of `Chain.clip`, against the program's stage (`warpreel bench`)
run     `warpreel.run` of a clip, against the program
tensor  a 4K tensor of PyTorch's that lies on the GPU, against the pass itself; where there is one

Each is measured in turns, and the median counts. The machine should be quiet.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import warpreel

TURNS = 9
PROGRAM = [sys.executable, "-m", "warpreel"]


def seconds(call, times=1):
    begun = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - begun) / times


def stage(chain, size, backend, folder):
    """Frames a second of the stage alone, and milliseconds of each pass."""
    report = Path(folder, "report.json")
    words = ["bench", "-f", chain, "--size", size, "--format", "gray", "--backend", backend, "--json", report, "-y"]
    subprocess.run([*PROGRAM, *map(str, words)], check=True, capture_output=True)
    run = json.loads(report.read_text())["runs"][0]
    return run["fps"]["median"], sum(one["per_frame"]["p50_ms"] for one in run["passes"])


def call(chain):
    frames = np.random.default_rng(1).integers(0, 255, (32, 1080, 1920), np.uint8)
    out, blur = np.empty_like(frames), warpreel.Chain(chain, backend="cpu")
    pairs = []
    for _ in range(TURNS):
        whole = seconds(lambda: blur.clip(frames, out=out)) / len(frames)
        pairs.append((seconds(lambda: [blur(frame, out=into) for frame, into in zip(frames, out)]) / len(frames), whole))
    one, of_clip = (statistics.median(times) for times in zip(*pairs))
    over = statistics.median(one - whole for one, whole in pairs)
    print(f"call    {chain}: {1e6 * one:.0f} us, of a clip {1e6 * of_clip:.0f} us: {1e6 * over:+.1f} us")
    dot, into = np.zeros((1, 1), np.uint8), np.zeros((1, 1), np.uint8)
    blur(dot, out=into)
    print(f"        a picture of one sample: {1e6 * statistics.median(seconds(lambda: blur(dot, out=into), 500) for _ in range(TURNS)):.1f} us")


def clip(chain, folder):
    frames = np.random.default_rng(1).integers(0, 255, (64, 1080, 1920), np.uint8)
    out, blur, pairs = np.empty_like(frames), warpreel.Chain(chain, backend="cpu"), []
    blur.clip(frames, out=out)
    for _ in range(3):
        rate = stage(chain, "1920x1080", "cpu", folder)[0]
        pairs.append((len(frames) / min(seconds(lambda: blur.clip(frames, out=out)) for _ in range(3)), rate))
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    print(f"clip    {chain}: {pairs[0][0]:.0f} fps, stage {pairs[0][1]:.0f} fps: {ratio:.3f}")


def run(chain, folder):
    source = Path(folder, "source.y4m")
    made = ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25", "-frames:v", "200", "-pix_fmt", "yuv420p", str(source)]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *made], check=True)
    # Both in a process of their own, so that both begin with nothing.
    ours = [sys.executable, "-c", f"import warpreel; warpreel.run({str(source)!r}, 'null:', {chain!r}, backend='cpu')"]
    empty = [sys.executable, "-c", "import warpreel, numpy"]
    theirs = [*PROGRAM, str(source), "null:", "-f", chain, "--backend", "cpu", "-q"]
    timed = lambda words: seconds(lambda: subprocess.run(words, check=True, capture_output=True))
    ratios = []
    for _ in range(TURNS):
        ratios.append((timed(ours) - timed(empty)) / (timed(theirs) - timed(empty)))
    print(f"run     {chain}: {statistics.median(ratios):.3f} of the program's time")


def tensor(chain, folder):
    try:
        import torch
    except ImportError:
        return
    if not torch.cuda.is_available():
        return
    image = torch.randint(0, 255, (2160, 3840), dtype=torch.uint8, device="cuda")
    blur = warpreel.Chain(chain)
    for _ in range(50):
        blur(image)
    torch.cuda.synchronize()

    def turn():
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begun = time.perf_counter()
        start.record()
        for _ in range(200):
            blur(image)
        host = time.perf_counter() - begun
        end.record()
        torch.cuda.synchronize()
        return start.elapsed_time(end) / 200 * 1e3, host / 200 * 1e6

    device, host = (statistics.median(times) for times in zip(*(turn() for _ in range(TURNS))))
    kernel = stage(chain, "3840x2160", "cuda", folder)[1] * 1e3
    print(f"tensor  {chain} at 4K: {device:.1f} us a call (host {host:.1f} us), pass {kernel:.1f} us")
    parts = {
        "__dlpack__": lambda: image.__dlpack__(stream=1),
        "from_dlpack": lambda: torch.from_dlpack(image),
        "clone": lambda: image.clone(),
    }
    for name, part in parts.items():
        part()
        print(f"        {name}: {1e6 * statistics.median(seconds(part, 200) for _ in range(TURNS)):.1f} us on the host")
    torch.cuda.synchronize()


def main():
    with tempfile.TemporaryDirectory() as folder:
        for chain in ("gaussian=2", "invert"):
            call(chain)
        clip("gaussian=2", folder)
        run("gaussian=2", folder)
        tensor("gaussian=2", folder)


main()
