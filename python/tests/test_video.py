"""Videos in and out, compared with the `ffmpeg` program and with the command line."""

import hashlib
import json
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
import warpreel

from conftest import SAMPLES

CLIP = SAMPLES / "ten-bit.mp4"
needs_ffmpeg = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="the program ffmpeg is not installed")


def ffmpeg(*words, data=None):
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", *map(str, words)]
    return subprocess.run(command, input=data, capture_output=True, check=True, timeout=120).stdout


def program(*words):
    command = [pathlib.Path(sys.executable).with_name("warpreel"), *map(str, words), "-q", "--backend", "cpu"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def packets(path):
    """All packets of a file, their times and what is in them; names that files give themselves differ each time."""
    return ffmpeg("-i", path, "-map", 0, "-c", "copy", "-f", "framemd5", "-")


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    """Three seconds with sound, tags, and times that vary."""
    path = tmp_path_factory.mktemp("clip") / "clip.mkv"
    video = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=3"]
    sound = ["-f", "lavfi", "-i", "sine=duration=3"]
    times = ["-vf", "setpts='if(lt(N,30),N,2*N-30)',format=yuv420p", "-fps_mode", "passthrough"]
    ffmpeg(*video, *sound, *times, "-c:v", "ffv1", "-c:a", "flac", "-metadata", "title=Wheels", path)
    return path


@needs_ffmpeg
@pytest.mark.parametrize("path", [CLIP, SAMPLES / "bigbuckbunny-720p.mp4"], ids=["ten bits", "eight bits"])
def test_planes_are_ffmpegs(path):
    with warpreel.open(path, frames=7) as video:
        frames = list(video)
        bytes_ = b"".join(plane.tobytes() for frame in frames for plane in frame.planes)
        wanted = ffmpeg("-i", path, "-frames:v", 7, "-f", "rawvideo", "-")
        assert bytes_ == wanted and len(video) == 7
    assert [frame.number for frame in frames] == list(range(7))
    assert all(not plane.flags.writeable for frame in frames for plane in frame.planes)


@needs_ffmpeg
def test_rgb_is_near_ffmpegs():
    path = SAMPLES / "bigbuckbunny-720p.mp4"
    with warpreel.open(path, frames=2) as video:
        width, height = video.size
        got = np.stack([frame.rgb() for frame in video])
    exact = "scale=sws_flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
    raw = ffmpeg("-i", path, "-frames:v", 2, "-vf", exact, "-pix_fmt", "rgb24", "-f", "rawvideo", "-")
    wanted = np.frombuffer(raw, np.uint8).reshape(2, height, width, 3)
    assert np.abs(got.astype(int) - wanted).mean() < 1


def test_times_and_tags(clip):
    with warpreel.open(str(clip)) as video:
        assert video.metadata["title"] == "Wheels" and video.size == (160, 120) and video.format == "yuv420p"
        times = [frame.time for frame in video]
    wanted = [(n if n < 30 else 2 * n - 30) / 25 for n in range(75)]
    np.testing.assert_allclose(times, wanted, atol=0.002)


def test_a_part():
    with warpreel.open(CLIP, start="#5", end="#9") as video:
        assert [frame.number for frame in video] == [5, 6, 7, 8]


@needs_ffmpeg
def test_what_is_read_is_written_with_its_sound(clip, tmp_path):
    out = tmp_path / "out.mkv"
    blur = warpreel.Chain("tmix=3,gaussian=1", backend="cpu")
    with warpreel.open(clip) as video, warpreel.create(out, like=video, lossless=True) as sink:
        for frame in blur.stream(video):
            sink.write(frame)
    program(clip, tmp_path / "program.mkv", "-f", "tmix=3,gaussian=1", "--lossless")
    assert packets(out) == packets(tmp_path / "program.mkv")
    with warpreel.open(out) as video:
        assert video.metadata["title"] == "Wheels"


@needs_ffmpeg
@pytest.mark.parametrize("text", ["tmix=3,scale=80:-2:lanczos", "crop=100:60,transpose=clock,tmix=3", "scale=iw:ih:chroma=444"])
def test_frames_of_another_size_are_written(clip, tmp_path, text):
    out, run = tmp_path / "out.mkv", warpreel.Chain(text, backend="cpu")
    with warpreel.open(clip) as video, warpreel.create(out, like=video, lossless=True) as sink:
        for frame in run.stream(video):
            sink.write(frame)
    program(clip, tmp_path / "program.mkv", "-f", text, "--lossless")
    assert packets(out) == packets(tmp_path / "program.mkv")
    with warpreel.open(out) as video, warpreel.open(clip, frames=1) as first:
        assert video.metadata["title"] == "Wheels"
        assert run(next(first)).size == video.size
    assert sorted(os.listdir(tmp_path)) == ["out.mkv", "program.mkv"]


def test_frames_of_two_sizes_are_an_error(clip, tmp_path):
    half = warpreel.Chain("scale=80:60", backend="cpu")
    with pytest.raises(ValueError, match="expected a frame of yuv420p 80x60.* got one of yuv420p 160x120"):
        with warpreel.open(clip) as video, warpreel.create(tmp_path / "out.mkv", like=video) as sink:
            first, second = next(video), next(video)
            sink.write(half(first))
            sink.write(second)
    assert os.listdir(tmp_path) == []


@needs_ffmpeg
def test_arrays_with_the_times_of_frames(clip, tmp_path):
    out = tmp_path / "out.mkv"
    with warpreel.open(clip) as video, warpreel.create(out, like=video, lossless=True) as sink:
        times = []
        for frame in video:
            times.append(frame.time)
            sink.write([255 - frame.planes[0], *frame.planes[1:]], like=frame)
    with warpreel.open(out) as video, warpreel.open(clip) as before:
        for now, then in zip(video, before, strict=True):
            assert now.time == then.time
            assert (now.planes[0] == 255 - then.planes[0]).all() and (now.planes[2] == then.planes[2]).all()


@pytest.mark.parametrize(
    "shape, dtype, options",
    [
        ((12, 16), np.uint8, {}),
        ((12, 16, 3), np.uint8, {}),
        ((12, 16, 4), np.uint8, {}),
        ((12, 16), np.uint16, {}),
        ((12, 16), np.uint16, {"depth": 10}),
        ((12, 16, 3), np.uint16, {}),
    ],
)
def test_arrays_come_back(random, tmp_path, shape, dtype, options):
    most = (1 << options.get("depth", 16)) - 1 if dtype == np.uint16 else 255
    frames = random.integers(0, most, (5, *shape), dtype, endpoint=True)
    out = tmp_path / "out.nut"
    with warpreel.create(out, codec="ffv1", fps="30000/1001", **options) as sink:
        for frame in frames:
            sink.write(frame)
    with warpreel.open(out) as video:
        assert abs(video.fps - 30000 / 1001) < 1e-6
        for number, frame in enumerate(video):
            planes = {letter: plane for letter, plane in zip(frame.letters, frame.planes)}
            got = np.stack([planes[letter] for letter in "rgba"[: shape[2]]], -1) if len(shape) == 3 else planes["y"]
            assert (got == frames[number]).all()
    assert number == 4


def test_rgb_arrays_into_the_colours_of_a_video(tmp_path):
    path = SAMPLES / "bigbuckbunny-720p.mp4"
    out = tmp_path / "out.mkv"
    with warpreel.open(path, frames=3) as video, warpreel.create(out, like=video, lossless=True) as sink:
        before = [frame for frame in video]
        for frame in before:
            sink.write(frame.rgb(), like=frame)
    with warpreel.open(out) as video:
        assert video.format == before[0].format
        for now, then in zip(video, before, strict=True):
            # There and back costs a rounding, and chroma where it is sharp.
            assert np.abs(now.planes[0].astype(int) - then.planes[0]).mean() < 1
            assert np.abs(now.planes[1].astype(int) - then.planes[1]).mean() < 1.5


@needs_ffmpeg
def test_run_gives_the_programs_bytes(clip, tmp_path):
    calls = []
    ours, theirs = tmp_path / "ours.mkv", tmp_path / "theirs.mkv"
    options = {"crf": 25, "preset": "veryfast", "encoder_option": {"tune": "grain"}}
    chain = ["tmix=3", "gaussian=2"]
    stats = warpreel.run(clip, ours, chain, progress=lambda *both: calls.append(both), backend="cpu", **options)
    words = ["--crf", 25, "--preset", "veryfast", "--encoder-option", "tune=grain"]
    program(clip, theirs, "-f", chain[0], "-f", chain[1], *words)
    assert packets(ours) == packets(theirs)
    assert stats["frames"] == 75 and stats["backend"].startswith("cpu") and calls[-1] == (75, 75)
    with pytest.raises(FileExistsError, match="add overwrite=True to replace it") as found:
        warpreel.run(clip, ours)
    assert found.value.filename == str(ours)
    assert warpreel.run(clip, ours, overwrite=True)["frames"] == 75


def test_the_chains_bytes_are_the_programs(clip):
    chain = "tmix=5,median=1,unsharp"
    printed = program(clip, "hash:", "-f", chain)
    md5 = [line.split(",")[-1].strip() for line in printed.splitlines() if not line.startswith("#")]
    run = warpreel.Chain(chain, backend="cpu")
    with warpreel.open(clip) as video:
        got = [hashlib.md5(b"".join(p.tobytes() for p in frame.planes)).hexdigest() for frame in run.stream(video)]
    assert got == md5
    # One frame is a clip of its own.
    with warpreel.open(clip, frames=1) as video:
        frame = next(video)
    assert run(frame).format == "yuv420p" and run(frame).time == frame.time


@needs_ffmpeg
def test_metrics_of_a_run(clip, tmp_path):
    out = tmp_path / "out.mkv"
    report = warpreel.run(clip, out, "gaussian=2", backend="cpu", codec="ffv1", metrics=["psnr", "ssim"])
    command = [pathlib.Path(sys.executable).with_name("warpreel"), "metrics", clip, out, "-m", "psnr,ssim", "--json", "-"]
    lines = subprocess.run(command, capture_output=True, check=True, timeout=120).stdout.splitlines()
    assert report["metrics"]["summary"] == json.loads(lines[-1])["summary"]
    assert report["metrics"]["frames"] == report["frames"]
    assert warpreel.run(clip, "null:", "gaussian=2", backend="cpu")["metrics"] is None


@needs_ffmpeg
@pytest.mark.parametrize("frames", [2, 9])
def test_a_strength_far_off_is_warned_of_once(tmp_path, frames):
    noise = f"color=gray:s=96x64:r=25:d={frames / 25},format=yuv420p,noise=alls=20:allf=t"
    ffmpeg("-f", "lavfi", "-i", noise, "-c:v", "ffv1", tmp_path / "noisy.mkv")
    weak = warpreel.Chain("nlmeans=s=1:p=3:r=3", backend="cpu")
    with warpreel.open(tmp_path / "noisy.mkv") as video, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert len(list(weak.stream(video))) == frames
    assert [each.category for each in said] == [UserWarning]
    remark = str(said[0].message)
    assert remark.startswith("nlmeans: the noise measures ") and "type nlmeans=s=auto:p=3:r=3" in remark
    with warpreel.open(tmp_path / "noisy.mkv") as video, warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(warpreel.Chain("gaussian=1", backend="cpu").stream(video))) == frames
    # Who makes errors of warnings gets one.
    with warpreel.open(tmp_path / "noisy.mkv") as video, warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="nlmeans: the noise measures"):
            list(weak.stream(video))


