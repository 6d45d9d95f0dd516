"""Wrong arguments: an error of VapourSynth in one line, or a clip whose frames can be made; never the end of the host.

Each list of arguments is tried in a process that tries many, so that a crash fails the test and not the tests. `WARPREEL_VAPOURSYNTH=all`
tries 20 times as many.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

COUNT = 6000 if os.environ.get("WARPREEL_VAPOURSYNTH") == "all" else 300

SCRIPT = r"""
import json, math, random, sys
import vapoursynth as vs
core = vs.core
seed, count = int(sys.argv[1]), int(sys.argv[2])
dice = random.Random(seed)
functions = {function.name: function for function in core.warpreel.functions()}
formats = [vs.GRAY8, vs.GRAY10, vs.GRAY16, vs.GRAYH, vs.GRAYS, vs.GRAY32, vs.YUV420P8, vs.YUV410P8, vs.YUV444P16, vs.YUV420PS, vs.YUV444PH, vs.RGB24, vs.RGB48, vs.RGBS]
numbers = [0, 1, -1, 2, 3, 5, 255, 256, 1 << 15, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63), 1 << 40]
floats = [0.0, -0.0, 0.5, 1.0, -1.0, 1e-300, 1e300, math.inf, -math.inf, math.nan, 2.5, 1e9]
texts = ["", " ", ",", ":", "=", "'", "\\", "gaussian", "gaussian=", "gaussian=1e999", "scale=16:16", "x" * 5000, "é", "\U0001f600", "0 1 2", "1 2 1; 2 4 2; 1 2 1",
    "/dev/null", "/", "/nowhere", "all", "-1", "nan", "inf", "auto", "cpu", "16x16+0+0", "99999x1+0+0", "@/dev/null", "tmix=3," * 40 + "sobel", "bwdif,bwdif,bwdif",
    "red", "#ffffff", "median=1:roi=4x4+0+0", "nlmeans=frames=16", "tmix=1000", "degrain", "zero", "0.5", b"\xff\xfe\x00", b"a\x00b", "\n", "%s%n"]

def value(kind):
    if kind.startswith("int"):
        one = lambda: dice.choice(numbers + [dice.randint(-5, 40)])
    elif kind.startswith("float"):
        one = lambda: dice.choice(floats + [dice.uniform(-3, 20)])
    else:
        return dice.choice(texts)
    if kind.endswith("[]"):
        return [one() for _ in range(dice.choice([0, 1, 2, 3, 4, 9, 25, 200]))]
    return one()

def clip():
    shape = dice.choice([(4, 4), (16, 16), (48, 32), (4, 64), (640, 4)])
    made = core.std.BlankClip(format=dice.choice(formats), width=shape[0], height=shape[1], length=dice.choice([1, 2, 7]))
    for key in ("_FieldBased", "_Range", "_ColorRange", "_ChromaLocation", "_Matrix", "_SARNum", "_SARDen", "_DurationNum", "_DurationDen", "_SceneChangePrev", "_AbsoluteTime"):
        if dice.random() < 0.2:
            made = core.std.SetFrameProps(made, **{key: dice.choice([0, 1, 2, 3, -1, 1 << 62, -(1 << 63), "text", 0.5, [1, 2]])})
    return made

done = {"errors": 0, "clips": 0}
for number in range(count):
    name = dice.choice(sorted(functions))
    function = functions[name]
    arguments = {}
    for part in function.signature.split(";"):
        if not part:
            continue
        key, kind, *_ = part.split(":")
        if kind == "vnode":
            arguments[key] = clip()
        elif key == "chain" or dice.random() < 0.15:
            # Sides as large as a picture may have are not wrong, and take memory.
            arguments[key] = value(kind)
    if dice.random() < 0.5:
        arguments["backend"] = "cpu"
    what = (name, {key: str(value)[:60] for key, value in arguments.items()})
    print(json.dumps(what), file=sys.stderr, flush=True)
    try:
        made = function(**arguments)
        if isinstance(made, vs.VideoNode):
            if made.width * made.height <= 1 << 22:
                made.get_frame(0)
                made.get_frame(len(made) - 1)
            done["clips"] += 1
    except vs.Error as error:
        assert "panic" not in str(error) and "internal error" not in str(error), (what, str(error))
        assert "\n" not in str(error).strip(), (what, str(error))
        assert str(error).strip(), what
        done["errors"] += 1
print(json.dumps(done))
"""


@pytest.mark.parametrize("seed", range(4))
def test_random_arguments(seed, tmp_path):
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(seed), str(COUNT // 4)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, (done.returncode, done.stderr[-3000:])
    counts = json.loads(done.stdout)
    assert counts["errors"] > 10 and counts["clips"] > 0, counts
    assert sum(counts.values()) <= COUNT // 4
    assert not list(pathlib.Path(tmp_path).iterdir()), "a plugin writes no files"
