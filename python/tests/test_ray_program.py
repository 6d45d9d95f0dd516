"""``python -m warpreel.ray`` where no cluster runs: it starts its own."""

import pathlib
import subprocess
import sys

import warpreel

SAMPLES = pathlib.Path(__file__).parents[2] / "samples"


def test_the_program(tmp_path):
    clip = SAMPLES / "ten-bit.mp4"
    words = [sys.executable, "-m", "warpreel.ray", clip, tmp_path / "out.mkv", "-f", "tmix=3", "--codec", "ffv1", "--chunk", "9"]

    def typed(*more):
        return subprocess.run([*words, *more], capture_output=True, text=True, timeout=120)

    absent = typed("--address", "127.0.0.1:1")
    assert absent.returncode == 1 and "no Ray cluster responds at '127.0.0.1:1'" in absent.stderr, absent.stderr
    wrong = typed("--crv", "18")
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: "), wrong.stderr
    large = typed("--num-gpus", "999")
    assert large.returncode == 2 and "error: a task wants num_cpus=1 and num_gpus=999, and this machine has" in large.stderr, large.stderr
    done = typed()
    assert done.returncode == 0 and "24 frames in" in done.stderr, done.stderr
    sums = [tmp_path / "one.txt", tmp_path / "out.txt"]
    warpreel.run(clip, f"hash:{sums[0]}", "tmix=3", backend="cpu")
    warpreel.run(tmp_path / "out.mkv", f"hash:{sums[1]}", backend="cpu")
    rows = [[line.rsplit(",", 1)[-1] for line in path.read_text().splitlines() if line[0] != "#"] for path in sums]
    assert rows[0] == rows[1] and len(rows[0]) == 24
