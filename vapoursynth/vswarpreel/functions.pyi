"""The functions of the plugin, `core.warpreel`. Made from the table of filters."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from vapoursynth import VideoNode

class Functions(Protocol):
    def Filter(self, clip: VideoNode, chain: str, backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ..., border: str = ..., planes: int | Sequence[int] = ...) -> VideoNode:
        """Any chain of filters."""

    def GaussBlur(self, clip: VideoNode, sigma: float | Sequence[float] = ..., num_streams: int = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Gaussian with a sigma for each plane; num_streams has no effect."""

    def Convolution(self, clip: VideoNode, m0: float | Sequence[float] = ..., m1: float | Sequence[float] = ..., m2: float | Sequence[float] = ..., m3: float | Sequence[float] = ..., rdiv0: float = ..., rdiv1: float = ..., rdiv2: float = ..., rdiv3: float = ..., bias0: float = ..., bias1: float = ..., bias2: float = ..., bias3: float = ..., mode0: str = ..., mode1: str = ..., mode2: str = ..., mode3: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Any square, row or column kernel, in FFmpeg's syntax.

        m0: taps of this plane, row by row, between spaces or |; numbers between spaces; default (the plane is copied)
        m1: taps of this plane, row by row, between spaces or |; numbers between spaces; default (the plane is copied)
        m2: taps of this plane, row by row, between spaces or |; numbers between spaces; default (the plane is copied)
        m3: taps of this plane, row by row, between spaces or |; numbers between spaces; default (the plane is copied)
        rdiv0: factor of the sum; 0: 1 over the sum of the taps; a number from -1000000000 to 1000000000; default 0
        rdiv1: factor of the sum; 0: 1 over the sum of the taps; a number from -1000000000 to 1000000000; default 0
        rdiv2: factor of the sum; 0: 1 over the sum of the taps; a number from -1000000000 to 1000000000; default 0
        rdiv3: factor of the sum; 0: 1 over the sum of the taps; a number from -1000000000 to 1000000000; default 0
        bias0: added to the result; a number from -1000000000 to 1000000000; default 0
        bias1: added to the result; a number from -1000000000 to 1000000000; default 0
        bias2: added to the result; a number from -1000000000 to 1000000000; default 0
        bias3: added to the result; a number from -1000000000 to 1000000000; default 0
        mode0: shape of the kernel: a square, a row, or a column; square, row, column; default square
        mode1: shape of the kernel: a square, a row, or a column; square, row, column; default square
        mode2: shape of the kernel: a square, a row, or a column; square, row, column; default square
        mode3: shape of the kernel: a square, a row, or a column; square, row, column; default square
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or all)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Kernel(self, clip: VideoNode, kernel: str = ..., scale: float = ..., bias: float = ..., file: str = ..., anchor: float | Sequence[float] = ..., flip: int = ..., normalize: int = ..., combine: str = ..., abs: int = ..., kernel0: str = ..., kernel1: str = ..., kernel2: str = ..., kernel3: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Any kernel in x, y and t; text, or a .txt, .csv, .json, .npy file.

        kernel: kernel of all planes; a kernel such as '0 -1 0; -1 5 -1; 0 -1 0', or a .txt, .csv, .json or .npy file; default (none)
        scale: factor of the sum; a number from -1000000000 to 1000000000; default (the file's, or 1 over the sum of the taps)
        bias: added to the result, except in chroma; a number from -1000 to 1000; default 0
        file: file with the kernel, of any name; a .txt, .csv, .json or .npy file; default (none)
        anchor: tap on the sample itself: x, y and t, counted from 0; numbers between spaces; default (the file's, or the middle, size/2)
        flip: 1 rotates the kernel by 180 degrees, anchor included; 0 or 1; default 0
        normalize: 1 divides by the sum of the taps, so that a flat picture stays the same; 0 or 1; default (1, unless there is a scale or the taps sum to 0)
        combine: combination of several kernels' sums: their sum, the root of the sum of squares, the largest absolute value; sum, magnitude, max; default sum
        abs: 1 takes the absolute value of the sum of one kernel; 0 or 1; default 0
        kernel0: kernel of this plane only; for alpha, type planes=all too; a kernel such as '0 -1 0; -1 5 -1; 0 -1 0', or a .txt, .csv, .json or .npy file; default (as kernel)
        kernel1: kernel of this plane only; for alpha, type planes=all too; a kernel such as '0 -1 0; -1 5 -1; 0 -1 0', or a .txt, .csv, .json or .npy file; default (as kernel)
        kernel2: kernel of this plane only; for alpha, type planes=all too; a kernel such as '0 -1 0; -1 5 -1; 0 -1 0', or a .txt, .csv, .json or .npy file; default (as kernel)
        kernel3: kernel of this plane only; for alpha, type planes=all too; a kernel such as '0 -1 0; -1 5 -1; 0 -1 0', or a .txt, .csv, .json or .npy file; default (as kernel)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Gaussian(self, clip: VideoNode, sigma: float = ..., sigma_y: float = ..., truncate: float = ..., radius: int = ..., boxes: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Gaussian blur of any sigma, also different in x and y.

        sigma: standard deviation in x; 0 does nothing; a number from 0 to 1000; default 1
        sigma_y: standard deviation in y; a number from 0 to 1000; default (as sigma)
        truncate: cutoff: the radius is truncate times sigma, rounded; a number from 0.5 to 8; default 3
        radius: cutoff as a radius, instead of truncate; a whole number from 0 to 8000; default (truncate times sigma)
        boxes: number of box blurs in place of the Gaussian; 0 is the Gaussian itself; a whole number from 0 to 6; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Gaussian3D(self, clip: VideoNode, sigma: float = ..., sigma_t: float = ..., sigma_y: float = ..., truncate: float = ..., radius: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Gaussian blur in space and time.

        sigma: standard deviation in x; 0 does nothing; a number from 0 to 1000; default 1
        sigma_t: standard deviation in time; a number from 0 to 100; default 1
        sigma_y: standard deviation in y; a number from 0 to 1000; default (as sigma)
        truncate: cutoff: the radius is truncate times sigma, rounded; a number from 0.5 to 8; default 3
        radius: cutoff as a radius, instead of truncate; a whole number from 0 to 8000; default (truncate times sigma)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def LowPass(self, clip: VideoNode, sigma: float | Sequence[float] = ..., cutoff: float | Sequence[float] = ..., truncate: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Gaussian blur with a sigma or a cutoff frequency for each plane.

        sigma: standard deviation in each plane, 0 to 1000; numbers between spaces; default (1)
        cutoff: frequency at which half of the amplitude is left in each plane, 0.0002 to 0.5, or 0; numbers between spaces; default (sigma is used)
        truncate: cutoff: the radius is truncate times sigma, rounded; a number from 0.5 to 8; default 3
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Box(self, clip: VideoNode, radius: int = ..., radius_y: int = ..., passes: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Box blur: mean of a rectangle, once or several times.

        radius: radius in x: the box is 2 radius + 1 pixels wide; a whole number from 0 to 1000; default 2
        radius_y: radius in y; a whole number from 0 to 1000; default (as radius)
        passes: number of passes, without rounding in between; three come close to a Gaussian; a whole number from 1 to 8; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Box3D(self, clip: VideoNode, radius: int = ..., radius_t: int = ..., radius_y: int = ..., passes: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Box blur in space and time.

        radius: radius in x: the box is 2 radius + 1 pixels wide; a whole number from 0 to 1000; default 2
        radius_t: radius in time: the box is 2 radius_t + 1 frames long; a whole number from 0 to 512; default 1
        radius_y: radius in y; a whole number from 0 to 1000; default (as radius)
        passes: number of passes, without rounding in between; three come close to a Gaussian; a whole number from 1 to 8; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Binomial(self, clip: VideoNode, radius: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Binomial blur: rows of Pascal's triangle, 1 2 1, 1 4 6 4 1, ….

        radius: row of the triangle: 2 radius; a whole number from 0 to 100; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Disk(self, clip: VideoNode, radius: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Disk blur, like a lens out of focus.

        radius: radius of the disk; a number from 0.5 to 400; default 3
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def MotionBlur(self, clip: VideoNode, length: float = ..., angle: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Blur along a line, like a moving camera.

        length: length of the line; a number from 1 to 900; default 9
        angle: direction: 0 is horizontal, 90 vertical; a number from -360 to 360; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Unsharp(self, clip: VideoNode, luma_msize_x: int = ..., luma_msize_y: int = ..., luma_amount: float = ..., chroma_msize_x: int = ..., chroma_msize_y: int = ..., chroma_amount: float = ..., alpha_msize_x: int = ..., alpha_msize_y: int = ..., alpha_amount: float = ..., sigma: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Unsharp mask: sharpens by what a blur removes, as FFmpeg's does.

        luma_msize_x: width of the blur of luma; a whole number from 1 to 127; default 5
        luma_msize_y: height of the blur of luma; a whole number from 1 to 127; default 5
        luma_amount: strength; negative blurs, 0 copies; a number from -10 to 10; default 1
        chroma_msize_x: width of the blur of chroma; a whole number from 1 to 127; default 5
        chroma_msize_y: height of the blur of chroma; a whole number from 1 to 127; default 5
        chroma_amount: strength; negative blurs, 0 copies; a number from -10 to 10; default 0
        alpha_msize_x: width of the blur of alpha; a whole number from 1 to 127; default 5
        alpha_msize_y: height of the blur of alpha; a whole number from 1 to 127; default 5
        alpha_amount: strength; negative blurs, 0 copies; a number from -10 to 10; default 0
        sigma: standard deviation of a Gaussian, used instead of the sizes; a number from 0 to 100; default (a row of Pascal's triangle instead)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or all)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Sharpen(self, clip: VideoNode, amount: float = ..., neighbours: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Sharpens with a 3x3 Laplacian.

        amount: strength; 0 copies; a number from -10 to 10; default 0.5
        neighbours: neighbours to compare: 4, or 8 with the corners; 4, 8; default 4
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def HighBoost(self, clip: VideoNode, boost: float = ..., sigma: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """High-boost: sharpens all planes by the detail a Gaussian removes.

        boost: strength; 1 is the plain unsharp mask; a number from 0 to 10; default 1.5
        sigma: standard deviation of the Gaussian; a number from 0 to 100; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Cas(self, clip: VideoNode, strength: float = ..., planes: int | Sequence[int] = ..., border: str = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Contrast-adaptive sharpening: less where contrast is high already.

        strength: strength; 0 is the weakest, and no copy; a number from 0 to 1; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or clamp)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Emboss(self, clip: VideoNode, angle: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Turns the picture into a relief, lit from one side.

        angle: direction of the light: 135 is the upper left; a whole number from 0 to 315; default 135
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Sobel(self, clip: VideoNode, scale: float = ..., delta: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Magnitude of the gradient, by Sobel's kernels.

        scale: factor of the result; a number from -65535 to 65535; default 1
        delta: added to the result, except in chroma; a number from -65535 to 65535; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Prewitt(self, clip: VideoNode, scale: float = ..., delta: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Magnitude of the gradient, by Prewitt's kernels.

        scale: factor of the result; a number from -65535 to 65535; default 1
        delta: added to the result, except in chroma; a number from -65535 to 65535; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Scharr(self, clip: VideoNode, scale: float = ..., delta: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Magnitude of the gradient, by Scharr's kernels.

        scale: factor of the result; a number from -65535 to 65535; default 1
        delta: added to the result, except in chroma; a number from -65535 to 65535; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Roberts(self, clip: VideoNode, scale: float = ..., delta: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Magnitude of the gradient, by Roberts' cross.

        scale: factor of the result; a number from -65535 to 65535; default 1
        delta: added to the result, except in chroma; a number from -65535 to 65535; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Kirsch(self, clip: VideoNode, scale: float = ..., delta: float = ..., order: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Strongest edge of eight directions, by Kirsch's kernels.

        scale: factor of the result; a number from -65535 to 65535; default 1
        delta: added to the result, except in chroma; a number from -65535 to 65535; default 0
        order: movement of the kernel: round the sample, or along the rows as in FFmpeg; round, rows; default round
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Motion(self, clip: VideoNode, scale: float = ..., delta: float = ..., weight: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Magnitude of the gradient in x, y and t.

        scale: factor of the result; a number from -65535 to 65535; default 1
        delta: added to the result, except in chroma; a number from -65535 to 65535; default 0
        weight: weight of time against space; a number from 0 to 1000; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Laplacian(self, clip: VideoNode, neighbours: str = ..., scale: float = ..., offset: float = ..., abs: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """The Laplacian, 3x3.

        neighbours: neighbours to compare: 4, or 8 with the corners; 4, 8; default 4
        scale: factor of the result; a number from -65535 to 65535; default 1
        offset: added to the result, except in chroma; 0.5 shows negative values too; a number from -1 to 1; default 0
        abs: 1 takes the absolute value, before scale and offset; 0 or 1; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def LoG(self, clip: VideoNode, sigma: float = ..., scale: float = ..., offset: float = ..., abs: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Laplacian of Gaussian.

        sigma: standard deviation of the Gaussian; a number from 0.5 to 100; default 1.5
        scale: factor of the result; a number from -65535 to 65535; default 1
        offset: added to the result, except in chroma; 0.5 shows negative values too; a number from -1 to 1; default 0
        abs: 1 takes the absolute value, before scale and offset; 0 or 1; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def DoG(self, clip: VideoNode, sigma: float = ..., sigma2: float = ..., scale: float = ..., offset: float = ..., abs: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Difference of two Gaussians: keeps a band of detail.

        sigma: standard deviation of the narrower Gaussian; a number from 0 to 100; default 1
        sigma2: standard deviation of the wider Gaussian; a number from 0 to 100; default (1.6 times sigma)
        scale: factor of the result; a number from -65535 to 65535; default 1
        offset: added to the result, except in chroma; 0.5 shows negative values too; a number from -1 to 1; default 0
        abs: 1 takes the absolute value, before scale and offset; 0 or 1; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Gabor(self, clip: VideoNode, wavelength: float = ..., angle: float = ..., sigma: float = ..., phase: float = ..., aspect: float = ..., scale: float = ..., offset: float = ..., abs: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Gabor filter: finds stripes of one width and direction.

        wavelength: width of a stripe and its gap; a number from 2 to 200; default 8
        angle: direction: 0 finds vertical stripes; a number from -360 to 360; default 0
        sigma: width of the Gaussian; a number from 0.5 to 50; default (half a wavelength)
        phase: phase: 0 finds lines, 90 edges; a number from -360 to 360; default 0
        aspect: aspect ratio; below 1 is longer along the stripes; a number from 0.1 to 10; default 0.5
        scale: factor of the result; a number from -65535 to 65535; default 1
        offset: added to the result, except in chroma; 0.5 shows negative values too; a number from -1 to 1; default 0
        abs: 1 takes the absolute value, before scale and offset; 0 or 1; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def TMix(self, clip: VideoNode, frames: int = ..., weights: float | Sequence[float] = ..., scale: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Weighted mean of successive frames.

        frames: number of frames to mix; a whole number from 1 to 1024; default (as many as weights, or 3)
        weights: weight of each frame, oldest first; numbers between spaces; default (1 for each)
        scale: factor of the sum; 0: 1 over the sum of the weights; a number from 0 to 32767; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def TAverage(self, clip: VideoNode, radius: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Mean of successive frames.

        radius: frames on either side; a whole number from 0 to 512; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def TGaussian(self, clip: VideoNode, sigma: float = ..., truncate: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Gaussian blur in time only.

        sigma: standard deviation; 0 does nothing; a number from 0 to 100; default 1
        truncate: cutoff in standard deviations; a number from 0.5 to 8; default 3
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def TBlend(self, clip: VideoNode, mode: str = ..., opacity: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Blends each frame with the one before; FFmpeg's modes.

        mode: blend mode; normal, addition, average, subtract, difference, darken, lighten, grainextract, grainmerge, phoenix, multiply, multiply128, negation, extremity, screen, overlay, hardlight, hardmix, heat, freeze, divide, dodge, burn, softlight, exclusion, pinlight, reflect, glow, and, or, xor, vividlight, linearlight, softdifference, geometric, harmonic, hardoverlay; default normal
        opacity: share of the blend; the rest is this frame, or for normal the previous one; a number from 0 to 1; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def TDiff(self, clip: VideoNode, mode: str = ..., scale: float = ..., offset: float = ..., abs: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Difference of successive frames.

        mode: frames to subtract: this one and the previous one, or the two neighbours; previous, centred; default previous
        scale: factor of the result; a number from -65535 to 65535; default 1
        offset: added to the result, except in chroma; 0.5 shows negative values too; a number from -1 to 1; default 0
        abs: 1 takes the absolute value, before scale and offset; 0 or 1; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Deflicker(self, clip: VideoNode, size: int = ..., mode: str = ..., range: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Removes flicker: evens out the brightness of successive frames.

        size: number of frames to average; a whole number from 2 to 129; default 5
        mode: type of average: arithmetic, geometric, harmonic, quadratic, cubic, power or the median; am, gm, hm, qm, cm, pm, median; default am
        range: black: 0, as FFmpeg's filter has it, or 16 of 255; full, limited; default full
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Stabilize(self, clip: VideoNode, radius: int = ..., zoom: float = ..., edge: str = ..., color: str = ..., interpolation: str = ..., taps: int = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Steadies a shaky camera.

        radius: frames on each side that the path is smoothed over; a whole number from 1 to 64; default 15
        zoom: enlargement of the picture, in percent; a number from 0 to 100; default 5
        edge: picture outside the frame: mirrored, the nearest sample, or a colour; mirror, clamp, fill; default mirror
        color: the colour of edge=fill: a name of CSS, or #RRGGBB, with @ and its opacity from 0 to 1 behind it; a colour such as black, white or #102030; default black
        interpolation: how samples are made of those around: bilinear (also called linear) as FFmpeg, or by a curve of scale; bilinear, linear, point, bicubic, lanczos, spline16, spline36, spline64; default bilinear
        taps: lobes of lanczos; a whole number from 1 to 16; default 3
        """

    def Denoise(self, clip: VideoNode, strength: str = ..., luma: float = ..., chroma: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Removes noise, with the strength measured from the clip.

        strength: part of the noise that is removed: 0.75 of it, all, or 1.5 times as much; auto is medium; auto, light, medium, strong; default auto
        luma: noise of luma, whatever the strength: standard deviation; 0 does nothing; auto: that which is measured, times the strength; a number from 0 to 50, or auto; default auto
        chroma: noise of chroma; a number from 0 to 50, or auto; default (that of luma; with auto, what is measured)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def NLMeans(self, clip: VideoNode, s: float = ..., p: int = ..., pc: int = ..., r: int = ..., rc: int = ..., frames: int = ..., weights: str = ..., show: str = ..., sc: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Non-local means: averages pixels with similar neighbourhoods.

        s: strength: the difference up to which neighbourhoods count as similar; FFmpeg takes 1 to 30; 0 does nothing; a number from 0 to 30, or auto; default 1
        p: side of the neighbourhoods that are compared (patch); odd; a whole number from 1 to 99; default 7
        pc: patch side in planes after the first; 0: as p; a whole number from 0 to 99; default 0
        r: side of the square that is searched around a sample; odd; a whole number from 1 to 99; default 15
        rc: search side in planes after the first; 0: as r; a whole number from 0 to 99; default 0
        frames: frames to search on either side; a whole number from 0 to 16; default 0
        weights: falloff of weights with the difference x of two patches in units of (10 s)^2: exp(-x), or the 1st, 2nd or 8th power of 1 - x down to 0; welsch, linear, bisquare, bisquare8; default welsch
        show: output: the mean, or the total weight, from black for the sample alone to white for all; mean, weights; default mean
        sc: strength in chroma; a number from 0 to 30, or auto; default (as s; with auto, by the noise of chroma)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def ATADenoise(self, clip: VideoNode, a0: float = ..., b0: float = ..., a1: float = ..., b1: float = ..., a2: float = ..., b2: float = ..., s: int = ..., p: int = ..., a: str = ..., s0: float = ..., s1: float = ..., s2: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Adaptive temporal averaging: a mean over time up to a change.

        a0: largest difference of one sample, in the first plane; 0 leaves the plane unchanged; auto sets the limits of all planes that are not typed; a number from 0 to 0.3, or auto; default 0.02
        b0: largest summed difference of one side, in the first plane; a number from 0 to 5, or auto; default 0.04
        a1: the same in the second plane; a number from 0 to 0.3, or auto; default 0.02
        b1: the same in the second plane; a number from 0 to 5, or auto; default 0.04
        a2: the same in the third plane; a number from 0 to 0.3, or auto; default 0.02
        b2: the same in the third plane; a number from 0 to 5, or auto; default 0.04
        s: number of frames; odd; a whole number from 3 to 129; default 9
        p: planes as a sum of bits (1, 2, 4, 8), of those that planes selects; a whole number from 0 to 15; default (all of planes)
        a: order: both sides at once, where one side ends the other (p), or one side after the other (s); p, s; default p
        s0: falloff of weights with time, in the first plane; 32767 weights all frames alike; a number from 0 to 32767; default 32767
        s1: the same in the second plane; a number from 0 to 32767; default 32767
        s2: the same in the third plane; a number from 0 to 32767; default 32767
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Bilateral(self, clip: VideoNode, sigma_s: float = ..., sigma_r: float = ..., radius: int = ..., joint: int = ..., sigma_rc: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Bilateral filter: averages near, similar neighbours; keeps edges.

        sigma_s: standard deviation in space; 0 does nothing; a number from 0 to 1000; default 2.5
        sigma_r: standard deviation of the difference; 0 does nothing; a number from 0 to 1, or auto; default 0.05
        radius: radius of the round window; a whole number from 0 to 32; default (twice sigma_s, at most 32)
        joint: 1 weights all planes by the first plane's differences: edges of colour stay where those of brightness are; 0 or 1; default 0
        sigma_rc: standard deviation of the difference in chroma, where joint is 0; a number from 0 to 1, or auto; default (as sigma_r; with auto, by the noise of chroma)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def Bilateral3D(self, clip: VideoNode, sigma_s: float = ..., sigma_r: float = ..., frames: int = ..., sigma_t: float = ..., radius: int = ..., joint: int = ..., sigma_rc: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Bilateral filter across frames: near, similar pixels in x, y, t.

        sigma_s: standard deviation in space; 0 does nothing; a number from 0 to 1000; default 2.5
        sigma_r: standard deviation of the difference; 0 does nothing; a number from 0 to 1, or auto; default 0.05
        frames: frames on either side; a whole number from 0 to 8; default 1
        sigma_t: standard deviation in time; a number from 0 to 100; default 1
        radius: radius of the round window; a whole number from 0 to 32; default (twice sigma_s, at most 32)
        joint: 1 weights all planes by the first plane's differences: edges of colour stay where those of brightness are; 0 or 1; default 0
        sigma_rc: standard deviation of the difference in chroma, where joint is 0; a number from 0 to 1, or auto; default (as sigma_r; with auto, by the noise of chroma)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Degrain(self, clip: VideoNode, frames: int = ..., thsad: float = ..., thsadc: float = ..., chroma: str = ..., block: str = ..., search: int = ..., pel: str = ..., pnew: int = ..., thscd1: float = ..., thscd2: int = ..., limit: float = ..., show: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Motion-compensated temporal averaging, with MDegrain's weights.

        frames: frames to search on either side; a whole number from 1 to 6; default 3
        thsad: strength: the difference from which a block is ignored; 0 does nothing; a number from 0 to 16320, or auto; default 400
        thsadc: strength in chroma; a number from 0 to 16320, or auto; default (as thsad)
        chroma: motion of planes after the first: that of the first plane if it is filtered too, or their own; luma, own; default luma
        block: side of the blocks; 16 for much noise and large frames; 8, 16; default 8
        search: search range in both directions, in steps of 4; refined by 6 more; a whole number from 0 to 64; default 32
        pel: precision of motion: whole samples (1) or half samples (2); 1, 2; default 2
        pnew: improvement that new motion needs over known motion (the same everywhere, or that of larger blocks); keeps noise from being taken for motion; a whole number from 0 to 256; default 50
        thscd1: difference above which a block has changed; a number from 0 to 16320; default (400, or thsad where that is more)
        thscd2: share of changed blocks above which a frame is another scene and is ignored; a whole number from 0 to 255; default 130
        limit: largest change of a sample; 255 sets no limit; a number from 0 to 255; default 255
        show: output: the mean; or the unfiltered picture with the motion of the first plane's blocks towards the previous frame as colour: 2^(depth-1) for none, and 2^(depth-6) more for each half sample to the right in the second plane, down in the third; of grey 2^(depth-6) for each half sample in either direction; mean, vectors; default mean
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def BM3D(self, clip: VideoNode, sigma: float = ..., block_step: int = ..., bm_range: int = ..., group: int = ..., radius: int = ..., ps_range: int = ..., steps: str = ..., border_t: str = ..., sigmac: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Block matching and 3-D filtering of similar blocks together.

        sigma: standard deviation of the noise, in units of 8 bits; 0 does nothing; a number from 0 to 255, or auto; default 3
        block_step: distance between reference blocks; smaller is better and slower; a whole number from 1 to 8; default 4
        bm_range: search range; a whole number from 0 to 32; default 9
        group: largest number of blocks filtered together; a power of two; a whole number from 1 to 32; default 16
        radius: frames to search on either side; a whole number from 0 to 4; default 0
        ps_range: search range from frame to frame, around the best block of the previous frame; a whole number from 0 to 8; default 4
        steps: both steps, or the first only, which takes half of the time; final, basic; default final
        border_t: frames before the first and after the last; zero: none, and no block is taken from there; clamp, reflect101, zero, lopsided; default zero
        sigmac: standard deviation of the noise of chroma; a number from 0 to 255, or auto; default (as sigma; with auto, by the noise of chroma)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Deband(self, clip: VideoNode, thr1: float = ..., thr2: float = ..., thr3: float = ..., thr4: float = ..., range: float = ..., direction: float = ..., blur: int = ..., coupling: int = ..., border: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Removes banding: makes steps in smooth gradients smooth.

        thr1: distance of samples that count as a step of a smooth area, in the first plane; a number from 0.00003 to 0.5; default 0.02
        thr2: the same in the second plane; a number from 0.00003 to 0.5; default 0.02
        thr3: the same in the third plane; a number from 0.00003 to 0.5; default 0.02
        thr4: the same in the plane of opacity; a number from 0.00003 to 0.5; default 0.02
        range: how far away the four are, at random up to this; negative: exactly; a number from -1024 to 1024; default 16
        direction: in which direction they are, at random up to this; negative: exactly; a number from -6.2832 to 6.2832; default 6.2831853
        blur: 1 compares the mean of the four with the sample, 0 each of them; 0 or 1; default 1
        coupling: 1 changes a pixel only if its samples in all planes of one size would change; 0 or 1; default 0
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or clamp)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Deblock(self, clip: VideoNode, filter: str = ..., block: int = ..., alpha: float = ..., beta: float = ..., gamma: float = ..., delta: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Removes blocking: smooths the edges of compression blocks.

        filter: samples that change on either side of an edge: 2 (weak) or 3 (strong); weak, strong; default strong
        block: distance of edges, across and down; a whole number from 4 to 512; default 8
        alpha: difference across an edge from which it stays; 0 changes nothing; a number from 0 to 1; default 0.098
        beta: difference of the two samples before an edge from which it stays; a number from 0 to 1; default 0.05
        gamma: the same behind it: of the two nearest samples (weak), or of the second and the third (strong); a number from 0 to 1; default 0.05
        delta: strong only: the same, of the two nearest samples behind it; a number from 0 to 1; default 0.05
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or all)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Grain(self, clip: VideoNode, strength: float = ..., size: int = ..., shadows: float = ..., highlights: float = ..., chroma: float = ..., seed: int = ..., static: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Adds film grain, most in the mid-tones.

        strength: standard deviation at mid-grey; 0 copies; a number from 0 to 64; default 4
        size: size of grains; 1 is white noise; a whole number from 1 to 8; default 2
        shadows: share of the strength at black; a number from 0 to 1; default 0.5
        highlights: share of the strength at white; a number from 0 to 1; default 0.25
        chroma: share of the strength in chroma planes, at any brightness; 0 leaves them unchanged; a number from 0 to 1; default 0
        seed: number that selects the noise; a whole number from 0 to 65535; default 0
        static: 1 adds the same noise to all frames; 0 or 1; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Bwdif(self, clip: VideoNode, mode: str = ..., parity: str = ..., deint: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Deinterlaces with weights of three fields; the usual choice.

        mode: one frame for each, or one for each of its fields; send_frame, send_field; default send_field
        parity: field that was taken first, and stays: the top one (tff), the bottom one (bff), or the one that each frame's flags name; auto takes the top one in frames that are not marked as interlaced; auto, tff, bff; default auto
        deint: frames to deinterlace: all, or those that are marked as interlaced; the others are unchanged; all, interlaced; default all
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or all)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Yadif(self, clip: VideoNode, mode: str = ..., parity: str = ..., deint: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Deinterlaces along edges.

        mode: one frame for each, or one for each of its fields, with a spatial check or without (nospatial); send_frame, send_field, send_frame_nospatial, send_field_nospatial; default send_frame
        parity: field that was taken first, and stays: the top one (tff), the bottom one (bff), or the one that each frame's flags name; auto takes the top one in frames that are not marked as interlaced; auto, tff, bff; default auto
        deint: frames to deinterlace: all, or those that are marked as interlaced; the others are unchanged; all, interlaced; default all
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or all)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def W3fdif(self, clip: VideoNode, filter: str = ..., mode: str = ..., parity: str = ..., deint: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Deinterlaces with weights of three fields, without bounds.

        filter: five rows, or nine; simple, complex; default complex
        mode: one frame for each, or one for each of its fields; frame, field; default field
        parity: field that was taken first, and stays: the top one (tff), the bottom one (bff), or the one that each frame's flags name; auto takes the top one in frames that are not marked as interlaced; auto, tff, bff; default auto
        deint: frames to deinterlace: all, or those that are marked as interlaced; the others are unchanged; all, interlaced; default all
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or all)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def FieldMatch(self, clip: VideoNode, order: str = ..., mode: str = ..., field: str = ..., mchroma: int = ..., y0: int = ..., y1: int = ..., scthresh: float = ..., combmatch: str = ..., cthresh: float = ..., chroma: int = ..., blockx: int = ..., blocky: int = ..., combpel: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Puts fields of the same film picture together again.

        order: field that was taken first: the bottom one (bff), the top one (tff), or the one that each frame's flags name; auto takes the top one in frames that are not marked as interlaced; auto, bff, tff; default auto
        mode: fields to choose from; those behind _ are tried where the choice is combed; pc, pc_n, pc_u, pc_n_ub, pcn, pcn_ub; default pc_n
        field: field that stays and another is looked for; auto is the one that order says; auto, bottom, top; default auto
        mchroma: compare chroma too; 0 or 1; default 1
        y0: first row that is not compared, as of a logo; see y1; a whole number from 0 to 2147483647; default 0
        y1: last row that is not compared; where y0 and y1 are equal, all rows are compared; a whole number from 0 to 2147483647; default 0
        scthresh: mean difference of luma between two frames above which the scene changes; a number from 0 to 100; default 12
        combmatch: frames in which combs are looked for: none, those beside a scene change (sc), or all (full); none, sc, full; default sc
        cthresh: difference from the rows above and below that makes a sample combed, in steps of 8 bits; rounded to a whole number; -1 makes all samples combed; a number from -1 to 255; default 9
        chroma: look for combs in chroma too; 0 or 1; default 0
        blockx: width of the boxes in which combed samples are counted; a whole number from 4 to 512; default 16
        blocky: height of these boxes; a whole number from 4 to 512; default 16
        combpel: combed samples in a box from which on a frame is combed; a whole number from 0 to 2147483647; default 80
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or all)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Median(self, clip: VideoNode, radius: int = ..., radius_v: int = ..., percentile: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Median, or another percentile, of the samples around.

        radius: samples to the left and to the right; a whole number from 0 to 127; default 1
        radius_v: samples above and below; a whole number from 0 to 127; default (as radius)
        percentile: share of the samples below the result: 0 the smallest, 1 the largest; a number from 0 to 1; default 0.5
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        """

    def TMedian(self, clip: VideoNode, radius: int = ..., percentile: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Median, or another percentile, of successive frames.

        radius: frames on either side; a whole number from 0 to 127; default 1
        percentile: share of the samples below the result: 0 the smallest, 1 the largest; a number from 0 to 1; default 0.5
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Median3D(self, clip: VideoNode, radius: int = ..., radius_v: int = ..., radius_t: int = ..., percentile: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Median, or another percentile, of the samples in x, y and t.

        radius: samples to the left and to the right; a whole number from 0 to 127; default 1
        radius_v: samples above and below; a whole number from 0 to 127; default (as radius)
        radius_t: frames on either side; a whole number from 0 to 127; default 1
        percentile: share of the samples below the result: 0 the smallest, 1 the largest; a number from 0 to 1; default 0.5
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Erode(self, clip: VideoNode, radius: int = ..., radius_v: int = ..., radius_t: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Minimum of the neighbours: thins bright areas.

        radius: samples to the left and to the right; a whole number from 0 to 127; default 1
        radius_v: samples above and below; a whole number from 0 to 127; default (as radius)
        radius_t: frames on either side; a whole number from 0 to 127; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Dilate(self, clip: VideoNode, radius: int = ..., radius_v: int = ..., radius_t: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Maximum of the neighbours: thickens bright areas.

        radius: samples to the left and to the right; a whole number from 0 to 127; default 1
        radius_v: samples above and below; a whole number from 0 to 127; default (as radius)
        radius_t: frames on either side; a whole number from 0 to 127; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Open(self, clip: VideoNode, radius: int = ..., radius_v: int = ..., radius_t: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Erode, then dilate: removes small bright details.

        radius: samples to the left and to the right; a whole number from 0 to 127; default 1
        radius_v: samples above and below; a whole number from 0 to 127; default (as radius)
        radius_t: frames on either side; a whole number from 0 to 127; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Close(self, clip: VideoNode, radius: int = ..., radius_v: int = ..., radius_t: int = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., border: str = ..., border_t: str = ..., scene: float = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Dilate, then erode: removes small dark details.

        radius: samples to the left and to the right; a whole number from 0 to 127; default 1
        radius_v: samples above and below; a whole number from 0 to 127; default (as radius)
        radius_t: frames on either side; a whole number from 0 to 127; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        border: samples outside the picture; zero and levels leave chroma colourless; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (--border, or reflect101)
        border_t: frames before the first and after the last; clamp, reflect101, zero, lopsided; default clamp
        scene: scene score above which a frame begins a new scene, which this filter treats as a clip of its own: FFmpeg's score, usually 0.3 to 0.4; of two equal jumps in a row the first counts; 0 does not look for cuts; a number from 0 to 1; default 0
        """

    def Levels(self, clip: VideoNode, in_low: float = ..., in_high: float = ..., gamma: float = ..., out_low: float = ..., out_high: float = ..., range: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Spreads the tones between two levels.

        in_low: input that maps to out_low; a number from -1 to 2; default 0
        in_high: input that maps to out_high; a number from -1 to 2; default 1
        gamma: exponent; above 1 brightens the middle tones; a number from 0.01 to 100; default 1
        out_low: output for in_low; a number from -1 to 2; default 0
        out_high: output for in_high; below out_low it gives a negative; a number from -1 to 2; default 1
        range: black and white: 0 and full scale, or 16 and 235 of 255; by the clip's tag, else limited for YUV and full for grey, RGB and floats; full, limited; default (the clip's)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Gain(self, clip: VideoNode, factor: float = ..., range: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Multiplies brightness, with black fixed.

        factor: factor; 1 changes nothing; a number from 0 to 1000; default 1
        range: black and white: 0 and full scale, or 16 and 235 of 255; by the clip's tag, else limited for YUV and full for grey, RGB and floats; full, limited; default (the clip's)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Offset(self, clip: VideoNode, level: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Adds a constant to brightness.

        level: value to add; 0 changes nothing; a number from -1 to 1; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Gamma(self, clip: VideoNode, gamma: float = ..., range: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Brightens or darkens the middle tones.

        gamma: exponent; 1 changes nothing; a number from 0.01 to 100; default 1
        range: black and white: 0 and full scale, or 16 and 235 of 255; by the clip's tag, else limited for YUV and full for grey, RGB and floats; full, limited; default (the clip's)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Invert(self, clip: VideoNode, range: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Inverts the picture (negative).

        range: black and white: 0 and full scale, or 16 and 235 of 255; by the clip's tag, else limited for YUV and full for grey, RGB and floats; full, limited; default (the clip's)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Threshold(self, clip: VideoNode, level: float = ..., low: float = ..., high: float = ..., range: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Makes two tones, split at a level.

        level: level of the split; a number from 0 to 1; default 0.5
        low: output below the level; a number from 0 to 1; default 0
        high: output from the level on; a number from 0 to 1; default 1
        range: black and white: 0 and full scale, or 16 and 235 of 255; by the clip's tag, else limited for YUV and full for grey, RGB and floats; full, limited; default (the clip's)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def LUT(self, clip: VideoNode, table: str = ..., chroma: str = ..., range: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Maps tones by a lookup table.

        table: output for the tones from black to white; tones such as '0 0.1 0.5 0.9 1', or a .txt, .csv, .json or .npy file; default 0 1
        chroma: output for both chroma planes, mid-grey in the middle; tones such as '0 0.1 0.5 0.9 1', or a .txt, .csv, .json or .npy file; default (chroma is left alone)
        range: black and white: 0 and full scale, or 16 and 235 of 255; by the clip's tag, else limited for YUV and full for grey, RGB and floats; full, limited; default (the clip's)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def LUT1D(self, clip: VideoNode, file: str = ..., interp: str = ..., matrix: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Maps red, green and blue each by a table of tones from a .cube file.

        file: file with the table; a .cube file of one dimension; default (none)
        interp: interpolation between the tones of the table; nearest, linear, cubic, cosine, spline; default linear
        matrix: matrix of YUV; bt601, bt709, bt2020; default (the clip's, or bt601)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def LUT3D(self, clip: VideoNode, file: str = ..., interp: str = ..., strength: float = ..., matrix: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Maps colours by a 3D lookup table from a .cube or .3dl file.

        file: file with the table; a .cube or .3dl file; default (none)
        interp: interpolation between the points of the table; tetrahedral, trilinear, nearest; default tetrahedral
        strength: share of the result, mixed in RGB; a number from 0 to 1; default 1
        matrix: matrix of YUV; bt601, bt709, bt2020; default (the clip's, or bt601)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Curves(self, clip: VideoNode, preset: str = ..., master: str = ..., red: str = ..., green: str = ..., blue: str = ..., all: str = ..., interp: str = ..., matrix: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Bends the tones of red, green and blue along curves through key points.

        preset: curves where none are typed; none, color_negative, cross_process, darker, increase_contrast, lighter, linear_contrast, medium_contrast, negative, strong_contrast, vintage; default none
        master: curve of all three, after their own; points x/y such as '0/0 0.5/0.6 1/1'; default (no curve)
        red: curve of red; points x/y such as '0/0 0.5/0.6 1/1'; default (as all)
        green: curve of green; points x/y such as '0/0 0.5/0.6 1/1'; default (as all)
        blue: curve of blue; points x/y such as '0/0 0.5/0.6 1/1'; default (as all)
        all: curve of red, green and blue where they have none; points x/y such as '0/0 0.5/0.6 1/1'; default (the preset's)
        interp: curve between the points; natural, pchip; default natural
        matrix: matrix of YUV; bt601, bt709, bt2020; default (the clip's, or bt601)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Abs(self, clip: VideoNode, level: float = ..., scale: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Absolute difference of brightness from a level.

        level: level that becomes black; a number from 0 to 1; default 0.5
        scale: factor of the distance; a number from -1000 to 1000; default 2
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Eq(self, clip: VideoNode, contrast: float = ..., brightness: float = ..., saturation: float = ..., gamma: float = ..., gamma_r: float = ..., gamma_g: float = ..., gamma_b: float = ..., gamma_weight: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Contrast, brightness, saturation and gamma in one call.

        contrast: factor about mid-grey; below 0 gives a negative; a number from -1000 to 1000; default 1
        brightness: value to add; a number from -1 to 1; default 0
        saturation: factor of chroma; 0 leaves black and white; a number from 0 to 3; default 1
        gamma: exponent; above 1 brightens the middle tones; a number from 0.1 to 10; default 1
        gamma_r: the same of red; a number from 0.1 to 10; default 1
        gamma_g: the same of green; a number from 0.1 to 10; default 1
        gamma_b: the same of blue; a number from 0.1 to 10; default 1
        gamma_weight: share of the gamma; less spares bright areas; a number from 0 to 1; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Saturation(self, clip: VideoNode, factor: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Makes colours stronger or weaker.

        factor: factor; 1 changes nothing; a number from -10 to 10; default 1
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Hue(self, clip: VideoNode, h: float = ..., s: float = ..., H: float = ..., b: float = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Turns hues, and makes colours stronger or weaker.

        h: angle; a number from -36000 to 36000; default (0)
        s: factor of saturation; 0 leaves black and white; a number from -10 to 10; default 1
        H: angle; a number from -1000 to 1000; default (h)
        b: brightness to add; a number from -10 to 10; default 0
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Vibrance(self, clip: VideoNode, intensity: float = ..., rbal: float = ..., gbal: float = ..., bbal: float = ..., rlum: float = ..., glum: float = ..., blum: float = ..., alternate: int = ..., matrix: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Changes saturation by how vivid a colour is already.

        intensity: strength; 0 changes nothing; a number from -2 to 2; default 0
        rbal: factor of the strength of red; a number from -10 to 10; default 1
        gbal: factor of the strength of green; a number from -10 to 10; default 1
        bbal: factor of the strength of blue; a number from -10 to 10; default 1
        rlum: weight of red in luma; a number from 0 to 1; default 0.072186
        glum: weight of green in luma; a number from 0 to 1; default 0.715158
        blum: weight of blue in luma; a number from 0 to 1; default 0.212656
        alternate: 1: pale colours change more; 0: vivid ones do; 0 or 1; default 0
        matrix: matrix of YUV; bt601, bt709, bt2020; default (the clip's, or bt601)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def ColorChannelMixer(self, clip: VideoNode, rr: float = ..., rg: float = ..., rb: float = ..., ra: float = ..., gr: float = ..., gg: float = ..., gb: float = ..., ga: float = ..., br: float = ..., bg: float = ..., bb: float = ..., ba: float = ..., ar: float = ..., ag: float = ..., ab: float = ..., aa: float = ..., matrix: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Makes each colour of parts of red, green and blue.

        rr: part of red in red; a number from -2 to 2; default 1
        rg: part of green in red; a number from -2 to 2; default 0
        rb: part of blue in red; a number from -2 to 2; default 0
        ra: part of opacity in red; 0; default 0
        gr: part of red in green; a number from -2 to 2; default 0
        gg: part of green in green; a number from -2 to 2; default 1
        gb: part of blue in green; a number from -2 to 2; default 0
        ga: part of opacity in green; 0; default 0
        br: part of red in blue; a number from -2 to 2; default 0
        bg: part of green in blue; a number from -2 to 2; default 0
        bb: part of blue in blue; a number from -2 to 2; default 1
        ba: part of opacity in blue; 0; default 0
        ar: part of red in opacity; 0; default 0
        ag: part of green in opacity; 0; default 0
        ab: part of blue in opacity; 0; default 0
        aa: part of opacity in opacity; 1; default 1
        matrix: matrix of YUV; bt601, bt709, bt2020; default (the clip's, or bt601)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def ColorTemperature(self, clip: VideoNode, temperature: float = ..., matrix: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Makes colours warmer or colder, as light of a temperature does.

        temperature: colour of white; a number from 1000 to 40000; default 6500
        matrix: matrix of YUV; bt601, bt709, bt2020; default (the clip's, or bt601)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def Exposure(self, clip: VideoNode, exposure: float = ..., black: float = ..., range: str = ..., planes: int | Sequence[int] = ..., mix: float = ..., roi: str = ..., mask: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Brightens or darkens by stops, as a longer or shorter exposure.

        exposure: stops; 1 doubles brightness; a number from -3 to 3; default 0
        black: value that becomes black; a number from -1 to 1; default 0
        range: black and white: 0 and full scale, or 16 and 235 of 255; by the clip's tag, else limited for YUV and full for grey, RGB and floats; full, limited; default (the clip's)
        planes: planes to filter; the others are unchanged; colour, all, luma, chroma, letters (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15; default (--planes, or colour)
        mix: share of the result; the rest is the unfiltered frame; a number from 0 to 1; default 1
        roi: rectangle to filter; the rest is unchanged, but is read as neighbours; WxH+X+Y, as 640x360+0+90, or 'X Y W H'; default (the whole picture)
        mask: share of the result at each pixel: white is all, black or transparent none; the name of a PNG file; default (white)
        """

    def ColorSpace(self, clip: VideoNode, all: str = ..., space: str = ..., range: str = ..., primaries: str = ..., trc: str = ..., format: str = ..., fast: int = ..., dither: str = ..., wpadapt: str = ..., iall: str = ..., ispace: str = ..., irange: str = ..., iprimaries: str = ..., itrc: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Converts to another matrix, range, other primaries or another transfer, such as BT.601 to BT.709.

        all: matrix, primaries and transfer of the output; bt470m, bt470bg, bt601-6-525, bt601-6-625, bt709, smpte170m, smpte240m, bt2020; default (none)
        space: matrix of the output; bt709, fcc, bt470bg, smpte170m, smpte240m, bt2020nc, bt2020ncl; default (that of all)
        range: code values of black and white of the output; tv, mpeg, limited, pc, jpeg, full; default (the tag of the input)
        primaries: primaries of the output; bt709, bt470m, bt470bg, smpte170m, smpte240m, film, bt2020, smpte428, smpte431, smpte432, jedec-p22, ebu3213; default (that of all)
        trc: transfer of the output; bt709, bt470m, gamma22, bt470bg, gamma28, smpte170m, smpte240m, linear, srgb, iec61966-2-1, xvycc, iec61966-2-4, bt2020-10, bt2020-12; default (that of all)
        format: pixels of the output, of the same subsampling; yuv420p, yuv420p10, yuv420p12, yuv422p, yuv422p10, yuv422p12, yuv444p, yuv444p10, yuv444p12; default (that of the input)
        fast: whether primaries and transfer are only tagged; 0 or 1; default 0
        dither: none; fsb is not offered; none, fsb; default none
        wpadapt: how one white becomes another, where primaries have different ones; bradford, vonkries, identity; default bradford
        iall: matrix, primaries and transfer of the input; bt470m, bt470bg, bt601-6-525, bt601-6-625, bt709, smpte170m, smpte240m, bt2020; default (the tags of the input)
        ispace: matrix of the input; bt709, fcc, bt470bg, smpte170m, smpte240m, bt2020nc, bt2020ncl; default (that of iall, or the tag of the input)
        irange: code values of black and white of the input; tv, mpeg, limited, pc, jpeg, full; default (the tag of the input)
        iprimaries: primaries of the input; bt709, bt470m, bt470bg, smpte170m, smpte240m, film, bt2020, smpte428, smpte431, smpte432, jedec-p22, ebu3213; default (that of iall, or the tag of the input)
        itrc: transfer of the input; bt709, bt470m, gamma22, bt470bg, gamma28, smpte170m, smpte240m, linear, srgb, iec61966-2-1, xvycc, iec61966-2-4, bt2020-10, bt2020-12; default (that of iall, or the tag of the input)
        """

    def ToneMap(self, clip: VideoNode, tonemap: str = ..., peak: float = ..., target: float = ..., range: str = ..., format: str = ..., itrc: str = ..., iprimaries: str = ..., ispace: str = ..., irange: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Maps HDR, PQ or HLG, to SDR of BT.709 for ordinary displays.

        tonemap: curve that compresses highlights: bt2390 leaves all below its knee, hable darkens all, clip cuts off; bt2390, hable, mobius, reinhard, clip; default bt2390
        peak: luminance that becomes white; a number from 50 to 10000; default (PQ: MaxCLL of the clip, or the maximum of its mastering display, or 1000; HLG: 1000)
        target: luminance of the white of the output; 203 is the reference white of BT.2408; a number from 50 to 1000; default 203
        range: code values of black and white of the output; tv, mpeg, limited, pc, jpeg, full; default tv
        format: pixels of the output, of the same subsampling; yuv420p, yuv420p10, yuv420p12, yuv422p, yuv422p10, yuv422p12, yuv444p, yuv444p10, yuv444p12; default (that of the input)
        itrc: transfer of the input: smpte2084 or pq, arib-std-b67 or hlg; smpte2084, pq, arib-std-b67, hlg; default (the tag of the input)
        iprimaries: primaries of the input; bt709, bt470m, bt470bg, smpte170m, smpte240m, film, bt2020, smpte428, smpte431, smpte432, jedec-p22, ebu3213; default (the tag of the input, or bt2020)
        ispace: matrix of the input; bt709, fcc, bt470bg, smpte170m, smpte240m, bt2020nc, bt2020ncl; default (the tag of the input, or bt2020nc)
        irange: code values of black and white of the input; tv, mpeg, limited, pc, jpeg, full; default (the tag of the input)
        """

    def SDR(self, clip: VideoNode, tonemap: str = ..., peak: float = ..., target: float = ..., itrc: str = ..., iprimaries: str = ..., ispace: str = ..., irange: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Makes of HDR what every player shows: SDR of BT.709, 8 bits, 4:2:0.

        tonemap: curve that compresses highlights: bt2390 leaves all below its knee, hable darkens all, clip cuts off; bt2390, hable, mobius, reinhard, clip; default bt2390
        peak: luminance that becomes white; a number from 50 to 10000; default (PQ: MaxCLL of the clip, or the maximum of its mastering display, or 1000; HLG: 1000)
        target: luminance of the white of the output; 203 is the reference white of BT.2408; a number from 50 to 1000; default 203
        itrc: transfer of the input: smpte2084 or pq, arib-std-b67 or hlg; smpte2084, pq, arib-std-b67, hlg; default (the tag of the input)
        iprimaries: primaries of the input; bt709, bt470m, bt470bg, smpte170m, smpte240m, film, bt2020, smpte428, smpte431, smpte432, jedec-p22, ebu3213; default (the tag of the input, or bt2020)
        ispace: matrix of the input; bt709, fcc, bt470bg, smpte170m, smpte240m, bt2020nc, bt2020ncl; default (the tag of the input, or bt2020nc)
        irange: code values of black and white of the input; tv, mpeg, limited, pc, jpeg, full; default (the tag of the input)
        """

    def Scale(self, clip: VideoNode, w: int = ..., h: int = ..., filter: str = ..., fit: str = ..., b: float = ..., c: float = ..., taps: int = ..., square: int = ..., chroma: str = ..., depth: str = ..., dither: str = ..., range: str = ..., rangein: str = ..., siting: str = ..., sitingin: str = ..., impulse: float | Sequence[float] = ..., density: int = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Changes the size of the picture, its depth or its range.

        w: width; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (that of the input)
        h: height; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (that of the input)
        filter: the curve, unless there is an impulse; bicubic, lanczos, bilinear, point, spline16, spline36, spline64; default bicubic
        fit: size to fit into: the shape stays, and pixels become square; a size such as 1280x720; default (w and h)
        b: first parameter of bicubic; a number from -10 to 10; default 0
        c: second parameter of bicubic; a number from -10 to 10; default 0.5
        taps: lobes of lanczos; a whole number from 1 to 16; default 3
        square: whether pixels become square where they are not; 0 or 1; default (1 with fit, else 0)
        chroma: subsampling of chroma; 420, 422, 444, 440, 411, 410; default (that of the input)
        depth: bits of a sample, or f32 for floats; 8, 9, 10, 11, 12, 13, 14, 15, 16, f32; default (that of the input)
        dither: thresholds, noise, or the errors of neighbours, added before samples are rounded to fewer bits; none, ordered, random, error_diffusion; default none
        range: code values of black and white; limited, full; default (that of the input)
        rangein: the same of the input; limited, full; default (the tag of the input)
        siting: place of chroma among its pixels; left, center, topleft, top, bottomleft, bottom; default (that of the input)
        sitingin: the same of the input; left, center, topleft, top, bottomleft, bottom; default (the tag of the input)
        impulse: values of a curve of your own, an odd number; numbers between spaces; default (the curve of filter)
        density: values of impulse for each sample of distance; a whole number from 1 to 64; default 1
        """

    def Crop(self, clip: VideoNode, w: int = ..., h: int = ..., x: int = ..., y: int = ..., keep_aspect: int = ..., exact: int = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Keeps a rectangle of the picture.

        w: width; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (that of the input)
        h: height; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (that of the input)
        x: columns to its left; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (centred)
        y: rows above it; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (centred)
        keep_aspect: whether pixels are stretched to keep the shape; 0 or 1; default 0
        exact: whether sizes and places are taken as they are; 0 or 1; default 0
        """

    def Pad(self, clip: VideoNode, w: int = ..., h: int = ..., x: int = ..., y: int = ..., color: str = ..., border: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Adds borders around the picture.

        w: width; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (that of the input)
        h: height; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (that of the input)
        x: columns to the left of the picture; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default 0
        y: rows above the picture; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default 0
        color: what is added: a name of CSS, or #RRGGBB, with @ and its opacity from 0 to 1 behind it; a colour such as black, white or #102030; default black
        border: what is added in place of a colour: reflect101, reflect, clamp or wrap repeat the picture; reflect101, clamp, reflect, wrap, lopsided, zero or a level from 0 to 1; default (color)
        """

    def HFlip(self, clip: VideoNode, backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Exchanges left and right.

        """

    def VFlip(self, clip: VideoNode, backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Exchanges top and bottom.

        """

    def Transpose(self, clip: VideoNode, dir: str = ..., passthrough: str = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Turns the picture by a quarter.

        dir: direction: clockwise or counter-clockwise by 90°; with _flip mirrored as well; cclock_flip, clock, cclock, clock_flip; default cclock_flip
        passthrough: shape of pictures that stay as they are; none, portrait, landscape; default none
        """

    def Rotate(self, clip: VideoNode, a: float = ..., w: int = ..., h: int = ..., interpolation: str = ..., color: str = ..., expand: int = ..., taps: int = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Turns the picture by any angle.

        a: angle, clockwise; a number, or an expression of in_w, iw, in_h, ih, a, sar, dar, hsub, vsub, n, t; default 0
        w: width of the result; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (that of the input)
        h: height of the result; a number, or an expression of in_w, iw, in_h, ih, out_w, ow, out_h, oh, a, sar, dar, hsub, vsub; default (that of the input)
        interpolation: how samples are made of those around: bilinear (also called linear) as FFmpeg, or by a curve of scale; bilinear, linear, point, bicubic, lanczos, spline16, spline36, spline64; default bilinear
        color: the colour around the picture: a name of CSS, or #RRGGBB, with @ and its opacity from 0 to 1 behind it; a colour such as black, white or #102030; default black
        expand: whether the result holds all of the picture; 0 or 1; default 0
        taps: lobes of lanczos; a whole number from 1 to 16; default 3
        """

    def Perspective(self, clip: VideoNode, x0: float = ..., y0: float = ..., x1: float = ..., y1: float = ..., x2: float = ..., y2: float = ..., x3: float = ..., y3: float = ..., interpolation: str = ..., sense: str = ..., taps: int = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Corrects or applies perspective.

        x0: column of the top left corner; a number, or an expression of W, H, in_w, iw, in_h, ih, a, sar, dar, hsub, vsub; default (0)
        y0: row of the top left corner; a number, or an expression of W, H, in_w, iw, in_h, ih, a, sar, dar, hsub, vsub; default (0)
        x1: column of the top right corner; a number, or an expression of W, H, in_w, iw, in_h, ih, a, sar, dar, hsub, vsub; default (W)
        y1: row of the top right corner; a number, or an expression of W, H, in_w, iw, in_h, ih, a, sar, dar, hsub, vsub; default (0)
        x2: column of the bottom left corner; a number, or an expression of W, H, in_w, iw, in_h, ih, a, sar, dar, hsub, vsub; default (0)
        y2: row of the bottom left corner; a number, or an expression of W, H, in_w, iw, in_h, ih, a, sar, dar, hsub, vsub; default (H)
        x3: column of the bottom right corner; a number, or an expression of W, H, in_w, iw, in_h, ih, a, sar, dar, hsub, vsub; default (W)
        y3: row of the bottom right corner; a number, or an expression of W, H, in_w, iw, in_h, ih, a, sar, dar, hsub, vsub; default (H)
        interpolation: how samples are made of those around: bilinear (also called linear) as FFmpeg, or by a curve of scale; bilinear, linear, point, bicubic, lanczos, spline16, spline36, spline64; default bilinear
        sense: source: the corners are places of the input; destination: of the result; source, destination; default source
        taps: lobes of lanczos; a whole number from 1 to 16; default 3
        """

    def Overlay(self, clip: VideoNode, picture: str = ..., x: int = ..., y: int = ..., opacity: float = ..., eof_action: str = ..., width: int = ..., height: int = ..., shortest: int = ..., backend: Literal["auto", "cpu", "cuda"] = ..., device: int = ..., in_flight: int = ..., threads: int = ..., fields: Literal["auto", "frame", "separate"] = ..., color_range: Literal["auto", "limited", "full"] = ...) -> VideoNode:
        """Lays a still picture, such as a logo, or another clip over the clip.

        picture: PNG file or another clip; the name of a PNG file; default (none)
        x: columns to the left of the picture; a number, or an expression of main_w, W, main_h, H, overlay_w, w, overlay_h, h, x, y, hsub, vsub, n, t; default 0
        y: rows above the picture; a number, or an expression of main_w, W, main_h, H, overlay_w, w, overlay_h, h, x, y, hsub, vsub, n, t; default 0
        opacity: factor of the picture's opacity; a number from 0 to 1; default 1
        eof_action: frames after its end: meet its last frame, are left out, or stay; repeat, endall, pass; default repeat
        width: columns that it is scaled to; -1 keeps its shape; a number, or an expression of main_w, W, main_h, H, overlay_w, w, overlay_h, h, x, y, hsub, vsub; default (its own)
        height: rows that it is scaled to; -1 keeps its shape; a number, or an expression of main_w, W, main_h, H, overlay_w, w, overlay_h, h, x, y, hsub, vsub; default (its own)
        shortest: 1 ends the clip with the second one, as eof_action=endall; 0 or 1; default 0
        """

    def Version(self) -> dict[str, Any]:
        """The version, what the plugin runs on, and help."""
