"""Filters arrays and video in x, y and t, on the GPU or the CPU, with the same bytes on both."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypedDict, TypeVar

from numpy.typing import ArrayLike

Backend = Literal["auto", "cpu", "cuda"]
Path = str | os.PathLike[str]
A = TypeVar("A")

__version__: str

class Error(Exception):
    """What failed though nothing was wrong with what was asked for."""

class Parameter(TypedDict):
    """A parameter of a filter."""

    name: str
    aliases: list[str]
    values: str
    low: float | None
    high: float | None
    choices: list[str] | None
    unit: str
    default: str | None
    default_text: str
    help: str

class Filter(TypedDict):
    """A filter of the table."""

    name: str
    group: str
    summary: str
    description: str
    example: str
    parameters: list[Parameter]

class Chain:
    """A chain of filters for arrays; may be called from several threads at a time."""

    def __init__(
        self,
        chain: str | Sequence[str],
        *,
        backend: Backend = "auto",
        device: int = 0,
        threads: int | None = None,
        border: str | None = None,
        planes: str | None = None,
        depth: int = 16,
    ) -> None: ...
    def __call__(self, image: A, *, out: A | None = None) -> A:
        """Filters one picture, (H, W) or (H, W, C)."""
    def clip(self, frames: A, *, out: A | None = None) -> A:
        """Filters a clip, (T, H, W) or (T, H, W, C)."""
    def stream(self, frames: Iterable[A]) -> Stream[A]:
        """Filters frames one by one, lazily."""
    @property
    def reach(self) -> tuple[int | None, int | None]:
        """How many frames before and after each one are looked at; None for all of them."""
    def explain(self, format: str = "yuv420p", size: tuple[int, int] = (1920, 1080)) -> str:
        """What becomes of the chain: passes, factors, taps, bytes and operations."""

class Stream(Iterator[A]):
    """An iterator over filtered frames."""

    def __next__(self) -> A: ...

def convolve(
    image: A,
    kernel: ArrayLike,
    border: str = "reflect101",
    backend: Backend = "auto",
    *,
    scale: float = 1.0,
    flip: bool = False,
    device: int = 0,
    threads: int | None = None,
    out: A | None = None,
) -> A:
    """Each sample becomes the sum of those around it times the kernel (correlation)."""

def filters() -> list[Filter]:
    """All filters with their parameters, ranges and defaults."""
