"""Filters a video frame by frame, and keeps its audio, tags and timestamps.

    python filter_video.py in.mp4 out.mp4
"""

import sys

import warpreel

chain = warpreel.Chain("tmix=3,gaussian=1")
with warpreel.open(sys.argv[1]) as video, warpreel.create(sys.argv[2], like=video, overwrite=True) as sink:
    for frame in chain.stream(video):
        sink.write(frame)
