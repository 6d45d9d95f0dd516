"""What a job of :mod:`warpreel.ray` has done so far, in a folder from which it can go on."""

import hashlib
import json
import logging
import os
import pathlib
import re

from . import Error, run

_VERSION = 1
_log = logging.getLogger("warpreel.ray")


class Manifest:
    """The chunks of a job, and which are complete, on disk after each.

    Every file in the folder has the job's key in its name, and no other file is written or removed: other jobs may work in the same
    folder, and it may hold the user's own files.
    """

    def __init__(self, folder, job, chunks, ending, resume, keep=()):
        self.folder, self.job, self.chunks = folder, job, chunks
        self.done = {}
        # A task of another job that still runs somewhere must not write over a chunk of this one.
        key = hashlib.md5(json.dumps(job, sort_keys=True).encode()).hexdigest()[:8]
        self.pattern = f"part-{key}-%06d.{ending}"
        # Chunks, and what tasks that died have left of them.
        chunk = rf"part-{key}-\d{{6}}\.{ending}"
        self.own_name = re.compile(rf"{chunk}(\.new)?|\.{chunk}\.\w+\.part")
        self.path = folder / f"part-{key}.json"
        self._check_keep(keep)
        before = self._read(self.path) if self.path.exists() else {}
        # True if the folder was made for chunks, now or by a run before.
        others = [self._read(path) for path in self._manifests()] if folder.exists() else []
        self.is_own = any(found.get("own") is True for found in [before, *others]) if folder.exists() else True
        folder.mkdir(parents=True, exist_ok=True)
        if resume and before:
            self._go_on(before)
        else:
            if resume and others:
                self._explain(others[0])
            self._clear()
        self._write()

    def name(self, number):
        """The file of a chunk, counted from 1."""
        return self.pattern % number

    def missing(self):
        """The chunks that are not complete: number and place."""
        places = enumerate((chunk["place"] for chunk in self.chunks), 1)
        return [(number, place) for number, place in places if place not in self.done]

    def complete(self, told):
        """Takes what is said of a chunk that is in its file."""
        self.done[told["place"]] = told
        self._write()

    def remove(self):
        """Removes the chunks and this, and the folder if it was made for them."""
        self._clear()
        if self.is_own:
            try:
                self.folder.rmdir()
            except OSError:
                pass

    def _clear(self):
        for path in [path for path in self.folder.iterdir() if self.own_name.fullmatch(path.name)]:
            path.unlink(missing_ok=True)
        for path in (self.path, self.path.with_name(self.path.name + ".new")):
            path.unlink(missing_ok=True)
        self.done = {}

    def _check_keep(self, keep):
        """Refuses files of the user that have the name of one of the job's own."""
        for path in keep:
            path = pathlib.Path(path).absolute()
            is_here = path.parent.resolve() == self.folder.resolve()
            if is_here and (self.own_name.fullmatch(path.name) or path.name in (self.path.name, self.path.name + ".new")):
                raise ValueError(f"{os.fspath(path)!r} is the name of a chunk of this job; rename it, or name another folder with work=")

    def _write(self):
        told = {"version": _VERSION, "own": self.is_own, "job": self.job, "chunks": self.chunks, "done": self.done}
        new = self.path.with_name(self.path.name + ".new")
        new.write_text(json.dumps(told, indent=1))
        os.replace(new, self.path)

    def _manifests(self):
        """Those of other jobs in the folder, the newest first."""
        named = [path for path in self.folder.iterdir() if re.fullmatch(r"part-[0-9a-f]{8}\.json", path.name) and path != self.path]
        return sorted(named, key=lambda path: path.stat().st_mtime_ns, reverse=True)

    @staticmethod
    def _read(path):
        """The manifest of a run before, which may be damaged."""
        try:
            found = json.loads(path.read_text())
        except (OSError, ValueError):
            found = None
        return found if isinstance(found, dict) else {"version": None}

    def _explain(self, other):
        """Logs how this job differs from another in the folder, of which nothing can be used."""
        differs = self._difference(other)
        if differs:
            _log.warning("%s: %s; making all chunks again", self.folder, differs)

    def _go_on(self, found):
        """Takes over what is complete; begins anew where anything else was to be made, and says what."""
        differs = self._difference(found)
        if differs:
            _log.warning("%s: %s; making all chunks again", self.folder, differs)
            return self._clear()
        numbers = {chunk["place"]: number for number, chunk in enumerate(self.chunks, 1)}
        for place, told in found["done"].items():
            if self._is_whole(self.folder / self.name(numbers[place]), told):
                self.done[place] = told
            else:
                _log.warning("%s: chunk %s has changed; making it again", self.folder, place)
        _log.info("%s: found %d of %d chunks", self.folder, len(self.done), len(self.chunks))

    def _difference(self, found):
        if found.get("version") != _VERSION or not isinstance(found.get("done"), dict):
            return "the manifest has another version, or is damaged"
        # As it comes back from JSON.
        job = json.loads(json.dumps(self.job))
        before = found.get("job") if isinstance(found.get("job"), dict) else {}
        names = [key for key in job if before.get(key) != job[key]]
        if names:
            return f"another {' and '.join(names)} than before"
        return None if found.get("chunks") == self.chunks else "other chunks than before"

    @staticmethod
    def _is_whole(path, told):
        """Whether a file holds the frames that were stored in it."""
        try:
            if path.stat().st_size != told["bytes"]:
                return False
            if "file" in told:
                return checksum(path) == told["file"]
            if path.suffix == ".raw":
                return checksum(path) == told["md5"]
            return run(path, "null:", chunk="1/1", backend="cpu")["chunk"]["md5"] == told["md5"]
        except (OSError, Error):
            return False


def checksum(path):
    """The MD5 of a file."""
    sum = hashlib.md5()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            sum.update(piece)
    return sum.hexdigest()


def identity(path):
    """What a file is known by: its size, and the MD5 of its first and last MiB; of numbered images their names and sizes."""
    path = pathlib.Path(path)
    if not path.exists() and "%" in path.name:
        files = sorted((entry.name, entry.stat().st_size) for entry in os.scandir(path.parent) if entry.is_file())
        start = path.name.partition("%")[0]
        return hashlib.md5(repr([file for file in files if file[0].startswith(start)]).encode()).hexdigest()
    edge = 1 << 20
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        sum = hashlib.md5(file.read(edge))
        file.seek(max(0, size - edge))
        sum.update(file.read(edge))
    return f"{size} {sum.hexdigest()}"