@needs_ffmpeg
def test_all_videos_of_a_file(tmp_path):
    two, ours, theirs = (tmp_path / name for name in ("two.mkv", "ours.mkv", "theirs.mkv"))
    clips = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-f", "lavfi", "-i", "testsrc=s=64x48:r=30:d=1"]
    ffmpeg(*clips, "-map", 0, "-map", 1, "-c:v", "ffv1", two)
    stats = warpreel.run(two, ours, "gaussian=1", video="all", lossless=True, backend="cpu")
    assert stats["frames"] == 25 and any("becomes ffv1" in stream["fate"] for stream in stats["streams"][1:])
    program(two, theirs, "-f", "gaussian=1", "--video", "all", "--lossless")
    assert packets(ours) == packets(theirs) and packets(ours) != packets(two)


def test_bad_input(tmp_path, clip):
    with pytest.raises(FileNotFoundError, match="nowhere.mp4"):
        warpreel.open("/tmp/no such folder/nowhere.mp4")
    with pytest.raises((OSError, warpreel.Error)):
        warpreel.open(tmp_path)
    (tmp_path / "no.mp4").write_bytes(b"this is no video" * 100)
    with pytest.raises(warpreel.Error, match="no.mp4"):
        warpreel.open(tmp_path / "no.mp4")
    with pytest.raises(TypeError, match="crfx.*; did you mean crf"):
        warpreel.run(clip, tmp_path / "out.mkv", crfx=3)
    with pytest.raises(TypeError, match="program alone"):
        warpreel.run(clip, tmp_path / "out.mkv", live=True)
    with pytest.raises(ValueError, match="gausian"):
        warpreel.run(clip, tmp_path / "out.mkv", "gausian")
    with pytest.raises(TypeError):
        warpreel.open(3)
    video = warpreel.open(clip)
    next(video)
    video.close()
    with pytest.raises(ValueError, match="is closed"):
        next(video)
    sink = warpreel.create(tmp_path / "x.mkv", codec="ffv1")
    sink.write(np.zeros((4, 4), np.uint8))
    with pytest.raises(ValueError, match=r"expected a picture of 4 rows and 4 columns, got uint8 \(4, 5\)"):
        sink.write(np.zeros((4, 5), np.uint8))
    with pytest.raises(TypeError):
        sink.write("abc")
    sink.close()
    with pytest.raises(ValueError, match="is closed"):
        sink.write(np.zeros((4, 4), np.uint8))
    with pytest.raises(ValueError, match="no frame"):
        warpreel.create(tmp_path / "y.mkv").close()
    assert sorted(os.listdir(tmp_path)) == ["no.mp4", "x.mkv"]


