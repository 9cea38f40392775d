"""Signals: who may handle them."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]


def handle(number: int, handler: Handler) -> Any:
    """Install a handler, and return the one before it. Where no handler may be installed, return None: Python allows it
    only in the main thread of the main interpreter."""
    try:
        return signal.signal(number, handler)
    except ValueError:
        return None
