"""Scale, of the program and of the plugin, beside VapourSynth's resize, which is zimg: the same bytes, of integers."""

import random
import subprocess

import numpy
import pytest
import vapoursynth as vs

from test_plugin import N, PROGRAM, core, make, order, program, read

FORMATS = {
    "yuv420p": vs.YUV420P8, "yuv422p": vs.YUV422P8, "yuv444p": vs.YUV444P8, "yuv411p": vs.YUV411P8, "yuv440p": vs.YUV440P8,
    "yuv410p": vs.YUV410P8, "gray": vs.GRAY8, "gbrp": vs.RGB24, "yuv420p10": vs.YUV420P10, "yuv422p12": vs.YUV422P12,
    "yuv444p16": vs.YUV444P16, "gray16": vs.GRAY16, "grayf32": vs.GRAYS,
}
CURVES = [
    ("Bicubic", "bicubic", {}), ("Lanczos", "lanczos", {}), ("Bilinear", "bilinear", {}), ("Point", "point", {}),
    ("Spline16", "spline16", {}), ("Spline36", "spline36", {}), ("Spline64", "spline64", {}),
    ("Bicubic", "bicubic:b=1/3:c=1/3", {"filter_param_a": 1 / 3, "filter_param_b": 1 / 3}),
    ("Lanczos", "lanczos:taps=4", {"filter_param_a": 4}),
]
CHROMA = {"yuv420p": "420", "yuv422p": "422", "yuv444p": "444"}


