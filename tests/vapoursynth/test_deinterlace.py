"""Deinterlacers in VapourSynth: one frame for each, or one for each field, with the program's bytes, and what frames say of themselves."""

import random

import pytest
import vapoursynth as vs

from test_plugin import N, core, make, program, read

CHAINS = [
    "bwdif", "bwdif=parity=bff", "yadif=send_field", "yadif=send_field_nospatial:parity=tff", "w3fdif", "w3fdif=simple:parity=bff",
    "bwdif=send_frame", "yadif", "w3fdif=mode=frame", "bwdif=planes=y", "bwdif,gaussian=1,tmix=3", "yadif=send_field,degrain,sobel",
    "bwdif,tmix=3:scene=0.1", "bwdif=scene=0.1,deflicker=4:scene=0.1", "bwdif,bm3d=radius=1:sigma=5:block_step=8:bm_range=4:scene=0.1",
    "bwdif=send_frame,bwdif", "bwdif,yadif=send_field,tmix=5", "bwdif,scale=32:20,tmedian=1", "w3fdif,median=1:roi=16x16+8+8,tmix=3:mix=0.5",
    "fieldmatch", "fieldmatch=mode=pcn_ub:combmatch=full:chroma=1", "tmix=3,fieldmatch=combmatch=full,bwdif=send_frame:deint=interlaced,sobel",
]


def ahead(clip, threads):
    """The raw bytes of a clip whose frames are made by so many threads."""
    before, core.num_threads = core.num_threads, threads
    try:
        return b"".join(read_frame(frame) for frame in clip.frames(prefetch=16))
    finally:
        core.num_threads = before


def read_frame(frame):
    planes = [1, 2, 0] if frame.format.color_family == vs.RGB else range(frame.format.num_planes)
    return b"".join(bytes(frame[plane]) for plane in planes)


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("name", ["yuv420p", "yuv422p10", "gbrp", "grayf32"])
def test_bytes_are_those_of_the_program(chain, name):
    clip, raw = make(name)
    if "planes=y" in chain and name.startswith("gbr"):
        chain = chain.replace("planes=y", "planes=g")
    wanted = program(raw, name, chain)
    filtered = clip.warpreel.Filter(chain, backend="cpu", fields="frame")
    count = len(filtered)
    for numbers in (range(count), range(count - 1, -1, -1), random.Random(chain).sample(range(count), count)):
        assert read(filtered, numbers) == wanted, chain
    for threads in (1, 16):
        assert ahead(clip.warpreel.Filter(chain, backend="cpu", fields="frame"), threads) == wanted, chain


@pytest.mark.parametrize("order, parity", [(1, "bff"), (2, "tff"), (0, "tff")])
def test_the_first_field_is_that_of_frames(order, parity):
    clip, raw = make("yuv420p", _FieldBased=order)
    for function, chain in [(clip.warpreel.Bwdif, "bwdif"), (clip.warpreel.Yadif, "yadif"), (clip.warpreel.W3fdif, "w3fdif")]:
        assert read(function(), range(len(function()))) == program(raw, "yuv420p", f"{chain}=parity={parity}")


def test_fields_of_each_frame_are_its_own():
    """Of the frames around a frame that is made, those of the middle decide."""
    orders = [2, 1, 0, 0, 2, 1, 1, 2, 0, 2, 1, 0]
    clip, raw = make("gray", _FieldBased=2)
    mixed = core.std.ModifyFrame(clip, clip, lambda n, f: ordered(f, orders[n]))
    by_parity = {parity: program(raw, "gray", f"bwdif=parity={parity}") for parity in ("tff", "bff")}
    size = 2 * clip.width * clip.height
    wanted = b"".join(by_parity["bff" if order == 1 else "tff"][n * size : (n + 1) * size] for n, order in enumerate(orders))
    assert read(mixed.warpreel.Bwdif(), range(2 * N)) == wanted
    kept = mixed.warpreel.Bwdif(mode="send_frame", deint="interlaced")
    got, plain = read(kept, range(N)), clip.width * clip.height
    for n, order in enumerate(orders):
        whole = raw[n * plain : (n + 1) * plain]
        assert (got[n * plain : (n + 1) * plain] == whole) == (order == 0), n


def test_matched_frames_are_marked():
    """Those that are still combed as interlaced, the others as progressive."""
    clip, raw = make("yuv420p", _FieldBased=2)
    marks = lambda **parameters: {frame.props["_FieldBased"] for frame in clip.warpreel.FieldMatch(**parameters).frames()}
    assert marks(combmatch="full") == {0}
    # Noise is combed if little makes it so.
    assert marks(combmatch="full", cthresh=2, combpel=8) == {2}
    assert marks(combmatch="none", cthresh=2, combpel=8) == {0}
    assert marks(planes=[0]) == {2}


def ordered(frame, order):
    frame = frame.copy()
    frame.props["_FieldBased"] = order
    return frame


