"""The plugin of warpreel for VapourSynth, `core.warpreel`, in Python: types for editors, and a backend of vs-jetpack.

    from vsdenoise import nl_means
    import vswarpreel

    clip = nl_means(clip, h=1.2, backend=vswarpreel.Backend())
"""

from .backend import Backend

__all__ = ["Backend"]
