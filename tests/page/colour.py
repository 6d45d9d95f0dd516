"""Colours by the formula that the page states, written once more: NumPy, a picture at a time."""

import numpy as np

HD, SD, WIDE = (0.2126, 0.0722), (0.299, 0.114), (0.2627, 0.0593)
WEIGHTS = {1: HD, 4: (0.3, 0.11), 5: SD, 6: SD, 7: (0.212, 0.087), 9: WIDE, 10: WIDE}


def split(data, clip):
    """The frames of raw bytes, each a list of planes as arrays of two axes."""
    kind = {"u8": "u1", "u16": "<u2", "f32": "<f4"}[clip["pixel"]["sample"]]
    frames, at = [], 0
    while at < len(data):
        frame = []
        for plane in clip["planes"]:
            samples = np.frombuffer(data, kind, plane["bytes"] // int(kind[-1]), at)
            frame.append(samples.reshape(plane["height"], plane["width"]))
            at += plane["bytes"]
        frames.append(frame)
    return frames


def fixed(term):
    """A term in 1/65536."""
    return np.floor(65536 * term + 0.5).astype(np.int64)


def sums(planes, clip):
    """Red, green and blue in 1/65536, not clamped, as an array of three planes."""
    family, depth = clip["pixel"]["family"], clip["pixel"]["depth"]
    if clip["pixel"]["sample"] == "f32":
        planes = [np.clip(np.floor(plane.astype(np.float64) * 65535 + 0.5), 0, 65535) for plane in planes]
        depth = 16
    unit, peak, half = 2.0 ** (depth - 8), 2.0**depth - 1, 2.0 ** (depth - 1)
    is_limited = clip["colour"]["range"] == "limited" or (clip["colour"]["range"] != "full" and family == "yuv")

    def luma(plane):
        value = plane.astype(np.float64)
        return fixed((value - 16 * unit) * 255 / (219 * unit) if is_limited else value * 255 / peak)

    def chroma(plane):
        value = plane.astype(np.float64)
        return (value - half) * 255 / (224 * unit) if is_limited else (value - half) * 255 / peak

    by = {plane["letter"]: samples for plane, samples in zip(clip["planes"], planes)}
    if family == "gray":
        return np.stack([luma(planes[0])] * 3)
    if family == "rgb":
        return np.stack([luma(by[letter]) for letter in "rgb"])
    kr, kb = WEIGHTS.get(clip["colour"]["matrix"], SD if clip["height"] < 720 else HD)
    kg = 1 - kr - kb
    height, width = by["y"].shape

    def spread(plane):
        across = 1 if plane.shape[1] == width else 2
        down = 1 if plane.shape[0] == height else 2
        return plane.repeat(across, 1).repeat(down, 0)[:height, :width]

    y, u, v = luma(by["y"]), chroma(spread(by["u"])), chroma(spread(by["v"]))
    green = fixed(-(2 * (1 - kb) * kb / kg) * u) + fixed(-(2 * (1 - kr) * kr / kg) * v)
    return np.stack([y + fixed(2 * (1 - kr) * v), y + green, y + fixed(2 * (1 - kb) * u)])


def picture(planes, clip):
    """What the page draws: height, width, 3."""
    return np.clip((sums(planes, clip) + 32768) >> 16, 0, 255).astype(np.uint8).transpose(1, 2, 0)


def difference(before, after, gain, clip):
    """What the page draws of two frames that are apart."""
    apart = np.minimum(np.abs(sums(after, clip) - sums(before, clip)), 255 * 65536 // gain) * gain
    return ((apart + 32768) >> 16).astype(np.uint8).transpose(1, 2, 0)
