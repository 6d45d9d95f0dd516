"""A filter of each name with random values. What measures noise is left out: the program measures again after cuts."""

import pathlib

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
LOGO = SAMPLES / "logo.png"
FADE = SAMPLES / "fade.cube"
LOOK = SAMPLES / "warm.cube"


def number(dice, low, high):
    return f"{dice.uniform(low, high):.3g}"


def row(dice, count):
    return " ".join(str(dice.randint(-3, 6)) for _ in range(count))


def scene(dice):
    return dice.choice(["", "", ":scene=0.1"])


FILTERS = {
    "convolution": lambda d: f"convolution=0m='{row(d, 9)}':1m='{row(d, 25)}':0rdiv=0.1",
    "kernel": lambda d: f"kernel='{row(d, 3)} | {row(d, 3)} | {row(d, 3)}':scale={number(d, 0.05, 0.3)}",
    "gaussian": lambda d: f"gaussian={number(d, 0.2, 6)}",
    "gaussian3d": lambda d: f"gaussian3d={number(d, 0.3, 2)}",
    "lowpass": lambda d: f"lowpass={number(d, 0.3, 4)}",
    "box": lambda d: f"box={d.randint(1, 6)}",
    "box3d": lambda d: "box3d",
    "binomial": lambda d: f"binomial={d.choice([1, 2, 3])}",
    "disk": lambda d: f"disk={number(d, 0.5, 4)}",
    "motionblur": lambda d: f"motionblur=angle={d.randint(0, 359)}",
    "unsharp": lambda d: "unsharp",
    "sharpen": lambda d: "sharpen",
    "highboost": lambda d: "highboost",
    "cas": lambda d: f"cas={number(d, 0, 1)}",
    "emboss": lambda d: "emboss",
    **{name: lambda d, name=name: name for name in ("sobel", "prewitt", "scharr", "roberts", "kirsch", "motion", "laplacian", "log", "dog", "gabor")},
    "tmix": lambda d: f"tmix={d.randint(1, 9)}:border_t={d.choice(['clamp', 'reflect101', 'zero', 'lopsided'])}{scene(d)}",
    "taverage": lambda d: f"taverage={d.randint(1, 3)}{scene(d)}",
    "tgaussian": lambda d: f"tgaussian={number(d, 0.3, 2)}{scene(d)}",
    "tblend": lambda d: f"tblend={d.choice(['average', 'difference', 'phoenix', 'grainmerge', 'screen', 'burn'])}",
    "tdiff": lambda d: "tdiff",
    "stabilize": lambda d: f"stabilize={d.randint(1, 4)}:zoom={number(d, 0, 20)}:edge={d.choice(['mirror', 'clamp', 'fill'])}",
    "deflicker": lambda d: f"deflicker={d.randint(2, 7)}{scene(d)}",
    "nlmeans": lambda d: f"nlmeans=s={number(d, 1, 6)}:p=3:r={d.choice([3, 5])}:frames={d.randint(0, 2)}{scene(d)}",
    "atadenoise": lambda d: "atadenoise",
    "bilateral": lambda d: f"bilateral={number(d, 0.5, 2)}:0.1:joint={d.randint(0, 1)}",
    "bilateral3d": lambda d: f"bilateral3d=1:0.1{scene(d)}",
    "degrain": lambda d: f"degrain=frames={d.randint(1, 2)}{scene(d)}",
    "bm3d": lambda d: f"bm3d={number(d, 2, 9)}:block_step=8:bm_range=4:radius={d.randint(0, 1)}{scene(d)}",
    "deband": lambda d: f"deband=range={d.randint(-20, 20)}:direction={number(d, -6, 6)}:blur={d.randint(0, 1)}:1thr={number(d, 0.01, 0.3)}",
    "deblock": lambda d: f"deblock={d.choice(['weak', 'strong'])}:{d.choice([4, 5, 8, 16])}:alpha={number(d, 0.05, 0.4)}:beta={number(d, 0.05, 0.4)}",
    "grain": lambda d: f"grain={number(d, 0.5, 12)}:{d.randint(1, 4)}:chroma={d.choice([0, 0.5])}:seed={d.randint(0, 99)}:static={d.randint(0, 1)}",
    "bwdif": lambda d: f"bwdif={d.choice(['send_frame', 'send_field'])}:{d.choice(['auto', 'tff', 'bff'])}",
    "yadif": lambda d: f"yadif={d.choice(['send_frame', 'send_field', 'send_frame_nospatial'])}",
    "w3fdif": lambda d: f"w3fdif={d.choice(['simple', 'complex'])}:{d.choice(['frame', 'field'])}",
    "fieldmatch": lambda d: f"fieldmatch=mode={d.choice(['pc_n', 'pcn', 'pc_n_ub', 'pcn_ub'])}:combmatch={d.choice(['none', 'sc', 'full'])}"
    f":order={d.choice(['auto', 'tff', 'bff'])}",
    "median": lambda d: f"median={d.randint(1, 2)}",
    "tmedian": lambda d: f"tmedian={d.randint(1, 2)}{scene(d)}",
    "median3d": lambda d: "median3d=1",
    **{name: lambda d, name=name: name for name in ("erode", "dilate", "open", "close", "levels", "invert", "threshold", "abs")},
    "eq": lambda d: f"eq=contrast={number(d, 0.5, 2)}:saturation={number(d, 0, 2)}:gamma={number(d, 0.5, 2)}",
    "saturation": lambda d: f"saturation={number(d, 0, 3)}",
    "hue": lambda d: f"hue=h={number(d, -180, 180)}:s={number(d, 0, 3)}",
    "colorchannelmixer": lambda d: f"colorchannelmixer=rr={number(d, 0, 1)}:rg={number(d, -1, 1)}:bb={number(d, -1, 1)}",
    "colortemperature": lambda d: f"colortemperature={d.randint(1000, 12000)}",
    "colorspace": lambda d: f"colorspace=all={d.choice(['bt709', 'bt2020', 'bt601-6-525'])}:iall={d.choice(['bt709', 'bt601-6-625'])}:fast={d.randint(0, 1)}",
    "tonemap": lambda d: f"tonemap={d.choice(['bt2390', 'hable', 'mobius'])}:itrc={d.choice(['pq', 'hlg'])}:peak={d.randint(200, 4000)}",
    "sdr": lambda d: f"sdr=itrc={d.choice(['pq', 'hlg'])}",
    "exposure": lambda d: f"exposure={number(d, -2, 2)}",
    "gain": lambda d: f"gain={number(d, 0.5, 2)}",
    "offset": lambda d: f"offset={number(d, -0.3, 0.3)}",
    "gamma": lambda d: f"gamma={number(d, 0.5, 2)}",
    "lut": lambda d: "lut='0 1 0.4'",
    "overlay": lambda d: f"overlay={LOGO}:x={d.randint(-50, 50)}:y={d.randint(-50, 50)}:opacity={number(d, 0.1, 1)}:width={d.randint(1, 70)}",
    "lut1d": lambda d: f"lut1d={FADE}:interp={d.choice(['nearest', 'linear', 'cubic', 'cosine', 'spline'])}",
    "curves": lambda d: f"curves=preset={d.choice(['vintage', 'lighter', 'negative'])}:interp={d.choice(['natural', 'pchip'])}",
    "vibrance": lambda d: f"vibrance={d.uniform(-2, 2):.2f}:alternate={d.randint(0, 1)}",
    "lut3d": lambda d: f"lut3d={LOOK}:interp={d.choice(['tetrahedral', 'trilinear', 'nearest'])}:strength={d.choice([1, 0.5])}",
    "scale": lambda d: f"scale={d.randint(2, 14) * 8}:{d.randint(2, 14) * 8}:{d.choice(['bicubic', 'lanczos', 'point', 'bilinear'])}"
    + d.choice(["", "", ":dither=random", ":dither=ordered", ":impulse=1 3 1:density=2"]),
    "crop": lambda d: "crop=16:16:4:4",
    "pad": lambda d: "pad=128:128:8:4",
    "hflip": lambda d: "hflip",
    "vflip": lambda d: "vflip",
    "transpose": lambda d: f"transpose={d.choice(['clock', 'cclock', 'clock_flip'])}",
    "rotate": lambda d: f"rotate={number(d, -4, 4)}:interpolation={d.choice(['bilinear', 'point', 'bicubic'])}:w={d.randint(2, 14) * 8}:h={d.randint(2, 14) * 8}",
    "perspective": lambda d: f"perspective=x0={number(d, -6, 6)}:y0={number(d, -6, 6)}:interpolation={d.choice(['bilinear', 'lanczos'])}",
}
