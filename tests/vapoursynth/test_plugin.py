"""The plugin in VapourSynth itself: the bytes of the program in any order and with any number of threads, and errors."""

import os
import pathlib
import random
import subprocess

import numpy
import pytest
import vapoursynth as vs

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WARPREEL_BIN", ROOT / "target/debug/warpreel"))
core = vs.core
W, H, N = 64, 48, 12
FORMATS = {
    "gray": vs.GRAY8, "gray16": vs.GRAY16, "yuv420p": vs.YUV420P8, "yuv422p10": vs.YUV422P10, "yuv444p16": vs.YUV444P16,
    "gbrp": vs.RGB24, "gbrp10": vs.RGB30, "gbrpf32": vs.RGBS, "grayf32": vs.GRAYS,
}
CHAINS = [
    "gaussian=2", "tmix=3", "gaussian=2,tmix=5,sobel", "median=1,tmedian=1,unsharp", "atadenoise", "nlmeans=s=3:r=5:frames=1",
    "degrain", "bm3d=radius=1:sigma=5", "tmix=5:scene=0.1", "deflicker=5", "deflicker=4:scene=0.1", "bilateral3d",
    "tmix=9:border_t=reflect101,invert", "tgaussian=1:border_t=zero", "median=1:roi=16x16+8+8,tmix=3:mix=0.5",
    "bm3d=radius=1:sigma=5:scene=0.1:roi=16x16+8+8", "tdiff,abs", "gamma=1.3",
]


def order(format):
    """VapourSynth's planes in the order of raw files: green, blue, red."""
    return [1, 2, 0] if format.color_family == vs.RGB else range(format.num_planes)


def make(name, **properties):
    """A clip of noise with two scenes, and its raw bytes."""
    blank = core.std.BlankClip(format=FORMATS[name], width=W, height=H, length=N, fpsnum=25, fpsden=1)
    blank = core.std.RemoveFrameProps(blank, ["_Range", "_ColorRange", "_FieldBased"])
    noise = numpy.random.default_rng(len(name))
    frames, raw = [], b""
    for n in range(N):
        frame = blank.get_frame(0).copy()
        for plane in order(frame.format):
            array = numpy.asarray(frame[plane])
            level = 0.2 if n < N // 2 else 0.7
            values = level + 0.1 * numpy.linspace(0, 1, array.shape[1]) + 0.1 * noise.random(array.shape)
            peak = 1 if frame.format.sample_type == vs.FLOAT else (1 << frame.format.bits_per_sample) - 1
            array[:] = (values * peak).astype(array.dtype)
            raw += array.tobytes()
        for key, value in properties.items():
            frame.props[key] = value
        frames.append(frame)
    clip = core.std.ModifyFrame(blank, blank, lambda n, f: frames[n])
    return clip, raw


def read(clip, numbers):
    """The raw bytes of a clip's frames, requested in this order."""
    found = {}
    for n in numbers:
        frame = clip.get_frame(n)
        found[n] = b"".join(numpy.ascontiguousarray(numpy.asarray(frame[plane])).tobytes() for plane in order(frame.format))
    return b"".join(found[n] for n in sorted(found))


def program(raw, name, chain, *options):
    command = [PROGRAM, "-", "-", "--raw", f"{name}:{W}x{H}@25", "-q", "--backend", "cpu", "--container", "raw", "-f", chain]
    return subprocess.run([*command, *options], input=raw, stdout=subprocess.PIPE, check=True).stdout


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("chain", CHAINS)
def test_bytes_are_those_of_the_program_in_any_order(chain, name):
    clip, raw = make(name)
    wanted = program(raw, name, chain)
    shuffled = random.Random(chain).sample(range(N), N)
    for numbers in (range(N), range(N - 1, -1, -1), shuffled):
        assert read(clip.warpreel.Filter(chain, backend="cpu"), numbers) == wanted
    ahead = clip.warpreel.Filter(chain, backend="cpu", threads=2)
    frames = [frame.copy() for frame in ahead.frames(prefetch=16)]
    got = b"".join(numpy.ascontiguousarray(numpy.asarray(f[p])).tobytes() for f in frames for p in order(f.format))
    assert got == wanted


def test_functions_are_the_chain_of_their_arguments():
    clip, _ = make("yuv420p")
    same = [
        (clip.warpreel.Gaussian(sigma=2, planes=[0]), "gaussian=2:planes=y"),
        (clip.warpreel.TMix(weights=[1, 2, 1]), "tmix=weights='1 2 1'"),
        (clip.warpreel.NLMeans(s=3, r=5, frames=1), "nlmeans=s=3:r=5:frames=1"),
        (clip.warpreel.Convolution(m0=[1, 2, 1, 2, 4, 2, 1, 2, 1]), "convolution=0m=1 2 1 2 4 2 1 2 1"),
    ]
    for one, chain in same:
        assert read(one, range(N)) == read(clip.warpreel.Filter(chain), range(N)), chain


