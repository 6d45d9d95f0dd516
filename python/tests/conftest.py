"""What the tests share."""

import os
import pathlib

import numpy as np
import pytest
import warpreel

ROOT = pathlib.Path(__file__).parents[2]
# Examples name samples as they lie in the repository.
os.chdir(ROOT)
SAMPLES = ROOT / "samples"


@pytest.fixture
def random():
    """Numbers that are the same in each run."""
    return np.random.default_rng(20)


def has_gpu():
    try:
        warpreel.Chain("invert", backend="cuda")(np.zeros((4, 4), np.uint8))
    except warpreel.Error:
        return False
    return True


needs_gpu = pytest.mark.skipif(not has_gpu(), reason="there is no GPU that filters")


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("PyTorch has no GPU")
    return torch


@pytest.fixture
def cupy():
    cupy = pytest.importorskip("cupy")
    try:
        cupy.zeros(1)
    except Exception as error:
        pytest.skip(f"CuPy has no GPU: {error}")
    return cupy


def cpu(text, **options):
    return warpreel.Chain(text, backend="cpu", **options)


def picture(random, shape, dtype):
    """Random samples over the whole range of a type."""
    if np.issubdtype(dtype, np.integer):
        return random.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    return random.random(shape).astype(dtype)
