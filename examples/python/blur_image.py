"""Blurs an image, and finds its edges.

    python blur_image.py
"""

import numpy as np
import warpreel

image = np.zeros((48, 64, 3), np.uint8)
image[20:30, 20:40] = 255, 128, 0
edges = warpreel.Chain("gaussian=2,sobel")(image)
print(f"{edges.shape} {edges.dtype}, brightest {edges.max()}")
