"""Filters arrays and video in x, y and t, on the GPU or the CPU, with the same bytes on both."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypedDict, TypeVar, overload

from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self, Unpack

Backend = Literal["auto", "cpu", "cuda"]
Fields = Literal["auto", "frame", "separate"]
BorderT = Literal["clamp", "reflect101", "zero", "lopsided"]
Matrix = Literal["bt709", "bt601", "smpte240m", "bt2020"]
Path = str | os.PathLike[str]
Time = str | float
Size = str | int

class SupportsDLPack(Protocol):
    """An array of NumPy, PyTorch, JAX, CuPy and others."""

    def __dlpack__(self, *, stream: Any = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, int]: ...

class SupportsCuda(Protocol):
    """An array on a GPU of a library without DLPack."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

class SupportsArray(Protocol):
    """What becomes an array of NumPy, such as an image of Pillow."""

    def __array__(self) -> NDArray[Any]: ...

A = TypeVar("A", bound=SupportsDLPack | SupportsCuda | Frame)
P = TypeVar("P", covariant=True)

class ReadOptions(TypedDict, total=False):
    """How a video is read: the options of the command line."""

    raw: str | None
    fps: float | str | None
    start: Time | None
    end: Time | None
    duration: Time | None
    frames: int | None
    strict: bool | None
    salvage: bool | None
    conceal: bool | None
    decoder: Literal["auto", "software", "nvdec"] | None
    decode_lanes: int | str | None
    max_memory: Size | None
    threads: int | str | None

class _WriteOptions(TypedDict, total=False):
    overwrite: bool | None
    codec: str | None
    quality: float | None
    crf: float | None
    preset: str | int | None
    bitrate: str | int | None
    pix_fmt: str | None
    lossless: bool | None
    container: str | None
    audio: str | int | Sequence[str | int] | None
    no_audio: bool | None
    subtitles: str | int | Sequence[str | int] | None
    drop: str | Sequence[str] | None
    encoder_option: Mapping[str, str | float] | str | Sequence[str] | None

class WriteOptions(_WriteOptions, total=False):
    """How a video is written: the options of the command line."""

    strict: bool | None
    max_memory: Size | None
    threads: int | str | None

class RunOptions(ReadOptions, _WriteOptions, total=False):
    """Those of a whole job."""

    backend: Backend | None
    border: str | float | None
    chunk: str | None
    chunks_from: Path | None
    compare: str | None
    device: int | None
    drop_late: bool | None
    fields: Fields | None
    filter: str | Sequence[str] | None
    gpus: str | int | None
    in_flight: int | None
    metrics: str | Sequence[str] | None
    planes: str | None
    reconnect: int | None
    timeout: float | str | None
    video: str | int | None

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
        border: str | float | None = None,
        border_t: BorderT | None = None,
        planes: str | None = None,
        mask: SupportsDLPack | SupportsArray | None = None,
        depth: int = 16,
        peak: float = 1.0,
        fields: Fields = "auto",
    ) -> None: ...
    @overload
    # Arrays of NumPy are both.
    def __call__(self, image: A, *, out: A | None = None) -> A:  # type: ignore[overload-overlap]
        """Filters one picture, (H, W) or (H, W, C). The result has the size that the chain gives."""
    @overload
    def __call__(self, image: SupportsArray, *, out: NDArray[Any] | None = None) -> NDArray[Any]: ...
    @overload
    def clip(self, frames: A, *, out: A | None = None) -> A:
        """Filters a clip, (T, H, W) or (T, H, W, C), or a list of pictures. Frames of the result have the size that the chain gives."""
    @overload
    def clip(self, frames: list[A] | tuple[A, ...]) -> list[A]: ...
    def stream(self, frames: Iterable[A]) -> Stream[A]:
        """Filters frames one by one, lazily."""
    @property
    def reach(self) -> tuple[int | None, int | None]:
        """How many frames before and after each one are looked at; None for all of them."""
    def explain(self, format: str = "yuv420p", size: tuple[int, int] = (1920, 1080)) -> str:
        """What becomes of the chain: passes, factors, taps, bytes and operations."""

class Stream(Iterator[P]):
    """An iterator over filtered frames."""

    def __next__(self) -> P: ...

class Tensor:
    """A picture on a GPU, to be read, which from_dlpack of CuPy, PyTorch, JAX and others takes without a copy."""

    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    @property
    def shape(self) -> list[int]:
        """(H, W), or (H, W, 1)."""
    @property
    def dtype(self) -> str:
        """NumPy's name of the type."""
    @property
    def device(self) -> int:
        """The number of the GPU."""

# Arrays of NumPy are both.
@overload
def convolve(  # type: ignore[overload-overlap]
    image: A,
    kernel: ArrayLike,
    border: str | float | None = None,
    backend: Backend = "auto",
    *,
    border_t: BorderT = "clamp",
    scale: float = 1.0,
    flip: bool = False,
    peak: float = 1.0,
    device: int = 0,
    threads: int | None = None,
    out: A | None = None,
) -> A:
    """Each sample becomes the sum of those around it times the kernel (correlation)."""

@overload
def convolve(
    image: SupportsArray,
    kernel: ArrayLike,
    border: str | float | None = None,
    backend: Backend = "auto",
    *,
    border_t: BorderT = "clamp",
    scale: float = 1.0,
    flip: bool = False,
    peak: float = 1.0,
    device: int = 0,
    threads: int | None = None,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]: ...

def filters() -> list[Filter]:
    """All filters with their parameters, ranges and defaults."""

