"""The command `optimal`, also as `python -m optimal`: it imports nothing before it can be interrupted in silence."""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process and return the exit status."""
    try:
        from optimal.cli import main as run

        return run()
    except KeyboardInterrupt:  # while the program was still being loaded: nothing has been done yet that is to be told
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
