"""What the tests share."""

import os
import pathlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]
# Examples name samples as they lie in the repository.
os.chdir(ROOT)
SAMPLES = ROOT / "samples"


@pytest.fixture
def random():
    """Numbers that are the same in each run."""
    return np.random.default_rng(20)


def picture(random, shape, dtype):
    """Random samples over the whole range of a type."""
    if np.issubdtype(dtype, np.integer):
        return random.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    return random.random(shape).astype(dtype)