def test_scale(tmp_path):
    random.seed(1)
    generator = numpy.random.default_rng(7)
    for _ in range(120):
        name = random.choice(list(FORMATS))
        format = core.get_video_format(FORMATS[name])
        grains = (1 << format.subsampling_w, 1 << format.subsampling_h)
        side = lambda grain: random.choice([grain, random.randint(1, 60) * grain, random.randint(10, 200) * grain])
        (width, height), (to_width, to_height) = [side(grain) for grain in grains], [side(grain) for grain in grains]
        to_width = random.choice([width, to_width, to_width, to_width])
        function, curve, options = random.choice(CURVES)
        chain = f"scale={to_width}:{to_height}:{curve}"
        if name in CHROMA and random.random() < 0.4:
            to_name = random.choice(list(CHROMA))
            to_width, to_height = max(to_width // 4 * 4, 4), max(to_height // 4 * 4, 4)
            chain = f"scale={to_width}:{to_height}:{curve}:chroma={CHROMA[to_name]}"
            options = {**options, "format": FORMATS[to_name]}
        blank = core.std.BlankClip(format=FORMATS[name], width=width, height=height, length=1)
        frame, raw, peak = blank.get_frame(0).copy(), b"", (1 << format.bits_per_sample) - 1
        ends = random.random() < 0.5
        for plane in order(format):
            array = numpy.asarray(frame[plane])
            if format.sample_type == vs.FLOAT:
                array[:] = generator.random(array.shape)
            else:
                array[:] = generator.choice([0, peak], array.shape) if ends else generator.integers(0, peak + 1, array.shape)
            raw += array.tobytes()
        clip = core.std.ModifyFrame(blank, blank, lambda n, f, frame=frame: frame)
        scaled = getattr(core.resize, function)(clip, width=to_width, height=to_height, **options).get_frame(0)
        plugged = clip.warpreel.Filter(chain, backend="cpu")
        assert (plugged.width, plugged.height, plugged.format.id) == (scaled.width, scaled.height, scaled.format.id)
        plugged = plugged.get_frame(0)
        source = tmp_path / "in.raw"
        source.write_bytes(raw)
        call = [PROGRAM, source, "-", "-q", "--raw", f"{name}:{width}x{height}@25", "--container", "raw", "-f", chain]
        got, at = numpy.frombuffer(subprocess.run(call, capture_output=True, check=True).stdout, array.dtype), 0
        for plane in order(scaled.format):
            wanted = numpy.asarray(scaled[plane])
            found = got[at : at + wanted.size].reshape(wanted.shape)
            at += wanted.size
            what = f"{name} {width}x{height} {chain}, plane {plane}"
            assert (numpy.asarray(plugged[plane]) == found).all(), what
            if format.sample_type == vs.FLOAT:
                # zimg's order of sums depends on the machine.
                assert numpy.abs(found - wanted).max() < 2e-5, what
            else:
                assert (found == wanted).all(), what
        assert at == got.size


def test_functions_of_shape():
    clip, _ = make("yuv420p")
    pairs = [
        (clip.warpreel.Scale(w=32, h=24, filter="lanczos", taps=4), core.resize.Lanczos(clip, 32, 24, filter_param_a=4)),
        (clip.warpreel.Scale(w=96, h=20, b=1 / 3, c=1 / 3), core.resize.Bicubic(clip, 96, 20, filter_param_a=1 / 3, filter_param_b=1 / 3)),
        (clip.warpreel.Scale(chroma="444", filter="bilinear"), core.resize.Bilinear(clip, format=vs.YUV444P8)),
        (clip.warpreel.Scale(w=32, h=-1, filter="point"), core.resize.Point(clip, 32, 24)),
        (clip.warpreel.Crop(w=32, h=16, x=8, y=4), core.std.CropAbs(clip, 32, 16, 8, 4)),
        (clip.warpreel.HFlip(), core.std.FlipHorizontal(clip)),
        (clip.warpreel.VFlip(), core.std.FlipVertical(clip)),
        (clip.warpreel.Transpose(dir="cclock_flip"), core.std.Transpose(clip)),
        (clip.warpreel.Transpose(dir="clock"), core.std.FlipHorizontal(core.std.Transpose(clip))),
        (clip.warpreel.Pad(w=80, h=60, x=8, y=4, color="black"), core.std.AddBorders(clip, 8, 8, 4, 8, [16, 128, 128])),
    ]
    for number, (got, wanted) in enumerate(pairs):
        assert (got.width, got.height, got.format.id) == (wanted.width, wanted.height, wanted.format.id), number
        assert read(got, range(N)) == read(wanted, range(N)), number


def test_sites_of_chroma_are_those_of_frames():
    for site in range(6):
        clip, _ = make("yuv420p", _ChromaLocation=site)
        wanted = core.resize.Lanczos(clip, 40, 34)
        assert read(clip.warpreel.Scale(w=40, h=34, filter="lanczos"), range(N)) == read(wanted, range(N)), site
        known = clip.warpreel.Scale(w=40, h=34, filter="lanczos", fields="frame", color_range="limited")
        assert read(known, range(N)) == read(wanted, range(N)), site


SITES = ["left", "center", "topleft", "top", "bottomleft", "bottom"]


def test_sites_of_chroma_that_are_typed():
    clip, _ = make("yuv420p")
    for number, site in enumerate(SITES):
        for other, to in enumerate(SITES):
            wanted = core.resize.Bicubic(clip, 40, 34, chromaloc_in=number, chromaloc=other)
            got = clip.warpreel.Scale(w=40, h=34, sitingin=site, siting=to)
            assert read(got, range(2)) == read(wanted, range(2)), (site, to)
            assert got.get_frame(0).props["_ChromaLocation"] == other
    # Of frames of the same size, chroma alone is moved.
    moved = clip.warpreel.Scale(sitingin="left", siting="bottom")
    assert read(moved, range(2)) == read(core.resize.Bicubic(clip, chromaloc_in=0, chromaloc=5), range(2))
    up = clip.warpreel.Scale(sitingin="topleft", chroma="444", filter="bilinear")
    assert read(up, range(2)) == read(core.resize.Bilinear(clip, format=vs.YUV444P8, chromaloc_in=2), range(2))


def test_a_curve_of_ones_own():
    """Values of curves that there are, closely, give their pictures."""
    clip, _ = make("yuv420p")
    lanczos = lambda x: numpy.sinc(x) * numpy.sinc(x / 3) * (abs(x) < 3)
    sampled = [float(value) for value in lanczos(numpy.arange(-191, 192) / 64)]
    pairs = [
        (dict(impulse=[1]), "Bilinear", 0), (dict(impulse=[3]), "Bilinear", 0),
        (dict(impulse=[0.5, 1, 0.5], density=2), "Bilinear", 0), (dict(impulse=sampled, density=64), "Lanczos", 1),
    ]
    for arguments, function, most in pairs:
        for size in ((96, 68), (40, 34), (64, 34)):
            ours = clip.warpreel.Scale(w=size[0], h=size[1], **arguments).get_frame(0)
            theirs = getattr(core.resize, function)(clip, *size).get_frame(0)
            for plane in range(3):
                away = numpy.asarray(ours[plane]).astype(int) - numpy.asarray(theirs[plane]).astype(int)
                assert abs(away).max() <= most, (function, size, plane)


@pytest.mark.parametrize("name", ["gray", "yuv420p", "gbrp10", "gbrpf32", "yuv444p16"])
@pytest.mark.parametrize("chain", [
    "tmix=3,scale=40:20:lanczos,tmedian=1", "scale=96:64,deflicker=4:scene=0.1", "crop=24:20:4:6,degrain,scale=48:40",
    "tmix=3:scene=0.1,transpose=clock,tmix=5:scene=0.1", "gaussian=1,pad=80:60:-1:-1,median=1:roi=16x16+8+8,tmix=3:mix=0.5", "vflip,hflip",
])
def test_sizes_among_filters_in_time(chain, name):
    clip, raw = make(name)
    wanted = program(raw, name, chain)
    filtered = clip.warpreel.Filter(chain, backend="cpu")
    for numbers in (range(N), random.Random(chain).sample(range(N), N)):
        assert read(filtered, numbers) == wanted


def test_properties_follow():
    clip, _ = make("yuv420p", _SARNum=16, _SARDen=15, _FieldBased=2, _ChromaLocation=1)
    properties = lambda clip: (clip.get_frame(3).props["_SARNum"], clip.get_frame(3).props["_SARDen"], clip.get_frame(3).props["_FieldBased"])
    assert properties(clip.warpreel.Scale(w=32, h=48, fields="frame")) == (32, 15, 2)
    assert properties(clip.warpreel.Scale(w=32, h=24, fields="frame")) == (16, 15, 0)
    assert properties(clip.warpreel.Transpose(fields="frame")) == (15, 16, 0)
    assert properties(clip.warpreel.Gaussian(fields="frame")) == (16, 15, 2)


def test_sizes_that_there_are_not():
    clip, _ = make("yuv420p")
    for arguments, words in [
        (dict(w=20000), "would become 20000x48; pass a size from 1 to 16384"),
        (dict(fit="1x1"), "leaves no whole sample of chroma"),
        (dict(w=32, impulse=[1, 2]), "impulse has 2 values, and none of them is the middle; pass an odd number of them"),
        (dict(w=32, impulse=[1, -1, 1, -1, 0]), "pass an impulse whose values do not cancel out"),
    ]:
        with pytest.raises(vs.Error, match="Scale: ") as error:
            clip.warpreel.Scale(**arguments)
        assert words in str(error.value)
    with pytest.raises(vs.Error, match="no yuv420p frames of 63x48; make width and height multiples of 2 and 2"):
        clip.warpreel.Crop(w=63, exact=1)
    with pytest.raises(vs.Error, match="a number"):
        clip.warpreel.Filter("scale=iw/2:ih/2")
    interlaced, _ = make("yuv420p", _FieldBased=1)
    with pytest.raises(vs.Error, match="cannot be applied to fields; pass fields=\"frame\""):
        interlaced.warpreel.Scale(w=32)
