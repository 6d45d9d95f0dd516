"""Videos whose frames lie on a GPU: PyTorch and CuPy see the samples of software. Skipped where there is no GPU."""

import subprocess

import numpy as np
import pytest
import warpreel

from conftest import SAMPLES, cpu, needs_gpu
from test_video import needs_ffmpeg, packets

pytestmark = needs_gpu
EIGHT, TEN = SAMPLES / "bigbuckbunny-720p.mp4", SAMPLES / "ten-bit.mp4"


def planes(path, **options):
    """The planes of all frames as software decodes them."""
    with warpreel.open(path, **options) as video:
        return [[plane.copy() for plane in frame.planes] for frame in video]


def decodes(path):
    try:
        warpreel.open(path, device=0, decoder="nvdec").close()
    except warpreel.Error:
        return False
    return True


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """1,200 frames of H.264, a key frame every 30."""
    path = tmp_path_factory.mktemp("long") / "long.mp4"
    with warpreel.create(path, fps=25, codec="libx264", encoder_option={"g": 30}, pix_fmt="yuv420p") as sink:
        y, x = np.mgrid[:180, :320]
        for number in range(1200):
            sink.write(np.stack([x + number, y + 2 * number, x ^ y], -1).astype(np.uint8))
    return path


@pytest.mark.parametrize("options", [{}, {"decoder": "nvdec"}, {"decoder": "software"}, {"decode_lanes": 2}], ids=str)
@pytest.mark.parametrize("path", [EIGHT, TEN], ids=["eight bits", "ten bits"])
def test_planes_are_those_of_software(torch, cupy, path, options):
    if options == {"decoder": "nvdec"} and not decodes(path):
        pytest.skip("the GPU does not decode it")
    wanted = planes(path)
    with warpreel.open(path, device=0, **options) as video:
        assert video.device == 0 and video.decoder.split()[0].rstrip(",") in ("nvdec", "software")
        if "decoder" in options:
            assert video.decoder.startswith(options["decoder"])
        for number, (frame, theirs) in enumerate(zip(video, wanted, strict=True)):
            assert frame.device == 0 and frame.number == number and "GPU 0" in repr(frame)
            for plane, like in zip(frame.planes, theirs, strict=True):
                assert isinstance(plane, warpreel.Tensor) and plane.shape == list(like.shape)
                assert plane.dtype == like.dtype.name and plane.__dlpack_device__() == (2, 0)
                seen = torch.from_dlpack(plane)
                assert seen.is_cuda and (seen.cpu().numpy() == like).all()
                # Another consumer of the same plane.
                assert (cupy.asnumpy(cupy.from_dlpack(plane)) == like).all()


def test_what_is_not_decoded_there_is_brought_there(torch, tmp_path):
    wanted = planes(EIGHT, frames=5)
    stored, plain = tmp_path / "stored.mkv", tmp_path / "plain.y4m"
    warpreel.run(EIGHT, stored, codec="ffv1", frames=5, backend="cpu")
    warpreel.run(EIGHT, plain, frames=5, backend="cpu")
    for path, decoder in [(stored, "software ("), (plain, "None")]:
        with warpreel.open(path, device=0) as video:
            assert str(video.decoder).startswith(decoder)
            got = [[torch.from_dlpack(plane).cpu().numpy() for plane in frame.planes] for frame in video]
        assert all((a == b).all() for one, other in zip(got, wanted, strict=True) for a, b in zip(one, other, strict=True))
        with pytest.raises(warpreel.Error, match="nvdec"):
            warpreel.open(path, device=0, decoder="nvdec")


def test_a_part(torch):
    wanted = planes(EIGHT, start="#40", end="#60")
    with warpreel.open(EIGHT, start="#40", end="#60", device=0) as video:
        assert len(video) == 20
        for number, (frame, theirs) in enumerate(zip(video, wanted, strict=True)):
            assert frame.number == 40 + number
            assert (torch.from_dlpack(frame.planes[0]).cpu().numpy() == theirs[0]).all()


