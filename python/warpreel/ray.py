"""Filters a video on many machines with Ray: the bytes are those of one.

>>> import warpreel.ray
>>> stats = warpreel.ray.run("in.mkv", "out.mkv", "nlmeans=s=4")  # doctest: +SKIP

The clip is cut at key frames into chunks. A task decodes one with the frames around it that filters look at, filters it, and stores
it without loss; beside that the chunks are joined in order and encoded once, with the sound, subtitles, tags and times of the
clip. On a command line: ``python -m warpreel.ray in.mkv out.mkv -f CHAIN``.
"""

import collections
import collections.abc
import contextlib
import os
import pathlib
import re
import socket
import tempfile
import threading
import time
import typing

from . import Error, __version__, _cluster, _manifest
from ._warpreel import Feed as _Feed
from ._warpreel import chunks as _chunks
from ._warpreel import join as _join

__all__ = ["Progress", "run"]

_Path = typing.Union[str, os.PathLike]

# Options that say how the clip is read, which chunks and their joining have in common, and those of filtering alone.
_READING = {"raw", "fps", "start", "end", "duration", "frames", "strict", "salvage", "conceal"}
_FILTERING = {"fields", "border", "planes"}
_EXECUTION = {"backend", "in_flight", "decoder", "decode_lanes"}
# Those of an encoder, which with encode="chunks" the tasks have.
_ENCODING = {"codec", "quality", "crf", "preset", "bitrate", "pix_fmt", "lossless", "encoder_option"}
# What would have another meaning for a chunk, or is said otherwise here.
_REFUSED = {"chunk", "chunks_from", "device", "gpus", "threads"}
# How much of a chunk is in the object store at a time, in pieces of so many bytes.
_PIECE, _PIECES = 8 << 20, 4


class Progress(typing.NamedTuple):
    """How far a job is."""

    chunks: int
    """Chunks that are complete."""
    of_chunks: int
    """How many there will be."""
    frames: int
    """Frames in them; once all are complete, frames that are written."""
    of_frames: int
    """How many there will be."""
    fps: float
    """Frames a second since this run began, without those that a run before had made."""
    doing: str
    """``"filter"``, and ``"join"`` once all chunks are complete."""


