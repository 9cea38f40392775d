"""Labels: what a tree file can hold, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from optimal.errors import InputError
from optimal.games.labels import MAX_LABEL, check_label, check_labels, label_fault, read_labels


@pytest.mark.parametrize("label", ["a", "0", "two words", "é", "漢", "x" * MAX_LABEL])
def test_labels(label: str) -> None:
    assert label_fault(label) is None
    assert check_label(label, "the label") == label


@pytest.mark.parametrize(
    ("label", "fault"),
    [
        ("", "is empty"),
        ("x" * (MAX_LABEL + 1), "has 101 characters, more than 100"),
        ("a\nb", "is not printable"),
        ("\x1b[2J", "is not printable"),
        ("\ud800", "is not printable"),
        (7, "is no text"),
        (None, "is no text"),
        (b"a", "is no text"),
    ],
)
def test_what_is_no_label(label: Any, fault: str) -> None:
    assert label_fault(label) == fault
    with pytest.raises(InputError, match="guesses, label 2: ") as raised:
        check_labels(["a", label], "guesses")
    assert fault in str(raised.value)
    assert str(raised.value).isprintable()


def test_labels_stand_once() -> None:
    assert check_labels(["b", "a"], "answers") == ("b", "a")
    with pytest.raises(InputError, match="answers, label 3: 'b' is label 1 already"):
        check_labels(["b", "a", "b"], "answers")


def test_files_of_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_bytes("\ufefftwo words\r\n7\nÉ\n".encode())
    assert read_labels(path) == ("two words", "7", "É")
    path.write_bytes(b"a\n\nb\n")
    with pytest.raises(InputError, match=r"labels, label 2: .* is empty"):
        read_labels(path)
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_labels(path)
    with pytest.raises(InputError, match="can't read the labels"):
        read_labels(tmp_path)
