"""The ``noslip`` program."""

from __future__ import annotations

import signal
import sys

from ._noslip import program


def main() -> int:
    """Runs the program on the terminal; a closed pipe or Ctrl-C ends it quietly."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return program(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
