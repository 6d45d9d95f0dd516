"""Random chains on random raw clips, for the scripts that compare the bytes of two ways to filter."""
import random
import subprocess
import sys
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/vapoursynth"))
from random_filter import FILTERS  # noqa: E402

# Formats, with the bytes of a sample, its largest value, and samples of a frame for one of the largest plane, rounded up by subsampling.
FORMATS = {
    "gray": (1, 255, [(0, 0)]), "gray10": (2, 1023, [(0, 0)]), "gray16": (2, 65535, [(0, 0)]), "grayf32": (4, 1.0, [(0, 0)]),
    "yuv420p": (1, 255, [(0, 0), (1, 1), (1, 1)]), "yuv422p": (1, 255, [(0, 0), (1, 0), (1, 0)]),
    "yuv444p": (1, 255, [(0, 0)] * 3), "yuv410p": (1, 255, [(0, 0), (2, 2), (2, 2)]), "yuv420p10": (2, 1023, [(0, 0), (1, 1), (1, 1)]),
    "yuv422p12": (2, 4095, [(0, 0), (1, 0), (1, 0)]), "yuv444p16": (2, 65535, [(0, 0)] * 3), "yuva420p": (1, 255, [(0, 0), (1, 1), (1, 1), (0, 0)]),
    "gbrp": (1, 255, [(0, 0)] * 3), "gbrp10": (2, 1023, [(0, 0)] * 3), "gbrpf32": (4, 1.0, [(0, 0)] * 3),
}
# Filters of the program that its plugin has not, and conversions.
MORE = {
    "fps": lambda d: f"fps={d.choice([10, 24, 50])}",
    "framerate": lambda d: f"framerate={d.choice([30, 50])}:scene=100",
    "decimate": lambda d: "decimate",
    "depth": lambda d: f"scale=depth={d.choice([8, 10, 16, 'f32'])}:dither={d.choice(['none', 'ordered', 'random', 'error_diffusion'])}",
    "denoise": lambda d: f"denoise={d.choice(['light', 'medium', 'strong'])}",
    "blend": lambda d: f"blend={{second}}:{d.choice(['average', 'difference', 'screen'])}",
}
ALL = FILTERS | MORE


def clip(dice, path, form, width, height, frames):
    """A raw clip: a ramp with noise, and a cut."""
    size, peak, planes = FORMATS[form]
    noise = numpy.random.default_rng(dice.randrange(1 << 32))
    cut, spread = noise.integers(0, frames + 1), noise.choice([0.02, 0.1, 0.5])
    with open(path, "wb") as file:
        for number in range(frames):
            for across, down in planes:
                shape = (-(-height >> down), -(-width >> across))
                values = (0.2 if number < cut else 0.5) + 0.1 * numpy.linspace(0, 1, shape[1]) + spread * noise.random(shape)
                kind = {1: "u1", 2: "<u2", 4: "<f4"}[size]
                file.write((numpy.clip(values, 0, 1) * peak).astype(kind).tobytes())


def second_clip(program, dice, path):
    """One that another clip is blended with."""
    raw = path.with_suffix(".yuv")
    clip(dice, raw, "yuv420p", 64, 48, 3)
    subprocess.run([program, "-q", raw, path, "--raw", "yuv420p:64x48@25"], check=True, capture_output=True)


def case(program, seed, folder):
    """A chain with one filter of each name in turn and up to three others, on a clip in a folder: its name, and what is typed before the output, and
    behind it."""
    dice = random.Random(seed)
    form = dice.choice(list(FORMATS))
    width, height, frames = dice.randint(16, 640), dice.randint(16, 360), dice.randint(1, 9)
    if dice.random() < 0.7:
        width, height = width // 8 * 8 + 8, height // 8 * 8 + 8
    names = [list(ALL)[seed % len(ALL)], *dice.choices(list(ALL), k=dice.randint(0, 3))]
    dice.shuffle(names)
    first, second = Path(folder, "first.raw"), Path(folder, "second.y4m")
    clip(dice, first, form, width, height, frames)
    chain = ",".join(ALL[name](dice) for name in names).replace("{second}", str(second))
    if str(second) in chain:
        second_clip(program, dice, second)
    raw = ["--raw", f"{form}:{width}x{height}@25"]
    return f"seed {seed}: {form} {width}x{height}, {frames} frames, -f {chain!r}", [first, "hash:", *raw, "-f", chain]


def listing(program, words, timeout=300):
    """Exit status and the sums of all frames, or the message."""
    done = subprocess.run([program, "-q", *words], capture_output=True, text=True, timeout=timeout)
    return done.returncode, done.stdout if done.returncode == 0 else done.stderr
