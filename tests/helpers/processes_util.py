"""Programs in processes that tests signal and kill, and the worker processes that these start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_util import ROOT
from patience import PATIENCE, wait_for

needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="needs /proc to find the workers")


@contextmanager
def process(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Python with these arguments, in a process group of its own, with `folder` for temporary files."""
    with subprocess.Popen(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # In the background of a shell without job control these tests are told to ignore SIGINT, and what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as started:
        try:
            yield started
        finally:
            if started.poll() is None:
                os.killpg(started.pid, signal.SIGKILL)


def ends_by_itself(started: subprocess.Popen[str]) -> tuple[str, str]:
    """What is still printed; the streams must be closed, by all processes that have them."""
    return started.communicate(timeout=PATIENCE)


def group_ends(number: int) -> None:
    """Wait until no process of the group is left."""

    def ended() -> bool:
        try:
            os.killpg(number, 0)
        except ProcessLookupError:
            return True
        return False

    wait_for(ended)


def workers_of(parent: int) -> list[int]:
    """Its worker processes."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            ours = f"PPid:\t{parent}\n" in (path / "status").read_text()
            if ours and b"popen_loky" in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:
            pass
    return found
