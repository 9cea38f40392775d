"""The command `optimal`, also as `python -m optimal`: it imports nothing before it can be interrupted in silence."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in `optimal` itself

if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process and return the exit status."""
    try:
        import gc
        import signal

        from optimal.signals import handle

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where Ctrl-C is ignored
            handle(signal.SIGINT, _on_ctrl_c)
        from optimal.cli import main as run

        gc.set_threshold(100_000)  # a command that loads modules and word lists makes no rubbish worth a search

        return run()
    except KeyboardInterrupt:  # while the program was still being loaded: nothing has been done yet that is to be told
        return INTERRUPTED


def _on_ctrl_c(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, as Python does; but end at once while a module loads, and after `main`.

    An import may drop a KeyboardInterrupt, or turn it into an ImportError, and the command would go on; what Python
    does at its end would print a traceback.
    """
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        if frame.f_code is main.__code__:
            raise KeyboardInterrupt
        frame = frame.f_back
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
