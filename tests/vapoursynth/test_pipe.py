"""What the documentation has for scripts: the recipe of the cookbook and the scripts of docs/vapoursynth.md, as they stand."""

import re
import subprocess

import pytest
import vapoursynth as vs

from test_plugin import PROGRAM, ROOT, core, make, read

SCRIPT = """
import vapoursynth as vs
clip = vs.core.std.BlankClip(format=vs.YUV420P8, width=64, height=48, length=10, fpsnum=25, fpsden=1)
clip = vs.core.std.ModifyFrame(clip, clip, lambda n, f: drawn(n, f))
def drawn(n, f):
    frame = f.copy()
    for plane in frame:
        for y in range(plane.shape[0]):
            for x in range(plane.shape[1]):
                plane[y, x] = (x * 5 + y * 9 + n * 17) % 200 + 20
    return frame
clip = clip.warpreel.TMix(frames=3)
clip.set_output()
"""


def test_the_recipe_of_the_cookbook(tmp_path):
    text = (ROOT / "docs/cookbook.md").read_text()
    recipe = re.search(r"### A VapourSynth script before a pipe\n.*?```sh\n(.*?)```", text, re.DOTALL)[1]
    (tmp_path / "script.vpy").write_text(SCRIPT)
    path = f"export PATH={PROGRAM.parent}:$PATH\nset -euo pipefail\n"
    subprocess.run(["bash", "-c", path + recipe], cwd=tmp_path, check=True)
    ask = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", "out.mp4"]
    assert subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip() == "64,48,10"
    # The same into raw frames.
    raw = re.sub(r"warpreel - out\.mp4", "warpreel - raw --container raw --backend cpu -q", recipe)
    assert raw != recipe
    subprocess.run(["bash", "-c", path + raw], cwd=tmp_path, check=True)
    scope = {}
    exec(SCRIPT.replace("clip.set_output()", ""), scope)
    chain = re.search(r"-f (\S+)", recipe)[1]
    wanted = scope["clip"].warpreel.Filter(chain, backend="cpu")
    assert (tmp_path / "raw").read_bytes() == read(wanted, range(len(wanted)))


def scripts():
    text = (ROOT / "docs/vapoursynth.md").read_text()
    part = text[text.index("## Three scripts") : text.index("## Replacements")]
    return re.findall(r"### (.*?)\n.*?```python\n(.*?)```", part, re.DOTALL)


def test_there_are_three():
    assert len(scripts()) == 3


@pytest.mark.parametrize("title, script", scripts())
def test_scripts(title, script, monkeypatch):
    """The source is noise in place of a file, and what comes out is another clip."""
    clip, _ = make("yuv420p")
    source = re.search(r'core\.bs\.VideoSource\(".*?"\)', script)
    assert source, title
    exec(script.replace(source[0], "given"), {"given": clip})
    made = vs.get_output(0).clip
    assert made.get_frame(3).props["_FieldBased"] == 0 if "Bwdif" in script else len(made) == len(clip)
    assert read(made, range(4)) != read(clip, range(4))
    vs.clear_outputs()


def test_functions_of_the_documentation_exist():
    text = (ROOT / "docs/vapoursynth.md").read_text()
    names = set(re.findall(r"(?<!vs)warpreel\.([A-Z]\w+)", text))
    functions = {function.name for function in core.warpreel.functions()}
    assert names and names <= functions, names - functions
