"""Loops in parts on all cores."""

from __future__ import annotations

import threading

import pytest

from optimal import threads


def test_parts_cover_the_range_once_and_an_error_ends_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_cores", lambda: 3)
    done: list[int] = []
    lock = threading.Lock()

    def do(first: int, end: int) -> None:
        with lock:
            if 50 in range(first, end) and wrong:
                raise KeyboardInterrupt
            done.extend(range(first, end))

    for wrong, total, size in ((False, 0, 4), (False, 5, 8), (False, 103, 4), (True, 10**6, 4)):
        done.clear()
        if wrong:
            with pytest.raises(KeyboardInterrupt):
                threads.in_parts(total, size, do)
            assert len(done) < total
        else:
            threads.in_parts(total, size, do)
            assert sorted(done) == [*range(total)]