def test_an_exception_leaves_no_file(tmp_path):
    with pytest.raises(ZeroDivisionError):
        with warpreel.create(tmp_path / "out.mkv", codec="ffv1") as sink:
            sink.write(np.zeros((4, 4), np.uint8))
            1 // 0
    assert os.listdir(tmp_path) == []


def test_planes_outlive_the_video(clip):
    with warpreel.open(clip) as video:
        planes = [frame.planes[0] for frame in video]
        copies = [plane.copy() for plane in planes]
    del video
    assert all((plane == copy).all() for plane, copy in zip(planes, copies))


def test_ctrl_c_ends_a_job(tmp_path):
    out = tmp_path / "out.mkv"
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            warpreel.run(SAMPLES / "bigbuckbunny-720p.mp4", out, "median=9", backend="cpu", overwrite=True)
    assert not list(tmp_path.glob(".*"))


def test_progress_that_raises_stops_the_job():
    def progress(done, of):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        warpreel.run(SAMPLES / "bigbuckbunny-720p.mp4", "null:", "median=9", backend="cpu", progress=progress)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk(clip):
    with pytest.raises(OSError, match="[Nn]o space"):
        warpreel.run(clip, "/dev/full", container="nut", codec="ffv1", overwrite=True)


def test_several_decoders_give_the_same_frames():
    def frames(**options):
        with warpreel.open(SAMPLES / "bigbuckbunny-720p.mp4", **options) as video:
            return [hashlib.md5(frame.planes[0].tobytes()).hexdigest() for frame in video]

    whole = frames()
    assert len(whole) > 100 and frames(decode_lanes=3) == whole


