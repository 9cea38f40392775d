"""The shipped lists by hash and by how they relate; reading of good and bad files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from optimal.cli.options import openers_of
from optimal.errors import InputError
from optimal.files import MOST_BYTES
from optimal.games import presets
from optimal.games.game import Game
from optimal.games.matrices import read_matrix
from optimal.games.resources import data_file
from optimal.games.spelling import read_spelling
from optimal.games.weights import weights_of
from optimal.games.wordlists import check_words, read_labels, read_words, sha256_of

PINNED = {
    "classic-guesses.txt": (12972, "feacc549249b5dcb43e2799fbbcda14ebc33d55904fb15d043779104e60c1579"),
    "classic-answers.txt": (2315, "f40e47975cf360ff9febe7d49c8e285054d8fa3fb9644cea575922060951d6ee"),
    "classic-others.txt": (10657, "f012ef5ecdbeb94274186abcbbd5388d92bb86fe8ae0635fffcc5e9be4aa3d33"),
    "nyt-guesses.txt": (14855, "ba86911aea83d038d53c0999fe6cbe310c8f59d2b79626c73bd0cd0773adc320"),
    "nyt2022-answers.txt": (2309, "c495f6cbc36475358a89e30ac16bd5c0c05073c8c7647bb6c35dd01f7bae6e32"),
    "nyt2023-answers.txt": (3158, "3e443482b78dee0f6f8de4f74dbb67537db781524279b1d40ca3353c592b03ce"),
}
IN_GAME_ORDER = {"classic-answers.txt", "nyt2022-answers.txt"}


@pytest.fixture(scope="module")
def lists() -> dict[str, list[str]]:
    return {name: read_words(data_file(name)) for name in PINNED}


@pytest.mark.parametrize("name", PINNED)
def test_hashes(name: str, lists: dict[str, list[str]]) -> None:
    words = lists[name]
    assert (len(words), sha256_of(words)) == PINNED[name]
    assert (words == sorted(words)) == (name not in IN_GAME_ORDER)
    # The file is the list and nothing else: no blanks, no capitals, a newline at the end.
    assert data_file(name).read_bytes() == "".join(word + "\n" for word in words).encode()


def test_frequencies(lists: dict[str, list[str]]) -> None:
    digest = hashlib.sha256(data_file("frequencies.txt").read_bytes()).hexdigest()
    assert digest == "bb00a272063d729278d7119a051110c4d00daace0a90dc45f80c347dc0b16a01"
    assert (len(presets.frequencies()), presets.frequencies()["aahed"]) == (14561, 944)
    assert presets.file_order(presets.CLASSIC_ANSWERS) == tuple(lists["classic-answers.txt"])


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "list.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content", ["crane\nslate\n", "crane\nslate", "crane\r\nslate\r\n", "\ufeffcrane\nslate\n\n\n", " CRANE \nSlate"]
)
def test_forgiving_reading(content: str, tmp_path: Path) -> None:
    assert read_words(write(tmp_path, content)) == ["crane", "slate"]


TAKEN = "taken as a word; leave it out if it is a heading"
SPELLED = [
    # The second word is written with a combining accent and becomes one code point.
    ("übel\ne\u0301lan\nÄpfe\n", "", False, "übel élan äpfe", ""),
    # Where there is an ı or İ, I is the capital of ı.
    ("SINIR\nİSTER\n", "", False, "sınır ister", ""),
    ("SINIR\nsinir\nkasım\n", "", False, "sınır sinir kasım", ""),
    ("SINIR\nMISTY\n", "", False, "sinir misty", ""),
    ("ΛΟΓΟΣ\nσοφός\n", "# last\nς = σ\n\n", False, "λογοσ σοφόσ", ""),
    ("SINIR\nmisty\n", "I=ı", False, "sınır misty", ""),
    ("Njuška\nMAČKA\n", "nj=\u01cc", False, "\u01ccuška mačka", ""),
    ("can't\nit-is\n", "'=\n-=", False, "cant itis", ""),
    ("Ñandú\nniñas\n", "ñ=ñ", True, "ñandu niñas", ": read ú as u"),
    ("Ñandú\nnandu\nqx\u0301yzz\n", "", True, "nandu qxyzz", ": 1 repeated word left out|: read ñ as n, ú as u"),
    ('["cr\\u00eape",\n "slate"]', "", False, "crêpe slate", ""),
    ("# mine\n'crane', 'slate',\n\"trace\"\n", "", False, "crane slate trace", ""),
    ("Wort\ncrane\nslate\nbaker\n", "", False, "crane slate baker", ", line 1: 'wort' left out, as a heading"),
    ("Words\nbaker\ncrane\nslate\n", "", False, "baker crane slate", ", line 1: 'words' left out, as a heading"),
    ("words\ncrane\nslate\nbaker\n", "", False, "words crane slate baker", f", line 1: 'words' is {TAKEN}"),
]


@pytest.mark.parametrize(("content", "letters", "fold", "words", "notes"), SPELLED)
def test_spelling(content: str, letters: str, fold: bool, words: str, notes: str, tmp_path: Path) -> None:
    (tmp_path / "letters").write_text(letters, encoding="utf-8")
    spelling, told = read_spelling(tmp_path / "letters", fold=fold), list[str]()
    path = write(tmp_path, content)
    assert read_words(path, spelling=spelling, tell=told.append) == words.split()
    assert [line.removeprefix(str(path)) for line in told] == [line for line in notes.split("|") if line]
    again = spelling.suited(words)
    assert [again.written(word) for word in words.split()] == words.split()


@pytest.mark.parametrize(
    ("letters", "message"),
    [
        ("ς", "'ς' is no letter with what it is read as; write such as ς=σ"),
        ("# a\n=b", "'=b' is no letter"),
        ("a=b\na=c", "'a' is read as 'b' and as 'c'"),
        ("ß=ss\ns=z", "'ß' is read as 'ss', in which 's' is read as 'z': write the last at once"),
    ],
)
def test_bad_letters(letters: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, letters)
    with pytest.raises(InputError, match=re.escape(f"{path}: {message}")):
        read_spelling(path, fold=False)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", " is empty: it needs at least one word"),
        ("# words\n\ncrane\nslat\n", ", line 4: 'slat' has 4 letters but the first word has 5; all words must be"),
        ("a\n", ", line 1: 'a' has 1 letter; words must have 2 to 10"),
        ("crane\ncan't\n", ', line 2: "can\'t" holds "\'"; words may hold letters only; --length N takes the words'),
        ("crane\nsl te\n", ", line 2: 'sl te' holds ' '; one word a line is right"),
        ("crane 12\n", ", line 1: 'crane 12' holds ' '; one word a line is right, and numbers beside words are for"),
        ("crane\nqx\u0301yz\n", ", line 2: 'qx\u0301yz' holds the mark '\u0301' that joins no letter into one;"),
        (b"crane\nsl\xe9te\n", ", line 2: not UTF-8; save the word list as UTF-8"),
    ],
)
def test_bad_word_lists(content: str | bytes, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, content)
    with pytest.raises(InputError) as error:
        read_words(path)
    assert str(error.value).startswith(f"{path}{message}")


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, "# my words\ncrane\n\n  # more\nslate\nCrane\ntea\nslate\nqx\u0301yz\n")
    told: list[str] = []
    assert read_words(path, length=5, tell=told.append) == ["crane", "slate"]
    assert told == [
        f"{path}: 1 word not of 5 letters left out",
        f"{path}: 1 word with marks that join no letter left out, such as 'qx\u0301yz'",
        f"{path}: 2 repeated words left out",
    ]
    assert read_words(path, length=3) == ["tea"]
    for content, message in (("crane\n", "has 1 word, none of 9 letters"), ("qx\u0301yz\n", "holds the mark")):
        with pytest.raises(InputError, match=message):
            read_words(write(tmp_path, content), length=9)


ENDLESS = [
    read_words,
    read_labels,
    read_matrix,
    lambda path: weights_of(Game.from_words(["ab"], ["ab"]), path),
    lambda path: openers_of(f"@{path}"),
]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
@pytest.mark.parametrize("read", ENDLESS)
def test_files_without_an_end(read: Callable[[str], Any]) -> None:
    with pytest.raises(InputError, match=f"can't read the .* /dev/zero: it has more than {MOST_BYTES} bytes"):
        read("/dev/zero")


def test_words_from_elsewhere() -> None:
    with pytest.raises(InputError, match="words, word 3: 'crane' is a duplicate of word 1; each word may stand once"):
        check_words(["crane", "slate", "Crane"])
    assert check_words(["Crane", "slate"]) == ["crane", "slate"]
    with pytest.raises(InputError, match="answers, word 2: 'cranes' has 6 letters but the first word has 5; all words"):
        check_words(["crane", "cranes"], "answers")


@pytest.mark.parametrize(
    ("guesses", "answers", "message"),
    [
        ("", "crane", "the list of guesses is empty: it needs at least one word"),
        ("crane", "", "the list of answers is empty: it needs at least one word"),
        ("crane", "cran", "guesses have 5 letters but answers have 4: they must be equally long"),
        ("crane", "aback abase abate abbey", "answers that are not in the list of guesses: aback, abase, abate and 1"),
    ],
)
def test_lists_that_do_not_fit(guesses: str, answers: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        Game.from_words(guesses.split(), answers.split())