def test_a_tensor_outlives_frame_and_reader(torch, long):
    wanted = planes(long, frames=300)
    kept = []
    with warpreel.open(long, device=0) as video:
        for frame in video:
            # Those between are used again and again.
            if frame.number % 37 == 0 and frame.number < 300:
                kept.append((frame.number, [torch.from_dlpack(plane) for plane in frame.planes]))
    del frame, video
    for number, tensors in kept:
        for tensor, like in zip(tensors, wanted[number], strict=True):
            assert (tensor.cpu().numpy() == like).all()
    # Planes that nobody had asked for yet.
    with warpreel.open(long, device=0) as video:
        first = next(video).planes
    del video
    assert (torch.from_dlpack(first[2]).cpu().numpy() == wanted[0][2]).all()


@pytest.mark.parametrize("chain", [None, "gaussian=2", "gaussian=2:enable='lt(mod(n,4),2)'"])
def test_a_race_would_be_seen(torch, long, chain):
    """What comes out is read late, in a stream of the reader's own, and its memory is wanted again at once."""
    with warpreel.open(long, frames=200) as video:
        frames = cpu(chain).stream(video) if chain else video
        wanted = [torch.from_numpy(frame.planes[0].copy()).cuda() for frame in frames]
    torch.cuda.synchronize()
    for stream in [torch.cuda.default_stream(), torch.cuda.Stream()]:
        with torch.cuda.stream(stream), warpreel.open(long, frames=200, device=0) as video:
            wrong = torch.zeros((), dtype=torch.int64, device="cuda")
            frames = warpreel.Chain(chain).stream(video) if chain else video
            for frame, like in zip(frames, wanted, strict=True):
                plane = torch.from_dlpack(frame.planes[0])
                del frame
                torch.cuda._sleep(2_000_000)
                wrong += (plane != like).sum()
                del plane
            assert wrong.item() == 0


def test_nothing_waits_on_the_host(torch, long):
    with warpreel.open(long, device=0) as video:
        torch.from_dlpack(next(video).planes[0])
        torch.cuda.synchronize()
        end = torch.cuda.Event()
        torch.cuda._sleep(500_000_000)
        plane = torch.from_dlpack(next(video).planes[0])
        end.record()
        assert not end.query() and plane.shape == (180, 320)
        torch.cuda.synchronize()


def test_streams_of_cupy(cupy, long):
    wanted = planes(long, frames=20)
    for stream in [cupy.cuda.Stream.null, cupy.cuda.Stream(), cupy.cuda.Stream(non_blocking=True)]:
        with stream, warpreel.open(long, frames=20, device=0) as video:
            for frame, theirs in zip(video, wanted, strict=True):
                assert (cupy.asnumpy(cupy.from_dlpack(frame.planes[1])) == theirs[1]).all()


def test_a_stream_that_is_gone(cupy, long):
    """Tensors may be let go of after the stream in which they were read, also where nobody knows who owns it."""
    wanted = planes(long, frames=6)
    with warpreel.open(long, frames=6, device=0) as video:
        own = cupy.cuda.Stream()
        with own:
            frame = next(video)
            plane = cupy.from_dlpack(frame.planes[0])
            assert (cupy.asnumpy(plane) == wanted[0][0]).all()
        del own
        del plane, frame
        for index in range(1, 6):
            handle = cupy.cuda.runtime.streamCreate()
            frame = next(video)
            capsule = frame.planes[0].__dlpack__(stream=handle)
            cupy.cuda.runtime.streamDestroy(handle)
            del capsule
            assert (cupy.asnumpy(cupy.from_dlpack(frame.planes[0])) == wanted[index][0]).all()
            del frame


