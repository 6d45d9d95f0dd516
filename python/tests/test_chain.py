"""Arrays through chains, against NumPy and SciPy."""

import pickle

import numpy as np
import pytest
import scipy.ndimage
import warpreel

from conftest import picture

TYPES = [np.uint8, np.uint16, np.float32, np.float64]
SHAPES = [(1, 1), (3, 2), (17, 33), (48, 64), (9, 7, 1), (31, 18, 3), (20, 30, 4)]


def chain(text, **options):
    return warpreel.Chain(text, backend="cpu", **options)


def boxed(image):
    """A mean of 3 by 3 samples, rounded as `box` rounds it."""
    window = (3, 3) + (1,) * (image.ndim - 2)
    sums = scipy.ndimage.correlate(image.astype(np.float64), np.ones(window), mode="mirror")
    return sums / 9


def check(got, wanted, dtype):
    assert got.dtype == dtype and got.shape == wanted.shape
    if np.issubdtype(dtype, np.integer):
        assert np.abs(got.astype(np.int64) - np.floor(wanted + 0.5).astype(np.int64)).max(initial=0) == 0
    else:
        np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_types_and_shapes_agree_with_scipy(random, shape, dtype):
    image = picture(random, shape, dtype)
    before = image.copy()
    got = chain("box=1", planes="all")(image)
    check(got, boxed(image), dtype)
    assert (image == before).all() and got.flags.c_contiguous and got.flags.writeable


