"""Kernels of any size, against SciPy."""

import numpy as np
import pytest
import scipy.ndimage
import warpreel

from conftest import picture

MODES = {"reflect101": "mirror", "reflect": "reflect", "clamp": "nearest", "wrap": "wrap", "zero": "constant"}


@pytest.mark.parametrize("border, mode", MODES.items())
@pytest.mark.parametrize("size", [(1,), (5,), (1, 1), (3, 3), (4, 3), (2, 6), (9, 1)])
def test_pictures(random, size, border, mode):
    image = picture(random, (19, 23), np.uint8)
    kernel = random.integers(-3, 4, size)
    two = kernel.reshape(1, -1) if kernel.ndim == 1 else kernel
    wanted = scipy.ndimage.correlate(image.astype(np.int64), two, mode=mode).clip(0, 255)
    assert (warpreel.convolve(image, kernel, border, "cpu") == wanted).all()
    if all(side % 2 for side in size):
        wanted = scipy.ndimage.convolve(image.astype(np.int64), two, mode=mode).clip(0, 255)
        assert (warpreel.convolve(image, kernel, border=border, backend="cpu", flip=True) == wanted).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_and_scale(random, dtype):
    image = random.standard_normal((20, 21, 3)).astype(dtype)
    kernel = random.standard_normal((5, 3))
    wanted = scipy.ndimage.correlate(image.astype(np.float64), kernel[..., None] * 0.25, mode="mirror")
    got = warpreel.convolve(image, kernel, scale=0.25, backend="cpu")
    assert got.dtype == dtype
    np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


def test_clips(random):
    frames = picture(random, (6, 10, 11), np.uint8)
    kernel = random.integers(-2, 3, (3, 3, 5))
    wide = np.pad(frames.astype(np.int64), [(1, 1), (0, 0), (0, 0)], mode="edge")
    wanted = scipy.ndimage.correlate(wide, kernel, mode="mirror")[1:-1].clip(0, 255)
    assert (warpreel.convolve(frames, kernel, backend="cpu") == wanted).all()
    out = np.empty_like(frames)
    assert warpreel.convolve(frames, kernel, backend="cpu", out=out) is out and (out == wanted).all()


def test_bad_kernels():
    image = np.zeros((4, 4), np.uint8)
    for kernel, text in [(1.0, "1, 2 or 3 dimensions"), (np.zeros((0, 3)), "1, 2 or 3"), (np.zeros((1,) * 4), "1, 2 or 3")]:
        with pytest.raises(ValueError, match=text):
            warpreel.convolve(image, kernel, backend="cpu")
    with pytest.raises(ValueError, match="finite"):
        warpreel.convolve(image, [[1, float("nan")]], backend="cpu")
    with pytest.raises((TypeError, ValueError), match="kernel|abc"):
        warpreel.convolve(image, "abc", backend="cpu")
    with pytest.raises(ValueError, match="border"):
        warpreel.convolve(image, [[1]], border="round", backend="cpu")
    with pytest.raises(ValueError, match=r"\(T, H, W\)"):
        warpreel.convolve(image, np.ones((3, 3, 3)), backend="cpu")
