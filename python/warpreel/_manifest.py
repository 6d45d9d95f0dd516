"""What a job of :mod:`warpreel.ray` has done so far, in a folder from which it can go on."""

import hashlib
import json
import logging
import os
import pathlib

from . import Error, run

_NAME = "manifest.json"
_VERSION = 1
_log = logging.getLogger("warpreel.ray")


class Manifest:
    """The chunks of a job, and which are complete, on disk after each."""

    def __init__(self, folder, job, chunks, ending, resume):
        self.folder, self.job, self.chunks = folder, job, chunks
        self.done = {}
        # A task of another job that still runs somewhere must not write over a chunk of this one.
        key = hashlib.md5(json.dumps(job, sort_keys=True).encode()).hexdigest()[:8]
        self.pattern = f"part-{key}-%06d.{ending}"
        before = self._found()
        # Whether the folder was made for this, now or by a run before.
        self.is_own = before.get("own") is True if folder.exists() else True
        folder.mkdir(parents=True, exist_ok=True)
        if resume and before:
            self._go_on(before)
        else:
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
        for path in [file for glob in ("part-*.nut", "part-*.mkv", "part-*.raw", "part-*.new", ".part-*.part") for file in self.folder.glob(glob)]:
            path.unlink(missing_ok=True)
        (self.folder / _NAME).unlink(missing_ok=True)
        self.done = {}

    def _write(self):
        told = {"version": _VERSION, "own": self.is_own, "job": self.job, "chunks": self.chunks, "done": self.done}
        new = self.folder / (_NAME + ".new")
        new.write_text(json.dumps(told, indent=1))
        os.replace(new, self.folder / _NAME)

    def _found(self):
        """What a run before has left: nothing, or a dict that may be damaged."""
        try:
            found = json.loads((self.folder / _NAME).read_text())
        except FileNotFoundError:
            return {}
        except ValueError:
            found = None
        return found if isinstance(found, dict) else {"version": None}

    def _go_on(self, found):
        """Takes over what is complete; begins anew where anything else was to be made, and says what."""
        differs = self._difference(found)
        if differs:
            _log.warning("%s: %s; all chunks are made anew", self.folder, differs)
            return self._clear()
        numbers = {chunk["place"]: number for number, chunk in enumerate(self.chunks, 1)}
        for place, told in found["done"].items():
            if self._is_whole(self.folder / self.name(numbers[place]), told):
                self.done[place] = told
            else:
                _log.warning("%s: chunk %s is not what it was; it is made anew", self.folder, place)
        _log.info("%s: %d of %d chunks are there", self.folder, len(self.done), len(self.chunks))

    def _difference(self, found):
        if found.get("version") != _VERSION or not isinstance(found.get("done"), dict):
            return "the manifest is of another version, or damaged"
        # As it comes back from JSON.
        job = json.loads(json.dumps(self.job))
        names = [key for key in job if found["job"].get(key) != job[key]]
        if names:
            return f"another {' and '.join(names)} than before"
        return None if found["chunks"] == self.chunks else "other chunks than before"

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
