"""The folder of ``work=``, and what is typed for ``python -m warpreel.ray``: no cluster is needed."""

import os
import pathlib

import pytest
import warpreel
import warpreel.ray
from warpreel import _manifest, _ray_program

CHUNKS = [{"place": f"{number}/3@{number}", "frames": 1} for number in (1, 2, 3)]


def manifest(folder, chain="invert", resume=False, keep=()):
    return _manifest.Manifest(pathlib.Path(folder), {"chain": [chain]}, CHUNKS, "raw", resume, keep)


def fill(made, number):
    """A complete chunk, as a task stores it."""
    path = made.folder / made.name(number)
    path.write_bytes(b"chunk")
    place = CHUNKS[number - 1]["place"]
    made.complete({"place": place, "frames": 1, "bytes": 5, "md5": _manifest.checksum(path)})
    return path


def test_files_of_the_user_stay(tmp_path):
    """Whatever they are called, before the job, at its end, and where it begins anew."""
    names = ["part-1.mkv", "part-2.nut", "part-00.raw", "part-x.new", ".part-a.part", "manifest.json", "manifest.json.new"]
    names += ["part-12345678-000001.raw", ".part-12345678-000001.raw.Ab3dE6.part", "part-000001.raw", "clip.mkv"]
    for name in names:
        (tmp_path / name).write_text(name)
    for resume in (False, True):
        made = manifest(tmp_path, resume=resume)
        fill(made, 1)
        left = tmp_path / f".{made.name(2)}.Zu5rT1.part"
        left.write_bytes(b"what a task that died has left")
        half = tmp_path / (made.name(2) + ".new")
        half.write_bytes(b"what was on its way")
        made = manifest(tmp_path)
        assert not left.exists() and not half.exists() and made.done == {}
        fill(made, 3)
        made.remove()
        assert sorted(os.listdir(tmp_path)) == sorted(names)
    assert all((tmp_path / name).read_text() == name for name in names)


def test_jobs_share_a_folder(tmp_path, caplog):
    """Each goes on with its own chunks, and says why it does not with those of another."""
    work = tmp_path / "work"
    first = manifest(work)
    kept = fill(first, 1)
    second = manifest(work, chain="gaussian=1", resume=True)
    assert second.done == {} and "another chain than before; making all chunks again" in caplog.text
    fill(second, 2)
    second.remove()
    assert kept.exists() and manifest(work, resume=True).done.keys() == {CHUNKS[0]["place"]}
    manifest(work, resume=True).remove()
    assert not work.exists()


def test_input_and_output_are_no_chunks(tmp_path):
    name = manifest(tmp_path).name(1)
    (tmp_path / name).write_bytes(b"the only copy")
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    for path in (tmp_path / name, link / name, tmp_path / (name[:13] + ".json")):
        with pytest.raises(ValueError, match="is the name of a chunk of this job"):
            manifest(tmp_path, keep=[path])
    assert (tmp_path / name).read_bytes() == b"the only copy"
    # In another folder it is any file.
    manifest(tmp_path / "work", keep=[tmp_path / name])


def test_a_damaged_manifest_begins_anew(tmp_path, caplog):
    for text in ("", "[]", "{", '{"version": 1}', '{"version": 1, "done": {}}'):
        made = manifest(tmp_path)
        fill(made, 1)
        made.path.write_text(text)
        assert manifest(tmp_path, resume=True).done == {}
        assert "making all chunks again" in caplog.text
        caplog.clear()


@pytest.mark.parametrize(
    "words, input, options",
    [
        (["--crf", "18", "in.mkv", "out.mkv"], "in.mkv", {"crf": "18"}),
        (["in.mkv", "--lossless", "out.mkv"], "in.mkv", {"lossless": True}),
        (["--lossless", "--start=1.5", "in.mkv", "out.mkv"], "in.mkv", {"lossless": True, "start": "1.5"}),
        (["in.mkv", "--encoder-option", "a=1", "out.mkv", "--encoder-option", "b=2"], "in.mkv", {"encoder_option": ["a=1", "b=2"]}),
        (["in.mkv", "out.mkv", "--pix-fmt", "yuv420p", "-y"], "in.mkv", {"pix_fmt": "yuv420p"}),
        (["--crf", "18", "--", "--in.mkv", "out.mkv"], "--in.mkv", {"crf": "18"}),
    ],
)
def test_options_with_and_without_values(monkeypatch, words, input, options):
    heard = []

    def run(*names, progress, **more):
        heard.append((names, more))
        return {"chunks": [], "frames": 0, "seconds": 1, "fps": 0}

    monkeypatch.setattr(warpreel.ray, "run", run)
    assert _ray_program.main(words) == 0
    [(names, more)] = heard
    own = {"chunk", "address", "work", "resume", "encode", "num_cpus", "num_gpus", "overwrite"}
    assert names == (input, "out.mkv", []) and {key: more[key] for key in more.keys() - own} == options


def test_every_option_of_the_program_is_known(monkeypatch):
    """Those with a value take the next word, the others do not."""
    heard = []
    monkeypatch.setattr(warpreel.ray, "run", lambda *names, **more: heard.append((names[:2], more)) or 1 / 0)
    options = warpreel._warpreel.options()
    assert options["crf"] and options["raw"] and not options["lossless"] and not options["salvage"]
    for name, takes_value in options.items():
        if name in ("filter", "chunk"):
            continue
        with pytest.raises(ZeroDivisionError):
            _ray_program.main(["--" + name, *(["7"] if takes_value else []), "in.mkv", "out.mkv"])
        names, more = heard.pop()
        assert names == ("in.mkv", "out.mkv") and more[name.replace("-", "_")] == ("7" if takes_value else True), name


@pytest.mark.parametrize("words", [["--crv", "18"], ["third.mkv"], ["--crf"], ["--live"]])
def test_what_is_typed_wrongly(capsys, words):
    with pytest.raises(SystemExit) as ended:
        _ray_program.main(["in.mkv", "out.mkv", *words])
    said = capsys.readouterr().err
    assert ended.value.code == 2 and said.startswith("error: ") and said.count("\n") == 1
