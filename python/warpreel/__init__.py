"""Filters arrays and video in x, y and t, on the GPU or the CPU, with the same bytes on both.

>>> import numpy as np, warpreel
>>> blur = warpreel.Chain("gaussian=2,sobel", backend="cpu")
>>> image = np.zeros((48, 64, 3), np.uint8)
>>> blur(image).shape
(48, 64, 3)
"""

import os as _os


def _point_to_nvrtc():
    """NVRTC of the extras ``cuda12`` and ``cuda13`` lies beside this package; ``WARPREEL_NVRTC`` says which is meant."""
    if "WARPREEL_NVRTC" in _os.environ:
        return
    packages = _os.path.dirname(_os.path.dirname(_os.path.abspath(__file__)))
    for folder, name in [("cu13", "libnvrtc.so.13"), ("cuda_nvrtc", "libnvrtc.so.12")]:
        path = _os.path.join(packages, "nvidia", folder, "lib", name)
        if _os.path.isfile(path):
            _os.environ["WARPREEL_NVRTC"] = path
            return


_point_to_nvrtc()

from ._warpreel import (  # noqa: E402
    Chain,
    Error,
    Frame,
    Reader,
    Stream,
    Tensor,
    Writer,
    __version__,
    convolve,
    create,
    filters,
    open,
    run,
)

__all__ = [
    "Chain",
    "Error",
    "Frame",
    "Reader",
    "Stream",
    "Tensor",
    "Writer",
    "__version__",
    "convolve",
    "create",
    "filters",
    "open",
    "run",
]
