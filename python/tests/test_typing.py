"""The stubs as type checkers read them: programs that are right pass, and those that are wrong do not."""

import ast
import pathlib
import re
import subprocess
import sys

import pytest
import warpreel

FOLDER = pathlib.Path(warpreel.__file__).parent
STUB = FOLDER / "__init__.pyi"

RIGHT = '''
import numpy as np
import warpreel
from numpy.typing import NDArray

chain = warpreel.Chain("tmix=3,gaussian=1", backend="cpu", mask=np.ones((4, 4)), border=0.5)
image: NDArray[np.uint8] = np.zeros((4, 4), np.uint8)
out: NDArray[np.uint8] = chain(image, out=image)
frames: list[NDArray[np.uint8]] = chain.clip([image, image])
edges: NDArray[np.uint8] = warpreel.convolve(image, [[1, 0, -1]], "clamp")
for picture in chain.stream([image, image]):
    shape: tuple[int, ...] = picture.shape
with warpreel.open("in.mp4", start="1:30", frames=5) as video, warpreel.create("out.mkv", like=video, crf=18) as sink:
    for frame in chain.stream(video):
        sink.write(frame)
    first: warpreel.Frame = chain(video[0])
    part: list[warpreel.Frame] = video[1:3]
    video.seek(0.5)
report = warpreel.run("in.mp4", "out.mp4", chain, crf=18, encoder_option={"tune": "grain"}, overwrite=True)
seconds: float = report["stages"]["filter"]["busy_s"]
names: list[str] = [parameter["name"] for entry in warpreel.filters() for parameter in entry["parameters"]]
'''

HEAD = "import numpy as np\nimport warpreel\n\nchain = warpreel.Chain('gaussian=1')\nimage = np.zeros((4, 4), np.uint8)\n"

WRONG = [
    "warpreel.Chain('gaussian=1', backend='gpu')",
    "warpreel.Chain(3)",
    "chain('picture')",
    "chain(3.0)",
    "text: str = chain(image)",
    "chain.stream(3)",
    "warpreel.open('in.mp4', crf=18)",
    "warpreel.open('in.mp4', frames='many')",
    "warpreel.create('out.mkv', start='1')",
    "warpreel.run('in.mp4', 'out.mp4', crff=18)",
    "warpreel.run('in.mp4', 'out.mp4')['frame']",
    "warpreel.open('in.mp4')['first']",
    "warpreel.open('in.mp4').seek('0:05')",
]


def check(checker, path):
    """What a checker says of a program, and the lines that it refuses."""
    command = [sys.executable, "-m", *checker, str(path)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=path.parent)
    text = outcome.stdout + outcome.stderr
    return outcome.returncode, text, {int(line) for line in re.findall(rf"{path.name}:(\d+)(?::\d+)?(?: -|:) error", text)}


@pytest.mark.parametrize("checker", [("mypy", "--strict"), ("pyright", "--pythonpath", sys.executable)], ids=["mypy", "pyright"])
def test_type_checkers(tmp_path, checker):
    pytest.importorskip(checker[0])
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(RIGHT)
    wrong.write_text(HEAD + "\n".join(WRONG) + "\n")
    code, text, _ = check(checker, right)
    assert code == 0, text
    _, text, lines = check(checker, wrong)
    first = HEAD.count("\n") + 1
    missed = [line for number, line in enumerate(WRONG, first) if number not in lines]
    assert not missed and min(lines) >= first, text


def test_the_stub_itself(tmp_path):
    pytest.importorskip("mypy")
    # Beside the packages that it imports it would shadow them.
    stub = tmp_path / "warpreel" / "__init__.pyi"
    stub.parent.mkdir()
    stub.write_text(STUB.read_text())
    code, text, _ = check(("mypy", "--strict"), stub)
    assert code == 0, text


def test_options_are_those_of_the_functions():
    """Each function takes what its TypedDict has, and the dicts have all options."""
    tree = {node.name: node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef)}

    def keys(name):
        bases = [base.id for base in tree[name].bases if base.id in tree]
        return {node.target.id for node in tree[name].body if isinstance(node, ast.AnnAssign)}.union(*map(keys, bases))

    everything = {name.replace("-", "_") for name in warpreel._warpreel.options()}
    assert keys("RunOptions") == everything
    for call, name in [(warpreel.open, "ReadOptions"), (warpreel.create, "WriteOptions")]:
        for option in everything | {"live"}:
            # A value of None is as none given, so what fails is the file, or nothing at all.
            try:
                call("/nowhere/no.mkv", **{option: None})
                taken = True
            except TypeError:
                taken = False
            except OSError:
                taken = True
            # The parameters that the function has of its own are no options.
            if not (call is warpreel.open and option == "device") and not (call is warpreel.create and option == "fps"):
                assert taken == (option in keys(name)), (call, option)


def test_reports_have_the_keys_of_their_class():
    tree = {node.name: node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.ClassDef)}
    report = warpreel.run("samples/ten-bit.mp4", "null:", "gaussian=1", backend="cpu", frames=2)

    def compare(name, value):
        fields = {node.target.id: ast.unparse(node.annotation) for node in tree[name].body if isinstance(node, ast.AnnAssign)}
        assert set(fields) == set(value), name
        for key, annotation in fields.items():
            if annotation in tree:
                compare(annotation, value[key])

    compare("Report", report)
    compare("StreamFate", report["streams"][0])


def test_help_shows_signatures():
    for thing in [warpreel.open, warpreel.create, warpreel.run, warpreel.convolve, warpreel.filters, warpreel.Chain]:
        assert thing.__text_signature__ and "(...)" not in thing.__text_signature__
    for cls in [warpreel.Chain, warpreel.Reader, warpreel.Writer, warpreel.Frame]:
        for name, member in vars(cls).items():
            if callable(member) and not name.startswith("_"):
                assert member.__text_signature__, (cls, name)
