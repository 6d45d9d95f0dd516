"""Frames of a video by their place: what a loop gives, in any order."""

import os
import threading

import numpy as np
import pytest
import warpreel

from conftest import SAMPLES
from test_video import clip, needs_ffmpeg  # noqa: F401

CLIP = SAMPLES / "ten-bit.mp4"


def bytes_of(frame):
    return b"".join(plane.tobytes() for plane in frame.planes)


def seen(frame):
    return frame.number, frame.pts, frame.duration, bytes_of(frame)


@pytest.fixture
def inputs(tmp_path):
    """The same six frames as raw frames, as y4m, and as images."""
    frames = np.random.default_rng(4).integers(0, 256, (6, 12, 16), np.uint8)
    for name in ["plain.y4m", "image%03d.png"]:
        with warpreel.create(tmp_path / name, fps=10) as sink:
            for frame in frames:
                sink.write(frame)
    (tmp_path / "plain.raw").write_bytes(frames.tobytes())
    return [(tmp_path / "plain.y4m", {}), (tmp_path / "image%03d.png", {}), (tmp_path / "plain.raw", {"raw": "gray:16x12@10"})]


def agree(path, **options):
    """Compares frames by their place, from the last to the first, with those of a loop."""
    with warpreel.open(path, **options) as video:
        looped = [seen(frame) for frame in video]
    with warpreel.open(path, **options) as video:
        assert len(video) == len(looped) > 0
        backwards = [seen(video[place]) for place in reversed(range(len(video)))]
        assert backwards[::-1] == looped
        assert [seen(frame) for frame in video[:]] == looped
        assert [seen(frame) for frame in video[::-2]] == looped[::-2]
        assert [seen(frame) for frame in video[-3:-1]] == looped[-3:-1]
        assert seen(video[-1]) == looped[-1] and seen(video[np.int64(1)]) == looped[1] and video[5:5] == []
        for place in [len(looped), -len(looped) - 1, 1 << 62]:
            with pytest.raises(IndexError, match=f"has no frame {place}"):
                video[place]
    return looped


@pytest.mark.parametrize("name", ["ten-bit.mp4", "variable-rate.mkv", "odd-size.mkv"])
def test_places_are_those_of_a_loop(name):
    agree(SAMPLES / name)


def test_places_of_frames_that_are_not_coded(inputs):
    for path, options in inputs:
        assert len(agree(path, **options)) == 6


@pytest.mark.parametrize("part", [{"start": "#5", "end": "#13"}, {"start": "0.3", "frames": 7}, {"frames": 4}])
def test_places_in_a_part(part):
    looped = agree(CLIP, **part)
    assert looped[0][0] == (0 if "start" not in part else looped[0][0]) and looped[-1][0] - looped[0][0] + 1 == len(looped)


@needs_ffmpeg
def test_seek(clip):  # noqa: F811
    for path, options in [(clip, {}), (CLIP, {}), (CLIP, {"start": "#7"})]:
        with warpreel.open(path, **options) as video:
            looped = [seen(frame) for frame in video]
            times = [frame.time for frame in video]
            for place in [0, 1, len(looped) // 2, len(looped) - 1, 3]:
                video.seek(times[place])
                assert [seen(frame) for frame in video] == looped[place:]
                # What is printed with six digits finds the frame too.
                video.seek(float(f"{times[place]:.6f}"))
                assert seen(next(video)) == looped[place]
            between = times[4] + 0.25 * (times[5] - times[4])
            video.seek(between)
            assert seen(next(video)) == looped[5]
            # Past the end there are none, and the next loop begins anew.
            video.seek(times[-1] + 100)
            assert list(video) == [] and [seen(frame) for frame in video] == looped
            for wrong in [-1, float("nan"), float("inf")]:
                with pytest.raises(ValueError, match="a time in seconds, 0 or later, got"):
                    video.seek(wrong)


def test_loops():
    with warpreel.open(CLIP) as video:
        first = [seen(frame) for frame in video]
        assert len(first) == 24 and [seen(frame) for frame in video] == first
        # A loop that was left is gone on with, whatever was looked at in between.
        for frame in video:
            if frame.number == 9:
                break
        assert seen(video[3]) == first[3] and len(video) == 24
        assert [seen(frame) for frame in video] == first[10:]
        assert [frame.number for frame in warpreel.Chain("tmix=3", backend="cpu").stream(video)] == list(range(24))
    for look in [lambda: video[0], lambda: video[1:2], lambda: len(video), lambda: video.seek(0), lambda: iter(video)]:
        with pytest.raises(ValueError, match="is closed; open it again"):
            look()


def test_what_is_no_place():
    with warpreel.open(CLIP) as video:
        assert video
        for wrong in ["1", 1.0, None, (1, 2)]:
            with pytest.raises(TypeError, match="expected the place of a frame, or a slice"):
                video[wrong]


def test_lengths(tmp_path):
    with warpreel.open(CLIP) as video:
        assert video.estimated_length == 24 and len(video) == 24
    # A file that was cut off: what its head says is too much.
    data = (SAMPLES / "odd-size.mkv").read_bytes()
    (tmp_path / "cut.mkv").write_bytes(data[: len(data) * 2 // 3])
    with warpreel.open(tmp_path / "cut.mkv", salvage=True) as video:
        assert len(video) == len(list(video)) < warpreel.open(SAMPLES / "odd-size.mkv").estimated_length


def test_a_pipe_is_read_once(inputs):
    path, options = inputs[2]
    end, start = os.pipe()
    writer = threading.Thread(target=lambda: os.fdopen(start, "wb").write(path.read_bytes()))
    writer.start()
    with warpreel.open(f"/dev/fd/{end}", **options) as video:
        for look in [lambda: video[0], lambda: video.seek(0)]:
            with pytest.raises(OSError, match="is read once, from its beginning; read it with a loop, or name a file"):
                look()
        with pytest.raises(TypeError, match="cannot be counted: it is read once"):
            len(video)
        assert len(list(video)) == 6
        with pytest.raises(ValueError, match="was read to its end, and cannot be read again"):
            iter(video)
    writer.join()
    os.close(end)


def test_the_matrix_of_a_video():
    with warpreel.open(CLIP) as video:
        assert video.matrix == video[0].matrix


@needs_ffmpeg
def test_a_file_that_is_gone_is_still_read(clip, tmp_path):  # noqa: F811
    path = tmp_path / "gone.mkv"
    path.write_bytes(clip.read_bytes())
    with warpreel.open(path) as video:
        path.unlink()
        with pytest.raises(FileNotFoundError):
            video[3]
        # It cannot be counted any more, and a list needs no count.
        with pytest.raises(TypeError, match="cannot be counted"):
            len(video)
        assert len(list(video)) == 75
