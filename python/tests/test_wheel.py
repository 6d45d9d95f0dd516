"""What the wheel brings: the program, and all libraries."""

import os
import pathlib
import subprocess
import sys

import pytest
import warpreel

SAMPLE = pathlib.Path(__file__).parents[2] / "samples/ten-bit.mp4"
# What every system with Python has.
SYSTEM = tuple(
    "ld-linux libc. libm. libmvec. libdl. libpthread. librt. libresolv. libutil. libstdc++. libgcc_s. libz.".split()
)


def program(*words, **options):
    command = [pathlib.Path(sys.executable).with_name("warpreel"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def test_the_program():
    assert program("--version").stdout == f"warpreel {warpreel.__version__}\n"
    done = program(SAMPLE, "hash:", "-f", "gaussian=2", "--backend", "cpu", "-q")
    assert done.returncode == 0 and done.stdout.startswith("#format: frame checksums")
    module = [sys.executable, "-m", "warpreel", SAMPLE, "hash:", "-f", "gaussian=2", "--backend", "cpu", "-q"]
    assert subprocess.run(module, capture_output=True, text=True, timeout=60).stdout == done.stdout
    wrong = program(SAMPLE, "null:", "-f", "gausian")
    assert wrong.returncode == 2 and 'did you mean "gaussian"' in wrong.stderr
    assert program("/nowhere.mp4", "null:").returncode == 1


def test_a_pipe_that_is_closed():
    command = [pathlib.Path(sys.executable).with_name("warpreel"), SAMPLE, "-", "-q"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    running.stdout.read(10)
    running.stdout.close()
    assert running.wait(60) == 0 and running.stderr.read() == b""
    running.stderr.close()


def mapped(code):
    code += "; print(*{line.split()[-1] for line in open('/proc/self/maps') if '.so' in line}, sep='\\n')"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_nothing_of_the_system_is_needed():
    folder = pathlib.Path(warpreel.__file__).parent
    if not folder.with_name("warpreel.libs").is_dir():
        pytest.skip("this module was built for this machine alone")
    more = mapped("import numpy, warpreel; warpreel.filters()") - mapped("import numpy")
    foreign = [path for path in more if not path.startswith(os.fspath(folder.parent))]
    assert any("libavcodec" in path for path in more)
    assert [path for path in foreign if not os.path.basename(path).startswith(SYSTEM)] == []