def test_rates_lengths_and_properties():
    clip, _ = make("yuv420p", _FieldBased=2, _DurationNum=1001, _DurationDen=30000, _AbsoluteTime=4.0, _SceneChangePrev=1, _SceneChangeNext=1)
    clip = core.std.AssumeFPS(clip, fpsnum=30000, fpsden=1001)
    clip = core.std.ModifyFrame(clip, clip, lambda n, f: timed(f, n))
    double = clip.warpreel.Bwdif()
    assert (len(double), double.fps) == (2 * N, 2 * clip.fps)
    for n in (0, 7, 12, 23):
        properties = double.get_frame(n).props
        assert (properties["_DurationNum"], properties["_DurationDen"]) == (1001, 60000)
        assert abs(properties["_AbsoluteTime"] - n * 1001 / 60000) < 1e-9
        assert properties["_FieldBased"] == 0
        assert (properties["_SceneChangePrev"], properties["_SceneChangeNext"]) == (1 - n % 2, n % 2)
    one = clip.warpreel.Bwdif(mode="send_frame")
    assert (len(one), one.fps, one.get_frame(3).props["_FieldBased"]) == (N, clip.fps, 0)
    assert one.get_frame(3).props["_DurationDen"] == 30000
    part = clip.warpreel.Bwdif(planes=[0])
    assert part.get_frame(3).props["_FieldBased"] == 2
    four = clip.warpreel.Filter("bwdif,bwdif")
    assert (len(four), four.fps, four.get_frame(40).props["_DurationDen"]) == (4 * N, 4 * clip.fps, 120000)
    even = core.std.AssumeFPS(clip, fpsnum=24, fpsden=2).warpreel.Bwdif()
    assert (even.fps_num, even.fps_den) == (24, 1)
    unmarked, _ = make("yuv420p")
    assert unmarked.warpreel.Yadif().get_frame(0).props["_FieldBased"] == 0


def timed(frame, n):
    frame = frame.copy()
    frame.props.update(_DurationNum=1001, _DurationDen=30000, _AbsoluteTime=n * 1001 / 30000)
    return frame


def test_a_clip_of_variable_rate_stays_one():
    blank = core.std.BlankClip(format=vs.GRAY8, width=16, height=16, length=3, varfps=1) if "varfps" in core.std.BlankClip.signature else None
    clip = core.std.BlankClip(format=vs.GRAY8, width=16, height=16, length=3)
    mixed = blank or core.std.Splice([clip, core.std.AssumeFPS(clip, fpsnum=50)], mismatch=True)
    double = mixed.warpreel.Bwdif()
    assert mixed.fps_num == 0 and double.fps_num == 0 and len(double) == 2 * len(mixed)


def test_scenes_of_frames_are_scenes_of_fields():
    clip, _ = make("gray", _FieldBased=2)
    cut = core.std.ModifyFrame(clip, clip, lambda n, f: begins(f, n == 5))
    chain = "bwdif=scene=1,tmix=5:scene=1"
    parts = [part.warpreel.Filter(chain) for part in (clip[:5], clip[5:])]
    assert read(cut.warpreel.Filter(chain), range(2 * N)) == read(parts[0] + parts[1], range(2 * N))


def begins(frame, does):
    frame = frame.copy()
    frame.props["_SceneChangePrev"] = int(does)
    return frame


def test_beside_the_plugin_of_the_same_name():
    """Those bytes, but at the ends of the clip, where each has its own border."""
    for name, opt in [("yuv420p", 1), ("yuv422p10", 1)]:
        clip, _ = make(name, _FieldBased=2)
        for field, mode in ((3, "send_field"), (1, "send_frame")):
            theirs, ours = clip.bwdif.Bwdif(field=field, opt=opt), clip.warpreel.Bwdif(mode=mode)
            assert len(theirs) == len(ours)
            inner = range(2, len(ours) - 2)
            assert [read_frame(theirs.get_frame(n)) for n in inner] == [read_frame(ours.get_frame(n)) for n in inner], (name, mode)


@pytest.mark.parametrize("chain, options, words", [
    ("gaussian=1,bwdif", {}, "gaussian before bwdif would mix the fields of interlaced frames; put bwdif first, or pass fields=\"frame\""),
    ("bwdif", {"fields": "separate"}, "bwdif needs whole frames; leave out fields=\"separate\""),
    ("bwdif=deint=interlaced", {}, "pass deint=\"all\""),
    ("bwdif=roi=8x8+0+0", {}, "mode=send_frame"),
    ("yadif=parity=sideways", {}, "parity"),
])
def test_what_cannot_be_done(chain, options, words):
    clip, _ = make("yuv420p", _FieldBased=1)
    with pytest.raises(vs.Error) as error:
        clip.warpreel.Filter(chain, **options)
    assert words in str(error.value), error.value


def test_more_frames_than_are_counted():
    long = core.std.BlankClip(format=vs.GRAY8, width=16, height=16, length=(1 << 30) + 1)
    with pytest.raises(vs.Error, match="more than VapourSynth counts"):
        long.warpreel.Bwdif()
