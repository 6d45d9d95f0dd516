"""The program ``python -m warpreel.ray``."""

import argparse
import logging
import sys

from . import Error, ray
from ._warpreel import options as _options

_HELP = """\
Also takes warpreel's options for input, filters and output: --crf 18, --lossless, --backend cuda, -y.
Exit codes: 0 done, 1 failed, 2 wrong usage. Complete chunks in --work are kept after a failure, for --resume."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, as those of the program."""

    def error(self, message):
        sys.exit(_fail(f"{message}; see python -m warpreel.ray --help", 2))


def main(words=None):
    """Does what was typed, and gives the exit code."""
    parser = _Parser(
        prog="python -m warpreel.ray",
        description="Filters a video on many machines with Ray, with the bytes of one machine unless --encode is chunks.",
        epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("input", help="the clip, at a path that every node can read")
    parser.add_argument("output", help="the file to write on this machine")
    parser.add_argument("-f", "--filter", metavar="CHAIN", action="append", default=[], help="a chain of filters; may be repeated")
    parser.add_argument("--chunk", metavar="FRAMES", type=int, default=250, help="about how many frames a task filters (250)")
    parser.add_argument("--address", help="the cluster; default: the cluster of this machine, or one started for the job")
    parser.add_argument("--work", metavar="DIR", help="a folder for filtered chunks that every node can write to")
    parser.add_argument("--resume", action="store_true", help="continue from the complete chunks in --work")
    parser.add_argument("--num-cpus", type=float, default=1, help="cores of a task (1)")
    parser.add_argument("--num-gpus", type=float, help="GPUs of a task; default 1 if the cluster has any")
    parser.add_argument("--encode", default="once", help="once: encode when joining (default); chunks: encode in the tasks, for slow encoders")
    parser.add_argument("-y", "--overwrite", action="store_true", help="replace an existing output")
    parser.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    shared = _add_shared(parser)
    typed = parser.parse_args(words)
    logging.basicConfig(format="%(message)s", level=logging.ERROR if typed.quiet else logging.INFO)
    own = {key: getattr(typed, key) for key in ("chunk", "address", "work", "resume", "encode", "num_cpus", "num_gpus", "overwrite")}
    try:
        options = _given(typed, shared)
        tell = None if typed.quiet else _tell
        stats = ray.run(typed.input, typed.output, typed.filter, progress=tell, **own, **options)
    except (ValueError, TypeError) as error:
        return _fail(error, 2)
    except (OSError, Error, ImportError) as error:
        return _fail(error, 1)
    except KeyboardInterrupt:
        return 130
    if not typed.quiet:
        count, frames = len(stats["chunks"]), stats["frames"]
        print(f"\n{frames} frames in {stats['seconds']:.2f} s, {stats['fps']:.1f} fps, {count} chunks", file=sys.stderr)
    return 0


def _add_shared(parser):
    """Adds the options of ``warpreel`` that the parser does not have yet, and gives their names as keywords."""
    names = []
    for name, takes_value in _options().items():
        try:
            parser.add_argument("--" + name, action="append" if takes_value else "store_true", default=None, help=argparse.SUPPRESS)
        except argparse.ArgumentError:
            # An option of this program has that name.
            continue
        names.append(name.replace("-", "_"))
    return names


def _given(typed, names):
    """The options that were typed, as keywords; an option that was typed several times is a list."""
    given = {name: getattr(typed, name) for name in names if getattr(typed, name) is not None}
    return {name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in given.items()}


def _tell(state):
    text = f"\r{state.doing}: {state.chunks} of {state.of_chunks} chunks, {state.frames} of {state.of_frames} frames, {state.fps:.1f} fps "
    print(text, end="", file=sys.stderr, flush=True)


def _fail(error, code):
    print(f"error: {error}", file=sys.stderr)
    return code