@pytest.mark.parametrize("chain", ["gaussian=2,tmix=3", "scale=depth=10,gaussian=2,scale=depth=8:dither=ordered,median"])
def test_interlaced_clips_are_filtered_field_by_field(chain):
    clip, raw = make("yuv420p", _FieldBased=2)
    wanted = program(raw, "yuv420p", chain, "--fields", "separate")
    whole = program(raw, "yuv420p", chain)
    assert wanted != whole
    assert read(clip.warpreel.Filter(chain), range(N)) == wanted
    assert read(clip.warpreel.Filter(chain, fields="frame"), range(N)) == whole


def test_scenes_may_be_properties():
    clip, _ = make("gray")
    cut = core.std.ModifyFrame(clip, clip, mark)
    got = read(cut.warpreel.TMix(frames=3, scene=1), range(N))
    apart = clip[:4].warpreel.TMix(frames=3) + clip[4:].warpreel.TMix(frames=3)
    assert got == read(apart, range(N))


def mark(n, f):
    frame = f.copy()
    frame.props["_SceneChangePrev"] = int(n == 4)
    return frame


def test_properties_pass():
    clip, _ = make("gray", _Matrix=1, _DurationNum=1, _DurationDen=25)
    properties = clip.warpreel.Filter("tmix=3,sobel").get_frame(5).props
    assert (properties["_Matrix"], properties["_DurationDen"]) == (1, 25)


WRONG = [
    (dict(chain="gausian=2"), "did you mean \"gaussian\"?"),
    (dict(chain="gaussian=-1"), "out of range"),
    (dict(chain="gaussian=2:enable='gt(t,1)'"), "FFmpeg"),
    (dict(chain="gaussian", backend="vulkan"), "pass auto, cpu, cuda"),
    (dict(chain="gaussian", threads=0), "out of range"),
    (dict(chain="gaussian", in_flight=-5), "out of range"),
    (dict(chain="gaussian", device=1 << 60), "out of range"),
    (dict(chain="gaussian", border="sideways"), "border=sideways is unknown"),
    (dict(chain="gaussian", planes=[7]), "planes=7"),
    (dict(chain="@/nowhere/at/all"), "cannot be read"),
    (dict(chain="degrain=vectors=/tmp/x"), "cannot be written"),
    (dict(chain=b"\xff\xfe"), "UTF-8"),
]


@pytest.mark.parametrize("arguments, words", WRONG)
def test_wrong_arguments_are_errors(arguments, words):
    clip, _ = make("gray")
    with pytest.raises(vs.Error, match="Filter: ") as error:
        clip.warpreel.Filter(**arguments)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_the_log_says_why_there_is_no_gpu():
    lines = []
    handler = core.add_log_handler(lambda level, text: lines.append(text))
    try:
        clip, _ = make("gray")
        clip.warpreel.Bwdif(device=1000)
        clip.warpreel.Gaussian(device=1000)
    finally:
        core.remove_log_handler(handler)
    lines = [line for line in lines if "filtering on the CPU: " in line]
    assert [line.split(":")[0] for line in lines] == ["Bwdif", "Gaussian"]
    assert not [line for line in lines if "--backend" in line], lines


def test_formats_that_there_are_not_are_errors():
    for format in (vs.GRAYH, vs.YUV420PH):
        with pytest.raises(vs.Error, match="16 bits"):
            core.std.BlankClip(format=format).warpreel.Gaussian()
    varied = core.std.Splice([core.std.BlankClip(width=64), core.std.BlankClip(width=128)], mismatch=True)
    with pytest.raises(vs.Error, match="varies"):
        varied.warpreel.Gaussian()


def test_the_error_of_a_source_is_the_error():
    blank = core.std.BlankClip(format=vs.GRAY8)
    broken = core.std.FrameEval(blank, lambda n: 1 // 0)
    with pytest.raises(vs.Error):
        broken.warpreel.Gaussian()


@pytest.mark.parametrize("chain, frames", [("gaussian=1,tmix=3", 10000), ("bwdif,tmix=3:scene=0.3", 5000), ("deflicker=5,scale=96:64", 10000)])
@pytest.mark.parametrize("threads", [1, 16])
def test_ten_thousand_frames_leave_memory_as_it_was(chain, frames, threads):
    def resident():
        fields = pathlib.Path("/proc/self/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    blank = core.std.BlankClip(format=vs.YUV420P8, width=2 * W, height=2 * H, length=frames, keep=True)
    clip = blank.warpreel.Filter(chain, backend="cpu")
    assert len(clip) == 10000
    known, core.num_threads = core.num_threads, threads
    try:
        # VapourSynth itself keeps memory of frames that are gone, more and more of it for some thousand frames.
        after = []
        for _ in range(2):
            for frame in clip.frames(prefetch=threads, close=True):
                pass
            after.append(resident())
    finally:
        core.num_threads = known
    # A frame that stayed would be 9 kB at least, and 10,000 of them 92 MB.
    assert after[1] - after[0] < 32 << 20, after


def test_version_says_what_there_is():
    version = core.warpreel.Version()
    assert version["version"] and "NLMeans" in [str(name) if isinstance(name, str) else name.decode() for name in version["functions"]]
