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
