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
    colours = np.clip((sums(planes, clip) + 32768) >> 16, 0, 255)
    opacity = [samples for plane, samples in zip(clip["planes"], planes) if plane["letter"] == "a"]
    if opacity:
        peak = 2 ** clip["pixel"]["depth"] - 1
        a = opacity[0].astype(np.int64)
        down, across = np.indices(a.shape) >> 3
        under = np.where((down ^ across) & 1, 153, 102)
        colours = (2 * (colours * a + under * (peak - a)) + peak) // (2 * peak)
    return colours.astype(np.uint8).transpose(1, 2, 0)


def toned(planes, clip):
    """What the page draws of PQ or HLG in BT.2020, in floating point: 203 cd/m² are white, and a Moebius curve from half of that on
    reaches white at 1000."""
    code = np.clip(sums(planes, clip) / 65536 / 255, 0, 1)
    if clip["colour"]["hdr"] == "pq":
        root = code ** (1 / (2523 / 4096 * 128))
        light = 10000 * (np.maximum(0, root - 3424 / 4096) / (2413 / 128 - 2392 / 128 * root)) ** (1 / (2610 / 16384)) / 203
    else:
        # The inverse OETF of BT.2100, for a display of 1000 cd/m² with a system gamma of 1.2.
        a = 0.17883277
        b, c = 1 - 4 * a, 0.5 - a * np.log(4 * a)
        light = 1000 * np.where(code <= 0.5, code**2 / 3, (np.exp((code - c) / a) + b) / 12) ** 1.2 / 203
    peak, knee = 1000 / 203, 0.5
    a = -knee * knee * (peak - 1) / (knee * knee - 2 * knee + peak)
    b = (knee * knee - 2 * knee * peak + peak) / (peak - 1)
    bent = (b * b + 2 * b * knee + knee * knee) / (b - a) * (light + a) / (light + b)
    light = np.clip(np.where(light <= knee, light, bent), 0, 1)
    narrow = np.array([[1.660491, -0.587641, -0.07285], [-0.124551, 1.1329, -0.008349], [-0.018151, -0.100579, 1.11873]])
    return 255 * np.clip(np.einsum("ij,jyx->yxi", narrow, light), 0, 1) ** (1 / 2.2)


def difference(before, after, gain, clip):
    """What the page draws of two frames that are apart."""
    apart = np.minimum(np.abs(sums(after, clip) - sums(before, clip)), 255 * 65536 // gain) * gain
    return ((apart + 32768) >> 16).astype(np.uint8).transpose(1, 2, 0)
