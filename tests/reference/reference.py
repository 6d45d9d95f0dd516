"""The filters as SciPy and OpenCV have them. Usage: reference.py FOLDER

FOLDER/cases.json is a list of cases: {"input": FILE.npy, "output": FILE.npy, "call": NAME, "border": {"space", "time",
"value"}, ...}; the rest are the arguments of the function NAME below. Arrays have the axes t, y, x. All arithmetic is in
float64, nothing is rounded.
"""

import json
import pathlib
import sys

import cv2
import numpy as np
from scipy import ndimage

# Our names of what lies outside, and theirs.
SCIPY = {"reflect101": "mirror", "clamp": "nearest", "reflect": "reflect", "wrap": "wrap", "constant": "constant"}
OPENCV = {
    "reflect101": cv2.BORDER_REFLECT_101,
    "clamp": cv2.BORDER_REPLICATE,
    "reflect": cv2.BORDER_REFLECT,
    "wrap": cv2.BORDER_WRAP,
    "constant": cv2.BORDER_CONSTANT,
}


def modes(border):
    """For each axis: t, y, x."""
    return [SCIPY[border["time"]], SCIPY[border["space"]], SCIPY[border["space"]]]


def one_mode(border):
    """For functions that take one mode; the caller has asked for no other."""
    assert border["time"] == border["space"] or border["time"] == "any", border
    return SCIPY[border["space"]]


def scipy_gaussian(a, border, sigma, radius):
    return ndimage.gaussian_filter(a, sigma, mode=modes(border), cval=border["value"], radius=radius)


def scipy_uniform(a, border, size):
    return ndimage.uniform_filter(a, size, mode=modes(border), cval=border["value"])


def scipy_rank(a, border, size, rank):
    return ndimage.rank_filter(a, rank, size=size, mode=one_mode(border), cval=border["value"])


def scipy_median(a, border, size):
    return ndimage.median_filter(a, size=size, mode=one_mode(border), cval=border["value"])


def scipy_erosion(a, border, size):
    return ndimage.grey_erosion(a, size=size, mode=one_mode(border), cval=border["value"])


def scipy_dilation(a, border, size):
    return ndimage.grey_dilation(a, size=size, mode=one_mode(border), cval=border["value"])


def scipy_opening(a, border, size):
    return ndimage.grey_opening(a, size=size, mode=one_mode(border), cval=border["value"])


def scipy_closing(a, border, size):
    return ndimage.grey_closing(a, size=size, mode=one_mode(border), cval=border["value"])


def gradient(derivative, a, border):
    # Their kernels smooth along all other axes, also in time, so that frames go one by one.
    mode, value = SCIPY[border["space"]], border["value"]
    return np.stack([np.hypot(*[derivative(frame, axis, mode=mode, cval=value) for axis in (0, 1)]) for frame in a])


def scipy_sobel(a, border):
    return gradient(ndimage.sobel, a, border)


def scipy_prewitt(a, border):
    return gradient(ndimage.prewitt, a, border)


def scipy_laplace(a, border):
    return np.stack([ndimage.laplace(frame, mode=SCIPY[border["space"]], cval=border["value"]) for frame in a])


def scipy_correlate(a, border, weights):
    return ndimage.correlate(a, np.array(weights, float), mode=one_mode(border), cval=border["value"])


def scipy_convolve(a, border, weights):
    return ndimage.convolve(a, np.array(weights, float), mode=one_mode(border), cval=border["value"])


def opencv(function):
    """Each frame by a function of (frame, border type), the borders that it lacks made by padding with OpenCV's own."""

    def wrapped(a, border, reach, **arguments):
        kind = OPENCV[border["space"]]
        result = []
        for frame in a:
            frame = np.ascontiguousarray(frame)
            if border["space"] in ("wrap", "constant"):
                x, y = reach
                padded = cv2.copyMakeBorder(frame, y, y, x, x, kind, value=border["value"])
                whole = function(padded, cv2.BORDER_REPLICATE, **arguments)
                result.append(whole[y : y + frame.shape[0], x : x + frame.shape[1]])
            else:
                result.append(function(frame, kind, **arguments))
        return np.stack(result)

    return wrapped


@opencv
def opencv_gaussian(frame, kind, sigma, radius):
    size = (2 * radius[0] + 1, 2 * radius[1] + 1)
    return cv2.GaussianBlur(frame, size, sigmaX=sigma[0], sigmaY=sigma[1], borderType=kind)


@opencv
def opencv_blur(frame, kind, size):
    return cv2.blur(frame, tuple(size), borderType=kind)


@opencv
def opencv_sobel(frame, kind):
    x = cv2.Sobel(frame, cv2.CV_64F, 1, 0, ksize=3, borderType=kind)
    return np.hypot(x, cv2.Sobel(frame, cv2.CV_64F, 0, 1, ksize=3, borderType=kind))


@opencv
def opencv_scharr(frame, kind):
    x = cv2.Scharr(frame, cv2.CV_64F, 1, 0, borderType=kind)
    return np.hypot(x, cv2.Scharr(frame, cv2.CV_64F, 0, 1, borderType=kind))


@opencv
def opencv_laplacian(frame, kind):
    return cv2.Laplacian(frame, cv2.CV_64F, ksize=1, borderType=kind)


@opencv
def opencv_filter(frame, kind, weights, anchor):
    return cv2.filter2D(frame, cv2.CV_64F, np.array(weights, float), anchor=tuple(anchor), borderType=kind)


def opencv_morphology(a, border, reach, operation, size):
    kernel, kind, result = np.ones((size[1], size[0]), np.uint8), OPENCV[border["space"]], []
    for frame in a:
        frame, (x, y) = np.ascontiguousarray(frame), reach
        if border["space"] == "wrap":
            frame = cv2.copyMakeBorder(frame, y, y, x, x, kind)
            kind_of_rest = cv2.BORDER_REPLICATE
        else:
            (x, y), kind_of_rest = (0, 0), kind
        # Of two steps, each has the border.
        whole = cv2.morphologyEx(
            frame, getattr(cv2, "MORPH_" + operation), kernel, borderType=kind_of_rest, borderValue=border["value"]
        )
        result.append(whole[y : whole.shape[0] - y, x : whole.shape[1] - x])
    return np.stack(result)


def opencv_median(a, border, size):
    # OpenCV's repeats the edge sample, and takes integers as they are.
    assert border["space"] == "clamp"
    return np.stack([cv2.medianBlur(np.ascontiguousarray(frame), size) for frame in a])


def main(folder):
    cases = json.loads((folder / "cases.json").read_text())
    loaded = {}
    for case in cases:
        name, output, call = case.pop("input"), case.pop("output"), case.pop("call")
        if name not in loaded:
            loaded[name] = np.load(folder / name)
        a = loaded[name]
        a = a if call == "opencv_median" else a.astype(float)
        try:
            result = globals()[call](a, **case)
        except Exception as error:
            sys.exit(f"{call} of {name} with {case}: {error}")
        assert result.shape == a.shape, (call, result.shape, a.shape)
        np.save(folder / output, np.ascontiguousarray(result, dtype=float))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