LAYOUTS = {
    "columns from the back": lambda a: a[:, ::-1],
    "rows from the back": lambda a: a[::-1],
    "both from the back": lambda a: a[::-1, ::-1],
    "every second row": lambda a: a[::2],
    "every second column": lambda a: a[:, ::2],
    "turned": lambda a: a.swapaxes(0, 1),
    "a part": lambda a: a[3:17, 5:20],
    "one row repeated": lambda a: np.broadcast_to(a[:1], a.shape),
    "Fortran's order": np.asfortranarray,
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("channels", [(), (1,), (3,), (4,)])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_strides(random, layout, channels, dtype):
    image = layout(picture(random, (24, 28, *channels), dtype))
    run = chain("gaussian=1,sobel", planes="all")
    wanted = run(np.ascontiguousarray(image))
    assert (run(image) == wanted).all()
    out = layout(np.zeros((24, 28, *channels), dtype))
    if out.flags.writeable:
        assert run(image, out=out) is out and (out == wanted).all()


def test_planes_that_lie_apart(random):
    planes = picture(random, (3, 20, 30), np.uint8)
    image = planes.transpose(1, 2, 0)
    run = chain("gaussian=1")
    out = np.empty_like(planes).transpose(1, 2, 0)
    assert (run(image) == run(np.ascontiguousarray(image))).all()
    assert (run(image, out=out) == run(image)).all()


def test_read_only_and_unaligned(random):
    image = picture(random, (20, 30), np.uint16)
    run = chain("gaussian=1")
    wanted = run(image)
    image.setflags(write=False)
    assert (run(image) == wanted).all()
    with pytest.raises(ValueError, match="writable"):
        run(image, out=image)
    odd = np.frombuffer(b"x" + image.tobytes(), np.uint8)[1:].view(np.uint16).reshape(20, 30)
    assert (run(odd) == wanted).all()


def test_in_place(random):
    for shape in [(20, 30), (20, 30, 3)]:
        image = picture(random, shape, np.uint8)
        run = chain("gaussian=2")
        wanted = run(image)
        assert run(image, out=image) is image and (image == wanted).all()
    frames = picture(random, (9, 10, 12), np.uint8)
    run = chain("tmix=5")
    wanted = run.clip(frames)
    assert (run.clip(frames, out=frames) == wanted).all()
    # What overlaps in part.
    memory = picture(random, (30, 30), np.uint8)
    wanted = chain("gaussian=2")(memory[:20])
    assert (chain("gaussian=2")(memory[:20], out=memory[10:]) == wanted).all()


def test_channels_by_name(random):
    image = picture(random, (10, 12, 4), np.uint8)
    for place, name in enumerate("rgba"):
        wanted = image.copy()
        wanted[..., place] = 255 - wanted[..., place]
        assert (chain(f"invert=planes={name}")(image) == wanted).all()
        assert (chain("invert", planes=name)(image) == wanted).all()
    wanted = 255 - image
    wanted[..., 3] = image[..., 3]
    assert (chain("invert")(image) == wanted).all()
    with pytest.raises(ValueError, match="names no plane"):
        chain("invert=planes=u")(image)


@pytest.mark.parametrize("dtype", TYPES)
def test_clip_is_centred_and_flushed(random, dtype):
    frames = picture(random, (7, 5, 6), dtype)
    wanted = scipy.ndimage.correlate1d(frames.astype(np.float64), np.ones(3), axis=0, mode="nearest") / 3
    check(chain("tmix=3").clip(frames), wanted, dtype)
    colour = np.repeat(frames[..., None], 3, axis=3)
    got = chain("tmix=3").clip(colour)
    assert got.shape == colour.shape
    check(got[..., 1], wanted, dtype)
    if np.issubdtype(dtype, np.integer):
        assert (chain("tmix=3").clip(frames[::-1])[::-1] == chain("tmix=3").clip(frames)).all()


@pytest.mark.parametrize(
    "text",
    [
        "gaussian=0",
        "invert=enable='eq(mod(n,3),1)'",
        "gaussian=2:mix=0.5,tmix=3:enable='gte(n,4)'",
        "tmix=5,gaussian=1",
        "median=3",
        "gaussian=2:roi=4x3+1+1",
        "tmix=3:scene=0.3",
        "deflicker=size=5",
    ],
)
def test_stream_gives_the_clips_frames(random, text):
    frames = picture(random, (11, 8, 9), np.uint8)
    run = chain(text)
    wanted = run.clip(frames)
    assert (np.stack(list(run.stream(frames))) == wanted).all()

    def reused():
        buffer = np.empty_like(frames[0])
        for frame in frames:
            buffer[...] = frame
            yield buffer
        buffer[...] = 0

    assert (np.stack(list(run.stream(reused()))) == wanted).all()
    assert not np.shares_memory(run.clip(frames), frames)


def test_stream_is_lazy():
    taken = []

    def frames():
        for number in range(10**9):
            taken.append(number)
            yield np.full((4, 4), number % 256, np.uint8)

    stream = chain("tmix=5").stream(frames())
    assert taken == []
    for _ in range(10):
        next(stream)
    assert len(taken) == 12


def test_stream_refuses_what_changes():
    frames = [np.zeros((4, 4), np.uint8), np.zeros((4, 5), np.uint8)]
    stream = chain("invert").stream(frames)
    next(stream)
    with pytest.raises(ValueError, match=r"expected uint8 \(4, 4\).*frame 1 of uint8 \(4, 5\)"):
        next(stream)
    assert list(stream) == []
    with pytest.raises(ZeroDivisionError):
        list(chain("invert").stream(1 // 0 for _ in range(3)))
    with pytest.raises(TypeError):
        chain("invert").stream(3)


def test_empty():
    assert chain("tmix=3").clip(np.zeros((0, 4, 5), np.uint8)).shape == (0, 4, 5)
    assert list(chain("tmix=3").stream([])) == []
    for shape in [(0, 4), (4, 0), (0, 0, 3)]:
        with pytest.raises(ValueError, match="expected 1 to 16384 rows and columns"):
            chain("invert")(np.zeros(shape, np.uint8))


def test_depth():
    image = np.array([[0, 1023, 100]], np.uint16)
    assert (chain("invert", depth=10)(image) == [[1023, 0, 923]]).all()
    with pytest.raises(ValueError, match="9 to 16"):
        chain("invert", depth=8)


BAD = [
    ([1, 2], TypeError, "expected an array of .H, W. .*got list"),
    (None, TypeError, "got NoneType"),
    (np.zeros((2, 2), np.int32), TypeError, "got int32"),
    (np.zeros((2, 2), ">u2"), TypeError, "native byte order, got >u2"),
    (np.zeros((2, 2), complex), TypeError, "got complex128"),
    (np.zeros(3, np.uint8), ValueError, r"got \(3,\)"),
    (np.zeros((2, 2, 2), np.uint8), ValueError, "call clip"),
    (np.zeros((2, 2, 2, 3), np.uint8), ValueError, "call clip"),
    (np.zeros((1, 16385), np.uint8), ValueError, "16384"),
]


@pytest.mark.parametrize("value, kind, text", BAD)
def test_bad_input(value, kind, text):
    with pytest.raises(kind, match=text):
        chain("invert")(value)


SIZES = {
    "crop=w=13:h=7:x=2:y=3": lambda a: a[3:10, 2:15],
    "hflip": lambda a: a[:, ::-1],
    "vflip,crop=iw-4:ih-2:0:0": lambda a: a[::-1][:-2, :-4],
    "transpose=clock": lambda a: np.rot90(a, -1),
    "scale=iw*2:ih*3:point": lambda a: a.repeat(3, 0).repeat(2, 1),
    "crop=14:8:0:0,scale=7:ih:point,transpose=cclock": lambda a: np.rot90(a[:8, 1:14:2]),
    "pad=iw+5:ih+4:2:3:color=black": lambda a: np.pad(a, [(3, 1), (2, 3)] + [(0, 0)] * (a.ndim - 2)),
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("channels", [(), (1,), (3,)])
@pytest.mark.parametrize("text", SIZES)
def test_sizes_follow_the_chain(random, text, channels, dtype):
    # What is computed as float32 is given as such.
    samples = lambda *shape: picture(random, shape, dtype).astype(np.float32 if dtype == np.float64 else dtype).astype(dtype)
    image = samples(18, 24, *channels)
    run, wanted = chain(text), SIZES[text](image)
    got = run(image)
    assert got.shape == wanted.shape and got.dtype == dtype and (got == wanted).all()
    out = np.zeros_like(wanted)
    assert run(image[::-1][::-1], out=out) is out and (out == wanted).all()
    frames = samples(5, 18, 24, *channels)
    wanted = np.stack([SIZES[text](frame) for frame in frames])
    assert (run.clip(frames) == wanted).all()
    assert run.clip(frames[:0]).shape == wanted[:0].shape
    streamed = list(run.stream(frame.copy() for frame in frames))
    assert [frame.shape for frame in streamed] == [frame.shape for frame in wanted] and (np.stack(streamed) == wanted).all()


def test_sizes_among_filters_in_time(random):
    frames = picture(random, (9, 20, 30, 3), np.uint8)
    whole = chain("tmix=5,crop=12:10:3:4,scale=24:10:lanczos,tmedian=1")
    one, other = chain("tmix=5"), chain("scale=24:10:lanczos,tmedian=1")
    wanted = other.clip(np.ascontiguousarray(one.clip(frames)[:, 4:14, 3:15]))
    assert (whole.clip(frames) == wanted).all() and whole.reach == (3, 3)
    assert (np.stack(list(whole.stream(frames))) == wanted).all()


def test_sizes_in_place_and_overlapping(random):
    image = picture(random, (20, 20), np.uint8)
    wanted = image[:, ::-1].copy()
    assert chain("hflip")(image, out=image) is image and (image == wanted).all()
    memory = picture(random, (30, 20), np.uint8)
    wanted = memory[5:15].copy()
    assert (chain("crop=20:10:0:5")(memory[:20], out=memory[10:20]) == wanted).all()


def test_sizes_that_do_not_fit(random):
    image = picture(random, (20, 30), np.uint8)
    with pytest.raises(ValueError, match=r"expected out to be uint8 \(10, 12\), as the chain makes frames, got uint8 \(20, 30\)"):
        chain("crop=12:10")(image, out=image)
    with pytest.raises(ValueError, match="a part of 40x10 does not fit into 30x20"):
        chain("crop=40:10")(image)
    with pytest.raises(ValueError, match="has no chroma"):
        chain("scale=15:10:chroma=420")(picture(random, (20, 30, 3), np.uint8))
    with pytest.raises(ValueError, match="type a size from 1 to 16384"):
        chain("scale=iw*1000:ih").clip(np.zeros((0, 20, 30), np.uint8))


def test_bad_results(random):
    image = picture(random, (4, 5), np.uint8)
    for out in [np.zeros((5, 4), np.uint8), np.zeros((4, 5), np.uint16)]:
        with pytest.raises(ValueError, match=r"expected out to be uint8 \(4, 5\)"):
            chain("invert")(image, out=out)
    shared = np.lib.stride_tricks.as_strided(np.zeros(5, np.uint8), (4, 5), (0, 1))
    with pytest.raises(ValueError, match="memory for each element"):
        chain("invert")(image, out=shared)


def test_bad_chains():
    with pytest.raises(ValueError, match='unknown filter "gausian".*did you mean "gaussian"'):
        chain("gausian=2")
    with pytest.raises(ValueError, match="empty"):
        chain("")
    with pytest.raises(TypeError, match="expected a chain"):
        chain(3)
    with pytest.raises(ValueError, match="auto, cpu or cuda"):
        warpreel.Chain("invert", backend="gpu")
    with pytest.raises(ValueError, match="roi"):
        chain("invert=roi=20x20+0+0")(np.zeros((4, 4), np.uint8))


def test_what_a_chain_says():
    run = chain(["gaussian=2", "tmix=5"])
    assert str(run) == "gaussian=sigma=2,tmix=frames=5"
    assert repr(run) == 'warpreel.Chain("gaussian=sigma=2,tmix=frames=5")'
    assert run.reach == (2, 2) and chain("invert=planes=u").reach == (0, 0)
    assert "separable 13 x + 13 y" in run.explain("gray", (64, 48))
    other = pickle.loads(pickle.dumps(chain("invert", planes="r", threads=1)))
    image = np.zeros((1, 1, 3), np.uint8)
    assert other(image).ravel().tolist() == [255, 0, 0]


def test_threads_give_the_same_bytes(random):
    image = picture(random, (101, 203, 3), np.uint8)
    wanted = chain("gaussian=2,median=3")(image)
    for threads in [1, 2, 3]:
        assert (chain("gaussian=2,median=3", threads=threads)(image) == wanted).all()