def test_who_decodes(tmp_path):
    with warpreel.open(CLIP, decode_lanes=2) as video:
        assert video.decoder == "software, 2 lanes" and video.device is None
        assert next(video).device is None
    with warpreel.create(tmp_path / "plain.y4m") as sink:
        sink.write(np.zeros((4, 4), np.uint8))
    with warpreel.open(tmp_path / "plain.y4m") as video:
        assert video.decoder is None


def test_what_does_not_go_with_a_gpu():
    """Whether there is one or not."""
    for device in [True, False, "0", 0.0, [0]]:
        with pytest.raises(TypeError, match="number of a GPU, 0 for the first, got"):
            warpreel.open(CLIP, device=device)
    with pytest.raises(ValueError, match="number of a GPU, 0 for the first, got -1"):
        warpreel.open(CLIP, device=-1)
    for options, wanted in [({"backend": "cpu"}, "no option backend; pass it to Chain"), ({"gpus": "all"}, "no option gpus")]:
        with pytest.raises(TypeError, match=wanted):
            warpreel.open(CLIP, device=0, **options)
    with pytest.raises(ValueError, match="needs a GPU, .* device=0"):
        warpreel.open(CLIP, decoder="nvdec")
    # No such GPU, or no driver.
    with pytest.raises(warpreel.Error, match="99|driver"):
        warpreel.open(CLIP, device=99)


