"""Scale to another depth, type or range, alone and with another size, of the program and of the plugin, beside VapourSynth's
resize, which is zimg: the same bytes, of integers."""

import random
import subprocess

import numpy
import vapoursynth as vs

from test_plugin import PROGRAM, core, order

FAMILIES = {
    "gray": (vs.GRAY, 0, 0), "yuv420p": (vs.YUV, 1, 1), "yuv422p": (vs.YUV, 1, 0), "yuv444p": (vs.YUV, 0, 0), "gbrp": (vs.RGB, 0, 0),
}


def spelt(family, depth):
    return family + {8: "", 32: "f32"}.get(depth, str(depth))


def compared(tmp_path, family, depths, ranges, sizes, dither, generator):
    """Fails unless all three give the same."""
    color, *subsampling = FAMILIES[family]
    kind = lambda depth: core.query_video_format(color, vs.FLOAT if depth == 32 else vs.INTEGER, depth, *subsampling)
    (depth, to_depth), ((width, height), (to_width, to_height)) = depths, sizes
    chain = f"scale={to_width}:{to_height}:depth={'f32' if to_depth == 32 else to_depth}:dither={dither}"
    if color == vs.RGB:
        # RGB is of full range here; there it may be told otherwise.
        ranges = ["full", "full"]
    else:
        chain += f":rangein={ranges[0]}:range={ranges[1]}"
    blank = core.std.BlankClip(format=kind(depth).id, width=width, height=height, length=1)
    frame, raw = blank.get_frame(0).copy(), b""
    for plane in order(kind(depth)):
        array = numpy.asarray(frame[plane])
        array[:] = generator.random(array.shape) if depth == 32 else generator.integers(0, 1 << depth, array.shape)
        raw += array.tobytes()
    clip = core.std.ModifyFrame(blank, blank, lambda n, f: frame)
    options = {"range_in": int(ranges[0] == "full"), "range": int(ranges[1] == "full")}
    scaled = core.resize.Bicubic(clip, to_width, to_height, format=kind(to_depth).id, dither_type=dither, **options)
    plugged = clip.warpreel.Filter(chain, backend="cpu")
    assert plugged.format.id == scaled.format.id, chain
    scaled, plugged = scaled.get_frame(0), plugged.get_frame(0)
    source = tmp_path / "in.raw"
    source.write_bytes(raw)
    size = f"{spelt(family, depth)}:{width}x{height}@25"
    call = [PROGRAM, source, "-", "-q", "--raw", size, "--container", "raw", "--backend", "cpu", "-f", chain]
    got = subprocess.run(call, capture_output=True, check=True).stdout
    got, at = numpy.frombuffer(got, numpy.asarray(scaled[0]).dtype), 0
    for plane in order(scaled.format):
        wanted = numpy.asarray(scaled[plane])
        found = got[at : at + wanted.size].reshape(wanted.shape)
        at += wanted.size
        what = f"{size} {chain}, plane {plane}"
        assert (numpy.asarray(plugged[plane]) == found).all(), what
        # zimg's order of sums of floats depends on the machine.
        is_summed = depth == 32 and sizes[0] != sizes[1]
        if to_depth == 32 or is_summed:
            assert numpy.abs(found.astype(float) - wanted).max() <= (2e-5 if to_depth == 32 else 1), what
        else:
            assert (found == wanted).all(), what
    assert at == got.size


def test_properties_of_colours():
    """The new colours are in the properties of frames, and a second filter goes by them; the colour is one that both have."""
    blank = core.std.BlankClip(format=vs.YUV420P8, width=64, height=48, length=1, color=[120, 110, 150])
    blank = core.std.SetFrameProps(blank, _Matrix=6, _Primaries=6, _Transfer=6)
    made = core.warpreel.ColorSpace(blank, all="bt709", backend="cpu")
    back = core.warpreel.ColorSpace(made, all="smpte170m", backend="cpu")
    for clip, code in ((made, 1), (back, 6)):
        properties = clip.get_frame(0).props
        assert [properties[name] for name in ("_Matrix", "_Primaries", "_Transfer")] == [code] * 3
    levels = [numpy.asarray(clip.get_frame(0)[plane])[0, 0] for clip in (blank, made, back) for plane in range(3)]
    assert levels[:3] != levels[3:6]
    assert all(abs(int(a) - int(b)) <= 2 for a, b in zip(levels[:3], levels[6:]))


def test_depth(tmp_path):
    random.seed(5)
    generator = numpy.random.default_rng(11)
    for _ in range(150):
        family = random.choice(list(FAMILIES))
        depths = [8, 9, 10, 12, 14, 16] + ([32] if family in ("gray", "gbrp") else [])
        ranges = [random.choice(["limited", "full"]) for _ in range(2)]
        size = (random.randint(2, 60) * 2, random.randint(2, 60) * 2)
        to_size = random.choice([size, (random.randint(2, 60) * 2, random.randint(2, 60) * 2)])
        dither = random.choice(["none", "ordered", "error_diffusion"])
        compared(tmp_path, family, random.choices(depths, k=2), ranges, (size, to_size), dither, generator)


def test_float_chroma():
    """Chroma is higher by a half in filters, and comes out as VapourSynth has it."""
    clip = core.std.BlankClip(format=vs.YUV444P8, width=32, height=16, length=2, color=[100, 90, 200])
    ours = clip.warpreel.Filter("scale=depth=f32", backend="cpu").get_frame(1)
    theirs = clip.resize.Point(format=vs.YUV444PS).get_frame(1)
    for plane in range(3):
        assert numpy.abs(numpy.asarray(ours[plane]) - numpy.asarray(theirs[plane])).max() < 1e-6
    back = clip.warpreel.Filter("scale=depth=f32", backend="cpu").warpreel.Filter("scale=depth=8", backend="cpu")
    assert [int(numpy.asarray(back.get_frame(0)[plane])[0, 0]) for plane in range(3)] == [100, 90, 200]


def test_range_is_marked():
    clip = core.std.BlankClip(format=vs.YUV420P8, width=32, height=16, length=1, color=[235, 128, 128])
    full = clip.warpreel.Filter("scale=range=full", backend="cpu").get_frame(0)
    assert numpy.asarray(full[0]).max() == 255
    theirs = clip.resize.Point(range_in=0, range=1).get_frame(0)
    for name in ("_Range", "_ColorRange"):
        if name in theirs.props:
            assert full.props[name] == theirs.props[name]


def test_later_filters_see_the_depth():
    clip = core.std.BlankClip(format=vs.YUV420P8, width=48, height=32, length=1)
    generator = numpy.random.default_rng(2)
    frame = clip.get_frame(0).copy()
    for plane in range(3):
        array = numpy.asarray(frame[plane])
        array[:] = generator.integers(0, 256, array.shape)
    clip = core.std.ModifyFrame(clip, clip, lambda n, f: frame)
    both = clip.warpreel.Filter("scale=depth=10,gaussian=1.5", backend="cpu").get_frame(0)
    alone = clip.resize.Point(format=vs.YUV420P10).warpreel.Filter("gaussian=1.5", backend="cpu").get_frame(0)
    assert both.format.id == vs.YUV420P10
    for plane in range(3):
        assert (numpy.asarray(both[plane]) == numpy.asarray(alone[plane])).all()
