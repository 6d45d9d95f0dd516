"""Saves three frames of a video from a time on, in seconds.

    python from_a_time.py in.mp4 0.5 frame%d.png
"""

import itertools
import sys

import warpreel

with warpreel.open(sys.argv[1]) as video, warpreel.create(sys.argv[3], overwrite=True) as sink:
    video.seek(float(sys.argv[2]))
    for frame in itertools.islice(video, 3):
        sink.write(frame.rgb())
        print(f"frame {frame.number} at {frame.time:.3f} s")
