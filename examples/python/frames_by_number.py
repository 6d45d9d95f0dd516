"""Prints where frames of a video are, by number, by slice and by time.

    python frames_by_number.py in.mp4
"""

import sys

import warpreel

with warpreel.open(sys.argv[1]) as video:
    print(f"{len(video)} frames; the last is at {video[-1].time:.3f} s")
    for frame in video[4:16:4]:
        print(f"frame {frame.number} at {frame.time:.3f} s")
    video.seek(0.5)
    print(f"from half a second on: frame {next(video).number}")
