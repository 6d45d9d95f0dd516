"""Errors in Python's words: their kinds, and what they say."""

import errno
import os
import re

import numpy as np
import pytest
import warpreel

from conftest import SAMPLES, has_gpu

CLIP = SAMPLES / "ten-bit.mp4"


def test_files_that_are_there_or_not(tmp_path):
    for path in [tmp_path / "nowhere.mp4", tmp_path / "no" / "way.mkv"]:
        with pytest.raises(FileNotFoundError) as found:
            warpreel.open(path)
        assert found.value.filename == str(path) and found.value.errno == errno.ENOENT
        assert str(path) not in found.value.strerror and "os error" not in str(found.value)
    # One whose name is nearly that of another says so.
    with pytest.raises(FileNotFoundError, match="did you mean .*ten-bit.mp4") as found:
        warpreel.open(SAMPLES / "ten-bitt.mp4")
    assert found.value.filename == str(SAMPLES / "ten-bitt.mp4")
    with pytest.raises(FileNotFoundError) as found:
        warpreel.run(tmp_path / "nowhere.mp4", "null:")
    assert found.value.filename == str(tmp_path / "nowhere.mp4")
    out = tmp_path / "there.mkv"
    out.write_bytes(b"mine")
    image = np.zeros((4, 4), np.uint8)

    def create():
        with warpreel.create(out, codec="ffv1") as sink:
            sink.write(image)

    for make in [create, lambda: warpreel.run(CLIP, out)]:
        with pytest.raises(FileExistsError, match="it exists; add overwrite=True to replace it") as found:
            make()
        assert found.value.filename == str(out)
    assert out.read_bytes() == b"mine"
    with pytest.raises(FileNotFoundError, match="make it with: mkdir"):
        warpreel.run(CLIP, tmp_path / "no" / "way.mkv")
    os.mkdir(tmp_path / "frames")
    (tmp_path / "frames" / "7.png").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        warpreel.run(CLIP, tmp_path / "frames" / "%d.png")


def test_options_that_there_are_not(tmp_path):
    out = tmp_path / "out.mkv"
    for call, text in [
        (lambda: warpreel.run(CLIP, out, crff=18), r"run\(\) got an unexpected keyword argument \"crff\"; did you mean crf\?"),
        (lambda: warpreel.run(CLIP, out, over_write=True), "did you mean overwrite"),
        (lambda: warpreel.run(CLIP, out, wheel=1), r"see help\(warpreel.run\)"),
        (lambda: warpreel.run(CLIP, out, **{"no-audio": True}), "did you mean no_audio"),
        (lambda: warpreel.open(CLIP, strat="1"), "did you mean start"),
        (lambda: warpreel.open(CLIP, crf=18), r"open\(\) has no option crf; pass it to create\(\) or run\(\)"),
        (lambda: warpreel.open(CLIP, backend="cpu"), "has no option backend; pass it to Chain"),
        (lambda: warpreel.create(out, start="1"), r"create\(\) has no option start; pass it to open\(\) or run\(\)"),
        (lambda: warpreel.create(out, cdec="ffv1"), "did you mean codec"),
    ]:
        with pytest.raises(TypeError, match=text):
            call()
    assert not out.exists()


SAID = {
    "a value out of range": (dict(quality=300), "quality"),
    "two that exclude each other": (dict(crf=18, bitrate="5M"), "crf cannot be used with bitrate"),
    "one of a few": (dict(backend="gpu"), "backend"),
    "a number": (dict(crf="best"), "crf"),
    "a bit rate": (dict(bitrate="fast"), 'bitrate="fast" is not a bit rate; type bitrate="5M", or 800k'),
    "a bit rate without a unit": (dict(bitrate=5), 'type bitrate="5k", or megabits'),
    "times": (dict(start="2", end="1"), "end=1 is before start=2; type a later end, or duration"),
    "a time": (dict(start="soon"), 'start="soon" is not a time'),
    "a border": (dict(border="round"), 'border="round" is not a border'),
    "lossless quality": (dict(lossless=True, crf=18), "crf cannot be used with lossless|lossless cannot be used with crf"),
    "an option of the encoder": (dict(encoder_option="tune"), 'type encoder_option={"tune": "grain"}'),
    "raw frames": (dict(raw="no"), "raw"),
    "a rate": (dict(fps=24), "fps is for image sequences and raw"),
    "an encoder": (dict(codec="h265"), ""),
    "a container": (dict(codec="mkv"), "or type container"),
    "chunks": (dict(chunk="3/2"), 'type chunk="1/2" to 2/2'),
    "GPUs": (dict(gpus="some"), 'type gpus="all"'),
}


@pytest.mark.parametrize("options, text", SAID.values(), ids=SAID.keys())
def test_no_message_has_the_options_of_the_command_line(tmp_path, options, text):
    try:
        warpreel.run(CLIP, tmp_path / "out.mkv", "gaussian=1", **{"backend": "cpu", **options})
    except (ValueError, warpreel.Error, OSError) as error:
        message = str(error)
        assert re.search(text if "|" in text else re.escape(text), message), message
        # Commands of a shell stay what they are.
        assert not re.search(r"(^|[\s'(\"])--?[a-z]", message.split("ffmpeg -i")[0]), message
    else:
        assert options == dict(codec="h265")


def test_what_is_said_of_chains():
    for chain, text in [
        ("gausian=2", "warpreel.filters()"),
        ("gaussian=sgma=2", "warpreel.filters()"),
        ("", 'chain is empty; type "gaussian=sigma=2"'),
    ]:
        with pytest.raises(ValueError) as found:
            warpreel.Chain(chain, backend="cpu")
        message = str(found.value)
        assert text in message and not re.search(r"\s--?[a-z]", message) and "warpreel filters" not in message, message


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_missed_at_once(tmp_path):
    for ask in [
        lambda: warpreel.Chain("invert", backend="cuda"),
        lambda: warpreel.convolve(np.zeros((4, 4), np.uint8), [[1]], backend="cuda"),
        lambda: warpreel.run(CLIP, tmp_path / "out.mkv", "invert", backend="cuda"),
    ]:
        with pytest.raises(warpreel.Error, match='backend="cpu"'):
            ask()
    assert not list(tmp_path.iterdir())


def test_a_job_takes_a_chain(tmp_path):
    chain = warpreel.Chain(["box=1", "invert"], backend="cpu", border="zero", planes="y", threads=1)
    stats = warpreel.run(CLIP, "null:", chain)
    assert stats["passes"] == warpreel.run(CLIP, "null:", ["box=1", "invert"], backend="cpu")["passes"]
    assert stats["backend"].startswith("cpu")

    def sums(*arguments, **options):
        warpreel.run(CLIP, f"hash:{tmp_path}/sums", *arguments, overwrite=True, frames=3, **options)
        return (tmp_path / "sums").read_text()

    wanted = sums(["box=1", "invert"], border="zero", planes="y", backend="cpu")
    assert sums(chain) == wanted != sums(["box=1", "invert"], backend="cpu")
    # What is said beside it counts more.
    assert sums(chain, planes="all") == sums(["box=1", "invert"], border="zero", planes="all", backend="cpu") != wanted
    with pytest.raises(TypeError, match="expected a Chain, a text"):
        warpreel.run(CLIP, "null:", 3)
