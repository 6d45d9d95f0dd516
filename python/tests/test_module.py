"""What the module says of itself: the table of filters, docstrings with examples that run, stubs."""

import ast
import doctest
import importlib.util
import inspect
import pathlib

import pytest
import warpreel


def documented():
    yield "warpreel", warpreel
    for name in warpreel.__all__:
        thing = getattr(warpreel, name)
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                if not member.startswith("_") or member == "__call__":
                    yield f"{name}.{member}", value


@pytest.mark.parametrize("name, thing", list(documented()))
def test_docstrings(name, thing):
    if name == "__version__":
        return
    assert thing.__doc__, f"{name} says nothing"
    test = doctest.DocTestParser().get_doctest(thing.__doc__, {}, name, None, 0)
    outcome = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert outcome.failed == 0, name


def test_signatures():
    assert "backend='auto'" in str(inspect.signature(warpreel.Chain))
    assert list(inspect.signature(warpreel.convolve).parameters)[:4] == ["image", "kernel", "border", "backend"]


def test_stubs_name_what_is_there():
    folder = pathlib.Path(warpreel.__file__).parent
    assert (folder / "py.typed").is_file()
    tree = ast.parse((folder / "__init__.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name in warpreel.__all__:
        thing = getattr(warpreel, name)
        if name == "__version__":
            continue
        assert name in stubs, name
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            known = {node.name for node in stubs[name].body if isinstance(node, ast.FunctionDef)}
            missing = {member for member in vars(thing) if not member.startswith("_")} - known
            assert not missing, (name, missing)
        elif not inspect.isclass(thing):
            arguments = stubs[name].args
            typed = [a.arg for a in arguments.args + arguments.kwonlyargs]
            assert typed == [p.name for p in inspect.signature(thing).parameters.values() if p.kind != p.VAR_KEYWORD], name


def test_filters():
    table = {entry["name"]: entry for entry in warpreel.filters()}
    assert {"gaussian", "tmix", "median", "nlmeans"} <= set(table)
    for entry in table.values():
        assert warpreel.Chain(entry["example"], backend="cpu").reach[0] is not None
        for parameter in entry["parameters"]:
            assert parameter["help"] and parameter["default_text"], (entry["name"], parameter["name"])
    sigma = table["gaussian"]["parameters"][0]
    assert sigma["name"] == "sigma" and sigma["low"] <= float(sigma["default"]) <= sigma["high"]


def test_pages():
    page = pathlib.Path(__file__).parents[2] / "docs/python.md"
    if importlib.util.find_spec("warpreel") and page.is_file():
        text = page.read_text()
        blocks = [block.split("```")[0] for block in text.split("```pycon\n")[1:]]
        test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, str(page), str(page), 0)
        assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test).failed == 0
