"""Labels: what a tree file can hold, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimal.errors import InputError
from optimal.games.info import describe
from optimal.games.wordlists import read_labels
from optimal.labels import (
    MAX_LABEL,
    check_label,
    check_labels,
    feedback_label,
    labelled_code,
    names_of,
    pieces_of,
    turn_of,
    unquoted,
)


@pytest.mark.parametrize("label", ["a", "0", "two words", "é", "漢", "a b=ü", "x" * MAX_LABEL])
def test_labels(label: str) -> None:
    assert check_label(label, "the name") == label
    assert check_labels([label], "guesses", 1) == (label,)


@pytest.mark.parametrize(
    "text", ["", "x" * (MAX_LABEL + 1), "a\nb", "\x1b[2J", "\ud800", "\u200b", 7, None, b"a", ["a"]]
)
def test_what_is_no_label(text: Any) -> None:
    with pytest.raises(
        InputError, match=r"^the name must (have 1 to 100 printable characters; |be text, not )"
    ) as raised:
        check_label(text, "the name")
    assert str(raised.value).isprintable()
    with pytest.raises(
        InputError, match=r"label 2 of guesses must have 1 to 100 printable|must be texts, such as \['a'\]"
    ):
        check_labels(["a", text], "guesses")


printable = st.text(st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"]) | st.sampled_from(' "=,@:'), min_size=1)


def in_quotes(label: str) -> str:
    return '"' + label.replace('"', '""') + '"'


@given(st.lists(st.tuples(printable, printable), max_size=4))
def test_positions_are_read_as_they_are_written(turns: list[tuple[str, str]]) -> None:
    """Whatever stands in their labels; in quotation marks, any label may stand in a list of openers too."""
    replies = dict(enumerate(reply for _, reply in turns))

    class Named:
        def format(self, code: int) -> str:
            return replies[code]

    text = describe(Named(), [(guess, code) for code, (guess, _) in enumerate(turns)])
    pieces = [piece for guess, reply in turns for piece in ((guess, False), ("=", True), (reply, False))]
    assert pieces_of(text) == pieces
    guesses = [guess for guess, _ in turns]
    assert [unquoted(in_quotes(guess)) for guess in guesses] == guesses
    assert names_of(" , ".join(map(in_quotes, guesses))) == (guesses or [""])
    labels = list(dict.fromkeys(guesses))
    assert [labelled_code(feedback_label(code, labels), labels) for code in range(len(labels))] == [*range(len(labels))]


@given(st.text(' "=,ab', max_size=12))
def test_any_typed_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (pieces_of, names_of, unquoted, turn_of):
        message = ""
        try:
            read(text)
        except InputError as error:
            message = str(error)
        assert "\n" not in message
        assert not message or '"' in text


def test_files_of_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_bytes("\ufefftwo words\r\n7\nÉ\n".encode())
    assert read_labels(path) == ("two words", "7", "É")
    path.write_bytes(b"a\n\nb\n")
    with pytest.raises(InputError, match=r"^label 2 of .*labels must have 1 to 100 printable characters; '' does not"):
        read_labels(path)
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_labels(path)
    with pytest.raises(InputError, match="can't read the labels"):
        read_labels(tmp_path)
