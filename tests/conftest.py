"""What every test shares: the same examples in every run, however slow the machine."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "same", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")

# In the background of a shell without job control Ctrl-C is ignored, here and in what tests start; some tests send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Help and texts are as wide as on a terminal of 80, also in programs that a test runs.
os.environ["COLUMNS"] = "80"

# Pages are opened by a program that does nothing.
os.environ["BROWSER"] = "true"


#: What Chromium may be called, and how it is started.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: there is always a test that waits for something."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is long is slow, too: `-m "not slow"` leaves it out."""
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker("slow")


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time limits are over as they begin: on a quick machine much is found out before a thread that waits has begun."""

    class AtOnce(threading.Timer):
        def start(self) -> None:
            self.function(*self.args, **self.kwargs)

    monkeypatch.setattr(threading, "Timer", AtOnce)


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checker of certificates in C, built so that it can be asked with a guard off."""
    from certificates_util import compiled

    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    return compiled(tmp_path_factory.mktemp("checker"), "-DFORGIVING")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, for the pages; tests that ask for it are left out where it is not installed."""
    from patience import SOON

    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra `test`")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("needs Chromium: none is installed")
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    sync_api.expect.set_options(timeout=1000 * SOON)
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *root])
        yield found
        found.close()
