"""The program: ``python -m warpreel`` and the command ``warpreel``."""

import sys


def main():
    """Does what was typed, and ends with the program's exit code."""
    from . import _warpreel

    sys.stdout.flush()
    sys.exit(_warpreel.main(["warpreel", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
