"""The command line in tests: most runs call `main` here, those that are about processes start one."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from patience import PATIENCE

from optimal.cli import main

ROOT = Path(__file__).resolve().parents[2]
#: A line that tells how far work has come.
PROGRESS = re.compile(r"[0-9.]+ s: (?!better tree)")
PLAIN = {"PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": ""}

COLOURS = {"PYTHONIOENCODING": "utf-8", "TERM": "xterm-256color", "COLORTERM": "", "NO_COLOR": ""}


def environment(extra: Mapping[str, str] = PLAIN) -> dict[str, str]:
    """Variables for a process that finds this very package."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, **extra}


def run(folder: Path, *words: str, typed: str | bytes = "", extra: Mapping[str, str] = PLAIN) -> SimpleNamespace:
    """Run `optimal words` in the folder, with streams of its own; the texts that it prints, and its exit status.

    It starts no process, which would cost more than most commands do: test_cli.py starts some of each kind in one.
    """
    data = typed if isinstance(typed, bytes) else typed.encode()
    encoding = extra.get("PYTHONIOENCODING", "utf-8")
    out, err = io.BytesIO(), io.BytesIO()
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding)
    stdout = io.TextIOWrapper(out, encoding)
    stderr = io.TextIOWrapper(err, encoding, "backslashreplace")
    before = Path.cwd()
    os.chdir(folder)
    try:
        with (
            mock.patch.object(sys, "stdin", stdin),
            mock.patch.object(sys, "stdout", stdout),
            mock.patch.object(sys, "stderr", stderr),
            mock.patch.dict(os.environ, extra),
        ):
            status = main(words)
            stderr.flush()
    finally:
        os.chdir(before)
    return _told(status, out.getvalue(), err.getvalue())


def started(folder: Path, *words: str, **options: Any) -> subprocess.Popen[str]:
    """A process that runs `optimal words` in the folder, to be signalled or killed; its streams are pipes."""
    return subprocess.Popen(
        [sys.executable, "-m", "optimal", *words],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def run_process(
    folder: Path, *words: str, typed: str | bytes = "", extra: Mapping[str, str] = PLAIN
) -> SimpleNamespace:
    """The same in a process of its own."""
    data = typed if isinstance(typed, bytes) else typed.encode()
    done = subprocess.run(
        [sys.executable, "-m", "optimal", *words],
        cwd=folder,
        env=environment(extra),
        input=data,
        capture_output=True,
        timeout=PATIENCE,
    )
    return _told(done.returncode, done.stdout, done.stderr)


def run_terminal(
    folder: Path, *words: str, typed: str = "", columns: int = 80, extra: Mapping[str, str] = COLOURS
) -> str:
    """Run it in a process of its own on a terminal; all that is seen there, the typed lines too, with its colours."""
    import fcntl
    import pty
    import struct
    import termios

    above, below = pty.openpty()
    fcntl.ioctl(below, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    env = {name: value for name, value in environment(extra).items() if name not in ("COLUMNS", "NO_COLOR") or value}
    env["COLUMNS"] = str(columns)
    process = subprocess.Popen(
        [sys.executable, "-m", "optimal", *words], cwd=folder, env=env, stdin=below, stdout=below, stderr=below
    )
    os.close(below)
    os.write(above, f"{typed}\x04".encode())  # and the end of the input
    seen = b""
    deadline = threading.Timer(PATIENCE, process.kill)
    deadline.start()
    while True:
        try:
            part = os.read(above, 65536)
        except OSError:  # how Linux says that nobody writes any more
            break
        if not part:
            break
        seen += part
    os.close(above)
    process.wait()
    deadline.cancel()
    text = seen.decode().replace("\r\n", "\n")
    assert "Traceback" not in text, text
    return text


def _told(status: int, out: bytes, err: bytes) -> SimpleNamespace:
    lines = err.decode().splitlines(keepends=True)
    # On a slow machine more of the work lasts long enough to be told of.
    err_text = "".join(line for line in lines if not PROGRESS.match(line))
    told = SimpleNamespace(status=status, out=out.decode(), err=err_text)
    assert "Traceback" not in told.err, told.err
    return told


def run_json(folder: Path, *words: str, status: int = 0, typed: str = "") -> dict[str, Any]:
    """Run it with --json; the one object that it prints."""
    done = run(folder, *words, "--json", typed=typed)
    assert done.status == status, done.err
    found = json.loads(done.out)
    assert isinstance(found, dict)
    return found