class Frame:
    """A frame of a video, as it is stored."""

    @property
    def planes(self) -> list[Any]:
        """Its planes, (H, W) each, to be read: arrays, or tensors of a frame on a GPU; chroma is smaller where it is subsampled."""
    @property
    def letters(self) -> str:
        """The letters of the planes: "yuv", "gbr", "y", with "a" for opacity."""
    @property
    def format(self) -> str:
        """FFmpeg's name of the pixel format."""
    @property
    def size(self) -> tuple[int, int]:
        """Width and height as it is stored."""
    @property
    def device(self) -> int | None:
        """The number of the GPU on which it lies; None on the host."""
    @property
    def number(self) -> int:
        """Its place in the clip, from 0."""
    @property
    def pts(self) -> int:
        """When it is shown, in units of the video's time_base."""
    @property
    def time(self) -> float:
        """When it is shown, in seconds."""
    @property
    def duration(self) -> float:
        """How long it is shown, in seconds; 0 where unknown."""
    def rgb(self, *, matrix: Matrix | None = None) -> NDArray[Any]:
        """The picture of a frame on the host in red, green and blue: (H, W, 3), uint8 of 8 bits, else uint16."""
    def bgr(self, *, matrix: Matrix | None = None) -> NDArray[Any]:
        """The same in blue, green and red, as OpenCV has it."""
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def _repr_png_(self) -> bytes | None:
        """The picture as a PNG of 8 bits, which notebooks show; None of a frame on a GPU."""
    @property
    def matrix(self) -> str | None:
        """The matrix with which the video's colours became YUV; None where it has no tag of it, or the frame is no YUV."""

class Reader(Iterator[Frame]):
    """A video that is read: an iterator, also of frames by their place."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Frame: ...
    def __len__(self) -> int:
        """How many frames there are, exactly; TypeError for pipes."""
    def __bool__(self) -> bool: ...
    @overload
    def __getitem__(self, place: SupportsIndex) -> Frame: ...
    @overload
    def __getitem__(self, place: slice) -> list[Frame]: ...
    def seek(self, time: float) -> None:
        """Goes to a time in seconds: the next frame is the first that is shown then or later."""
    @property
    def estimated_length(self) -> int | None:
        """How many frames there are as far as the file tells at once, which may be wrong; None where it does not."""
    @property
    def matrix(self) -> str | None:
        """The matrix with which the colours became YUV; None where the video has no tag of it, or is no YUV."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    def close(self) -> None:
        """Closes the file; frames that were read stay."""
    @property
    def path(self) -> str:
        """The name that was opened."""
    @property
    def device(self) -> int | None:
        """The number of the GPU on which frames come to lie; None for the host."""
    @property
    def decoder(self) -> str | None:
        """What decodes, and why: "nvdec, 3 lanes", "software"; None where frames are not coded."""
    @property
    def fps(self) -> float | None:
        """Frames a second; None where that is unknown or varies."""
    @property
    def time_base(self) -> tuple[int, int]:
        """The unit of times in seconds, as numerator and denominator."""
    @property
    def size(self) -> tuple[int, int]:
        """Width and height as frames are stored."""
    @property
    def format(self) -> str:
        """FFmpeg's name of the pixel format."""
    @property
    def metadata(self) -> dict[str, str]:
        """The tags of the file, such as its title."""

class Writer:
    """A video that is written."""

    def write(self, picture: Frame | NDArray[Any] | Sequence[NDArray[Any]], *, like: Frame | None = None) -> None:
        """Writes a frame, an array, or a list of planes."""
    def close(self) -> None:
        """Completes the file and gives it its name."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
    @property
    def path(self) -> str:
        """The name that it will have."""

def open(path: Path, *, device: int | None = None, **options: Unpack[ReadOptions]) -> Reader:
    """Opens a video, for frames on the host or on a GPU.

    Options are those of the command line: start, end, duration, frames, raw, fps, strict, salvage, threads, decoder, decode_lanes.
    """

def create(
    path: Path,
    *,
    like: Reader | None = None,
    fps: float | str | None = None,
    depth: int = 16,
    **options: Unpack[WriteOptions],
) -> Writer:
    """Begins a video; options as on the command line: quality, crf, codec, preset, bitrate, pix_fmt, lossless, overwrite."""

def run(
    input: Path,
    output: Path,
    chain: Chain | str | Sequence[str] | None = None,
    *,
    progress: Callable[[int, int | None], object] | None = None,
    **options: Unpack[RunOptions],
) -> Report:
    """Filters a whole video, as the program does it; gives what --stats writes."""

class StreamFate(TypedDict):
    """What became of a stream of the input."""

    name: str
    fate: str

class Stage(TypedDict):
    """How long a stage worked and waited, in seconds."""

    frames: int
    busy_s: float
    starved_s: float
    blocked_s: float

class Stages(TypedDict):
    """The three stages of a job."""

    decode: Stage
    filter: Stage
    encode: Stage

class Defects(TypedDict):
    """What was wrong with the input."""

    damaged_packets: int
    concealed_frames: int
    lost_frames: int
    repeated_frames: int
    truncated: bool
    warnings: list[str]

class Live(TypedDict):
    """Delays and losses of an input from the network."""

    delay_ms: float
    longest_delay_ms: float
    recent_delay_ms: float
    dropped: int
    reconnects: int

class Report(TypedDict):
    """What a job tells of itself, as --stats writes it."""

    version: int
    input: str
    output: str
    format: str
    passes: list[str]
    remark: str | None
    backend: str
    decoder: str | None
    stored: list[str]
    streams: list[StreamFate]
    bytes: int | None
    frames: int
    chunk: dict[str, Any] | None
    interrupted: dict[str, Any] | None
    seconds: float
    fps: float
    pace: str
    stages: Stages
    gpus: list[dict[str, Any]]
    decoders: list[Stage]
    metrics: dict[str, Any] | None
    live: Live | None
    defects: Defects
    frame_memory_bytes: int
    device_memory_bytes: int | None
    error: str | None
