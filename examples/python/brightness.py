"""Prints the mean brightness of each second of a video.

    python brightness.py in.mp4
"""

import itertools
import sys

import warpreel

with warpreel.open(sys.argv[1]) as video:
    for second, frames in itertools.groupby(video, key=lambda frame: int(frame.time)):
        means = [float(frame.planes[0].mean()) for frame in frames]
        print(f"{second:4} s: {sum(means) / len(means):.1f}")
