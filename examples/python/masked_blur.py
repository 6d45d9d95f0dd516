"""Blurs an image where an array says how much.

    python masked_blur.py
"""

import numpy as np
import warpreel

image = np.zeros((48, 64), np.uint8)
image[:, ::2] = 200
mask = np.linspace(0, 1, 64, dtype=np.float32) * np.ones((48, 1), np.float32)
blurred = warpreel.Chain("gaussian=3", mask=mask)(image)
print(f"left {blurred[24, :4].tolist()}, right {blurred[24, -4:].tolist()}")
