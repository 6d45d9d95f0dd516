"""Filters an endless stream of arrays, a few frames at a time.

    python stream_arrays.py
"""

import itertools

import numpy as np
import warpreel

frames = (np.full((48, 64), n % 256, np.uint8) for n in itertools.count())
mean = warpreel.Chain("tmix=5")
print([int(frame[0, 0]) for frame in itertools.islice(mean.stream(frames), 6)])
