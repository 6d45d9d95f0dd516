"""Puts eight frames of a video, at equal distances, into one picture.

    python contact_sheet.py in.mp4 sheet.png
"""

import sys

import numpy as np
import warpreel

with warpreel.open(sys.argv[1]) as video, warpreel.create(sys.argv[2], overwrite=True) as sink:
    small = warpreel.Chain("scale=160:-2")
    pictures = [small(video[n * len(video) // 8]).rgb() for n in range(8)]
    sink.write(np.vstack([np.hstack(pictures[:4]), np.hstack(pictures[4:])]))
