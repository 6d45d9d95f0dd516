"""The clips that are denoised: three clean ones, and noise of a known kind on top. All 4:2:0, 8 bits, raw."""

import os
import subprocess
from pathlib import Path

import cv2
import numpy as np

#: How the ffmpeg program is called; several words may be given.
FFMPEG = os.environ.get("FFMPEG", "ffmpeg").split()
WIDTH, HEIGHT, FRAMES = 512, 288, 16
LUMA = WIDTH * HEIGHT
FRAME = LUMA * 3 // 2

#: How each noise is named: a standard deviation in 8-bit steps, and how far its grains spread, as the sigma of a bell.
NOISES = {"gauss-5": (5, 0), "gauss-10": (10, 0), "gauss-25": (25, 0), "grain-10": (10, 0.8)}


def ffmpeg(*arguments: str) -> bytes:
    """What the program writes to its output; its own words if it fails."""
    done = subprocess.run([*FFMPEG, "-v", "error", "-nostdin", *arguments], capture_output=True)
    if done.returncode:
        raise SystemExit(f"ffmpeg {' '.join(arguments)}: {done.stderr.decode().strip()}")
    return done.stdout


def raw(*arguments: str) -> np.ndarray:
    """Frames that FFmpeg makes, each a row of bytes."""
    wanted = ("-frames:v", str(FRAMES), "-pix_fmt", "yuv420p", "-f", "rawvideo", "-")
    return np.frombuffer(ffmpeg(*arguments, *wanted), np.uint8).reshape(FRAMES, FRAME)


def film() -> np.ndarray:
    """A drawn film, scaled down so that little is left of what its encoder did."""
    return raw("-ss", "1.2", "-i", "samples/bigbuckbunny-720p.mp4", "-vf", f"scale={WIDTH}:{HEIGHT}:flags=area")


def zoom() -> np.ndarray:
    """A fractal that grows, drawn at four times the size: fine lines, strong colours, no two frames alike."""
    drawn = f"mandelbrot=size={4 * WIDTH}x{4 * HEIGHT}:rate=25:start_scale=0.08:end_scale=0.02:end_pts=60"
    return raw("-f", "lavfi", "-i", drawn, "-vf", f"scale={WIDTH}:{HEIGHT}:flags=area")


def scene() -> np.ndarray:
    """Texture, edges and flat areas that pan by parts of a sample, and a disc that moves against them."""
    rng = np.random.default_rng(1)
    height, width = HEIGHT + 64, WIDTH + 64
    ground = np.zeros((height, width), np.float32)
    for octave in range(1, 7):
        small = rng.standard_normal((height >> octave, width >> octave)).astype(np.float32)
        ground += cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC) * 4 * 1.4**octave
    ground += 110
    ground[:, width // 2 :] = np.linspace(60, 190, height, dtype=np.float32)[:, None]
    for step in range(12):
        cv2.line(ground, (width // 2 + 20, 20 + 8 * step), (width - 30, 30 + 22 * step), 30 + 17 * step, 1 + step % 3, cv2.LINE_AA)
    writing = np.zeros((height, width), np.uint8)
    cv2.putText(writing, "Warp & weft 0123", (30, height - 90), cv2.FONT_HERSHEY_DUPLEX, 1.1, 255, 2, cv2.LINE_AA)
    ground += (235 - ground) * (writing / np.float32(255))
    frames = np.full((FRAMES, FRAME), 128, np.uint8)
    for number in range(FRAMES):
        shift = np.float32([[1, 0, -1.3 * number], [0, 1, -0.6 * number]])
        luma = cv2.warpAffine(ground, shift, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC)
        centre = (round((40 + 7.5 * number) * 16), round(HEIGHT / 3 * 16))
        cv2.circle(luma, centre, 28 * 16, 205, -1, cv2.LINE_AA, 4)
        frames[number, :LUMA] = luma.clip(0, 255).round().ravel()
        blue = cv2.resize(luma - 128, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA)
        frames[number, LUMA:] = np.concatenate([128 + blue * 0.3, 128 - blue * 0.2]).clip(0, 255).round().ravel()
    return frames


def y4m(frames: bytes, size: tuple[int, int]) -> bytes:
    """Raw frames of 4:2:0 with the headers of y4m."""
    size_bytes = size[0] * size[1] * 3 // 2
    head = f"YUV4MPEG2 W{size[0]} H{size[1]} F25:1 Ip A1:1 C420jpeg\n".encode()
    return head + b"".join(b"FRAME\n" + frames[at : at + size_bytes] for at in range(0, len(frames), size_bytes))


def raw_frames(text: bytes) -> bytes:
    """The frames of a y4m clip of 4:2:0 without its headers, as long as those of frames say nothing."""
    head, _, rest = text.partition(b"\n")
    width, height = (int(next(word[1:] for word in head.split() if word.startswith(name))) for name in (b"W", b"H"))
    step, mark = width * height * 3 // 2, len(b"FRAME\n")
    return b"".join(rest[at + mark : at + mark + step] for at in range(0, len(rest), mark + step))


CLEAN = {"film": film, "zoom": zoom, "scene": scene}


def noisy(clean: np.ndarray, noise: str) -> np.ndarray:
    """The clip with noise in every plane, rounded and kept within 8 bits; the same each time."""
    deviation, spread = NOISES[noise]
    rng = np.random.default_rng(7)
    out = np.empty_like(clean)
    for source, into in zip(clean, out):
        at = 0
        for width, height in ((WIDTH, HEIGHT), (WIDTH // 2, HEIGHT // 2), (WIDTH // 2, HEIGHT // 2)):
            grain = rng.standard_normal((height, width))
            if spread:
                grain = cv2.GaussianBlur(grain, (0, 0), spread)
                grain /= grain.std()
            plane = source[at : at + width * height]
            into[at : at + width * height] = (plane + deviation * grain.ravel()).round().clip(0, 255)
            at += width * height
    return out


def written(folder: Path) -> None:
    """Writes all clips that are not there: NAME.yuv, NAME-NOISE.yuv."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in CLEAN.items():
        path = folder / f"{name}.yuv"
        if not path.exists():
            path.write_bytes(make().tobytes())
        clean = np.fromfile(path, np.uint8).reshape(FRAMES, FRAME)
        for noise in NOISES:
            with_noise = folder / f"{name}-{noise}.yuv"
            if not with_noise.exists():
                with_noise.write_bytes(noisy(clean, noise).tobytes())
