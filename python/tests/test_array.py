"""Arrays of other libraries, lists, masks, borders, and floats of another range."""

import os
import pickle
import signal
import threading

import array_api_strict as strict
import numpy as np
import pytest
import warpreel

from conftest import SAMPLES, cpu, picture

CLIP = SAMPLES / "ten-bit.mp4"


class Lent:
    """What has ``__array__`` alone, as images of other libraries."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array if dtype is None else self.array.astype(dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_arrays_of_another_library_come_back_as_such(random, dtype):
    frames = picture(random, (5, 12, 17, 3), dtype)
    run, guest = cpu("tmix=3,gaussian=1"), strict.asarray(frames)
    for got, wanted in [
        (run(strict.asarray(frames[0])), run(frames[0])),
        (run.clip(guest), run.clip(frames)),
        (warpreel.convolve(strict.asarray(frames[0]), np.ones((3, 3)), backend="cpu", scale=1 / 9),
         warpreel.convolve(frames[0], np.ones((3, 3)), backend="cpu", scale=1 / 9)),
    ]:
        assert isinstance(got, type(guest)) and (np.asarray(got) == wanted).all()
    streamed = list(run.stream(strict.asarray(frame) for frame in frames))
    assert all(isinstance(frame, type(guest)) for frame in streamed)
    assert (np.stack([np.asarray(frame) for frame in streamed]) == run.clip(frames)).all()


@pytest.mark.parametrize("name", ["torch", "jax.numpy"])
def test_tensors_on_the_host(random, name):
    library = pytest.importorskip(name)
    frames = picture(random, (4, 10, 11), np.float32)
    guest = library.asarray(frames)
    if name == "jax.numpy":
        guest = pytest.importorskip("jax").device_put(guest, pytest.importorskip("jax").devices("cpu")[0])
    got = cpu("tmix=3").clip(guest)
    assert type(got) is type(guest) and (np.asarray(got) == cpu("tmix=3").clip(frames)).all()
    if name == "torch":
        out = library.zeros_like(guest)
        assert cpu("tmix=3").clip(guest, out=out) is out and (out == got).all()
        assert library.equal(cpu("invert")(guest[0], out=guest[0]), library.asarray(1 - frames[0]))


def test_what_has_an_array(random):
    image = picture(random, (9, 10), np.uint8)
    got = cpu("gaussian=1")(Lent(image))
    assert isinstance(got, np.ndarray) and (got == cpu("gaussian=1")(image)).all()
    with pytest.raises(TypeError, match="got int64"):
        cpu("invert")(Lent(image.astype(np.int64)))
    with pytest.raises(TypeError, match="expected an array of .H, W. .*got str"):
        cpu("invert")("abc")


def test_a_list_of_frames(random):
    frames = picture(random, (6, 8, 9, 3), np.uint8)
    run = cpu("tmix=5,gaussian=1")
    for clip in [list(frames), tuple(frames)]:
        got = run.clip(clip)
        assert isinstance(got, list) and (np.stack(got) == run.clip(frames)).all()
    assert run.clip([]) == []
    with warpreel.open(CLIP, frames=4) as video:
        pictures = list(video)
    got = run.clip(pictures)
    assert [frame.number for frame in got] == [0, 1, 2, 3]
    assert all((a.planes[0] == b.planes[0]).all() for a, b in zip(got, run.stream(pictures), strict=True))
    with pytest.raises(ValueError, match=r"expected uint8 \(8, 9, 3\), as the first frame"):
        run.clip([frames[0], frames[1][:4]])
    with pytest.raises(TypeError, match="got int"):
        run.clip([1, 2])


def test_a_frame_as_an_array(tmp_path):
    with warpreel.open(SAMPLES / "bigbuckbunny-720p.mp4", frames=1) as video:
        frame = next(video)
    rgb = frame.rgb()
    assert (np.asarray(frame) == rgb).all() and np.asarray(frame, np.float32).dtype == np.float32
    assert (frame.bgr() == rgb[..., ::-1]).all() and frame.bgr().flags.c_contiguous
    with warpreel.open(CLIP, frames=1) as video:
        deep = next(video)
    assert (deep.bgr() == deep.rgb()[..., ::-1]).all() and deep.bgr().dtype == np.uint16
    with warpreel.create(tmp_path / "grey.mkv", fps=25, codec="ffv1") as sink:
        sink.write(np.arange(12, dtype=np.uint8).reshape(3, 4))
    with warpreel.open(tmp_path / "grey.mkv") as video:
        assert (np.asarray(next(video)) == np.arange(12).reshape(3, 4)).all()


def test_the_matrix_of_colours(tmp_path):
    green = np.zeros((16, 16, 3), np.uint8)
    green[..., 1] = 200
    path = tmp_path / "green.mkv"
    with warpreel.create(path, fps=25, codec="ffv1", pix_fmt="yuv444p") as sink:
        sink.write(green)
    with warpreel.open(path) as video:
        frame = next(video)
    # What has no tag is taken for BT.601, whatever its size.
    assert frame.matrix in (None, "bt601")
    standard, other = frame.rgb(), frame.rgb(matrix="bt709")
    assert (standard == frame.rgb(matrix="bt601")).all() and not (standard == other).all()
    assert np.abs(standard.astype(int) - green).max() <= 2
    with pytest.raises(ValueError, match="expected matrix to be one of bt709, bt601"):
        frame.rgb(matrix="bt1")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_of_another_range(random, dtype):
    image = random.integers(0, 256, (20, 21, 3)).astype(dtype)
    for text in ["invert", "gaussian=1.5", "median=1,unsharp"]:
        got = cpu(text, peak=255)(image)
        wanted = cpu(text)((image / 255).astype(dtype)) * 255
        assert got.dtype == dtype
        np.testing.assert_allclose(got, wanted, atol=1e-3)
    assert (cpu("invert", peak=255)(image.astype(np.uint8)) == 255 - image).all()
    frames = np.repeat(image[None], 4, 0)
    out = np.empty_like(frames)
    run = cpu("tmix=3,invert", peak=255)
    assert run.clip(frames, out=out) is out
    np.testing.assert_allclose(out, 255 - frames, atol=1e-3)
    np.testing.assert_allclose(np.stack(list(run.stream(frames))), out)
    assert run.clip(frames, out=frames) is frames and (frames == out).all()
    assert (pickle.loads(pickle.dumps(run))(image) == run(image)).all()
    got = warpreel.convolve(image, [[1]], border=1, peak=255, backend="cpu")
    np.testing.assert_allclose(got, image, atol=1e-3)
    for peak in [0, -1, float("nan"), float("inf")]:
        with pytest.raises(ValueError, match="peak to be a number above 0"):
            cpu("invert", peak=peak)


@pytest.mark.parametrize("kind", ["bool", "uint8", "uint16", "float32", "float64", "strict"])
def test_masks(random, kind):
    image = picture(random, (14, 15, 3), np.uint8)
    level = random.integers(0, 2, (14, 15))
    mask = {
        "bool": level.astype(bool),
        "uint8": (level * 255).astype(np.uint8),
        "uint16": (level * 65535).astype(np.uint16),
        "float32": level.astype(np.float32),
        "float64": level.astype(np.float64),
        "strict": strict.asarray(level.astype(np.float32)),
    }[kind]
    got = cpu("invert", mask=mask)(image)
    assert (got == np.where(level[..., None] == 1, 255 - image, image)).all()
    assert (pickle.loads(pickle.dumps(cpu("invert", mask=np.asarray(mask))))(image) == got).all()


def test_masks_in_part_and_wrong_ones(random):
    image = np.full((4, 4), 100, np.uint8)
    assert (cpu("invert", mask=np.full((4, 4), 0.5))(image) == 128).all()
    # A filter's own mask, or a change of the size before it, is another matter.
    with pytest.raises(ValueError, match=r'mask "mask" is 4x4 and the frames are 2x2; give one of 2x2$'):
        cpu("crop=2:2,invert", mask=np.ones((4, 4)))(image)
    for mask, error, text in [
        (np.ones((4, 4, 1)), ValueError, r"array of \(H, W\), got \(4, 4, 1\)"),
        (np.full((4, 4), 1.5), ValueError, "from 0 to 1"),
        (np.full((4, 4), np.nan), ValueError, "from 0 to 1"),
        (np.ones((4, 4), int), TypeError, "got int64"),
        ("mask.png", TypeError, "got <class 'str'>"),
    ]:
        with pytest.raises(error, match=text):
            cpu("invert", mask=mask)
    with pytest.raises(ValueError, match="run.. takes mask in the chain's text alone"):
        warpreel.run(CLIP, "null:", cpu("invert", mask=np.ones((180, 320))))


def test_borders(random):
    image = picture(random, (6, 7), np.uint8)
    for border, text in [(0.5, "0.5"), (1, "1"), (0, "0"), ("wrap", "wrap")]:
        assert (cpu("box=2", border=border)(image) == cpu(f"box=2:border={text}")(image)).all()
    assert (warpreel.convolve(image, np.ones((3, 3)), 0, "cpu") == warpreel.convolve(image, np.ones((3, 3)), "zero", "cpu")).all()
    for border, error in [(2, ValueError), (True, TypeError), ([1], TypeError), ("round", ValueError)]:
        with pytest.raises(error, match="border"):
            cpu("box=2", border=border)
    frames = picture(random, (5, 4, 4), np.uint8)
    for name in ["clamp", "reflect101", "zero", "lopsided"]:
        wanted = cpu(f"tmix=5:border_t={name}").clip(frames)
        assert (cpu("tmix=5", border_t=name).clip(frames) == wanted).all()
        assert (cpu(f"tmix=5:border_t={name}", border_t="zero").clip(frames) == wanted).all()
    zero = warpreel.convolve(frames, np.ones((3, 1, 1)), border_t="zero", backend="cpu", scale=1 / 3)
    assert (zero == cpu("tmix=3:border_t=zero").clip(frames)).all()
    with pytest.raises(ValueError, match="border_t to be clamp, reflect101, zero or lopsided, got 'wrap'|got \"wrap\""):
        cpu("tmix=3", border_t="wrap")


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_one_big_picture(threads):
    """The chain would take minutes, and the signal would be heard at its end."""
    image = np.zeros((8192, 8192), np.uint8)
    run = cpu(["gaussian=20:mix=0.5"] * 40 + ["invert"], threads=threads)
    out = np.zeros_like(image)
    run(image[:8, :8])
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run(image, out=out)
    assert not out.all()
    # It is as good as new, and so are the arrays.
    assert (run(image[:8, :8], out=out[:8, :8]) == 255).all()
