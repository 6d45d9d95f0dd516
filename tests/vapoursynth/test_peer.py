"""Beside the filters of std, zsmooth and vszip that do the same: the same bytes, or the difference that docs/vapoursynth.md states."""

import numpy
import pytest
import vapoursynth as vs

from test_plugin import core
from test_random import clip_of

FORMATS = ["gray", "gray10", "gray16", "yuv444p", "yuv444p16", "gbrp", "gbrpf32"]


def planes(clip, n):
    frame = clip.get_frame(n)
    return [numpy.asarray(frame[plane]).astype(float) for plane in range(frame.format.num_planes)]


def difference(one, other):
    """The largest, in units of the last bit, or of floats in 1."""
    assert (len(one), one.format.id) == (len(other), other.format.id)
    pairs = [pair for n in range(len(one)) for pair in zip(planes(one, n), planes(other, n))]
    return max(numpy.abs(a - b).max() for a, b in pairs)


def matrix(kernel):
    return [int(tap) for tap in kernel.replace(";", " ").split()]


@pytest.fixture(params=FORMATS)
def clip(request):
    return clip_of(request.param, 3, 96, 80, 8)[0]



def test_the_same_bytes(clip):
    same = {
        "Maximum": (clip.std.Maximum(), clip.warpreel.Dilate()),
        "Minimum": (clip.std.Minimum(), clip.warpreel.Erode()),
        "std.Median": (clip.std.Median(), clip.warpreel.Median(radius=1, border="reflect")),
        "zsmooth.Median 1": (clip.zsmooth.Median(radius=1), clip.warpreel.Median(radius=1)),
        "zsmooth.Median 2": (clip.zsmooth.Median(radius=2), clip.warpreel.Median(radius=2)),
        "TemporalMedian": (clip.zsmooth.TemporalMedian(radius=1), clip.warpreel.TMedian(radius=1)),
        "TemporalMedian 2": (clip.zsmooth.TemporalMedian(radius=2)[2:-2], clip.warpreel.TMedian(radius=2)[2:-2]),
        "AverageFrames": (clip.std.AverageFrames([1, 2, 3, 2, 1]), clip.warpreel.TMix(weights=[1, 2, 3, 2, 1])),
        "Invert": (clip.std.Invert(planes=[0]), clip.warpreel.Invert(range="full", planes=[0])),
        "Transpose": (clip.std.Transpose(), clip.warpreel.Transpose()),
    }
    assert {name: difference(*pair) for name, pair in same.items()} == dict.fromkeys(same, 0)


@pytest.mark.parametrize("kernel", ["1 2 1; 2 5 2; 1 2 1", "0 -1 0; -1 4 -1; 0 -1 0", "; ".join(["1 2 3 2 1"] * 5)])
def test_convolution(clip, kernel):
    """std mirrors edges with the edge itself, as border=reflect; float sums differ in the last bit."""
    scale = sum(matrix(kernel)) or 1
    theirs = clip.std.Convolution(matrix(kernel), divisor=scale, planes=[0])
    ours = clip.warpreel.Kernel(kernel=kernel, scale=1 / scale, border="reflect", planes=[0])
    assert difference(theirs, ours) <= (2e-6 if clip.format.sample_type == vs.FLOAT else 0)


def test_halves_are_rounded_in_two_ways(clip):
    """std rounds half to even and we round half up: with a divisor of 16 some samples differ by 1."""
    theirs = clip.std.Convolution([1, 2, 1, 2, 4, 2, 1, 2, 1])
    ours = clip.warpreel.Kernel(kernel="1 2 1; 2 4 2; 1 2 1", border="reflect")
    assert difference(theirs, ours) <= 1


def test_edges_by_operators(clip):
    """The root of whole numbers is rounded in two ways at 16 bits."""
    pairs = [(clip.std.Sobel(planes=[0]), clip.warpreel.Sobel(border="reflect", planes=[0])),
             (clip.std.Prewitt(planes=[0]), clip.warpreel.Prewitt(border="reflect", planes=[0]))]
    most = {vs.INTEGER: 0 if clip.format.bits_per_sample < 16 else 1, vs.FLOAT: 2e-6}[clip.format.sample_type]
    assert max(difference(*pair) for pair in pairs) <= most


def test_boxes(clip):
    """Others round between rows and columns; we round once."""
    inner = lambda clip: clip.std.Crop(8, 8, 8, 8)
    ours = clip.warpreel.Box(radius=3, border="reflect", planes=[0])
    vszip, std = clip.vszip.BoxBlur(planes=[0], hradius=3, vradius=3), clip.std.BoxBlur(planes=[0], hradius=3, vradius=3)
    most = (1, 2) if clip.format.sample_type == vs.INTEGER else (2e-6, 2e-6)
    assert difference(inner(vszip), inner(ours)) <= most[0]
    assert difference(inner(std), inner(ours)) <= most[1]


def test_radii_are_pixels_of_luma():
    """In subsampled chroma our windows cover what they cover in luma; those of others have as many samples in each plane."""
    # On machines with AVX-512, zsmooth 0.20 does not mirror planes that are narrower than 64 samples.
    clip = clip_of("yuv420p", 3, 192, 80, 3)[0]
    luma = lambda clip: clip.std.ShufflePlanes(0, vs.GRAY)
    assert difference(luma(clip.zsmooth.Median(radius=2)), luma(clip.warpreel.Median(radius=2))) == 0
    chroma = clip.std.ShufflePlanes(1, vs.GRAY)
    assert difference(clip.warpreel.Median(radius=2).std.ShufflePlanes(1, vs.GRAY), chroma.warpreel.Median(radius=1)) == 0
    assert difference(clip.zsmooth.Median(radius=2).std.ShufflePlanes(1, vs.GRAY), chroma.warpreel.Median(radius=2)) == 0


def test_bilateral_is_another_window():
    """vszip's window is square and reaches further, and its weights are approximated: means stay near."""
    clip = clip_of("gray", 3, 96, 80, 2)[0]
    assert difference(clip.vszip.Bilateral(sigmaS=2, sigmaR=0.1), clip.warpreel.Bilateral(sigma_s=2, sigma_r=0.1)) <= 4
