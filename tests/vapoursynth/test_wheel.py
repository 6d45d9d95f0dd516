"""The wheel: its files, what the library needs of a system, and the releases of VapourSynth in which it runs."""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

from test_plugin import PROGRAM, ROOT

WHEELS = sorted((ROOT / "target/wheels").glob("vapoursynth_warpreel-*.whl"))
LIBRARY = "vapoursynth/plugins/warpreel/libwarpreel_vapoursynth.so"
# What every Linux system with glibc has.
SYSTEM = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
RELEASES = range(76, 82)
ALL = os.environ.get("WARPREEL_VAPOURSYNTH") == "all"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    assert len(WHEELS) == 1, WHEELS
    with zipfile.ZipFile(WHEELS[0]) as wheel:
        return wheel.extract(LIBRARY, tmp_path_factory.mktemp("wheel"))


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *arguments], capture_output=True, text=True, check=True).stdout


def test_files():
    with zipfile.ZipFile(WHEELS[0]) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
        about = {name for name in names if ".dist-info/" in name}
        assert names - about == {
            LIBRARY, "vapoursynth/plugins/warpreel/manifest.vs", "vswarpreel/__init__.py", "vswarpreel/backend.py", "vswarpreel/functions.pyi",
            "vswarpreel/py.typed",
        }
        manifest = wheel.read("vapoursynth/plugins/warpreel/manifest.vs").decode()
        assert manifest == "[VapourSynth Manifest V1]\nlibwarpreel_vapoursynth\n"
        metadata = next(wheel.read(name).decode() for name in about if name.endswith("/METADATA"))
        assert "License-Expression: MIT OR Apache-2.0\n" in metadata and "Requires-Dist: vapoursynth>=76\n" in metadata
        licences = {pathlib.PurePath(name).name: wheel.read(name).decode() for name in about if "/licenses/" in name}
        assert set(licences) == {"LICENSE-MIT", "LICENSE-APACHE"}
        assert all(licences[name] == (ROOT / name).read_text() for name in licences)


def test_the_library_needs_the_system_alone(library):
    dynamic = readelf("--dynamic", library)
    assert set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic)) <= SYSTEM
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic
    loaded = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
    assert not re.search(r"libav|libsw|libx26|libpostproc|not found", loaded), loaded
    symbols = readelf("--dyn-syms", library)
    assert not re.search(r" (av|avcodec|avformat|sws|swr)_\w+", symbols)
    assert " VapourSynthPluginInit2" in symbols


def test_the_tag_is_what_the_library_needs(library):
    asked = [tuple(map(int, version)) for version in re.findall(r"GLIBC_(\d+)\.(\d+)", readelf("--version-info", library))]
    tags = re.findall(r"manylinux_(\d+)_(\d+)_", WHEELS[0].name)
    assert tags and max(asked) <= min(tuple(map(int, tag)) for tag in tags), (max(asked), WHEELS[0].name)
    assert "-py3-none-" in WHEELS[0].name


SCRIPT = """
import sys
import vapoursynth as vs
assert vs.__version__.release_major == int(sys.argv[1]), vs.__version__
core = vs.core
assert "warpreel" in [plugin.namespace for plugin in core.plugins()]
blank = core.std.BlankClip(format=vs.GRAY8, width=64, height=48, length=6)
def drawn(n, f):
    frame = f.copy()
    plane = frame[0]
    for y in range(48):
        for x in range(64):
            plane[y, x] = (x * 7 + y * 13 + n * 31 + x * y) % 256
    return frame
clip = core.std.ModifyFrame(blank, blank, drawn)
# One frame after the other: frames() of R76 sometimes waits for itself, holding Python's lock, with or without a plugin.
def planes(clip):
    return b"".join(bytes(clip.get_frame(n)[0]) for n in range(len(clip)))
open(sys.argv[2], "wb").write(planes(clip))
made = [core.warpreel.Filter(clip, "gaussian=1,tmix=3,median=1"), core.warpreel.Scale(clip, w=32, h=24), core.warpreel.Bwdif(clip)]
assert [len(clip) for clip in made] == [6, 6, 12]
open(sys.argv[3], "wb").write(b"".join(map(planes, made)))
"""


@pytest.mark.parametrize("release", RELEASES if ALL else [RELEASES[0], RELEASES[-1]])
def test_it_runs_where_nothing_else_is(release, tmp_path):
    """A fresh environment of a release of VapourSynth, in which the wheel alone is installed."""
    place = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    pip = [sys.executable, "-m", "pip", "--python", place / "bin/python", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"vapoursynth=={release}", WHEELS[0]], check=True, timeout=300)
    raw, made = tmp_path / "raw", tmp_path / "made"
    subprocess.run([place / "bin/python", "-c", SCRIPT, str(release), raw, made], check=True, cwd=tmp_path, timeout=120)
    wanted = b""
    for chain in ("gaussian=1,tmix=3,median=1", "scale=32:24", "bwdif"):
        command = [PROGRAM, raw, "-", "--raw", "gray:64x48@24", "-q", "--backend", "cpu", "--container", "raw", "-f", chain]
        wanted += subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    assert made.read_bytes() == wanted
