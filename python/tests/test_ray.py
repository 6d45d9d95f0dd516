"""Many machines: the bytes of one, whatever dies on the way."""

import contextlib
import json
import logging
import os
import pathlib
import signal
import subprocess
import threading
import time

import numpy
import pytest
import ray
import warpreel
import warpreel.ray

# Slow enough for a chunk to be met at work.
CHAIN = "tmix=3,nlmeans=r=7:p=9"


@pytest.fixture(scope="module")
def cluster():
    """Two workers on this machine."""
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    """96 frames with sound and a title, a key frame every 10. On a busy machine, threads of x264 give other bytes now and then where a height
    is no multiple of 16; so does FFmpeg alone."""
    path = tmp_path_factory.mktemp("clip") / "in.mp4"
    picture, sound = "testsrc2=s=192x96:r=24:d=4,noise=alls=9:allf=t", "sine=d=4"
    command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound, "-g", "10", "-metadata", "title=Bars"]
    subprocess.run([*command, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", path], check=True)
    return path


@pytest.fixture(scope="module")
def wanted(clip):
    """What the program makes of it."""
    path = clip.with_name("one.mp4")
    warpreel.run(clip, path, CHAIN, crf=20, backend="cpu")
    return path.read_bytes()


def parents(pid):
    while pid > 1:
        yield pid
        try:
            pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return


def workers():
    """Our own processes that filter a chunk."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_worker = (folder / "cmdline").read_bytes().startswith(b"ray::filter_chunk")
            if is_worker and os.getpid() in parents(int(folder.name)):
                yield int(folder.name)


def kill_one(killed):
    """Kills the first worker that is seen, a moment into its work."""
    end = time.monotonic() + 60
    while not killed and time.monotonic() < end:
        for pid in workers():
            time.sleep(0.1)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                break
        time.sleep(0.02)


@pytest.mark.parametrize("shared", [True, False])
def test_a_worker_that_dies(cluster, clip, wanted, tmp_path, shared):
    states, killed = [], []
    killer = threading.Thread(target=kill_one, args=[killed])
    killer.start()
    work = tmp_path / "work" if shared else None
    stats = warpreel.ray.run(clip, tmp_path / "out.mp4", CHAIN, chunk=20, work=work, progress=states.append, crf=20)
    killer.join()
    assert killed and (tmp_path / "out.mp4").read_bytes() == wanted
    assert [place["frames"] for place in stats["chunks"]] == [20, 20, 20, 20, 16]
    assert stats["frames"] == 96 and stats["fps"] > 0 and {place["node"] for place in stats["chunks"]}
    assert os.listdir(tmp_path) == ["out.mp4"]
    assert (states[0].chunks, states[0].of_chunks, states[0].of_frames) == (0, 5, 96)
    assert states[-1].doing == "join" and states[-1].chunks == 5 and states[-1].frames == 96
    assert all(one.chunks <= next.chunks for one, next in zip(states, states[1:]))


@pytest.mark.parametrize("encode", ["once", "chunks"])
def test_frames_of_another_size(cluster, clip, tmp_path, encode):
    chain = "tmix=3,scale=fit=96x96:filter=lanczos,crop=90:ih"
    stats = warpreel.ray.run(clip, tmp_path / "out.mp4", chain, chunk=20, encode=encode, backend="cpu", crf=20)
    warpreel.run(clip, tmp_path / "one.mp4", chain, backend="cpu", crf=20)
    assert stats["frames"] == 96
    if encode == "once":
        assert (tmp_path / "out.mp4").read_bytes() == (tmp_path / "one.mp4").read_bytes()
    with warpreel.open(tmp_path / "out.mp4") as out, warpreel.open(tmp_path / "one.mp4") as one:
        assert out.size == one.size == (90, 48)
        assert [frame.time for frame in out] == [frame.time for frame in one]


def test_a_second_clip_that_ends_it(cluster, clip, tmp_path):
    """The job that joins has no chain, and is told where the clip ends."""
    second = tmp_path / "second.mkv"
    warpreel.run(clip, second, frames=50, lossless=True)
    chain = f"tmix=3,blend={second}:mode=screen:shortest=1"
    stats = warpreel.ray.run(clip, tmp_path / "out.mp4", chain, chunk=20, backend="cpu", crf=20)
    warpreel.run(clip, tmp_path / "one.mp4", chain, backend="cpu", crf=20)
    assert stats["frames"] == 50
    assert (tmp_path / "out.mp4").read_bytes() == (tmp_path / "one.mp4").read_bytes()
    with pytest.raises(ValueError, match="leave out shortest"):
        warpreel.Chain(chain)


def test_floats_of_another_size(cluster, tmp_path):
    """Chunks of floats are bare samples, which do not say how large they are."""
    clip = tmp_path / "in.raw"
    numpy.random.default_rng(1).random((9, 3, 10, 24), numpy.float32).tofile(clip)
    chain, raw = "scale=11:7,tmix=3", "gbrpf32le:24x10@25"
    warpreel.ray.run(clip, tmp_path / "out.raw", chain, chunk=4, raw=raw, backend="cpu")
    warpreel.run(clip, tmp_path / "one.raw", chain, raw=raw, backend="cpu")
    assert (tmp_path / "out.raw").read_bytes() == (tmp_path / "one.raw").read_bytes()
    assert (tmp_path / "one.raw").stat().st_size == 9 * 3 * 11 * 7 * 4


def test_going_on(cluster, clip, wanted, tmp_path, caplog):
    class Enough(Exception):
        pass


    def job(**options):
        more = {"crf": 20, "chunk": 20, "work": tmp_path / "work", **options}
        return warpreel.ray.run(clip, tmp_path / "out.mp4", more.pop("chain", CHAIN), **more)

    def marks():
        work = tmp_path / "work"
        # The job that ran last.
        manifest = max(work.glob("part-*.json"), key=lambda path: path.stat().st_mtime_ns)
        names = [f"{manifest.stem}-{int(place.partition('/')[0]):06}.nut" for place in json.loads(manifest.read_text())["done"]]
        return {path.name: path.stat().st_mtime_ns for name in names for path in work.glob(name)}

    def stopped(at, **options):
        seen = []

        def progress(state):
            seen.append(state)
            if state.chunks >= at:
                raise Enough

        with pytest.raises(Enough):
            job(progress=progress, **options)
        return seen

    caplog.set_level(logging.INFO, "warpreel.ray")
    assert [state.chunks for state in stopped(2)] == [0, 1, 2]
    before = marks()
    assert len(before) >= 2 and not (tmp_path / "out.mp4").exists()
    # All as it was: what is there stays.
    assert stopped(3, resume=True)[0].chunks == 2 and before.items() <= marks().items()
    # A chunk that is not what it was is made again. Chunks are complete in any order: take one that is.
    spoilt = tmp_path / "work" / min(marks())
    data = bytearray(spoilt.read_bytes())
    data[len(data) // 2] ^= 1
    spoilt.write_bytes(data)
    first = stopped(0, resume=True)[0]
    assert first.chunks == 2 and "has changed; making it again" in caplog.text
    # Another chain begins anew, says so, and leaves the chunks of the first.
    assert stopped(0, resume=True, chain="gaussian=1")[0].chunks == 0 and marks() == {}
    assert "another chain than before; making all chunks again" in caplog.text
    assert stopped(2, resume=True)[0].chunks == 2
    job(resume=True)
    assert (tmp_path / "out.mp4").read_bytes() == wanted and [path.suffix for path in (tmp_path / "work").iterdir()] == [".json"]
    job(resume=True, chain="gaussian=1", overwrite=True)
    assert os.listdir(tmp_path) == ["out.mp4"]


def test_a_chunk_that_was_spoilt_on_the_way(cluster, clip, tmp_path, monkeypatch):
    complete = warpreel._manifest.Manifest.complete

    def spoil(manifest, told):
        complete(manifest, told)
        if told["place"].startswith("2/"):
            path = manifest.folder / manifest.name(2)
            data = bytearray(path.read_bytes())
            data[len(data) // 2] ^= 1
            path.write_bytes(data)

    monkeypatch.setattr(warpreel._manifest.Manifest, "complete", spoil)
    for encode in ("once", "chunks"):
        with pytest.raises(warpreel.Error, match="000002.nut"):
            warpreel.ray.run(clip, tmp_path / "out.mp4", "gaussian=1", chunk=20, work=tmp_path / "work", encode=encode)
        assert os.listdir(tmp_path) == ["work"]


def packets(path, *entries):
    words = ["-select_streams", "v", "-show_entries", "packet=" + ",".join(entries), "-of", "csv=p=0", path]
    return subprocess.run(["ffprobe", "-v", "error", *words], check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize("shared", [True, False])
def test_encoding_in_the_tasks(cluster, clip, wanted, tmp_path, shared):
    """Frames, times and tags of one run; a key frame at each seam; what was spoilt is encoded again."""
    work, out = tmp_path / "work" if shared else None, tmp_path / "out.mp4"

    class Enough(Exception):
        pass

    def stop(state):
        if state.chunks == 2:
            raise Enough

    job = dict(chunk=20, work=work, encode="chunks", crf=20)
    if shared:
        with pytest.raises(Enough):
            warpreel.ray.run(clip, out, CHAIN, progress=stop, **job)
        assert os.listdir(tmp_path) == ["work"]
        spoilt = sorted(work.glob("part-*.nut"))[0]
        spoilt.write_bytes(spoilt.read_bytes()[:-1] + b"?")
    stats = warpreel.ray.run(clip, out, CHAIN, resume=shared, **job)
    assert stats["frames"] == 96 and os.listdir(tmp_path) == ["out.mp4"]
    one = clip.with_name("one.mp4")
    assert one.read_bytes() == wanted != out.read_bytes()
    assert sorted(packets(out, "pts", "duration")) == sorted(packets(one, "pts", "duration"))
    keys = sorted(int(row.split(",")[0]) for row in packets(out, "pts", "flags") if "K" in row)
    assert {frame * 512 for frame in (0, 20, 40, 60, 80)} <= set(keys)
    with warpreel.open(out) as video:
        assert len(list(video)) == 96 and video.metadata["title"] == "Bars"


@pytest.mark.parametrize("shared", [True, False])
def test_a_chunk_that_is_not_what_was_told_of_it(cluster, clip, tmp_path, monkeypatch, shared):
    """As after a task that died behind its first words, and was repeated with an encoder that makes other bytes each time."""
    job = dict(chunk=20, work=tmp_path / "work" if shared else None, encode="chunks", crf=20)
    checksum = warpreel._manifest.checksum
    others = ["another"]
    monkeypatch.setattr(warpreel._manifest, "checksum", lambda path: others.pop() if others else checksum(path))
    states = []
    stats = warpreel.ray.run(clip, tmp_path / "out.mp4", CHAIN, progress=states.append, **job)
    assert not others and stats["frames"] == 96 and len(stats["chunks"]) == 5
    assert [state.chunks for state in states].count(0) == 2, "the first that came was made again"
    with warpreel.open(tmp_path / "out.mp4") as video:
        assert len(list(video)) == 96
    monkeypatch.setattr(warpreel._manifest, "checksum", lambda path: "another")
    with pytest.raises(warpreel.Error, match="came 2 times as a different file"):
        warpreel.ray.run(clip, tmp_path / "none.mp4", CHAIN, retries=1, **job)
    assert not (tmp_path / "none.mp4").exists()


def test_what_tasks_cannot_encode(cluster, clip, tmp_path):
    for output, more, wanted in [
        ("out.mp4", {"encode": "twice"}, "encode is 'twice'"),
        ("out.y4m", {}, "is not encoded"),
        ("out%03d.png", {}, "is not encoded"),
        ("out.mp4", {"compare": "side"}, "joins packets"),
        ("out.mp4", {"metrics": "psnr"}, "joins packets"),
        ("out.mp4", {"encoder_option": {"x264-params": "pass=2"}}, "two-pass encoding"),
    ]:
        with pytest.raises(ValueError, match=wanted):
            warpreel.ray.run(clip, tmp_path / output, "gaussian=1", **{"encode": "chunks", **more})
    assert os.listdir(tmp_path) == []


def test_how_chunks_are_stored(clip, tmp_path):
    def stored(path, output="null:", **options):
        found = warpreel._warpreel.chunks(path, output, ["gaussian=1"], 20, {}, options)
        return found["stored"], found["encoded"]

    assert stored(clip) == ({"codec": "ffvhuff", "ending": "nut"}, None)
    assert stored(clip, tmp_path / "out.mp4")[1] == {"codec": "libx264", "ending": "nut"}
    assert stored(clip, tmp_path / "out.mov", codec="prores_ks")[1] == {"codec": "prores_ks", "ending": "mkv"}
    odd = tmp_path / "odd.mkv"
    picture = ["-f", "lavfi", "-i", "testsrc=s=35x27:d=1", "-pix_fmt", "yuv420p", "-c:v", "ffv1", odd]
    subprocess.run(["ffmpeg", "-v", "error", *picture], check=True)
    assert stored(odd)[0]["codec"] == "ffv1"


def test_what_is_wrong(cluster, clip, tmp_path):
    out = tmp_path / "out.mp4"
    with pytest.raises(FileNotFoundError, match="nowhere.mp4"):
        warpreel.ray.run("nowhere.mp4", out, "gaussian=1")
    with pytest.raises(ValueError, match='did you mean "gaussian"'):
        warpreel.ray.run(clip, out, "gausian=1")
    with pytest.raises(ValueError, match="keeps state from the clip's first frame"):
        warpreel.ray.run(clip, out, r"invert=enable='st(0,ld(0)+1);gt(ld(0),3)'")
    with pytest.raises(ValueError, match="chunk is 0"):
        warpreel.ray.run(clip, out, "gaussian=1", chunk=0)
    with pytest.raises(ValueError, match="resume=True needs a folder"):
        warpreel.ray.run(clip, out, "gaussian=1", resume=True)
    with pytest.raises(TypeError, match="threads cannot be set here"):
        warpreel.ray.run(clip, out, "gaussian=1", threads=3)
    with pytest.raises(warpreel.Error, match="no_such_codec"):
        warpreel.ray.run(clip, out, "gaussian=1", codec="no_such_codec")
    with pytest.raises(OSError, match="[Nn]o space"):
        warpreel.ray.run(clip, "/dev/full", "gaussian=1", container="nut", codec="ffv1", overwrite=True, chunk=50)
    # What a task raises comes here: a kernel that is gone by then, and that other nodes may not have.
    mask = tmp_path / "mask.png"
    picture = ["-f", "lavfi", "-i", "testsrc2=s=192x96", "-frames:v", "1", "-pix_fmt", "gray", mask]
    subprocess.run(["ffmpeg", "-v", "error", *picture], check=True)
    with pytest.raises((OSError, ValueError, warpreel.Error), match="of invert cannot be read"):
        warpreel.ray.run(clip, out, f"invert=mask={mask}", progress=lambda state: mask.unlink(missing_ok=True))
    assert os.listdir(tmp_path) == []


def test_a_task_that_no_node_has_room_for(cluster, clip, tmp_path, caplog):
    """Another node may come, so the job says for what it waits."""
    # Where the tests run in the background of a shell, SIGINT is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    went = []

    def progress(state):
        # From the main thread, which waits for a chunk by then.
        timer = threading.Timer(2, signal.raise_signal, [signal.SIGINT])
        timer.start()
        went.append(timer)

    with pytest.raises(KeyboardInterrupt):
        warpreel.ray.run(clip, tmp_path / "out.mp4", CHAIN, num_cpus=999, progress=progress)
    assert len(went) == 1 and not went[0].is_alive()
    assert [record.message.partition("; waiting")[0] for record in caplog.records] == [
        "no node of the cluster has the resources of a task, num_cpus=999 and num_gpus=0; the largest has 2 CPUs and 0 GPUs"
    ]
    assert os.listdir(tmp_path) == []
