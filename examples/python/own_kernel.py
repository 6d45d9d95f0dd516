"""Applies a kernel of 3x3x3 taps to a clip of arrays.

    python own_kernel.py
"""

import numpy as np
import warpreel

clip = np.zeros((5, 32, 32), np.float32)
clip[2, 16, 16] = 27
mean = warpreel.convolve(clip, np.full((3, 3, 3), 1 / 27), border_t="zero")
print(mean[:, 16, 15:18].round(3).tolist())