@pytest.mark.parametrize("path", [EIGHT, TEN], ids=["eight bits", "ten bits"])
def test_a_chain_where_they_lie(torch, path):
    text = "tmix=3,gaussian=2"
    with warpreel.open(path, frames=20) as video:
        wanted = [[plane.copy() for plane in frame.planes] for frame in cpu(text).stream(video)]
    with warpreel.open(path, frames=20, device=0) as video:
        for frame, theirs in zip(warpreel.Chain(text).stream(video), wanted, strict=True):
            assert frame.device == 0
            for plane, like in zip(frame.planes, theirs, strict=True):
                assert (torch.from_dlpack(plane).cpu().numpy() == like).all()
    # A frame by itself, its planes as arrays, and what came out of one chain into another.
    blur, depth = warpreel.Chain("gaussian=2", depth=10), 10 if path == TEN else 16
    with warpreel.open(path, frames=1) as video:
        [host] = video
    once, twice = cpu("gaussian=2")(host).planes[0], cpu("gaussian=2,gaussian=2")(host).planes[0]
    with warpreel.open(path, frames=1, device=0) as video:
        [frame] = video
    assert (torch.from_dlpack(blur(frame).planes[0]).cpu().numpy() == once).all()
    assert (torch.from_dlpack(blur(blur(frame)).planes[0]).cpu().numpy() == twice).all()
    blur = warpreel.Chain("gaussian=2", depth=depth)
    got = blur(frame.planes[0])
    assert isinstance(got, warpreel.Tensor) and (torch.from_dlpack(got).cpu().numpy() == once).all()
    got = blur(torch.from_dlpack(frame.planes[0]))
    assert isinstance(got, torch.Tensor) and (got.cpu().numpy() == once).all()


@needs_ffmpeg
def test_what_is_filtered_there_is_written(tmp_path):
    clip, chain = tmp_path / "clip.mkv", "tmix=3,gaussian=1"
    sources = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=3", "-f", "lavfi", "-i", "sine=duration=3"]
    subprocess.run(["ffmpeg", "-v", "error", *sources, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "flac", clip], check=True)
    with warpreel.open(clip, device=0) as video, warpreel.create(tmp_path / "out.mkv", like=video, lossless=True) as sink:
        for frame in warpreel.Chain(chain).stream(video):
            sink.write(frame)
    warpreel.run(clip, tmp_path / "one.mkv", chain, lossless=True, backend="cpu")
    assert packets(tmp_path / "out.mkv") == packets(tmp_path / "one.mkv")


def test_memory_is_steady(torch, long):
    def free():
        torch.cuda.synchronize()
        return torch.cuda.mem_get_info()[0]

    blur, total = warpreel.Chain("gaussian=2"), torch.zeros((), dtype=torch.int64, device="cuda")
    with warpreel.open(long, device=0, decode_lanes=1) as video:
        for frame in blur.stream(video):
            total += torch.from_dlpack(frame.planes[0])[0, 0]
            if frame.number == 400:
                before = free()
        assert before - free() < 8 << 20
    # One reader after the other leaves nothing behind.
    for turn in range(12):
        with warpreel.open(long, device=0, decode_lanes=1, frames=20) as video:
            for frame in video:
                total += torch.from_dlpack(frame.planes[0])[0, 0]
        del frame, video
        if turn == 3:
            before = free()
    assert before - free() < 8 << 20


def test_what_is_refused():
    with pytest.raises(warpreel.Error, match="99"):
        warpreel.open(EIGHT, device=99)
    with warpreel.open(EIGHT, device=0) as video:
        frame = next(video)
    with pytest.raises(ValueError, match="GPU 0"):
        frame.rgb()
    with pytest.raises(ValueError, match='backend="cpu"'):
        cpu("gaussian=2")(frame)
    with pytest.raises(ValueError, match='fields="frame"'):
        warpreel.Chain("gaussian=2", fields="separate")(frame)
    with pytest.raises(ValueError, match="is closed"):
        next(video)