@needs_ffmpeg
@pytest.mark.parametrize("fields", ["auto", "separate", "frame"])
@pytest.mark.parametrize("tag", ["tff", "bff", "prog"])
def test_fields(tmp_path, tag, fields):
    clip, chain = tmp_path / "clip.ts", "tmix=3,gaussian=2"
    flags = [] if tag == "prog" else ["-flags", "+ildct+ilme"]
    source = ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1", "-vf", f"setfield={tag},format=yuv420p"]
    ffmpeg(*source, "-c:v", "mpeg2video", "-q:v", 2, *flags, clip)

    def sums(frames):
        return [hashlib.md5(b"".join(plane.tobytes() for plane in frame.planes)).hexdigest() for frame in frames]

    printed = program(clip, "hash:", "-f", chain, "--fields", fields)
    wanted = [line.split(",")[-1].strip() for line in printed.splitlines() if not line.startswith("#")]
    run = warpreel.Chain(chain, backend="cpu", fields=fields)
    with warpreel.open(clip) as video:
        assert sums(run.stream(video)) == wanted
    with warpreel.open(clip) as video:
        whole = sums(warpreel.Chain(chain, backend="cpu", fields="frame").stream(video))
    assert (wanted == whole) == (fields == "frame" or (fields == "auto" and tag == "prog"))


def test_fields_of_arrays(random):
    frames = random.integers(0, 256, (5, 8, 6, 3), np.uint8)
    run = warpreel.Chain("tmix=3,box=1", backend="cpu", fields="separate")
    whole, out = warpreel.Chain("tmix=3,box=1", backend="cpu"), np.empty_like(frames)
    for parity in (0, 1):
        out[:, parity::2] = whole.clip(frames[:, parity::2].copy())
    assert (run.clip(frames) == out).all() and (np.stack(list(run.stream(frames))) == out).all()
    assert (pickle.loads(pickle.dumps(run)).clip(frames) == out).all()
    # At another depth on the way.
    deep = "scale=depth=10,box=1,scale=depth=8"
    run, whole = (warpreel.Chain(deep, backend="cpu", fields=fields) for fields in ("separate", "frame"))
    for parity in (0, 1):
        out[:, parity::2] = whole.clip(frames[:, parity::2].copy())
    assert (run.clip(frames) == out).all()
    with pytest.raises(ValueError, match="roi of gaussian"):
        warpreel.Chain("gaussian=2:roi=2x2+0+0", backend="cpu", fields="separate")(frames[0])
    with pytest.raises(ValueError, match="auto, frame or separate"):
        warpreel.Chain("gaussian=2", fields="both")
