"""Runs a whole job like the program, with a progress line and its report.

    python whole_job.py in.mp4 out.mp4
"""

import sys

import warpreel


def progress(done: int, of: int | None) -> None:
    print(f"{done} of {of} frames", file=sys.stderr)


report = warpreel.run(sys.argv[1], sys.argv[2], "gaussian=2", progress=progress, crf=20, overwrite=True)
print(f"{report['frames']} frames, {report['backend']}; slowest stage: {report['pace']}")