def run(
    input: _Path,
    output: _Path,
    chain: "str | collections.abc.Sequence[str] | None" = None,
    *,
    chunk: int = 250,
    address: "str | None" = None,
    work: "_Path | None" = None,
    resume: bool = False,
    encode: str = "once",
    progress: "collections.abc.Callable[[Progress], object] | None" = None,
    num_cpus: float = 1,
    num_gpus: "float | None" = None,
    retries: int = 3,
    **options: typing.Any,
) -> "dict[str, typing.Any]":
    """Filters a whole video in tasks of Ray, and gives what ``warpreel.run`` gives, with ``chunks``, a list of dicts: of each
    ``place``, ``frames``, ``md5``, ``bytes``, ``backend``, ``seconds``, and where it was made, ``node`` (the host) and ``node_id`` (Ray's).

    :param input: the file, which every node must see under the same name.
    :param output: the file to write, on this machine.
    :param chain: what is typed behind ``-f``, or a list of it. Kernels and masks must be there on every node too.
    :param chunk: about how many frames a task filters.
    :param address: of the cluster, as ``ray.init`` takes it; None is the one in use, the one of this machine or of ``RAY_ADDRESS``, and
        else one that is started and ended here.
    :param work: a folder that every node sees, for the filtered chunks. None keeps them on this machine alone, to which they travel
        by Ray's object store, a few MB of each at a time.
    :param resume: goes on with the chunks that are complete in ``work`` if all is as it was; if not it begins anew, and says why.
    :param encode: ``"once"``: the joined frames are encoded here, beside the tasks. ``"chunks"``: each task encodes its chunk, and
        packets are joined; for encoders that are slower than the filters. The bytes are then not those of one run: every chunk
        begins with a key frame, and its encoder knows nothing of the others.
    :param progress: called with a :class:`Progress` after each chunk and some times a second after the last. What it
        raises stops the job.
    :param num_cpus: cores of a task, which are its threads.
    :param num_gpus: GPUs of a task; None is one where the cluster has some, unless ``backend="cpu"``. With ``num_gpus=0.5``
        two tasks share one, and one decodes or stores while the other filters.
    :param retries: how often a task is repeated whose process or node died.
    :param options: as for ``warpreel.run``, but for ``threads``, ``device`` and ``gpus``.
    :raises ConnectionError: if there is no such cluster.
    :raises ValueError: if a chunk cannot know what a filter has to know, such as values kept since the clip's first frame; if a task
        wants more than this machine has, and no other cluster is there. Where one is, its nodes may become more: a warning of
        ``warpreel.ray`` says that the job waits.

    What a task raises is raised here. The chunks are removed at the end; after a failure those in ``work`` stay.
    """
    ray = _cluster.ray()
    _check(chunk, encode, work, resume, options)
    began = time.monotonic()
    texts = [chain] if isinstance(chain, str) else list(chain or [])
    input, output = os.path.abspath(input), os.fspath(output)
    reading, filtering, writing = _sorted(options)
    # Nothing is filtered where chunks are joined, so no GPU is opened there.
    joining = {**reading, **writing, "backend": "cpu"}
    found = _chunks(input, output, texts, chunk, {**reading, **filtering}, joining)
    joining.update({key: value for key, value in found["cut"].items() if value is not None})
    stored = found["stored" if encode == "once" else "encoded"]
    if encode == "once":
        storing = {"codec": stored["codec"], "lossless": stored["ending"] == "nut"}
    else:
        if stored is None:
            raise ValueError(f"encode='chunks' joins encoded video, and {output!r} is not encoded; leave it out")
        storing = {**{key: value for key, value in writing.items() if key.rstrip("_") in _ENCODING}, "codec": stored["codec"]}
        joining = {**{key: value for key, value in joining.items() if key.rstrip("_") not in _ENCODING}, "codec": "copy"}
    with contextlib.ExitStack() as stack:
        is_ours = stack.enter_context(_cluster.joined(ray, address))
        if num_gpus is None:
            num_gpus = int(options.get("backend") != "cpu" and ray.cluster_resources().get("GPU", 0) > 0)
        if work is None:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="warpreel-")))
        else:
            folder = pathlib.Path(work).absolute()
        job = {
            "warpreel": __version__,
            "input": _manifest.identity(input),
            "files": {name: _manifest.identity(name) for name in found["files"]},
            "chain": texts,
            "options": {**reading, **filtering, **storing},
            "chunk": chunk,
            "encode": encode,
        }
        manifest = _manifest.Manifest(folder, job, found["chunks"], stored["ending"], resume, [input, output, *found["files"]])
        task = {
            "input": input,
            "identity": job["input"],
            "folder": None if work is None else os.fspath(folder),
            "cwd": os.getcwd(),
            "chain": texts,
            "options": {**reading, **filtering, **storing, "threads": max(1, int(num_cpus))},
            "encode": encode,
            "warpreel": __version__,
        }
        if not num_gpus:
            task["options"]["backend"] = "cpu"
        wanted = {"num_cpus": num_cpus, "num_gpus": num_gpus, "max_retries": retries}
        _cluster.check_room(ray, wanted, is_ours)
        teller = _Teller(manifest, progress)
        with _Joining(manifest, input, output, found["frames"], joining) as joined:
            _filter(ray, task, manifest, wanted, teller, joined)
            stats = joined.finish(teller)
        stats["chunks"] = [manifest.done[place["place"]] for place in manifest.chunks]
        manifest.remove()
    stats["seconds"] = time.monotonic() - began
    stats["fps"] = stats["frames"] / stats["seconds"]
    return stats


