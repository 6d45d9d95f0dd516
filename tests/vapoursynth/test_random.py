"""Random chains on random clips: the program's bytes in any order of requests, with 1 and 16 threads.

`WARPREEL_VAPOURSYNTH=all` runs 1500 of them in place of 40; each is named by its seed.
"""

import os
import random

import numpy
import pytest
import vapoursynth as vs

import test_plugin
from random_filter import FILTERS
from test_deinterlace import ahead
from test_plugin import core, order, read

COUNT = 1500 if os.environ.get("WARPREEL_VAPOURSYNTH") == "all" else 40
FORMATS = {
    "gray": vs.GRAY8, "gray10": (vs.GRAY, 10), "gray16": vs.GRAY16, "grayf32": vs.GRAYS, "yuv420p": vs.YUV420P8, "yuv422p": vs.YUV422P8,
    "yuv444p": vs.YUV444P8, "yuv411p": vs.YUV411P8, "yuv410p": vs.YUV410P8, "yuv440p": vs.YUV440P8, "yuv420p10": vs.YUV420P10,
    "yuv422p12": vs.YUV422P12, "yuv420p16": vs.YUV420P16, "yuv444p16": vs.YUV444P16, "gbrp": vs.RGB24, "gbrp10": vs.RGB30, "gbrp16": vs.RGB48,
    "gbrpf32": vs.RGBS,
}


def clip_of(name, seed, width, height, length):
    """A clip of noise, flat parts and cuts, and its raw bytes."""
    format = FORMATS[name]
    format = core.query_video_format(*format[:1], vs.INTEGER, format[1], 0, 0).id if isinstance(format, tuple) else format
    blank = core.std.BlankClip(format=format, width=width, height=height, length=length, fpsnum=25, fpsden=1)
    blank = core.std.RemoveFrameProps(blank, ["_Range", "_ColorRange", "_FieldBased"])
    noise, frames, raw = numpy.random.default_rng(seed), [], b""
    cut, spread = noise.integers(0, length + 1), noise.choice([0.02, 0.1, 0.5])
    for n in range(length):
        frame = blank.get_frame(0).copy()
        for plane in order(frame.format):
            array = numpy.asarray(frame[plane])
            values = (0.2 if n < cut else 0.5) + 0.1 * numpy.linspace(0, 1, array.shape[1]) + spread * noise.random(array.shape)
            values = numpy.clip(values, 0, 1)
            peak = 1 if frame.format.sample_type == vs.FLOAT else (1 << frame.format.bits_per_sample) - 1
            array[:] = (values * peak).astype(array.dtype)
            raw += array.tobytes()
        frames.append(frame)
    return core.std.ModifyFrame(blank, blank, lambda n, f: frames[n]), raw


def test_every_filter_is_among_them():
    names = {"denoise", *FILTERS}
    offered = {str(name if isinstance(name, str) else name.decode()).lower() for name in core.warpreel.Version()["functions"]}
    assert names == offered


@pytest.mark.parametrize("seed", range(COUNT))
def test_random(seed):
    dice = random.Random(seed)
    name = dice.choice(list(FORMATS))
    width, height, length = dice.randint(3, 10) * 8, dice.randint(3, 10) * 8, dice.randint(1, 9)
    # One after the other at first, so that few runs meet all.
    names = [list(FILTERS)[seed % len(FILTERS)], *dice.choices(list(FILTERS), k=dice.randint(0, 3))]
    dice.shuffle(names)
    chain = ",".join(FILTERS[filter](dice) for filter in names)
    clip, raw = clip_of(name, seed, width, height, length)
    command = [test_plugin.PROGRAM, "-", "-", "--raw", f"{name}:{width}x{height}@25", "-q", "--backend", "cpu", "--container", "raw", "-f", chain]
    done = test_plugin.subprocess.run(command, input=raw, capture_output=True)
    if done.returncode != 0:
        # What the program refuses, the plugin refuses.
        with pytest.raises(vs.Error):
            clip.warpreel.Filter(chain, backend="cpu")
        return
    filtered = clip.warpreel.Filter(chain, backend="cpu")
    count = len(filtered)
    for numbers in (range(count), range(count - 1, -1, -1), dice.sample(range(count), count)):
        assert read(filtered, numbers) == done.stdout, (name, width, height, length, chain)
    for threads in (1, 16):
        assert ahead(clip.warpreel.Filter(chain, backend="cpu"), threads) == done.stdout, (name, width, height, length, chain)


def test_denoise_of_one_scene():
    noise = numpy.random.default_rng(5)
    blank = core.std.BlankClip(format=vs.YUV420P8, width=96, height=64, length=12, fpsnum=25, fpsden=1, keep=True)
    blank = core.std.RemoveFrameProps(blank, ["_Range", "_ColorRange", "_FieldBased"])
    frames, raw = [], b""
    for n in range(12):
        frame = blank.get_frame(0).copy()
        for plane in range(3):
            array = numpy.asarray(frame[plane])
            array[:] = numpy.clip(numpy.linspace(60, 150, array.shape[1]) + noise.normal(0, 4, array.shape), 0, 255).astype("uint8")
            raw += array.tobytes()
        frames.append(frame)
    clip = core.std.ModifyFrame(blank, blank, lambda n, f: frames[n])
    command = [test_plugin.PROGRAM, "-", "-", "--raw", "yuv420p:96x64@25", "-q", "--backend", "cpu", "--container", "raw", "-f", "denoise"]
    wanted = test_plugin.subprocess.run(command, input=raw, stdout=test_plugin.subprocess.PIPE, check=True).stdout
    assert wanted != raw
    assert read(clip.warpreel.Denoise(backend="cpu"), range(12)) == wanted
