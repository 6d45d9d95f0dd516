"""A backend of vs-jetpack: for `backend=` of `nl_means`, `bm3d`, `bilateral` and `gauss_blur`."""

from __future__ import annotations

import inspect
import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

if TYPE_CHECKING:
    from vapoursynth import VideoNode

__all__ = ["Backend"]


class Backend:
    """The filters of `core.warpreel` under the names and with the arguments by which vs-jetpack calls a backend.

    backend: who filters: a GPU if there is one (`auto`), the CPU, or a GPU (`cuda`)
    device: number of the GPU
    threads: threads of the CPU for each frame

    `gauss_blur` calls the plugin itself: pass it `backend=`, `device=` and `threads=` as further arguments there, if at all.
    """

    value = "warpreel"
    """The namespace of the plugin, by which `gauss_blur` finds its function `GaussBlur`."""

    def __init__(self, backend: Literal["auto", "cpu", "cuda"] = "auto", device: int = 0, threads: int = 1) -> None:
        self._common = {"backend": backend, "device": device, "threads": threads}
        self._plugin = _Plugin(self)

    def __repr__(self) -> str:
        return "vswarpreel.Backend(" + ", ".join(f"{key}={value!r}" for key, value in self._common.items()) + ")"

    def resolve(self) -> Self:
        """Itself: vs-jetpack asks its own backends which of them `auto` is."""
        return self

    @property
    def plugin(self) -> _Plugin:
        """Where `bm3d` looks for `BM3Dv2`."""
        return self._plugin

    def Bilateral(  # noqa: N802
        self,
        clip: VideoNode,
        ref: VideoNode | None = None,
        sigma_spatial: float | Sequence[float] | None = None,
        sigma_color: float | Sequence[float] | None = None,
        radius: int | Sequence[int] | None = None,
        num_streams: int | None = None,
    ) -> VideoNode:
        """`Bilateral` by the arguments of `bilateralgpu.Bilateral`. The window is round, of twice sigma samples unless
        `radius` says otherwise."""
        _refuse("bilateral", ref=ref)
        space = _each(clip, 3.0 if sigma_spatial is None else sigma_spatial)
        colour = _each(clip, 0.02 if sigma_color is None else sigma_color)
        window = [None] * len(space) if radius is None else _each(clip, radius)
        values = [
            {"sigma_s": sigma_s, "sigma_r": sigma_r, "radius": reach} if sigma_s > 0 and sigma_r > 0 else None
            for sigma_s, sigma_r, reach in zip(space, colour, window)
        ]
        return self._run(clip, "bilateral", values)

    def NLMeans(  # noqa: N802
        self,
        clip: VideoNode,
        d: int = 1,
        a: int = 2,
        s: int = 4,
        h: float = 1.2,
        channels: str = "AUTO",
        wmode: int = 0,
        wref: float | None = None,
        rclip: VideoNode | None = None,
        num_streams: int | None = None,
    ) -> VideoNode:
        """`NLMeans` by the arguments of `KNLMeansCL`. Each plane is compared by itself."""
        _refuse("nl_means", ref=rclip, wref=wref if wref not in (None, 1) else None)
        names = ["welsch", "linear", "bisquare", "bisquare8"]
        if not 0 <= int(wmode) < len(names):
            raise _error("nl_means", f"wmode={int(wmode)} is unknown; pass 0 to {len(names) - 1}")
        kinds = {"AUTO": range(3), "YUV": range(3), "RGB": range(3), "Y": [0], "UV": [1, 2]}
        if channels not in kinds:
            raise _error("nl_means", f"channels={channels} is unknown; pass {', '.join(kinds)}")
        planes = kinds[channels]
        if channels == "AUTO" and clip.format.color_family.name == "YUV":
            planes = [0]
        side = 2 * s + 1
        # Both weigh by exp(-x): x is the sum of squared differences over (h side)^2 there, and over (10 s)^2 here.
        values = {"s": h * side / 10, "p": side, "r": 2 * a + 1, "frames": d, "weights": names[int(wmode)]}
        return self._run(clip, "nlmeans", [values if plane in planes else None for plane in range(clip.format.num_planes)])

    def _run(self, clip: VideoNode, name: str, values: Sequence[dict[str, Any] | None]) -> VideoNode:
        """A filter with values for each plane; `None` leaves the plane as it is."""
        letters = {"GRAY": "y", "YUV": "yuv", "RGB": "rgb"}[clip.format.color_family.name]
        planes: dict[str, str] = {}
        for letter, own in zip(letters, values):
            if own is not None:
                text = ":".join(f"{key}={value}" for key, value in own.items() if value is not None)
                planes[text] = planes.get(text, "") + letter
        if not planes:
            return clip
        chain = ",".join(f"{name}={text}:planes={letters}" for text, letters in planes.items())
        return clip.warpreel.Filter(chain, **self._common)


class _Plugin:
    """The function of BM3D plugins, which `bm3d` calls twice: for the basic estimate, and with that as `ref`."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        # The latest basic estimate of each thread, and what it was made of. Weak, so that no core outlives its script.
        self._latest = threading.local()

    @property
    def BM3Dv2(self) -> Any:  # noqa: N802
        def bm3d(
            clip: VideoNode,
            ref: VideoNode | None = None,
            sigma: float | Sequence[float] = 3.0,
            block_step: int = 8,
            bm_range: int = 9,
            radius: int = 0,
            ps_range: int = 4,
            group_size: int = 8,
            chroma: bool = False,
        ) -> VideoNode:
            if ref is not None and not self._is_own(clip, ref):
                raise _error("bm3d", "pre, ref and refine above 1 are not offered: both steps are made of the clip itself; leave them out")
            steps = "basic" if ref is None else "final"
            values = [
                {
                    "sigma": own, "block_step": block_step, "bm_range": bm_range, "group": group_size, "radius": radius,
                    "ps_range": ps_range, "steps": steps,
                } if own > 0 else None
                for own in _each(clip, sigma)
            ]
            made = self._backend._run(clip, "bm3d", values)
            self._latest.pair = (weakref.ref(clip), weakref.ref(made)) if ref is None else None
            return made

        # vs-jetpack leaves out arguments that a function does not name.
        bm3d.__signature__ = inspect.signature(bm3d)  # type: ignore[attr-defined]
        return bm3d

    def _is_own(self, clip: VideoNode, ref: VideoNode) -> bool:
        pair = getattr(self._latest, "pair", None)
        return pair is not None and pair[0]() is clip and pair[1]() is ref


def _each(clip: VideoNode, values: Any) -> list[Any]:
    """A value for each plane; the last stands for those that are missing."""
    values = list(values) if isinstance(values, Sequence) else [values]
    count = clip.format.num_planes
    return (values + values[-1:] * count)[:count]


def _refuse(function: str, **arguments: Any) -> None:
    for key, value in arguments.items():
        if value is not None:
            raise _error(function, f"{key} is not offered by this backend; leave it out")


def _error(function: str, text: str) -> Exception:
    from vapoursynth import Error

    return Error(f"{function}: {text}")