def filter_chunk(task, place, name):
    """One chunk, in a task: stored in the shared folder, or given in pieces behind what is said of it."""
    import warpreel

    if warpreel.__version__ != task["warpreel"]:
        raise Error(f"{socket.gethostname()} has warpreel {warpreel.__version__}, the driver {task['warpreel']}; install the same")
    with contextlib.suppress(OSError):
        os.chdir(task["cwd"])
    if _manifest.identity(task["input"]) != task["identity"]:
        raise OSError(f"{task['input']!r} is a different file on {socket.gethostname()}; every node must read the same file")
    with contextlib.ExitStack() as stack:
        folder = task["folder"] or stack.enter_context(tempfile.TemporaryDirectory(prefix="warpreel-"))
        path = os.path.join(folder, name)
        options = {**task["options"], "chunk": place, "overwrite": True}
        stats = warpreel.run(task["input"], path, task["chain"], **options)
        # The manifest says which chunk it is.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + ".chunk")
        yield {
            # Of packets no frame tells whether they are what they were.
            **({"file": _manifest.checksum(path)} if task["encode"] == "chunks" else {}),
            "place": place,
            "frames": stats["frames"],
            "md5": stats["chunk"]["md5"],
            "bytes": os.path.getsize(path),
            "backend": stats["backend"],
            "seconds": stats["seconds"],
            "node": socket.gethostname(),
            "node_id": _cluster.ray().get_runtime_context().get_node_id(),
        }
        if task["folder"] is None:
            with open(path, "rb") as file:
                while piece := file.read(_PIECE):
                    yield piece


def _filter(ray, task, manifest, wanted, teller, joined):
    """Has all chunks filtered that are not complete, and those joined that are."""
    remote = ray.remote(filter_chunk).options(
        num_returns="streaming", _generator_backpressure_num_objects=_PIECES, **wanted
    )
    waiting = collections.deque(manifest.missing())
    running, spoilt = {}, collections.Counter()
    teller.tell()
    try:
        while waiting or running:
            joined.take()
            # Twice as many as can run, so that none waits for this loop.
            slots = ray.cluster_resources().get("CPU", 1) / max(wanted["num_cpus"], 0.01)
            while waiting and len(running) < max(2, 2 * slots):
                number, place = waiting.popleft()
                running[remote.remote(task, place, manifest.name(number))] = _Arrival(manifest, number, place)
            ready, _ = ray.wait(list(running), timeout=0.5, fetch_local=False)
            for stream in ready:
                try:
                    item = ray.get(next(stream))
                except StopIteration:
                    arrival = running.pop(stream)
                    if not arrival.finish():
                        _again(arrival, spoilt, wanted["max_retries"])
                        waiting.appendleft((arrival.number, arrival.place))
                    teller.tell()
                    continue
                running[stream].take(item)
    except ray.exceptions.RayTaskError as error:
        raise (error.cause if isinstance(error.cause, Exception) else Error(str(error))) from None
    except ray.exceptions.RayError as error:
        raise Error(f"a chunk failed {wanted['max_retries'] + 1} times: {str(error).splitlines()[0]}") from error
    finally:
        for stream, arrival in running.items():
            ray.cancel(stream, force=True)
            arrival.drop()


def _again(arrival, spoilt, retries):
    """Counts that a chunk has to be made again, and ends the job where it was so often enough."""
    spoilt[arrival.number] += 1
    if spoilt[arrival.number] > retries:
        raise Error(f"chunk {arrival.place} came {retries + 1} times as a different file than its task reported")


class _Arrival:
    """A chunk that is on its way here."""

    def __init__(self, manifest, number, place):
        self.manifest, self.number, self.place = manifest, number, place
        self.told, self.file = None, None
        self.path = manifest.folder / (manifest.name(number) + ".new")

    def take(self, item):
        if isinstance(item, dict):
            self.told = item
            return
        if self.file is None:
            self.file = open(self.path, "wb")
        self.file.write(item)

    def finish(self):
        """Whether the chunk is what was told of it. A task that died and was repeated may have told of the file that it made first, and an
        encoder may make another each time."""
        path = self.manifest.folder / self.manifest.name(self.number)
        if self.file is not None:
            self.file.close()
            os.replace(self.path, path)
        is_whole = "file" not in self.told or _manifest.checksum(path) == self.told["file"]
        if is_whole:
            self.manifest.complete(self.told)
        else:
            path.unlink(missing_ok=True)
        return is_whole

    def drop(self):
        if self.file is not None:
            self.file.close()
            self.path.unlink(missing_ok=True)


