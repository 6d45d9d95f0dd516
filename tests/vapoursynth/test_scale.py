"""The program's scale beside VapourSynth's resize, which is zimg: the same bytes, of integers."""

import random
import subprocess

import numpy
import vapoursynth as vs

from test_plugin import PROGRAM, core, order

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
        source = tmp_path / "in.raw"
        source.write_bytes(raw)
        call = [PROGRAM, source, "-", "-q", "--raw", f"{name}:{width}x{height}@25", "--container", "raw", "-f", chain]
        got, at = numpy.frombuffer(subprocess.run(call, capture_output=True, check=True).stdout, array.dtype), 0
        for plane in order(scaled.format):
            wanted = numpy.asarray(scaled[plane])
            found = got[at : at + wanted.size].reshape(wanted.shape)
            at += wanted.size
            what = f"{name} {width}x{height} {chain}, plane {plane}"
            if format.sample_type == vs.FLOAT:
                # zimg's order of sums depends on the machine.
                assert numpy.abs(found - wanted).max() < 2e-5, what
            else:
                assert (found == wanted).all(), what
        assert at == got.size