class _Joining:
    """Joins chunks in a thread of its own, each as soon as it and all before it are complete."""

    def __init__(self, manifest, input, output, frames, options):
        self.manifest, self.feed = manifest, _Feed(frames)
        self.taken, self.frames, self.is_stopped = 0, 0, False
        self.stats, self.error = None, None
        self.thread = threading.Thread(target=self._run, args=[input, output, options], name="join")

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        # Nothing of what was written stays if chunks are missing; else as much as is complete.
        self.is_stopped = self.taken == len(self.manifest.chunks)
        self.feed.abandon()
        self.thread.join()

    def take(self):
        """Hands on the chunks that have become complete."""
        if self.error is not None:
            raise self.error
        for place in self.manifest.chunks[self.taken :]:
            told = self.manifest.done.get(place["place"])
            if told is None:
                return
            self.taken += 1
            path = self.manifest.folder / self.manifest.name(self.taken)
            if "file" in told and _manifest.checksum(path) != told["file"]:
                raise Error(f"{os.fspath(path)!r} has changed since it was stored; continue with resume=True, which makes it again")
            self.feed.add(path, None if "file" in told else told["md5"])
        self.feed.end()

    def finish(self, teller):
        """Waits until the output is complete, and gives its statistics."""
        self.take()
        while self.thread.is_alive():
            self.thread.join(0.05)
            teller.joining(self.frames)
        if self.error is not None:
            raise self.error
        return self.stats

    def _run(self, input, output, options):
        try:
            self.stats = _join(input, output, self.feed, progress=self._hear, **options)
        except BaseException as error:
            self.error = error

    def _hear(self, frames, of):
        self.frames = frames
        if self.is_stopped:
            raise KeyboardInterrupt


class _Teller:
    """Tells how far it is."""

    def __init__(self, manifest, progress):
        self.manifest, self.progress, self.began = manifest, progress, time.monotonic()
        self.frames = sum(chunk["frames"] for chunk in manifest.chunks)
        self.before = sum(done["frames"] for done in manifest.done.values())

    def tell(self):
        done = sum(done["frames"] for done in self.manifest.done.values())
        self._tell(done, done - self.before, "filter")

    def joining(self, frames):
        self._tell(frames, self.frames - self.before, "join")

    def _tell(self, frames, made, doing):
        if self.progress is not None:
            fps = made / max(time.monotonic() - self.began, 1e-9)
            done = len(self.manifest.done)
            self.progress(Progress(done, len(self.manifest.chunks), frames, self.frames, fps, doing))


def _check(chunk, encode, work, resume, options):
    if not isinstance(chunk, int) or isinstance(chunk, bool) or chunk < 1:
        raise ValueError(f"chunk is {chunk!r}, and must be a number of frames, 1 or more")
    if encode not in ("once", "chunks"):
        raise ValueError(f"encode is {encode!r}, and must be 'once' (encode when joining) or 'chunks' (encode in the tasks)")
    for option in ("compare", "metrics"):
        if encode == "chunks" and options.get(option) is not None:
            raise ValueError(f"{option} needs decoded frames, and encode='chunks' joins packets; leave out one of them")
    if encode == "chunks" and re.search(r"\b(pass|passlogfile|stats)\b", str(options.get("encoder_option"))):
        raise ValueError("two-pass encoding needs the whole clip, and encode='chunks' encodes parts; leave out one of them")
    if options.get("conceal"):
        raise ValueError("conceal repeats frames that no chunk knows of; filter a damaged clip in one run")
    if resume and work is None:
        raise ValueError("resume=True needs a folder; name it with work=")
    refused = sorted(_REFUSED & options.keys())
    if refused:
        raise TypeError(f"{refused[0]} cannot be set here; num_cpus= and num_gpus= set the resources of a task")


def _sorted(options):
    """Options of reading, of filtering, and of writing; keys with or without ``_`` behind them."""
    parts = {}, {}, {}
    for key, value in options.items():
        name = key.rstrip("_")
        parts[0 if name in _READING else 1 if name in _FILTERING | _EXECUTION else 2][key] = value
    return parts


def main(words=None):
    """The program ``python -m warpreel.ray``; ends with an exit code as ``warpreel`` has them."""
    from . import _ray_program

    return _ray_program.main(words)


if __name__ == "__main__":
    # What runs as a program is another module, of which tasks know nothing.
    from warpreel.ray import main as _main

    raise SystemExit(_main())
